// The streaming check: every cell positive, every facet legal, in one pass over memory.
//
// For a cell abcd the generalised cross product N of the lifted differences b − a, c − a, d − a holds all that is
// needed: N_h is the orientation, and N · (lifted q − a) is the power test of any q. So a cell is prepared once and
// each facet costs one dot product. The kernel takes eight cells in a row of memory, turns their rows into columns
// (shuffles of a 4×4 transpose), and looks at all four facets of each. Half of that work is done twice; rejected:
// picking out the facets seen from the lower side, which needs more shuffles than it saves. Nothing is compared: the
// sign bits of differences are collected, and one test per eight cells asks whether any is set. Cells the kernel cannot
// vouch for, those with the infinite vertex, and those that may cover the watched point are handed to the exact
// predicates; on a lattice that is all, and still cheap.
//
// Error bounds are those of predicates.h (the count of roundings is at most 20 for the power test in this form, which
// its bound has room for) with one length for all columns: s = |b|² + |c|² + |d|² + |q|² is at least the square of each
// entry, and s + W at least each lift, W the extent of all weights. Squared, they need no root: value² > error²·s³·(s +
// W)².
#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "filters.h"

namespace scree::tri {
template <int D>
typename Complex<D>::Findings Complex<D>::check(Watch* watch) const {
    struct Part {
        Findings findings;
        std::vector<Index> hull, near_watch;
    };
    constexpr std::size_t chunk = 4096;
    const std::size_t n = cells_.size();
    std::vector<Part> parts(chunk_count(n, chunk));
    const Row watched = watch ? watch->o : Row{{0, 0, 0, 0}};
    // Within this range no power of an entry overflows. The kernel works in space.
    double widest = 0, weights = 0;
    for (int k = 0; k < 3; ++k) widest = std::max(widest, bounds_.high(k) - bounds_.low(k));
    weights = (bounds_.high(3) - bounds_.low(3)) * (1 + 0x1p-40);
    const bool filtered = D == 3 && widest < 0x1p90 && weights < 0x1p180;
    run_tasks(parts.size(), [&](std::size_t task, int) {
        Part& part = parts[task];
        const auto look_at = [&](Index c) {
            const Cell& here = cell(c);
            if (here.v[0] == free_mark) return;
            if (infinite_slot(here) >= 0) {
                part.hull.push_back(c);
            } else {
                if (orientation_of(here.v) <= 0) part.findings.inverted.push_back(c);
                part.near_watch.push_back(c);
            }
            // Facets are told from their lower side.
            for (int i = 0; i <= D; ++i)
                if (4 * c + i < here.n[i] && !facet_is_legal(4 * c + i)) part.findings.illegal.push_back(4 * c + i);
        };
        auto begin = static_cast<Index>(task * chunk);
        const auto end = static_cast<Index>(std::min(n, (task + 1) * chunk));
        if (filtered) {
            Index doubtful[chunk];
            const auto groups = static_cast<std::size_t>((end - begin) / filter_group);
            const std::size_t doubts =
                filters().cells_in_doubt(cells_.data(), rows_.data(), begin, groups, weights, watched, doubtful);
            for (std::size_t k = 0; k < doubts; ++k) look_at(doubtful[k]);
            begin += static_cast<Index>(groups) * filter_group;
        }
        for (Index c = begin; c < end; ++c) look_at(c);
    });
    Findings all;
    for (const Part& part : parts) {
        all.inverted.insert(all.inverted.end(), part.findings.inverted.begin(), part.findings.inverted.end());
        all.illegal.insert(all.illegal.end(), part.findings.illegal.begin(), part.findings.illegal.end());
        if (!watch) continue;
        watch->hull.insert(watch->hull.end(), part.hull.begin(), part.hull.end());
        for (const Index c : part.near_watch) watch->covering += covers(cell(c), *watch);
    }
    return all;
}

// Starts watching a point inside some cell; false when no such point is found.
template <int D>
bool Complex<D>::start_watch(Watch& watch) const {
    // The point need not be a multiple of the snapping unit; the exact stage then looks for a unit itself.
    watch.bounds = Bounds(false);
    for (const bool high : {false, true}) {
        Row corner;
        for (int k = 0; k < 4; ++k) corner.c[k] = high ? bounds_.high(k) : bounds_.low(k);
        watch.bounds.cover(corner);
    }
    watch.covering = 0;
    watch.hull.clear();
    // Uneven shares keep the point off planes of symmetry. Rounding may put it outside of a flat cell: try the next.
    constexpr double share[2][4] = {{5, 8, 3, 0}, {5, 7, 1, 3}};
    const auto n = static_cast<Index>(cells_.size());
    for (Index tries = 0, c = recent_ < n ? recent_ : 0; tries < n; ++tries, c = c + 1 < n ? c + 1 : 0) {
        if (is_free(c) || is_infinite(c)) continue;
        for (int k = 0; k < 4; ++k) {
            watch.o.c[k] = 0;
            for (int i = 0; i <= D; ++i) watch.o.c[k] += share[D - 2][i] / 16 * row(cell(c).v[i]).c[k];
        }
        bool inside = true;
        for (int k = 0; k <= D && inside; ++k) inside = watched_side(cell(c), k, watch) > 0;
        if (inside) return true;
    }
    return false;
}

// Orientation of the cell with the vertex in `slot` replaced by the watched point.
template <int D>
int Complex<D>::watched_side(const Cell& here, int slot, const Watch& watch) const {
    const Row* r[D + 1];
    for (int k = 0; k <= D; ++k) r[k] = k == slot ? &watch.o : &row(here.v[k]);
    if constexpr (D == 3)
        return orientation3(watch.bounds, *r[0], *r[1], *r[2], *r[3]);
    else
        return orientation2(watch.bounds, *r[0], *r[1], *r[2]);
}

// How often the finite cell covers the watched point: 1 (its border included), -1 when it is inverted, else 0.
template <int D>
int Complex<D>::covers(const Cell& here, const Watch& watch) const {
    double low = watch.o.c[0], high = low;
    for (int k = 0; k <= D; ++k) {
        if (here.v[k] == infinite_vertex) return 0;
        low = std::min(low, row(here.v[k]).c[0]);
        high = std::max(high, row(here.v[k]).c[0]);
    }
    if (low == watch.o.c[0] || high == watch.o.c[0]) {
        // On or outside the extent in x; only an exact touch needs the signs below.
        bool touches = false;
        for (int k = 0; k <= D; ++k) touches = touches || row(here.v[k]).c[0] == watch.o.c[0];
        if (!touches) return 0;
    }
    const int whole = orientation_of(here.v);
    if (whole == 0) return 0;
    for (int k = 0; k <= D; ++k)
        if (watched_side(here, k, watch) * whole < 0) return 0;
    return whole;
}

// Whether the hull, seen from the watched point, is closed around it, and one cell covers it.
template <int D>
bool Complex<D>::watch_holds(const Watch& watch) const {
    if (watch.covering != 1) return false;
    for (const Index c : watch.hull) {
        if (is_free(c)) continue;
        if (const int slot = infinite_slot(cell(c)); slot >= 0 && watched_side(cell(c), slot, watch) >= 0) return false;
    }
    return true;
}

template <int D>
bool Complex<D>::covers_once() const {
    Watch watch;
    if (!start_watch(watch)) return false;
    for (Index c = 0; c < static_cast<Index>(cells_.size()); ++c) {
        if (is_free(c)) continue;
        watch.covering += covers(cell(c), watch);
        if (is_infinite(c)) watch.hull.push_back(c);
    }
    return watch_holds(watch);
}

template class Complex<2>;
template class Complex<3>;

}  // namespace scree::tri
