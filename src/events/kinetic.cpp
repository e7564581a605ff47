#include "events/kinetic.h"

#include <algorithm>
#include <array>

namespace scree::events {
namespace {

constexpr double slack_fraction = 1e-12;  // of the largest terms; rounded positions make errors of some 1e-14

// Of the ways in which the triangulation can follow, only flips at the new places are open here: the others start from the
// places it has, and those are of different times. If flips do not do it, it is built anew.
constexpr tri::Ladder only_flips{true, false, false};

// A polynomial in time of fixed degree.
template <int N>
struct Poly {
    double c[N + 1];
};
template <int N>
Poly<N> operator+(Poly<N> a, const Poly<N>& b) {
    for (int k = 0; k <= N; ++k) a.c[k] += b.c[k];
    return a;
}
template <int N>
Poly<N> operator-(Poly<N> a, const Poly<N>& b) {
    for (int k = 0; k <= N; ++k) a.c[k] -= b.c[k];
    return a;
}
template <int N, int M>
Poly<N + M> operator*(const Poly<N>& a, const Poly<M>& b) {
    Poly<N + M> r;
    for (int n = 0; n <= N + M; ++n) {
        const int first = n > M ? n - M : 0;
        r.c[n] = a.c[first] * b.c[n - first];
        for (int i = first + 1; i <= N && i <= n; ++i) r.c[n] += a.c[i] * b.c[n - i];
    }
    return r;
}

// A site relative to another: coordinates and lift as functions of time.
template <int D>
struct Relative {
    Poly<1> x[D];
    Poly<2> lift;
};

}  // namespace

template <int D>
typename Kinetic<D>::Line Kinetic<D>::line_of(const Flight<D>& grain) const {
    Line line;
    for (int k = 0; k < D; ++k) {
        line.y[k] = grain.x[k] - 0.5 * grain.t * grain.t * g_[k];
        line.w[k] = grain.v[k] - grain.t * g_[k];
    }
    line.t = grain.t, line.weight = grain.radius * grain.radius;
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
    for (int k = 0; k < D; ++k) low_[k] = forever, high_[k] = -forever;
    for (std::size_t i = 0; i < grains_; ++i) {
        const tri::Row row = row_at(lines_[i], now);
        const double radius = std::sqrt(lines_[i].weight);
        double speed = 0;
        for (int k = 0; k < D; ++k) {
            low_[k] = std::min(low_[k], row.c[k]), high_[k] = std::max(high_[k], row.c[k]);
            speed += lines_[i].w[k] * lines_[i].w[k];
        }
        diameter += 2 * radius / static_cast<double>(grains_), largest = std::max(largest, radius), fastest = std::max(fastest, speed);
    }
    double extent = 0;
    for (int k = 0; k < D; ++k) extent = std::max(extent, high_[k] - low_[k]);
    const double room = 4 * largest + 2 * diameter + std::min(2 * std::sqrt(fastest) * (horizon_ - now), 0.5 * extent);
    lines_.resize(grains_);
    int parts[3] = {0, 0, 0};
    for (int k = 0; k < D; ++k) {
        low_[k] -= room, high_[k] += room;
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
    seen_.assign(lines_.size(), 0), stamp_ = 0;
}

template <int D>
void Kinetic<D>::begin(std::span<const Flight<D>> grains, const double* g, double horizon) {
    const bool same = built_ && grains.size() == grains_;
    grains_ = grains.size(), horizon_ = horizon;
    span_begin_ = 0, renewed_ = 0;
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
        if (guards || static_cast<std::size_t>(std::max(i, j)) < grains_) result.emplace_back(static_cast<Index>(std::min(i, j)), static_cast<Index>(std::max(i, j)));
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
    const Line& p = lines_[static_cast<std::size_t>(beyond)];
    const double sp = now - p.t;
    Relative<D> r[D + 1];
    double largest[D] = {}, height = 0;
    bool moving = false;
    for (int m = 0; m <= D; ++m) {
        const Line& a = lines_[static_cast<std::size_t>(cell.v[m])];
        const double sa = now - a.t;
        r[m].lift = {{p.weight - a.weight, 0, 0}};
        double square = 0;
        for (int k = 0; k < D; ++k) {
            const double x = (a.y[k] + sa * a.w[k]) - (p.y[k] + sp * p.w[k]), u = a.w[k] - p.w[k];
            r[m].x[k] = {{x, u}};
            square += x * x;
            r[m].lift.c[1] += 2 * x * u, r[m].lift.c[2] += u * u;
            largest[k] = std::max(largest[k], std::fabs(x));
            moving = moving || u != 0;
        }
        r[m].lift.c[0] += square;
        height = std::max(height, square);
    }
    constexpr int degree = D + 2;
    Poly<degree> power;
    if constexpr (D == 2) {
        const auto turn = [&](int a, int b) { return r[a].x[0] * r[b].x[1] - r[a].x[1] * r[b].x[0]; };
        power = r[0].lift * turn(1, 2) + r[1].lift * turn(2, 0) + r[2].lift * turn(0, 1);
    } else {
        const auto turn = [&](int a, int b) { return r[a].x[0] * r[b].x[1] - r[a].x[1] * r[b].x[0]; };
        const auto rise = [&](int a, int b) { return r[a].x[2] * r[b].lift - r[b].x[2] * r[a].lift; };
        power = turn(0, 2) * rise(1, 3) - turn(0, 1) * rise(2, 3) + turn(1, 3) * rise(0, 2) - turn(2, 3) * rise(0, 1) - turn(0, 3) * rise(1, 2) -
                turn(1, 2) * rise(0, 3);
    }
    double scale = height;
    for (int k = 0; k < D; ++k) scale *= largest[k];
    Judged out{power.c[0], slack_fraction * scale, forever};
    if (!moving) return out;
    double c[degree + 1];
    for (int k = 0; k <= degree; ++k) c[k] = -power.c[k];
    c[0] += out.slack;
    const double left = horizon_ - now, ahead = std::min(left, window_), time = first_negative(c, degree, ahead, 40, 0.15 * window_);
    if (time < left) out.fails = now + time;
    return out;
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
            if (const double time = times_[static_cast<std::size_t>(4 * c + k)]; time < least) least = time, best = 4 * c + k;
    return best;
}

template <int D>
void Kinetic<D>::requeue(Index i) {
    const tri::Index facet = first_of(i);
    queue_.set(i, facet < 0 ? forever : times_[static_cast<std::size_t>(facet)], i);
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
    if (time < queue_.time_of(item)) queue_.set(item, time, item);
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
    complex_.star(static_cast<tri::Index>(i), star.cells);
    star.of = i;
    return star.cells;
}

template <int D>
void Kinetic<D>::change(Index i, Index j, std::span<const Flight<D>> grains, double now) {
    choose_window(now);
    rechecks_since_change_ = 0;
    lines_[i] = line_of(grains[i]), lines_[j] = line_of(grains[j]);
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
            if (second && cell.v[complex_.slot_of(cell, static_cast<tri::Index>(i))] == static_cast<tri::Index>(i)) continue;
            for (int k = 0; k <= D; ++k) {
                const tri::Index facet = 4 * c + k, across = complex_.twin(facet);
                const bool link = cell.v[k] == v;  // the facet opposite the grain: the cell beyond is not of the star
                const tri::Cell& beyond = complex_.cell(across >> 2);
                if (second && beyond.v[complex_.slot_of(beyond, static_cast<tri::Index>(i))] == static_cast<tri::Index>(i)) continue;
                if (!link && facet > across) continue;
                const double fails = judge(facet, now).fails;
                set_time(facet, fails);
                first = std::min(first, fails);
            }
        }
        queue_.set(grain, first, grain);  // what they share, the first of the two sees to
        if (i == j) break;
    }
}

