// The streaming check: every cell positive, every facet legal, in one pass over memory.
//
// For a cell abcd the generalised cross product N of the lifted differences b − a, c − a, d − a holds all that is needed:
// N_h is the orientation, and N · (lifted q − a) is the power test of any q. So a cell is prepared once and each facet
// costs one dot product, taken from the side of the lower facet number. The kernel works on four cells at a time (a row is
// one vector; 4×4 transposes are the only shuffles) with the error bounds of predicates.h for the entries at hand (the
// count of roundings does not depend on which of the five sites is the reference). What it cannot certify is handed to
// the exact predicates; on a lattice that is everything, and still cheap.
#include <algorithm>
#include <cmath>

#include "clones.h"
#include "complex.h"
#include "core/parallel.h"

namespace scree::tri {
namespace {

// What the filter could not certify, by its place in the caller's arrays.
struct Doubts {
    std::size_t cells = 0, facets = 0, near_watch = 0;
};

#define SCREE_LARGER(a, b) ((a) > (b) ? (a) : (b))
#define SCREE_SMALLER(a, b) ((a) < (b) ? (a) : (b))
#define SCREE_SIZE(a) SCREE_LARGER(a, -(a))

// list: `count` finite cells, a multiple of four. Writes doubtful cells, doubtful facets, and cells whose extent in x holds
// `watch`; the arrays must have room for count, 4·count and count entries.
SCREE_CLONES
Doubts filter_cells(const Cell* cells, const Row* rows, const Index* list, std::size_t count, double watch, Index* doubtful_cells,
                    Index* doubtful_facets, Index* near_watch) {
    Doubts doubts;
    alignas(32) double normal[4][4];
    alignas(32) double sizes[4][4];  // largest |x|, |y|, |z|, lift of the cell
    for (std::size_t at = 0; at < count; at += 4) {
        const Cell* cell[4];
        Four a[4], b[4], c[4], d[4];
        for (int k = 0; k < 4; ++k) {
            cell[k] = cells + list[at + static_cast<std::size_t>(k)];
            const Four origin = *reinterpret_cast<const Four*>(rows + cell[k]->v[0]);
            a[k] = origin;
            b[k] = *reinterpret_cast<const Four*>(rows + cell[k]->v[1]) - origin;
            c[k] = *reinterpret_cast<const Four*>(rows + cell[k]->v[2]) - origin;
            d[k] = *reinterpret_cast<const Four*>(rows + cell[k]->v[3]) - origin;
        }
        // Prefetch what the next four cells will need.
        if (at + 4 < count)
            for (int k = 0; k < 4; ++k)
                for (int i = 0; i < 4; ++i) __builtin_prefetch(cells + (cells[list[at + 4 + static_cast<std::size_t>(k)]].n[i] >> 2));
        SCREE_TRANSPOSE(b[0], b[1], b[2], b[3])
        SCREE_TRANSPOSE(c[0], c[1], c[2], c[3])
        SCREE_TRANSPOSE(d[0], d[1], d[2], d[3])
        const Four ax = {a[0][0], a[1][0], a[2][0], a[3][0]};
        const Four low = SCREE_SMALLER(SCREE_SMALLER(b[0], c[0]), SCREE_SMALLER(d[0], Four{}));
        const Four high = SCREE_LARGER(SCREE_LARGER(b[0], c[0]), SCREE_LARGER(d[0], Four{}));
        const Four from = watch - ax;
        const Four bs = b[0] * b[0] + b[1] * b[1] + b[2] * b[2], cs = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
        const Four ds = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        const Four bh = bs - b[3], ch = cs - c[3], dh = ds - d[3];
        const Four xy = c[0] * d[1] - c[1] * d[0], xz = c[0] * d[2] - c[2] * d[0], yz = c[1] * d[2] - c[2] * d[1];
        const Four xh = c[0] * dh - ch * d[0], yh = c[1] * dh - ch * d[1], zh = c[2] * dh - ch * d[2];
        Four n0 = -(b[1] * zh - b[2] * yh + bh * yz);
        Four n1 = b[0] * zh - b[2] * xh + bh * xz;
        Four n2 = -(b[0] * yh - b[1] * xh + bh * xy);
        Four n3 = b[0] * yz - b[1] * xz + b[2] * xy;
        Four mx = SCREE_LARGER(SCREE_LARGER(SCREE_SIZE(b[0]), SCREE_SIZE(c[0])), SCREE_SIZE(d[0]));
        Four my = SCREE_LARGER(SCREE_LARGER(SCREE_SIZE(b[1]), SCREE_SIZE(c[1])), SCREE_SIZE(d[1]));
        Four mz = SCREE_LARGER(SCREE_LARGER(SCREE_SIZE(b[2]), SCREE_SIZE(c[2])), SCREE_SIZE(d[2]));
        Four mh = SCREE_LARGER(SCREE_LARGER(bs + SCREE_SIZE(b[3]), cs + SCREE_SIZE(c[3])), ds + SCREE_SIZE(d[3]));
        // Certainly positive: above the error bound, in the range of ordinary numbers.
        const FourInts positive = (n3 > (orientation3_error * mx) * (my * mz)) & (n3 > 0x1p-600) & (mh < 0x1p200);
        const FourInts watched = (low <= from) & (from <= high);
        for (int k = 0; k < 4; ++k) {
            const Index number = list[at + static_cast<std::size_t>(k)];
            doubtful_cells[doubts.cells] = number;
            doubts.cells += positive[k] == 0;
            near_watch[doubts.near_watch] = number;
            doubts.near_watch += watched[k] != 0;
        }
        SCREE_TRANSPOSE(n0, n1, n2, n3)
        SCREE_TRANSPOSE(mx, my, mz, mh)
        const Four normals[4] = {n0, n1, n2, n3}, largest[4] = {mx, my, mz, mh};
        for (int k = 0; k < 4; ++k) {
            *reinterpret_cast<Four*>(normal[k]) = normals[k];
            *reinterpret_cast<Four*>(sizes[k]) = largest[k];
        }
        // Facets seen from their lower side, with a finite apex across.
        Index apex[16 + 4];
        Index facet[16 + 4];
        int owner[16 + 4];
        int facets = 0;
        for (int k = 0; k < 4; ++k)
            for (int i = 0; i < 4; ++i) {
                const Index mine = 4 * list[at + static_cast<std::size_t>(k)] + i, across = cell[k]->n[i];
                const Index q = cells[across >> 2].v[across & 3];
                apex[facets] = q, facet[facets] = mine, owner[facets] = k;
                facets += (mine < across) & (q != infinite_vertex);
            }
        for (int f = facets; f & 3; ++f) apex[f] = cell[0]->v[1], facet[f] = -1, owner[f] = 0;
        for (int f = 0; f < facets; f += 4) {
            Four q[4], n[4], m[4];
            for (int k = 0; k < 4; ++k) {
                q[k] = *reinterpret_cast<const Four*>(rows + apex[f + k]) - a[owner[f + k]];
                n[k] = *reinterpret_cast<const Four*>(normal[owner[f + k]]);
                m[k] = *reinterpret_cast<const Four*>(sizes[owner[f + k]]);
            }
            SCREE_TRANSPOSE(q[0], q[1], q[2], q[3])
            SCREE_TRANSPOSE(n[0], n[1], n[2], n[3])
            SCREE_TRANSPOSE(m[0], m[1], m[2], m[3])
            const Four qs = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
            const Four value = n[0] * q[0] + n[1] * q[1] + n[2] * q[2] + n[3] * (qs - q[3]);
            const Four x = SCREE_LARGER(m[0], SCREE_SIZE(q[0])), y = SCREE_LARGER(m[1], SCREE_SIZE(q[1]));
            const Four z = SCREE_LARGER(m[2], SCREE_SIZE(q[2])), h = SCREE_LARGER(m[3], qs + SCREE_SIZE(q[3]));
            const FourInts legal = (value > ((power3_error * (1 + 0x1p-40)) * x * y) * (z * h)) & (value > 0x1p-900) & (h < 0x1p200);
            for (int k = 0; k < 4; ++k) {
                doubtful_facets[doubts.facets] = facet[f + k];
                doubts.facets += (legal[k] == 0) & (facet[f + k] >= 0);
            }
        }
    }
    return doubts;
}

}  // namespace

template <int D>
typename Complex<D>::Findings Complex<D>::check(Watch* watch) const {
    struct Part {
        Findings findings;
        std::vector<Index> hull, near_watch;
    };
    constexpr std::size_t chunk = 4096;
    const std::size_t n = cells_.size();
    std::vector<Part> parts(chunk_count(n, chunk));
    const double watched = watch ? watch->o.c[0] : 0;
    run_tasks(parts.size(), [&](std::size_t task, int) {
        Part& part = parts[task];
        const auto look_at_facet = [&](Index facet) {
            if (!facet_is_legal(facet)) part.findings.illegal.push_back(facet);
        };
        const auto look_at_cell = [&](Index c) {
            if (orientation_of(cell(c).v) <= 0) part.findings.inverted.push_back(c);
        };
        const auto begin = static_cast<Index>(task * chunk), end = static_cast<Index>(std::min(n, (task + 1) * chunk));
        Index list[chunk + 4];
        std::size_t finite = 0;
        for (Index c = begin; c < end; ++c) {
            const Cell& here = cell(c);
            if (here.v[0] == free_mark) continue;
            if (infinite_slot(here) < 0) {
                list[finite++] = c;
                continue;
            }
            part.hull.push_back(c);
            for (int i = 0; i <= D; ++i)
                if (here.v[i] != infinite_vertex && 4 * c + i < here.n[i]) look_at_facet(4 * c + i);
        }
        // The last cells that do not fill a vector, and everything in the plane, go to the predicates at once.
        std::size_t filtered = 0;
        if constexpr (D == 3) {
            filtered = finite & ~std::size_t{3};
            std::vector<Index> room(6 * filtered + 24);
            Index *doubtful_cells = room.data(), *near = doubtful_cells + filtered + 4, *doubtful_facets = near + filtered + 4;
            const Doubts doubts = filter_cells(cells_.data(), rows_.data(), list, filtered, watched, doubtful_cells, doubtful_facets, near);
            for (std::size_t k = 0; k < doubts.cells; ++k) look_at_cell(doubtful_cells[k]);
            for (std::size_t k = 0; k < doubts.facets; ++k) look_at_facet(doubtful_facets[k]);
            part.near_watch.assign(near, near + doubts.near_watch);
        }
        for (std::size_t k = filtered; k < finite; ++k) {
            const Index c = list[k];
            look_at_cell(c);
            for (int i = 0; i <= D; ++i)
                if (4 * c + i < cell(c).n[i]) look_at_facet(4 * c + i);
            part.near_watch.push_back(c);
        }
    });
    Findings all;
    for (const Part& part : parts) {
        all.inverted.insert(all.inverted.end(), part.findings.inverted.begin(), part.findings.inverted.end());
        all.illegal.insert(all.illegal.end(), part.findings.illegal.begin(), part.findings.illegal.end());
        if (!watch) continue;
        watch->hull.insert(watch->hull.end(), part.hull.begin(), part.hull.end());
        for (const Index c : part.near_watch) watch->covering += covers(c, *watch);
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
        for (int k = 0; k <= D && inside; ++k) inside = watched_side(c, k, watch) > 0;
        if (inside) return true;
    }
    return false;
}

// Orientation of the cell with the vertex in `slot` replaced by the watched point.
template <int D>
int Complex<D>::watched_side(Index c, int slot, const Watch& watch) const {
    const Row* r[D + 1];
    for (int k = 0; k <= D; ++k) r[k] = k == slot ? &watch.o : &row(cell(c).v[k]);
    if constexpr (D == 3) return orientation3(watch.bounds, *r[0], *r[1], *r[2], *r[3]);
    else return orientation2(watch.bounds, *r[0], *r[1], *r[2]);
}

// How often the finite cell covers the watched point: 1 (its border included), -1 when it is inverted, else 0.
template <int D>
int Complex<D>::covers(Index c, const Watch& watch) const {
    const Cell& here = cell(c);
    double low = watch.o.c[0], high = low;
    for (int k = 0; k <= D; ++k) {
        if (here.v[k] == infinite_vertex) return 0;
        low = std::min(low, row(here.v[k]).c[0]), high = std::max(high, row(here.v[k]).c[0]);
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
        if (watched_side(c, k, watch) * whole < 0) return 0;
    return whole;
}

// Whether the hull, seen from the watched point, is closed around it, and one cell covers it.
template <int D>
bool Complex<D>::watch_holds(const Watch& watch) const {
    if (watch.covering != 1) return false;
    for (const Index c : watch.hull) {
        if (is_free(c)) continue;
        if (const int slot = infinite_slot(cell(c)); slot >= 0 && watched_side(c, slot, watch) >= 0) return false;
    }
    return true;
}

template <int D>
bool Complex<D>::covers_once() const {
    Watch watch;
    if (!start_watch(watch)) return false;
    for (Index c = 0; c < static_cast<Index>(cells_.size()); ++c) {
        if (is_free(c)) continue;
        watch.covering += covers(c, watch);
        if (is_infinite(c)) watch.hull.push_back(c);
    }
    return watch_holds(watch);
}

template class Complex<2>;
template class Complex<3>;

}  // namespace scree::tri
