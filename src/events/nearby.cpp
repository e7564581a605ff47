#include "events/nearby.h"

#include <algorithm>
#include <limits>

namespace scree::events {
namespace {

// Renewals to readings of lists near which their cost together is least: from a few runs of gases and beds, and flat
// there.
template <int D>
constexpr double balance = D == 2 ? 0.15 : 0.07;

Image opposite(const Image& image) {
    Image back;
    for (std::size_t k = 0; k < 3; ++k) back[k] = static_cast<std::int8_t>(-image[k]);
    return back;
}

// Lists end where meetings may be read up to.
std::size_t padded(std::size_t n) { return (n + meeting_padding - 1) / meeting_padding * meeting_padding; }

bool holds(std::span<const Neighbor> list, const Neighbor& entry) {
    bool found = false;
    for (const Neighbor& other : list) found |= other == entry;
    return found;
}

}  // namespace

template <int D>
void Nearby<D>::begin(std::span<const Flight<D>> grains, std::span<Spot<D>> spots, const Periodicity& periods,
                      const double* g, bool falling, const double* drift, double horizon) {
    const bool same_kind = grains_ == grains.size() && falling == falling_;
    if (same_kind) follow(drift, horizon_);  // to the end of the span before
    grains_ = grains.size();
    periods_ = periods;
    horizon_ = horizon;
    falling_ = falling;
    since_ = 0;
    renewals = 0;
    for (int k = 0; k < D; ++k) {
        g_[k] = g[k];
        fall_[k] = falling ? g[k] : 0.0;
    }
    double mean = 0, largest = 0;
    for (const Flight<D>& grain : grains) {
        mean += grain.radius / static_cast<double>(grains_);
        largest = std::max(largest, grain.radius);
    }
    double room = share_ * mean;
    // Two reaches must fit into a period.
    any_period_ = false;
    for (int k = 0; k < D; ++k) {
        const double length = periods.length[k];
        per_length_[k] = length > 0 ? 1 / length : 0.0;
        if (length > 0) {
            any_period_ = true;
            room = std::min(room, 0.4999 * length - largest);
        }
    }
    if (same_kind && std::fabs(room - room_) < 0.15 * room_ && keep(grains, spots)) return;
    room_ = room;
    for (int k = 0; k < D; ++k) {
        origin_[k] = 0;
        drift_[k] = drift[k];
    }
    build(grains, spots);
}

template <int D>
float Nearby<D>::reach_of(const Flight<D>& grain) const {
    return std::nextafter(static_cast<float>(grain.radius + room_), std::numeric_limits<float>::max());
}

template <int D>
void Nearby<D>::build(std::span<const Flight<D>> grains, std::span<Spot<D>> spots) {
    reaches_.resize(grains_);
    places_.resize(grains_);
    for (std::size_t i = 0; i < grains_; ++i) {
        reaches_[i] = spots[i].reach = reach_of(grains[i]);
        place(grains[i], 0, places_[i].data());
        std::copy(places_[i].begin(), places_[i].end(), spots[i].center);
    }
    cells_.fill(reaches_, room_, places_, periods_);
    lists_.clear();
    for (Index i = 0; i < grains_; ++i) {
        find(i, spots);
        spots[i].count = spots[i].capacity = 0;
        write(spots[i]);
    }
}

// The lists of the span before serve on, if these are its grains in its order, up to a few that were moved (through a
// border, say): each must be inside its ball.
template <int D>
bool Nearby<D>::keep(std::span<const Flight<D>> grains, std::span<Spot<D>> spots) {
    moved_.clear();
    for (Index i = 0; i < grains_; ++i) {
        if (spots[i].reach != reach_of(grains[i])) return false;
        double y[D], away = 0;
        place(grains[i], 0, y);
        for (int k = 0; k < D; ++k) away += (y[k] - spots[i].center[k]) * (y[k] - spots[i].center[k]);
        if (away < room_ * room_ * (1 - 1e-9)) continue;
        moved_.push_back(i);
        if (moved_.size() > grains_ / 8) return false;
    }
    for (const Index i : moved_) renew(i, grains[i], spots, 0);
    return lists_.size() < 64 * (grains_ + 64);  // lists that grew have left gaps
}

template <int D>
void Nearby<D>::find(Index i, std::span<const Spot<D>> spots) {
    const Spot<D>& own = spots[i];
    cells_.look(own.center, static_cast<double>(own.reach), found_);
    if (list_.size() < found_.count + 1) list_.resize(2 * found_.count + 16);
    for (std::size_t m = 0; m < found_.count; ++m) __builtin_prefetch(&spots[found_.grains[m]]);
    std::size_t count = 0;
    const bool many = cells_.many_images();
    for (std::size_t m = 0; m < found_.count; ++m) {
        const Index j = found_.grains[m];
        const Spot<D>& spot = spots[j];
        // Numbers, not an image in memory: what has just been written in pieces is slow to read as a whole.
        double distance = 0, d[D], turns[3] = {0, 0, 0};
        for (int k = 0; k < D; ++k) d[k] = spot.center[k] - own.center[k];
        if (any_period_) {
            if (many) {
                const Image image = cells_.image_of(found_, m, spot.center);
                for (std::size_t k = 0; k < D; ++k) turns[k] = image[k];
            }
            for (int k = 0; k < D; ++k) {
                constexpr double rounder = 0x1.8p52;
                if (!many) turns[k] = -((d[k] * per_length_[k] + rounder) - rounder);  // to the nearest
                d[k] += turns[k] * periods_.length[k];
            }
        }
        for (int k = 0; k < D; ++k) distance += d[k] * d[k];
        const double reach = static_cast<double>(own.reach) + static_cast<double>(spot.reach);
        list_[count] = {j,
                        {static_cast<std::int8_t>(turns[0]), static_cast<std::int8_t>(turns[1]),
                         static_cast<std::int8_t>(turns[2])}};
        count += (distance < reach * reach) & (j != i);
    }
    listed_ = count;
}

// Makes list_ the list of a grain, with some capacity to spare.
template <int D>
void Nearby<D>::write(Spot<D>& spot) {
    if (listed_ > spot.capacity) {
        spot.first = static_cast<Index>(lists_.size());
        spot.capacity = static_cast<Index>(padded(listed_ + 2 + listed_ / 8));
        lists_.resize(lists_.size() + spot.capacity);
    }
    std::copy_n(list_.begin(), listed_, lists_.begin() + spot.first);
    spot.count = static_cast<Index>(listed_);
}

template <int D>
void Nearby<D>::append(Spot<D>& spot, Neighbor entry) {
    if (spot.count == spot.capacity) {
        const Index first = static_cast<Index>(lists_.size());
        spot.capacity += static_cast<Index>(padded(spot.capacity / 2 + 1));
        lists_.resize(lists_.size() + spot.capacity);
        std::copy_n(lists_.begin() + spot.first, spot.count, lists_.begin() + first);
        spot.first = first;
    }
    lists_[spot.first + spot.count++] = entry;
}

template <int D>
double Nearby<D>::leave_time(const Flight<D>& grain, const Spot<D>& spot, double now) const {
    double y[D], pp = 0, pw = 0, ww = 0, pg = 0, wg = 0, gg = 0;
    place(grain, now, y);
    for (int k = 0; k < D; ++k) {
        const double p = y[k] - spot.center[k],
                     w = grain.v[k] + (now - grain.t) * g_[k] - (now - since_) * fall_[k] - drift_[k];
        pp += p * p;
        pw += p * w;
        ww += w * w;
        if (!falling_) {
            pg += p * g_[k];
            wg += w * g_[k];
            gg += g_[k] * g_[k];
        }
    }
    const double left = std::max(room_ * room_ - pp, 0.0);
    if (!falling_) {
        double c[5] = {left, -2 * pw, -(ww + pg), -wg, -0.25 * gg};
        const double s = first_negative(c, 4, horizon_ - now);
        return s < horizon_ - now ? now + s : forever;
    }
    if (!(ww > 0)) return forever;
    const double root = std::sqrt(pw * pw + ww * left);
    const double time = now + (pw > 0 ? left / (pw + root) : (root - pw) / ww);
    return time < horizon_ ? time : forever;
}

template <int D>
void Nearby<D>::follow(const double* velocity, double now) {
    const double since = now - since_;
    for (int k = 0; k < D; ++k) {
        origin_[k] += since * (drift_[k] + 0.5 * since * fall_[k]);
        drift_[k] = velocity[k];
    }
    since_ = now;
}

template <int D>
std::span<const Neighbor> Nearby<D>::renew(Index i, const Flight<D>& grain, std::span<Spot<D>> spots, double now) {
    ++renewals;
    Spot<D>& spot = spots[i];
    double center[D];
    place(grain, now, center);
    cells_.move(i, spot.center, center);
    std::copy(center, center + D, spot.center);
    find(i, spots);
    if (fresh_.size() < padded(listed_)) fresh_.resize(2 * padded(listed_));
    std::size_t fresh = 0;
    const std::span<const Neighbor> before = of(spot), after(list_.data(), listed_);
    for (const Neighbor& old : before) {
        if (holds(after, old)) continue;
        Spot<D>& other = spots[old.grain];
        Neighbor* entry = lists_.data() + other.first;
        const Neighbor mine{i, opposite(old.image)};
        while (!(*entry == mine)) ++entry;
        *entry = lists_[other.first + --other.count];
    }
    for (const Neighbor& entry : after)
        if (!holds(before, entry)) fresh_[fresh++] = entry;
    for (const Neighbor& entry : std::span(fresh_).first(fresh)) append(spots[entry.grain], {i, opposite(entry.image)});
    write(spot);
    return {fresh_.data(), fresh};
}

// Renewals go down with the square of the room.
template <int D>
void Nearby<D>::end(std::int64_t readings, std::size_t grains) {
    if (readings < static_cast<std::int64_t>(2 * grains)) return;
    const double ratio = static_cast<double>(renewals) / (balance<D> * static_cast<double>(readings));
    share_ = std::clamp(share_ * std::clamp(std::sqrt(ratio), 0.8, 1.25), 0.05, 2.0);
}

template class Nearby<2>;
template class Nearby<3>;

}  // namespace scree::events