// ---- Flips ------------------------------------------------------------------------------------------------------------

template <int D>
void Kinetic<D>::act(std::span<const Flight<D>>, double now) {
    const Index grain = queue_.top();
    const tri::Index facet = first_of(grain);
    if (facet < 0 || times_[static_cast<std::size_t>(facet)] > queue_.top_time()) {  // what it knew is out of date
        queue_.set(grain, facet < 0 ? forever : times_[static_cast<std::size_t>(facet)], grain);
        return;
    }
    const tri::Index c = facet >> 2, across = complex_.twin(facet);
    const Judged judged = judge(facet, now);
    if (!(judged.value > 0.5 * judged.slack)) {
        // Early. If rounding leaves it where it was, move on a little: what it may fail by until then is within the slack.
        ++rechecks;
        // Collisions all at one time, as in a touching lattice, shrink the window to nothing, and none would come to widen it.
        if (++rechecks_since_change_ > 16 * static_cast<std::int64_t>(grains_)) window_ *= 2, rechecks_since_change_ = 0;
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
        fresh_.emplace_back(static_cast<Index>(std::min(apexes[0], apexes[1])), static_cast<Index>(std::max(apexes[0], apexes[1])));
}

template class Kinetic<2>;
template class Kinetic<3>;

}  // namespace scree::events
