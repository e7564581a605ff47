#include "events/kinetic.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "events/certificate.h"

namespace scree::events {
namespace {

// Of the ways in which the triangulation can follow, only flips at the new places are open here: the others start from
// the places it has, and those are of different times. If flips do not do it, it is built anew.
constexpr tri::Ladder only_flips{true, false, false};

// Simultaneous certificates: by the number of the grain.
constexpr auto by_number = [](Queue::Item grain) { return std::uint64_t{grain}; };

}  // namespace

template <int D>
typename Kinetic<D>::Line Kinetic<D>::line_of(const Flight<D>& grain) const {
    Line line;
    for (int k = 0; k < D; ++k) {
        line.y[k] = grain.x[k] - 0.5 * grain.t * grain.t * g_[k];
        line.w[k] = grain.v[k] - grain.t * g_[k];
    }
    line.t = grain.t;
    line.weight = grain.radius * grain.radius;
    return line;
}

template <int D>
tri::Row Kinetic<D>::row_at(const Line& line, double t) const {
    tri::Row row{{0, 0, 0, line.weight}};
    for (int k = 0; k < D; ++k) row.c[k] = line.y[k] + (t - line.t) * line.w[k];
    return row;
}

// ---- Guards and building ----------------------------------------------------------------------------------------------

template <int D>
bool Kinetic<D>::inside_guards(const Line& line, double until) const {
    double reach = std::sqrt(line.weight);
    for (int k = 0; k < D; ++k) {
        const double ends[2] = {line.y[k], line.y[k] + (until - line.t) * line.w[k]};
        for (const double y : ends)
            if (!(y - 2 * reach > low_[k]) || !(y + 2 * reach < high_[k])) return false;
    }
    return true;
}

// A box around all grains with room for their flights, with points at most eight diameters apart. A grain that still
// leaves it makes a new one.
template <int D>
void Kinetic<D>::set_guards(double now) {
    double diameter = 0, largest = 0, fastest = 0;
    for (int k = 0; k < D; ++k) {
        low_[k] = forever;
        high_[k] = -forever;
    }
    for (std::size_t i = 0; i < grains_; ++i) {
        const tri::Row row = row_at(lines_[i], now);
        const double radius = std::sqrt(lines_[i].weight);
        double speed = 0;
        for (int k = 0; k < D; ++k) {
            low_[k] = std::min(low_[k], row.c[k]);
            high_[k] = std::max(high_[k], row.c[k]);
            speed += lines_[i].w[k] * lines_[i].w[k];
        }
        diameter += 2 * radius / static_cast<double>(grains_);
        largest = std::max(largest, radius);
        fastest = std::max(fastest, speed);
    }
    double extent = 0;
    for (int k = 0; k < D; ++k) extent = std::max(extent, high_[k] - low_[k]);
    const double room = 4 * largest + 2 * diameter + std::min(2 * std::sqrt(fastest) * (horizon_ - now), 0.5 * extent);
    lines_.resize(grains_);
    int parts[3] = {0, 0, 0};
    for (int k = 0; k < D; ++k) {
        low_[k] -= room;
        high_[k] += room;
        parts[k] = std::max(1, static_cast<int>(std::ceil((high_[k] - low_[k]) / (8 * diameter))));
        parts[k] = std::min(parts[k], D == 2 ? 1 << 12 : 1 << 7);
    }
    for (int i = 0; i <= parts[0]; ++i)
        for (int j = 0; j <= parts[1]; ++j)
            for (int k = 0; k <= parts[2]; ++k) {
                const int at[3] = {i, j, k};
                bool border = false;
                Line guard{};
                for (int m = 0; m < D; ++m) {
                    border = border || at[m] == 0 || at[m] == parts[m];
                    guard.y[m] = at[m] == parts[m] ? high_[m] : low_[m] + (high_[m] - low_[m]) * at[m] / parts[m];
                }
                if (border) lines_.push_back(guard);
            }
}

template <int D>
void Kinetic<D>::build(double now) {
    set_guards(now);
    std::vector<tri::Row> rows(lines_.size());
    for (std::size_t v = 0; v < lines_.size(); ++v) rows[v] = row_at(lines_[v], now);
    complex_.build(std::move(rows));
    built_ = true;
    seen_.assign(lines_.size(), 0);
    stamp_ = 0;
}

template <int D>
void Kinetic<D>::begin(std::span<const Flight<D>> grains, const double* g, double horizon) {
    const bool same = built_ && grains.size() == grains_;
    grains_ = grains.size();
    horizon_ = horizon;
    span_begin_ = 0;
    renewed_ = 0;
    std::copy(g, g + D, g_);
    const std::size_t guards = same ? lines_.size() - grains_ : 0;
    lines_.resize(grains_ + guards);
    bool inside = same;
    for (std::size_t i = 0; i < grains_; ++i) {
        lines_[i] = line_of(grains[i]);
        inside = inside && inside_guards(lines_[i], horizon);
    }
    if (inside) {
        std::vector<tri::Row> rows(lines_.size());
        for (std::size_t v = 0; v < lines_.size(); ++v) rows[v] = row_at(lines_[v], 0);
        tri::UpdateCounts counts;
        inside = complex_.update(std::move(rows), only_flips, counts);
    }
    if (!inside) build(0);
    certify_all(0);
}

// All positions to the present, and flips, or a new triangulation.
template <int D>
void Kinetic<D>::repair(double now) {
    ++repairs;
    std::vector<tri::Row> rows(lines_.size());
    for (std::size_t v = 0; v < lines_.size(); ++v) rows[v] = row_at(lines_[v], now);
    tri::UpdateCounts counts;
    if (!complex_.update(std::move(rows), only_flips, counts)) build(now);
    certify_all(now);
    fresh_ = edges();  // any may be new
}

template <int D>
std::vector<std::pair<std::uint32_t, std::uint32_t>> Kinetic<D>::edges(bool guards) const {
    std::vector<std::pair<Index, Index>> result;
    complex_.for_each_edge(0, static_cast<tri::Index>(complex_.cells().size()), [&](tri::Index i, tri::Index j) {
        if (guards || static_cast<std::size_t>(std::max(i, j)) < grains_)
            result.emplace_back(static_cast<Index>(std::min(i, j)), static_cast<Index>(std::max(i, j)));
    });
    std::sort(result.begin(), result.end());
    return result;
}

template <int D>
std::vector<tri::Row> Kinetic<D>::sites(double t) const {
    std::vector<tri::Row> rows;
    for (const Line& line : lines_) rows.push_back(row_at(line, t));
    return rows;
}

// ---- Certificates -----------------------------------------------------------------------------------------------------

template <int D>
typename Kinetic<D>::Judged Kinetic<D>::judge(tri::Index facet, double now) const {
    const tri::Index across = complex_.twin(facet);
    const tri::Cell& cell = complex_.cell(facet >> 2);
    const tri::Index beyond = complex_.apex(across);
    for (int k = 0; k <= D; ++k)
        if (cell.v[k] < 0) return {-1, 0, forever};
    if (beyond < 0) return {-1, 0, forever};
    double site[D + 2][8];
    for (int m = 0; m <= D + 1; ++m)
        std::memcpy(site[m], &lines_[static_cast<std::size_t>(m <= D ? cell.v[m] : beyond)], sizeof site[m]);
    const Certificate<D, double> found = certificate<D, double>(site, now);
    Judged out{found.power.c[0], found.slack, forever};
    if (found.motion == 0) return out;
    double c[D + 3];
    for (int k = 0; k < D + 3; ++k) c[k] = -found.power.c[k];
    c[0] += out.slack;
    out.fails = failing(c, now);
    return out;
}

template <int D>
double Kinetic<D>::failing(double* c, double now) const {
    const double left = horizon_ - now, ahead = std::min(left, window_),
                 time = first_negative(c, D + 2, ahead, 40, 0.15 * window_);
    return time < left ? now + time : forever;
}

// Facets to be judged together.
template <int D>
void Kinetic<D>::collect(tri::Index facet) {
    const tri::Cell& cell = complex_.cell(facet >> 2);
    const tri::Index beyond = complex_.apex(complex_.twin(facet));
    bool whole = beyond >= 0;
    for (int k = 0; k <= D; ++k) whole = whole && cell.v[k] >= 0;
    if (!whole) {
        set_time(facet, forever);
        return;
    }
    for (int k = 0; k <= D; ++k) batch_.site[k][collected_] = static_cast<std::uint32_t>(cell.v[k]);
    batch_.site[D + 1][collected_] = static_cast<std::uint32_t>(beyond);
    facets_[collected_++] = facet;
}

// Judges them; answers when the first fails.
template <int D>
double Kinetic<D>::judge_collected(double now) {
    double first = forever;
    const std::size_t n = collected_;
    if (n == 0) return first;
    for (int k = 0; k < D + 2; ++k)
        for (std::size_t m = n; m < certificate_batch; ++m) batch_.site[k][m] = batch_.site[k][0];
    const double left = horizon_ - now, ahead = std::min(left, window_);
    certify_(reinterpret_cast<const double*>(lines_.data()), batch_, n, now, ahead);
    for (std::size_t m = 0; m < n; ++m) {
        double fails = forever;
        if (batch_.rests >> m & 1) {
        } else if (batch_.stays >> m & 1) {
            if (ahead < left) fails = now + ahead;
        } else {
            double c[D + 3];
            for (int k = 0; k < D + 3; ++k) c[k] = batch_.c[k][m];
            fails = failing(c, now);
        }
        set_time(facets_[m], fails);
        first = std::min(first, fails);
    }
    collected_ = 0;
    return first;
}

template <int D>
void Kinetic<D>::set_time(tri::Index facet, double time) {
    times_[static_cast<std::size_t>(facet)] = times_[static_cast<std::size_t>(complex_.twin(facet))] = time;
}

// The facet around grain i that fails first.
template <int D>
tri::Index Kinetic<D>::first_of(Index i) {
    tri::Index best = -1;
    double least = forever;
    for (const tri::Index c : star_of(i))
        for (int k = 0; k <= D; ++k)
            if (const double time = times_[static_cast<std::size_t>(4 * c + k)]; time < least) {
                least = time;
                best = 4 * c + k;
            }
    return best;
}

template <int D>
void Kinetic<D>::requeue(Index i) {
    const tri::Index facet = first_of(i);
    queue_.set(i, facet < 0 ? forever : times_[static_cast<std::size_t>(facet)], by_number);
}

// Sees to it that a grain of the facet knows of its time.
template <int D>
void Kinetic<D>::cover(tri::Index facet) {
    const double time = times_[static_cast<std::size_t>(facet)];
    if (time == forever) return;
    const tri::Cell& cell = complex_.cell(facet >> 2);
    tri::Index v = complex_.apex(complex_.twin(facet));
    for (int k = 0; k <= D; ++k)
        if (cell.v[k] >= 0 && static_cast<std::size_t>(cell.v[k]) < grains_) v = cell.v[k];
    const auto item = static_cast<Queue::Item>(v);
    if (time < queue_.time_of(item)) queue_.set(item, time, by_number);
}

template <int D>
void Kinetic<D>::certify_all(double now) {
    const auto cells = static_cast<tri::Index>(complex_.cells().size());
    times_.assign(4 * static_cast<std::size_t>(cells), forever);
    failures_.assign(static_cast<std::size_t>(cells), 0);
    queue_.reset(grains_);
    stars_[0].of = stars_[1].of = ~Index{0};
    for (tri::Index c = 0; c < cells; ++c) {
        if (complex_.is_free(c)) continue;
        for (tri::Index facet = 4 * c; facet <= 4 * c + D; ++facet) {
            if (facet > complex_.twin(facet)) continue;
            set_time(facet, judge(facet, now).fails);
            cover(facet);
        }
    }
}

// All facets of a cell that has been made.
template <int D>
void Kinetic<D>::certify_cell(tri::Index c, double now) {
    for (tri::Index facet = 4 * c; facet <= 4 * c + D; ++facet) {
        set_time(facet, judge(facet, now).fails);
        cover(facet);
    }
}

template <int D>
void Kinetic<D>::choose_window(double now) {
    if (++renewed_ % 256 != 0 || !(now > span_begin_)) return;
    window_ = 1.0 * static_cast<double>(grains_) * (now - span_begin_) / static_cast<double>(renewed_);
}

template <int D>
const std::vector<tri::Index>& Kinetic<D>::star_of(Index i) {
    for (int k = 0; k < 2; ++k)
        if (stars_[k].of == i) {
            older_ = 1 - k;
            return stars_[k].cells;
        }
    Star& star = stars_[older_];
    older_ = 1 - older_;
    if (marks_.size() < complex_.cells().size()) marks_.resize(2 * complex_.cells().size(), 0);
    if (++mark_ == 0) {
        std::fill(marks_.begin(), marks_.end(), 0);
        mark_ = 1;
    }
    complex_.star(static_cast<tri::Index>(i), star.cells, marks_, mark_);
    star.of = i;
    return star.cells;
}

template <int D>
void Kinetic<D>::change(Index i, Index j, std::span<const Flight<D>> grains, double now) {
    choose_window(now);
    rechecks_since_change_ = 0;
    lines_[i] = line_of(grains[i]);
    lines_[j] = line_of(grains[j]);
    if (!inside_guards(lines_[i], now) || !inside_guards(lines_[j], now)) {
        build(now);
        ++repairs;
        certify_all(now);
        fresh_ = edges();  // any may be new
        return;
    }
    for (const Index grain : {i, j}) {
        const auto v = static_cast<tri::Index>(grain);
        const bool second = grain == j && j != i;
        double first = forever;
        for (const tri::Index c : star_of(grain)) {
            const tri::Cell& cell = complex_.cell(c);
            // A cell of both stars has been looked at with the first; so have facets towards one.
            if (second && cell.v[complex_.slot_of(cell, static_cast<tri::Index>(i))] == static_cast<tri::Index>(i))
                continue;
            for (int k = 0; k <= D; ++k) {
                const tri::Index facet = 4 * c + k, across = complex_.twin(facet);
                const bool link = cell.v[k] == v;  // the facet opposite the grain: the cell beyond is not of the star
                const tri::Cell& beyond = complex_.cell(across >> 2);
                if (second &&
                    beyond.v[complex_.slot_of(beyond, static_cast<tri::Index>(i))] == static_cast<tri::Index>(i))
                    continue;
                if (!link && facet > across) continue;
                collect(facet);
                if (collected_ == certificate_batch) first = std::min(first, judge_collected(now));
            }
        }
        first = std::min(first, judge_collected(now));
        queue_.set(grain, first, by_number);  // what they share, the first of the two sees to
        if (i == j) break;
    }
}

// ---- Flips ------------------------------------------------------------------------------------------------------------

template <int D>
void Kinetic<D>::act(std::span<const Flight<D>>, double now) {
    const Index grain = queue_.top();
    const tri::Index facet = first_of(grain);
    if (facet < 0 || times_[static_cast<std::size_t>(facet)] > queue_.top_time()) {  // what it knew is out of date
        queue_.set(grain, facet < 0 ? forever : times_[static_cast<std::size_t>(facet)], by_number);
        return;
    }
    const tri::Index c = facet >> 2, across = complex_.twin(facet);
    const Judged judged = judge(facet, now);
    if (!(judged.value > 0.5 * judged.slack)) {
        // Early. If rounding leaves it where it was, move on a little: what it may fail by until then is within the
        // slack.
        ++rechecks;
        // Collisions all at one time, as in a touching lattice, shrink the window to nothing, and none would come to
        // widen it.
        if (++rechecks_since_change_ > 16 * static_cast<std::int64_t>(grains_)) {
            window_ *= 2;
            rechecks_since_change_ = 0;
        }
        set_time(facet, std::max(judged.fails, now + 1e-12 * horizon_));
        requeue(grain);
        return;
    }
    // Bring the two cells and those around them to the present.
    const tri::Index apexes[2] = {complex_.apex(facet), complex_.apex(across)};
    for (const tri::Index side : {facet >> 2, across >> 2}) {
        const tri::Cell& cell = complex_.cell(side);
        for (int m = 0; m <= D; ++m) {
            if (cell.v[m] >= 0) complex_.set_row(cell.v[m], row_at(lines_[static_cast<std::size_t>(cell.v[m])], now));
            const tri::Index apex = complex_.apex(cell.n[m]);
            if (apex >= 0) complex_.set_row(apex, row_at(lines_[static_cast<std::size_t>(apex)], now));
        }
    }
    const auto flip = complex_.flip(facet, true);
    if (!flip || flip.hidden != tri::infinite_vertex) {
        std::uint8_t& failures = failures_[static_cast<std::size_t>(c)];
        if (flip || ++failures > 30) {
            repair(now);
            return;
        }
        ++rechecks;
        set_time(facet, now + std::ldexp(1e-12, failures) * horizon_);
        requeue(grain);
        return;
    }
    ++flips;
    stars_[0].of = stars_[1].of = ~Index{0};
    if (complex_.cells().size() > failures_.size()) {
        failures_.resize(complex_.cells().size(), 0);
        times_.resize(4 * complex_.cells().size(), forever);
    }
    for (int m = 0; m < flip.freed_count; ++m)
        for (int s = 0; s < 4; ++s) times_[static_cast<std::size_t>(4 * flip.freed[m] + s)] = forever;
    for (int m = 0; m < flip.made_count; ++m) failures_[static_cast<std::size_t>(flip.made[m])] = 0;
    for (int m = 0; m < flip.made_count; ++m) certify_cell(flip.made[m], now);
    requeue(grain);
    if (static_cast<std::size_t>(apexes[0]) < grains_ && static_cast<std::size_t>(apexes[1]) < grains_)
        fresh_.emplace_back(static_cast<Index>(std::min(apexes[0], apexes[1])),
                            static_cast<Index>(std::max(apexes[0], apexes[1])));
}

template class Kinetic<2>;
template class Kinetic<3>;

}  // namespace scree::events
