// The grid neighborhood of hard grains: who may meet whom soon, in lists that last.
//
// Every grain has a ball of free room around a center, and a list of all others it could touch while each stays inside
// its own ball. A grain that is about to leave its ball gets a new one around where it is (an event), and only then are
// linked cells (cells.h) asked who is near; lists of both sides are brought up to date. Collisions, by far the most
// frequent events, read a short list from one place in memory. Centers fall with the grains and move with the mean
// velocity of the bed, now and then adjusted, so that common motion leaves nobody's ball, and a flight seen from there
// is a straight line.
//
// How much room: more makes lists longer, less makes them change more often. It is steered from span to span by what
// both cost; the events do not depend on it. Rejected: entering and leaving cells by events, without lists. In a dense
// bed two of three grains in the nine cells around are not within reach, and walking their chains cost as much as the
// predictions.
#pragma once

#include <span>
#include <vector>

#include "events/meetings.h"

namespace scree::events {

struct Pending {
    static constexpr std::uint32_t nobody = ~std::uint32_t{0};
    double time = forever;
    std::uint32_t partner = nobody;  // grain, or wall piece
    Image image{};
    bool wall = false;
};

// All that is asked about a grain besides its flight, in one line of the cache.
template <int D>
struct alignas(64) Spot {
    double center[D];
    double leave = forever;  // when it leaves its ball; `forever` too where it is known to meet somebody before
    Pending meeting;
    float reach = 0;                                   // radius and room, rounded up
    std::uint32_t first = 0, count = 0, capacity = 0;  // of its list
};

template <int D>
class Nearby {
  public:
    using Index = std::uint32_t;

    std::int64_t renewals = 0;  // in this span

    // At time 0 of a span; what was known at the end of the span before is kept where it holds. `falling`: everybody
    // falls with g; else some are fixed, and balls stay where they are.
    void begin(std::span<const Flight<D>> grains, std::span<Spot<D>> spots, const Periodicity& periods, const double* g,
               bool falling, const double* drift, double horizon);

    std::span<const Neighbor> of(const Spot<D>& spot) const { return {lists_.data() + spot.first, spot.count}; }

    // The list will be read soon.
    void expect(const Spot<D>& spot) const {
        __builtin_prefetch(lists_.data() + spot.first);
        __builtin_prefetch(lists_.data() + spot.first + 8);
    }

    // When a grain, inside its ball now, leaves it on its present flight, or shortly before.
    double leave_time(const Flight<D>& grain, const Spot<D>& spot, double now) const;

    // Whether a grain, inside its ball now, surely is when that time comes: its way, seen from the ball, is straight.
    // Without root and quotient.
    bool stays(const Flight<D>& grain, const Spot<D>& spot, double until) const {
        if (!falling_) return false;
        double y[D], away = 0;
        place(grain, until, y);
        for (int k = 0; k < D; ++k) away += (y[k] - spot.center[k]) * (y[k] - spot.center[k]);
        return away < room_ * room_ * (1 - 1e-9);
    }

    // Where the ball of a grain is, and how it moves: x + s v + s^2/2 fall(), within room() of which the grain stays.
    void ball(const Spot<D>& spot, double now, double* x, double* v) const {
        const double since = now - since_;
        for (int k = 0; k < D; ++k) {
            x[k] = spot.center[k] + (origin_[k] + since * (drift_[k] + 0.5 * since * fall_[k]));
            v[k] = drift_[k] + since * fall_[k];
        }
    }
    double room() const { return room_; }
    double fall(int axis) const { return fall_[axis]; }

    // A new ball for grain i; answers who is new on its list, until the next call.
    std::span<const Neighbor> renew(Index i, const Flight<D>& grain, std::span<Spot<D>> spots, double now);

    // The balls move with another velocity from now on; what leave_time() has said is void.
    void follow(const double* velocity, double now);
    double velocity(int axis, double now) const { return drift_[axis] + (now - since_) * fall_[axis]; }

    // At the end of a span in which so many lists have been read; chooses the room for the next one.
    void end(std::int64_t readings, std::size_t grains);

  private:
    void build(std::span<const Flight<D>> grains, std::span<Spot<D>> spots);
    bool keep(std::span<const Flight<D>> grains, std::span<Spot<D>> spots);
    float reach_of(const Flight<D>& grain) const;
    // Where a grain is, seen from the frame of the centers.
    void place(const Flight<D>& grain, double t, double* y) const {
        const double s = t - grain.t, since = t - since_;
        for (int k = 0; k < D; ++k)
            y[k] = grain.x[k] + s * (grain.v[k] + 0.5 * s * g_[k]) -
                   (origin_[k] + since * (drift_[k] + 0.5 * since * fall_[k]));
    }
    void find(Index i, std::span<const Spot<D>> spots);  // into list_
    void write(Spot<D>& spot);
    void append(Spot<D>& spot, Neighbor entry);

    Cells<D> cells_;
    Periodicity periods_;
    double per_length_[D] = {};  // 0: not periodic
    bool any_period_ = false;
    // The frame of the balls: where its origin is, and how it moves, at the time since_.
    double origin_[D] = {}, drift_[D] = {}, fall_[D] = {}, since_ = 0;
    double g_[D] = {}, horizon_ = 0;
    bool falling_ = true;
    std::size_t grains_ = 0;
    std::vector<Index> moved_;
    double room_ = 0, share_ = 0.5;  // share: of the mean radius
    typename Cells<D>::Found found_;
    std::vector<Neighbor> list_, fresh_;
    std::size_t listed_ = 0;  // in list_
    std::vector<double> reaches_;
    std::vector<std::array<double, D>> places_;
    LongVector<Neighbor> lists_;
};

extern template class Nearby<2>;
extern template class Nearby<3>;

}  // namespace scree::events
