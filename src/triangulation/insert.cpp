// Locating, inserting, building.
//
// Insertion digs out all cells in conflict with the new site (they are connected and star-shaped around it) and joins
// the walls of the hole to it. A vertex that had all its cells dug out is hidden from now on.
//
// A build names its vertices by their place on a Hilbert curve and keeps the cells in blocks, one for every 32 vertices
// in a row: the cells that an insertion adds come from the block of its vertex, so that those that meet lie close
// together at any stage, and putting all in order at the end moves them by little. Rejected: taking places as they come
// and sorting them in the end. Every round of insertions leaves a layer of its own, and the sort was a quarter of a
// build of a million points.
#include <algorithm>
#include <bit>
#include <cmath>

#include "complex.h"
#include "core/release.h"
#include "filters.h"
#include "spatial_order.h"

namespace scree::tri {
namespace {

constexpr std::uint8_t in_conflict = 1, not_in_conflict = 2;
// The other slots of a cell, in the order in which the facet opposite slot i is seen from it: neighboring facets see
// their ridge in opposite directions.
constexpr int around[2][4][3] = {{{1, 2}, {2, 0}, {0, 1}}, {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};
constexpr std::size_t table_side = 64;  // holes with fewer vertices are linked through a table

}  // namespace

// Orientation of cell c with the vertex in `slot` replaced by p; the rest must be finite.
template <int D>
int Complex<D>::orientation_with(Index c, int slot, const Row& p) const {
    const Row* r[D + 1];
    for (int k = 0; k <= D; ++k) r[k] = k == slot ? &p : &row(cell(c).v[k]);
    if constexpr (D == 3)
        return orientation3(bounds_, *r[0], *r[1], *r[2], *r[3]);
    else
        return orientation2(bounds_, *r[0], *r[1], *r[2]);
}

template <int D>
int Complex<D>::conflict(Index c, const Row& p) const {
    const Cell& here = cell(c);
    const int slot = infinite_slot(here);
    if (slot < 0) {
        if constexpr (D == 3) {
            const double value = filters().power3_of_cell(rows_.data(), here.v, p);
            if (value > bounds_.power3) return 1;
            if (value < -bounds_.power3) return -1;
            return power3_slow(bounds_, row(here.v[0]), row(here.v[1]), row(here.v[2]), row(here.v[3]), p);
        } else
            return power2(bounds_, row(here.v[0]), row(here.v[1]), row(here.v[2]), p);
    }
    // Outside the hull: beyond the facet, or level with it and in conflict within its plane.
    if (const int side = orientation_with(c, slot, p)) return side;
    const Row* r[D];
    for (int k = 0, n = 0; k <= D; ++k)
        if (k != slot) r[n++] = &row(here.v[k]);
    if constexpr (D == 3)
        return power_in_plane(bounds_, *r[0], *r[1], *r[2], p);
    else
        return power_on_line(bounds_, *r[0], *r[1], p);
}

// Walks from cell to cell towards p; ends in the cell that holds p, or in an infinite cell p is strictly outside of. In
// a regular triangulation the walk cannot turn in circles: the power of p decreases.
template <int D>
Index Complex<D>::locate(const Row& p, Index start) const {
    Index c = start;
    if (const int slot = infinite_slot(cell(c)); slot >= 0) c = cell(c).n[slot] >> 2;
    for (;;) {
        const int out = way_out(c, p);
        if (out < 0) return c;
        c = cell(c).n[out] >> 2;
        if (infinite_slot(cell(c)) >= 0) return c;
    }
}

// A slot of the finite cell c such that p is strictly beyond the facet opposite to it; -1 when p is in c.
template <int D>
int Complex<D>::way_out(Index c, const Row& p) const {
    if constexpr (D == 3) {
        alignas(32) double sides[4];
        filters().sides_in_cell(rows_.data(), cell(c).v, p, sides);
        const double bound = bounds_.orientation3;
        const int beyond =
            (sides[0] < -bound) | (sides[1] < -bound) << 1 | (sides[2] < -bound) << 2 | (sides[3] < -bound) << 3;
        if (beyond) return std::countr_zero(static_cast<unsigned>(beyond));
        for (int k = 0; k <= D; ++k)
            if (!(sides[k] > bound) && orientation_with(c, k, p) < 0) return k;
    } else {
        for (int k = 0; k <= D; ++k)
            if (orientation_with(c, k, p) < 0) return k;
    }
    return -1;
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

// Fills conflict_ with the cells in conflict with p, and walls_ with their facets towards others, as 4·cell + slot.
// Cells are asked eight at once, as soon as there are eight to ask or no others to find.
template <int D>
typename Complex<D>::Hole Complex<D>::find_conflicts(const Row& p, Index first) {
    // Plain pointers: behind a write of a byte the compiler would load every member anew.
    std::uint8_t* const mark = mark_.data();
    const Cell* const cells = cells_.data();
    std::size_t found = 1, asked = 0, walls = 0, maybe = 0, grown = 0, answered = 0;
    const auto make_room = [](std::vector<Index>& list, std::size_t count) {
        if (list.size() < count) list.resize(2 * count);
    };
    make_room(conflict_, 16);
    conflict_[0] = first;
    mark[first] = in_conflict;
    for (;;) {
        // Ask all neighbors of those just found. A facet is a wall if the cell behind it is not in conflict: where
        // somebody else has asked that one, this is looked up in the end.
        make_room(asked_, asked + 4 * (found - grown) + 8);
        make_room(asking_, asked + 4 * (found - grown) + 8);
        make_room(maybe_, maybe + 4 * (found - grown) + 1);
        Index *const questions = asked_.data(), *const asking = asking_.data(), *const undecided = maybe_.data();
        for (const Index* region = conflict_.data(); grown < found; ++grown) {
            const Index c = region[grown];
#pragma GCC unroll 4
            for (int i = 0; i <= D; ++i) {
                const Index next = cells[c].n[i] >> 2;
                const std::uint8_t was = mark[next];
                questions[asked] = next;
                asking[asked] = undecided[maybe] = 4 * c + i;
                mark[next] = static_cast<std::uint8_t>(was | (was == 0) * not_in_conflict);
                asked += was == 0;
                maybe += was == not_in_conflict;
            }
        }
        if (answered == asked) break;
        const std::size_t count = std::min<std::size_t>(8, asked - answered);
        make_room(conflict_, found + 9);
        make_room(walls_, walls + 9);
        Index *const region = conflict_.data(), *const wall = walls_.data();
        if constexpr (D == 3) {
            // The eight are filled up with a cell in conflict, which is dropped again.
            for (std::size_t j = count; j < 8; ++j) questions[answered + j] = first;
            alignas(64) double values[8];
            const bool sure =
                filters().power3_of_cells(cells, rows_.data(), questions + answered, p, bounds_.power3, values);
            if (!sure) [[unlikely]]
                for (std::size_t j = 0; j < 8; ++j)
                    if (const Index c = questions[answered + j];
                        !(std::fabs(values[j]) > bounds_.power3) || infinite_slot(cells[c]) >= 0)
                        values[j] = conflict(c, p);
                        // No branches: nobody could foresee them.
#pragma GCC unroll 8
            for (std::size_t j = 0; j < 8; ++j) {
                const Index c = questions[answered + j];
                const std::uint64_t no = std::bit_cast<std::uint64_t>(values[j]) >> 63;
                region[found] = c;
                wall[walls] = asking[answered + j];
                mark[c] = static_cast<std::uint8_t>(in_conflict + no);
                found += 1 - no;
                walls += no;
            }
            found -= 8 - count;
        } else {
            for (std::size_t j = answered; j < answered + count; ++j) {
                const bool yes = conflict(questions[j], p) > 0;
                region[found] = questions[j];
                wall[walls] = asking[j];
                mark[questions[j]] = yes ? in_conflict : not_in_conflict;
                found += yes;
                walls += !yes;
            }
        }
        answered += count;
    }
    make_room(walls_, walls + maybe + 1);
    Index *const wall = walls_.data(), *const questions = asked_.data(), *const undecided = maybe_.data();
    for (std::size_t k = 0; k < maybe; ++k) {
        wall[walls] = undecided[k];
        walls += mark[cells[undecided[k] >> 2].n[undecided[k] & 3] >> 2] == not_in_conflict;
    }
    for (std::size_t k = 0; k < asked; ++k) mark[questions[k]] = 0;
    mark[first] = 0;
    return {found, walls};
}

// Replaces the cells in conflict with v by cells that join the walls of the hole to v.
template <int D>
void Complex<D>::dig(Index v, Index first) {
    const auto [gone, walls] = find_conflicts(row(v), first);

    // New cells take the places of the old ones, then others. (This may move all cells in memory.)
    if (created_.size() < walls) {
        created_.resize(2 * walls);
        fresh_.resize(2 * walls);
    }
    std::copy_n(conflict_.begin(), std::min(gone, walls), created_.begin());
    for (std::size_t w = gone; w < walls; ++w) created_[w] = new_cell_near(v);

    // The cell in conflict with its vertex behind the wall replaced by v is positive. The new cells are linked through
    // a table of ridges: each belongs to two walls, which see it in opposite directions. Nothing here branches on what
    // nobody could foresee.
    if (local_.size() < rows_.size() + 1) local_.resize(rows_.size() + 1, 0);
    if (local_vertices_.size() < 3 * walls + 1) local_vertices_.resize(6 * walls);
    ridges_.resize(table_side * table_side);
    Cell* const cells = cells_.data();
    Cell* const made = fresh_.data();
    std::uint8_t* const local_number = local_.data() + 1;
    Index* const ridges = ridges_.data();
    LocalVertex* const hole_vertices = local_vertices_.data();
    const Index *const wall = walls_.data(), *const created = created_.data();
    std::size_t vertices = 0;
    for (std::size_t w = 0; w < walls; ++w) {
        const int i = wall[w] & 3;
        const int* slots = around[D - 2][i];
        // Whole records are copied, and nothing just written in pieces is read as a whole: that would stall.
        const Cell& old = cells[wall[w] >> 2];
        made[w] = old;
        std::size_t local[3];
        const Index mine = 4 * created[w];
#pragma GCC unroll 3
        for (int k = 0; k < D; ++k) {
            const Index u = old.v[slots[k]];
            const std::size_t was = local_number[u];
            hole_vertices[vertices] = {u, created[w]};
            vertices += was == 0;
            // Beyond the table numbers mean nothing, but are never 0.
            const std::size_t number = std::min(vertices, table_side - 1);
            local[k] = was | (number & -static_cast<std::size_t>(was == 0));
            local_number[u] = static_cast<std::uint8_t>(local[k]);
        }
        if constexpr (D == 3) {
            ridges[local[0] * table_side + local[1]] = mine + slots[2];
            ridges[local[1] * table_side + local[2]] = mine + slots[0];
            ridges[local[2] * table_side + local[0]] = mine + slots[1];
        } else {
            ridges[local[0]] = mine + slots[1];
            ridges[table_side + local[1]] = mine + slots[0];
        }
    }
    // A vertex of the hole that is on none of its walls has lost all its cells; equal weights hide nobody.
    if (bounds_.low(3) < bounds_.high(3))
        for (std::size_t k = 0; k < gone; ++k)
            for (int i = 0; i <= D; ++i) {
                const Index u = cells[conflict_[k]].v[i];
                if (local_number[u] == 0 && is_visible(u)) set_hidden(u, created[0]);
            }
    const bool small = vertices < table_side;
    if (!small) link_by_sorting(walls);
    for (std::size_t w = 0; w < walls; ++w) {
        const int i = wall[w] & 3;
        const int* slots = around[D - 2][i];
        const Cell& from = made[w];
        const Index outer = from.n[i];
        Cell& fresh = cells[created[w]];
        fresh = from;
        fresh.v[i] = v;
        cells[outer >> 2].n[outer & 3] = 4 * created[w] + i;
        if (!small) continue;
        std::size_t local[3];
#pragma GCC unroll 3
        for (int k = 0; k < D; ++k) local[k] = local_number[from.v[slots[k]]];
        if constexpr (D == 3) {
            fresh.n[slots[2]] = ridges[local[1] * table_side + local[0]];
            fresh.n[slots[0]] = ridges[local[2] * table_side + local[1]];
            fresh.n[slots[1]] = ridges[local[0] * table_side + local[2]];
        } else {
            fresh.n[slots[1]] = ridges[table_side + local[0]];
            fresh.n[slots[0]] = ridges[local[1]];
        }
    }
    for (std::size_t k = 0; k < vertices; ++k) {
        const auto [u, cell_at_u] = hole_vertices[k];
        local_number[u] = 0;
        if (u != infinite_vertex) place_of(u) = cell_at_u;
    }
    for (std::size_t k = walls; k < gone; ++k) free_cell(conflict_[k]);
    place_of(v) = recent_ = created[walls - 1];
}

// Links the new cells of a hole with many vertices, a big sphere's: equal ridges meet when sorted.
template <int D>
void Complex<D>::link_by_sorting(std::size_t walls) {
    struct Ridge {
        std::uint64_t key;
        std::size_t wall;
        int slot;
    };
    std::vector<Ridge> ridges;
    for (std::size_t w = 0; w < walls; ++w) {
        const int i = walls_[w] & 3;
        const int* slots = around[D - 2][i];
        for (int k = 0; k < D; ++k) {
            const auto a = static_cast<std::uint32_t>(fresh_[w].v[slots[(k + 1) % D]]);
            const auto b = D == 3 ? static_cast<std::uint32_t>(fresh_[w].v[slots[(k + 2) % D]]) : a;
            ridges.push_back({static_cast<std::uint64_t>(std::min(a, b)) << 32 | std::max(a, b), w, slots[k]});
        }
    }
    std::sort(ridges.begin(), ridges.end(),
              [](const Ridge& a, const Ridge& b) { return a.key != b.key ? a.key < b.key : a.wall < b.wall; });
    for (std::size_t k = 0; k + 1 < ridges.size(); k += 2) {
        const Ridge &a = ridges[k], &b = ridges[k + 1];
        fresh_[a.wall].n[a.slot] = 4 * created_[b.wall] + b.slot;
        fresh_[b.wall].n[b.slot] = 4 * created_[a.wall] + a.slot;
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
            if constexpr (D == 2)
                independent = orientation2(bounds_, row(chosen[0]), row(chosen[1]), row(v)) != 0;
            else
                independent = !collinear(bounds_, row(chosen[0]), row(chosen[1]), row(v));
        }
        if constexpr (D == 3) {
            if (found == 3)
                independent = orientation3(bounds_, row(chosen[0]), row(chosen[1]), row(chosen[2]), row(v)) != 0;
        }
        if (!independent) continue;
        chosen[found++] = v;
        if (found == D + 1) return true;
    }
    return false;
}

template <int D>
void Complex<D>::first_cells(const Index (&chosen)[D + 1]) {
    const Index inner = new_cell_near(chosen[0]);
    for (int k = 0; k <= D; ++k) at(inner).v[k] = chosen[k];
    if (orientation_with(inner, 0, row(chosen[0])) < 0) std::swap(at(inner).v[0], at(inner).v[1]);
    Index outer[D + 1];
    for (int i = 0; i <= D; ++i) {
        // Outside of facet i: the infinite vertex in slot i, and two others exchanged for the orientation.
        outer[i] = new_cell_near(chosen[0]);
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
            const int slot_i = slot_of(cell(outer[i]), cell(inner).v[k]),
                      slot_k = slot_of(cell(outer[k]), cell(inner).v[i]);
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
    cells_.clear();
    mark_.clear();
    hidden_.clear();
    first_free_ = no_cell;
    recent_ = 0;
    live_cells_ = 0;
    cell_of_.assign(n, absent);
    present_at_build_.clear();
    if (n == 0) {
        cell_of_.assign(rows_.size(), absent);
        present_at_build_.assign(rows_.size(), 0);
        return false;
    }
    cells_.reserve(n * block_cells / block_vertices + 64);
    mark_.reserve(cells_.capacity());
    // Vertices go by their place on the curve while they are inserted, so that what is near in space is near in memory.
    std::vector<Index> curve;
    std::vector<Index> order = spatial_order(rows_, which, D, &curve);
    release(which);
    std::vector<Row> given = std::move(rows_);
    rows_ = std::vector<Row>(n);
    std::vector<Index> place_on_curve(given.size());
    for (std::size_t k = 0; k < n; ++k) {
        rows_[k] = given[static_cast<std::size_t>(curve[k])];
        place_on_curve[static_cast<std::size_t>(curve[k])] = static_cast<Index>(k);
    }
    for (Index& v : order) v = place_on_curve[static_cast<std::size_t>(v)];
    release(place_on_curve);
    // Memory is scarcest from here on: rows of which none is absent can be had back from those on the curve.
    const std::size_t sites = given.size();
    if (n == sites) release(given);
    Index chosen[D + 1];
    const bool full = start_simplex(order, chosen);
    if (full) {
        open_blocks(n);
        first_cells(chosen);
        for (const Index v : order)
            if (std::find(std::begin(chosen), std::end(chosen), v) == std::end(chosen)) place(v, recent_);
    }
    release(order);
    if (n == sites) {
        given.resize(n);
        for (std::size_t k = 0; k < n; ++k) given[static_cast<std::size_t>(curve[k])] = rows_[k];
    }
    rows_ = std::move(given);
    if (full)
        close_blocks(curve);
    else
        present_at_build_ = present;
    // Back to the caller's numbers. Coincident sites lie on the curve in the order of theirs, so the lower one is
    // visible.
    const std::vector<Index> places = std::move(cell_of_);
    cell_of_.assign(rows_.size(), absent);
    for (std::size_t k = 0; k < n; ++k) cell_of_[static_cast<std::size_t>(curve[k])] = places[k];
    for (Index& v : hidden_) v = curve[static_cast<std::size_t>(v)];
    return full;
}

template <int D>
void Complex<D>::open_blocks(std::size_t vertices) {
    const std::size_t count = (vertices + block_vertices - 1) / block_vertices;
    blocks_.assign(count, Block{});
    spare_block_ = 0;
    cells_.resize(count * block_cells, Cell{{free_mark, 0, 0, 0}, {0, 0, 0, 0}});
    mark_.resize(cells_.size(), 0);
}

// Numbers the cells by the first of their vertices on the curve: neighbors in space are neighbors in memory, which
// halves the time of every pass over cells; flips hardly disturb this order. Gives the cells their vertices' names.
template <int D>
void Complex<D>::close_blocks(const std::vector<Index>& curve) {
    const std::size_t n = cells_.size();
    blocks_.clear();
    std::vector<Index> start(curve.size() + 2, 0), number(n, no_cell);
    Cell* const cells = cells_.data();
    const auto key = [&](const Cell& here) {  // the infinite vertex comes last
        auto first = static_cast<std::uint32_t>(here.v[0]);
        for (int k = 1; k <= D; ++k) first = std::min(first, static_cast<std::uint32_t>(here.v[k]));
        return std::min(static_cast<std::size_t>(first), curve.size());
    };
    for (std::size_t c = 0; c < n; ++c) start[key(cells[c]) + 1] += cells[c].v[0] != free_mark;
    for (std::size_t k = 1; k < start.size(); ++k) start[k] += start[k - 1];
    for (std::size_t c = 0; c < n; ++c)
        if (cells[c].v[0] != free_mark) number[c] = start[key(cells[c])]++;
    release(start);
    const auto renumbered = [&](Index place) { return number[static_cast<std::size_t>(place)]; };
    // In place, for a second array would be the largest of all: a stretch of cells is copied away, then the stretch
    // before it is put where it belongs, which is nearly always close by. Cells that go further up than has been read
    // wait for the end.
    constexpr std::size_t stretch = 8192;
    std::vector<Cell> before, now;
    std::vector<std::pair<Index, Cell>> late;
    for (std::size_t begin = 0; begin < n + stretch; begin += stretch) {
        const std::size_t read = std::min(n, begin + stretch);
        before.swap(now);
        now.assign(cells_.begin() + static_cast<std::ptrdiff_t>(std::min(begin, n)),
                   cells_.begin() + static_cast<std::ptrdiff_t>(read));
        for (std::size_t k = 0; k < before.size(); ++k) {
            const Index to = number[begin - stretch + k];
            if (to == no_cell) continue;
            Cell& here = before[k];
            for (int i = 0; i <= D; ++i) {
                here.v[i] = here.v[i] == infinite_vertex ? infinite_vertex : curve[static_cast<std::size_t>(here.v[i])];
                here.n[i] = 4 * renumbered(here.n[i] >> 2) + (here.n[i] & 3);
            }
            if (static_cast<std::size_t>(to) < read)
                cells[to] = here;
            else
                late.emplace_back(to, here);
        }
    }
    for (const auto& [to, here] : late) cells[to] = here;
    recent_ = renumbered(recent_);
    for (Index& place : cell_of_) {
        if (place >= 0)
            place = renumbered(place);
        else if (place <= hidden_base)
            place = hidden_base - std::max<Index>(0, renumbered(hidden_base - place));
    }
    cells_.resize(live_cells_);
    mark_.resize(live_cells_);
    first_free_ = no_cell;
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
