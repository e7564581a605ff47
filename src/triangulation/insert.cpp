// Locating, inserting, building.
//
// Insertion digs out all cells in conflict with the new site (they are connected and star-shaped around it) and joins the
// walls of the hole to it. A vertex that had all its cells dug out is hidden from now on.
#include <algorithm>

#include "complex.h"
#include "spatial_order.h"

namespace scree::tri {
namespace {

constexpr std::uint8_t in_conflict = 1, not_in_conflict = 2;
constexpr int other_slots[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};  // in the plane the first two of the first three
constexpr std::size_t table_side = 64;  // holes with fewer vertices are linked through a table

}  // namespace

// Orientation of cell c with the vertex in `slot` replaced by p; the rest must be finite.
template <int D>
int Complex<D>::orientation_with(Index c, int slot, const Row& p) const {
    const Row* r[D + 1];
    for (int k = 0; k <= D; ++k) r[k] = k == slot ? &p : &row(cell(c).v[k]);
    if constexpr (D == 3) return orientation3(bounds_, *r[0], *r[1], *r[2], *r[3]);
    else return orientation2(bounds_, *r[0], *r[1], *r[2]);
}

template <int D>
int Complex<D>::conflict(Index c, const Row& p) const {
    const Cell& here = cell(c);
    const int slot = infinite_slot(here);
    if (slot < 0) {
        if constexpr (D == 3) {
            const double value = power3_of_cell(rows_.data(), here.v, p);
            if (value > bounds_.power3) return 1;
            if (value < -bounds_.power3) return -1;
            return power3_slow(bounds_, row(here.v[0]), row(here.v[1]), row(here.v[2]), row(here.v[3]), p);
        }
        else return power2(bounds_, row(here.v[0]), row(here.v[1]), row(here.v[2]), p);
    }
    // Outside the hull: beyond the facet, or level with it and in conflict within its plane.
    if (const int side = orientation_with(c, slot, p)) return side;
    const Row* r[D];
    for (int k = 0, n = 0; k <= D; ++k)
        if (k != slot) r[n++] = &row(here.v[k]);
    if constexpr (D == 3) return power_in_plane(bounds_, *r[0], *r[1], *r[2], p);
    else return power_on_line(bounds_, *r[0], *r[1], p);
}

// Walks from cell to cell towards p; ends in the cell that holds p, or in an infinite cell p is strictly outside of. In a
// regular triangulation the walk cannot turn in circles: the power of p decreases.
template <int D>
Index Complex<D>::locate(const Row& p, Index start) const {
    Index c = start;
    if (const int slot = infinite_slot(cell(c)); slot >= 0) c = cell(c).n[slot] >> 2;
    Index from = no_cell;
    for (;;) {
        const Cell& here = cell(c);
        int out = -1;
        for (int k = 0; k <= D; ++k) {
            if (here.n[k] >> 2 == from) continue;
            if (orientation_with(c, k, p) < 0) {
                out = k;
                break;
            }
        }
        if (out < 0) return c;
        from = c;
        c = here.n[out] >> 2;
        if (infinite_slot(cell(c)) >= 0) return c;
    }
}

// Where v coincides in center and weight with a vertex of cell c: the lower number is visible. True when handled.
template <int D>
bool Complex<D>::take_over_twin(Index v, Index c) {
    const Row& p = row(v);
    for (int k = 0; k <= D; ++k) {
        const Index twin = cell(c).v[k];
        if (twin == infinite_vertex || compare_centers(row(twin), p) != 0 || row(twin).c[3] != p.c[3]) continue;
        if (twin < v) {
            set_hidden(v, c);
            return true;
        }
        std::vector<Index> cells_at_twin;
        star(twin, cells_at_twin);
        for (const Index s : cells_at_twin) at(s).v[slot_of(cell(s), twin)] = v;
        place_of(v) = c;
        set_hidden(twin, c);
        return true;
    }
    return false;
}

template <int D>
bool Complex<D>::place(Index v, Index start) {
    const Row& p = row(v);
    const Index c = locate(p, start);
    recent_ = c;
    if (take_over_twin(v, c)) return is_visible(v);
    if (conflict(c, p) < 0) {
        set_hidden(v, c);
        return false;
    }
    dig(v, c);
    return true;
}

template <int D>
void Complex<D>::dig(Index v, Index first) {
    const Row& p = row(v);
    conflict_.assign(1, first);
    boundary_.clear();
    outside_.clear();
    mark_[static_cast<std::size_t>(first)] = in_conflict;
    for (std::size_t k = 0; k < conflict_.size(); ++k) {
        const Index c = conflict_[k];
        for (int i = 0; i <= D; ++i) {
            const Index next = cell(c).n[i] >> 2;
            std::uint8_t& mark = mark_[static_cast<std::size_t>(next)];
            if (mark == 0) {
                if (conflict(next, p) > 0) {
                    mark = in_conflict;
                    conflict_.push_back(next);
                } else {
                    mark = not_in_conflict;
                    outside_.push_back(next);
                }
            }
            if (mark == not_in_conflict) boundary_.push_back(4 * c + i);
        }
    }
    for (const Index c : outside_) mark_[static_cast<std::size_t>(c)] = 0;

    // Join each wall to v: the cell in conflict with its vertex behind the wall replaced by v is positive. The new cells are
    // linked through their ridges on the way: each ridge belongs to two walls; the first leaves its facet in a table, the
    // second finds it.
    created_.clear();
    local_.resize(rows_.size() + 1, 0);
    local_vertices_.clear();
    half_ridges_.resize(table_side * table_side, -1);
    bool small = true;
    for (const Index facet : boundary_) {
        const Index c = new_cell();
        created_.push_back(c);
        const Cell& old = cell(facet >> 2);
        const int i = facet & 3;
        const int* slots = other_slots[i];
        Cell& fresh = at(c);
        fresh = old;
        fresh.v[i] = v;
        link(c, i, old.n[i]);
        std::size_t local[3];
        for (int k = 0; k < D; ++k) {
            const Index u = fresh.v[slots[k]];
            std::uint8_t& number = local_[static_cast<std::size_t>(u + 1)];
            if (number == 0) {
                local_vertices_.push_back(u);
                if (local_vertices_.size() >= table_side) small = false;
                number = static_cast<std::uint8_t>(std::min(local_vertices_.size(), table_side - 1));
                if (u != infinite_vertex) place_of(u) = c;
            }
            local[k] = number;
        }
        // Without branches on which of the two walls came first: nobody could foresee them.
        for (int k = 0; k < D; ++k) {
            const std::size_t a = local[(k + 1) % D], b = D == 3 ? local[(k + 2) % D] : 0;
            Index& entry = half_ridges_[std::min(a, b) * table_side + std::max(a, b)];
            const Index mine = 4 * c + slots[k], before = entry;
            Index nowhere;
            Index* other = before >= 0 ? &cells_[static_cast<std::size_t>(before >> 2)].n[before & 3] : &nowhere;
            *other = mine;
            fresh.n[slots[k]] = before;
            entry = before >= 0 ? -1 : mine;
        }
    }
    if (!small) {
        std::fill(half_ridges_.begin(), half_ridges_.end(), -1);
        for (std::size_t w = 0; w < boundary_.size(); ++w)
            for (int k = 0; k < D; ++k) at(created_[w]).n[other_slots[boundary_[w] & 3][k]] = -1;
        link_by_turning();
    }
    place_of(v) = created_.back();
    // A vertex of the hole that is on none of its walls has lost all its cells.
    for (const Index c : conflict_) {
        for (int k = 0; k <= D; ++k) {
            const Index u = cell(c).v[k];
            if (local_[static_cast<std::size_t>(u + 1)] == 0 && is_visible(u)) set_hidden(u, created_.back());
        }
        mark_[static_cast<std::size_t>(c)] = 0;
        free_cell(c);
    }
    for (const Index u : local_vertices_) local_[static_cast<std::size_t>(u + 1)] = 0;
    recent_ = created_.back();
}

// Links the new cells of a hole with many vertices: from a wall, turn around each ridge through the old cells to the next wall.
template <int D>
void Complex<D>::link_by_turning() {
    for (std::size_t w = 0; w < boundary_.size(); ++w) {
        const Index c = created_[w];
        const int i = boundary_[w] & 3;
        for (int j = 0; j <= D; ++j) {
            if (j == i || cell(c).n[j] >= 0) continue;
            Index at_cell = boundary_[w] >> 2;
            Index keep = cell(at_cell).v[i];
            int cross = j;
            for (;;) {
                const Index facet = cell(at_cell).n[cross];
                const Index next = facet >> 2;
                if (mark_[static_cast<std::size_t>(next)] != in_conflict) {
                    // The wall found is (at_cell, cross); its new cell lies behind the outer facet, and there the facet to
                    // link is the one opposite `keep`.
                    const Index other = cell(next).n[facet & 3];
                    link(c, j, 4 * (other >> 2) + slot_of(cell(other >> 2), keep));
                    break;
                }
                const Index reached = cell(next).v[facet & 3];
                cross = slot_of(cell(next), keep);
                keep = reached;
                at_cell = next;
            }
        }
    }
}

// The first D + 1 affinely independent sites in the given order; false when there are none.
template <int D>
bool Complex<D>::start_simplex(const std::vector<Index>& order, Index (&chosen)[D + 1]) {
    if (order.empty()) return false;
    int found = 0;
    for (const Index v : order) {
        bool independent = true;
        if (found == 1) independent = compare_centers(row(chosen[0]), row(v)) != 0;
        if (found == 2) {
            if constexpr (D == 2) independent = orientation2(bounds_, row(chosen[0]), row(chosen[1]), row(v)) != 0;
            else independent = !collinear(bounds_, row(chosen[0]), row(chosen[1]), row(v));
        }
        if constexpr (D == 3) {
            if (found == 3) independent = orientation3(bounds_, row(chosen[0]), row(chosen[1]), row(chosen[2]), row(v)) != 0;
        }
        if (!independent) continue;
        chosen[found++] = v;
        if (found == D + 1) return true;
    }
    return false;
}

template <int D>
void Complex<D>::first_cells(const Index (&chosen)[D + 1]) {
    const Index inner = new_cell();
    for (int k = 0; k <= D; ++k) at(inner).v[k] = chosen[k];
    if (orientation_with(inner, 0, row(chosen[0])) < 0) std::swap(at(inner).v[0], at(inner).v[1]);
    Index outer[D + 1];
    for (int i = 0; i <= D; ++i) {
        // Outside of facet i: the infinite vertex in slot i, and two others exchanged for the orientation.
        outer[i] = new_cell();
        Cell& cell_i = at(outer[i]);
        for (int k = 0; k <= D; ++k) cell_i.v[k] = cell(inner).v[k];
        cell_i.v[i] = infinite_vertex;
        std::swap(cell_i.v[(i + 1) % (D + 1)], cell_i.v[(i + 2) % (D + 1)]);
        link(inner, i, 4 * outer[i] + i);
        place_of(cell(inner).v[i]) = inner;
    }
    for (int i = 0; i <= D; ++i)
        for (int k = 0; k < i; ++k) {
            // outer[i] and outer[k] share the facet without vertices i and k of the inner cell.
            const int slot_i = slot_of(cell(outer[i]), cell(inner).v[k]), slot_k = slot_of(cell(outer[k]), cell(inner).v[i]);
            link(outer[i], slot_i, 4 * outer[k] + slot_k);
        }
    recent_ = inner;
}

template <int D>
bool Complex<D>::build(std::vector<Row> rows, const std::vector<std::uint8_t>& present) {
    rows_ = std::move(rows);
    std::vector<Index> which;
    which.reserve(rows_.size());
    for (std::size_t v = 0; v < rows_.size(); ++v)
        if (present.empty() || present[v]) which.push_back(static_cast<Index>(v));
    const std::size_t n = which.size();
    const bool integral = bounds_.integral();
    bounds_ = Bounds(integral);
    refresh_bounds(rows_, bounds_);
    cells_.clear(), mark_.clear(), hidden_.clear();
    first_free_ = no_cell, recent_ = 0, live_cells_ = 0;
    cell_of_.assign(rows_.size(), absent);
    present_at_build_.clear();
    if (n == 0) {
        present_at_build_.assign(rows_.size(), 0);
        return false;
    }
    // Some 6.8 cells per vertex in space, 2 in the plane, and a few for the hole being dug.
    cells_.reserve(n * (D == 3 ? 7 : 2) + 64);
    mark_.reserve(cells_.capacity());
    const std::vector<Index> order = spatial_order(rows_, which, D);
    Index chosen[D + 1];
    if (!start_simplex(order, chosen)) {
        present_at_build_ = present;
        return false;
    }
    first_cells(chosen);
    for (const Index v : order)
        if (std::find(std::begin(chosen), std::end(chosen), v) == std::end(chosen)) place(v, recent_);
    return true;
}

template <int D>
bool Complex<D>::insert(Index v, const Row& new_row) {
    if (static_cast<std::size_t>(v) >= rows_.size()) {
        rows_.resize(static_cast<std::size_t>(v) + 1, Row{{0, 0, 0, 0}});
        cell_of_.resize(rows_.size(), absent);
    }
    rows_[static_cast<std::size_t>(v)] = new_row;
    bounds_.cover(new_row);
    return place(v, some_finite_cell());
}

// Puts back those hidden vertices that have become visible.
template <int D>
void Complex<D>::uncover(const std::vector<Index>& candidates) {
    for (const Index v : candidates) {
        if (!is_hidden(v)) continue;
        const Index near = hidden_base - place_of(v);
        const bool usable = near < static_cast<Index>(cells_.size()) && !is_free(near);
        const Index c = locate(row(v), usable ? near : some_finite_cell());
        bool twin = false;
        for (int k = 0; k <= D; ++k) {
            const Index u = cell(c).v[k];
            twin = twin || (u != infinite_vertex && compare_centers(row(u), row(v)) == 0 && row(u).c[3] == row(v).c[3]);
        }
        if (!twin && conflict(c, row(v)) < 0) {
            place_of(v) = hidden_base - c;
            continue;
        }
        forget_hidden(v);
        place(v, c);
    }
}

template class Complex<2>;
template class Complex<3>;

}  // namespace scree::tri
