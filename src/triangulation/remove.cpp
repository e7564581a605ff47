// Taking a vertex out.
//
// The hole left by the star of the vertex is filled with the cells of the regular triangulation of the rest. The walls
// of the hole belong to it already, so each wall has exactly one right apex: the vertex of the hole whose cell no other
// vertex of the hole conflicts with. Small holes are filled wall by wall, each apex found by one pass over the
// candidates. That is quadratic, so for large holes (a big sphere among small ones) the vertices of the hole are
// triangulated on their own: all cells sought are cells of that small triangulation, too, and are copied from it.
// Rejected: flips in the order of shelling; they must compare quotients of determinants exactly to be robust.
#include <algorithm>
#include <array>
#include <unordered_map>

#include "complex.h"

namespace scree::tri {
namespace {

constexpr std::size_t small_hole = 48;  // candidates up to which the quadratic way is faster

using Key = std::array<Index, 3>;

struct KeyHash {
    std::size_t operator()(const Key& key) const {
        std::uint64_t h = 0;
        for (const Index v : key) h = (h ^ static_cast<std::uint32_t>(v)) * 0x9e3779b97f4a7c15u;
        return static_cast<std::size_t>(h ^ h >> 29);
    }
};

template <int D>
Key facet_key(const Cell& cell, int slot) {
    Key key = {-9, -9, -9};
    for (int k = 0, n = 0; k <= D; ++k)
        if (k != slot) key[static_cast<std::size_t>(n++)] = cell.v[k];
    std::sort(key.begin(), key.end());
    return key;
}

// The cell on the other side of facet `slot` of `outer`, with apex x; positive if x lies on that side.
template <int D>
Cell mirrored(const Cell& outer, int slot, Index x) {
    Cell cell = outer;
    cell.v[slot] = x;
    std::swap(cell.v[(slot + 1) % (D + 1)], cell.v[(slot + 2) % (D + 1)]);
    return cell;
}

}  // namespace

template <int D>
bool Complex<D>::take_out(Index v, Exchange* exchange) {
    std::vector<Index> star_cells;
    star(v, star_cells);
    std::vector<Index> candidates;
    std::size_t finite_in_star = 0;
    for (const Index c : star_cells) {
        if (!is_infinite(c)) ++finite_in_star;
        for (int k = 0; k <= D; ++k)
            if (cell(c).v[k] != v && cell(c).v[k] != infinite_vertex) candidates.push_back(cell(c).v[k]);
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    // If every finite cell is at v, what remains may be flat. Then the candidates are all there is.
    if (live_cells_ < 4 * star_cells.size() && finite_in_star == finite_cell_count()) {
        Index chosen[D + 1];
        if (!start_simplex(candidates, chosen)) return false;
    }

    struct Wall {
        Index outer;  // the facet, from its outer side
        Key key;
    };
    std::vector<Wall> front;
    std::vector<Index> fresh;
    for (const Index c : star_cells) {
        const Index outer = cell(c).n[slot_of(cell(c), v)];
        front.push_back({outer, facet_key<D>(cell(outer >> 2), outer & 3)});
    }

    const auto facet_row = [&](const Cell& shape, int k) -> const Row& { return row(shape.v[k]); };
    // Conflict of site p with the (not yet stored) cell `shape`.
    const auto shape_conflict = [&](const Cell& shape, const Row& p) {
        const int slot = infinite_slot(shape);
        const Row* r[D + 1];
        for (int k = 0; k <= D; ++k) r[k] = k == slot ? &p : &facet_row(shape, k);
        if constexpr (D == 3) {
            if (slot < 0) return power3(bounds_, *r[0], *r[1], *r[2], *r[3], p);
            if (const int side = orientation3(bounds_, *r[0], *r[1], *r[2], *r[3])) return side;
            return power_in_plane(bounds_, *r[slot == 0], *r[slot <= 1 ? 2 : 1], *r[slot == 3 ? 2 : 3], p);
        } else {
            if (slot < 0) return power2(bounds_, *r[0], *r[1], *r[2], p);
            if (const int side = orientation2(bounds_, *r[0], *r[1], *r[2])) return side;
            return power_on_line(bounds_, *r[slot == 0], *r[slot == 2 ? 1 : 2], p);
        }
    };
    const auto shape_orientation = [&](const Cell& shape) {
        if constexpr (D == 3)
            return orientation3(bounds_, facet_row(shape, 0), facet_row(shape, 1), facet_row(shape, 2),
                                facet_row(shape, 3));
        else
            return orientation2(bounds_, facet_row(shape, 0), facet_row(shape, 1), facet_row(shape, 2));
    };
    // Whether x may be the apex over a wall with the infinite vertex, outside of which y is the hull's next vertex: it
    // must not lie in the hull facet behind the wall.
    const auto turns_around = [&](const Cell& outer, int slot, Index x) {
        const Row* wall[D];
        int n = 0;
        for (int k = 0; k <= D; ++k)
            if (k != slot && outer.v[k] != infinite_vertex) wall[n++] = &row(outer.v[k]);
        const Row& y = row(outer.v[slot]);
        if constexpr (D == 3) {
            if (orientation3(bounds_, *wall[0], *wall[1], y, row(x)) != 0) return true;
            return same_side_in_plane(bounds_, *wall[0], *wall[1], y, row(x)) < 0;
        } else {
            if (orientation2(bounds_, *wall[0], y, row(x)) != 0) return true;
            return beyond_on_line(y, *wall[0], row(x));
        }
    };
    const auto apex_over = [&](Index outer_facet) {
        const Cell outer = cell(outer_facet >> 2);
        const int slot = outer_facet & 3;
        bool infinite_wall = false;
        for (int k = 0; k <= D; ++k) infinite_wall = infinite_wall || (k != slot && outer.v[k] == infinite_vertex);
        Cell best{};
        bool found = false;
        for (const Index x : candidates) {
            if (std::find(outer.v, outer.v + D + 1, x) != outer.v + D + 1) continue;
            Cell shape = mirrored<D>(outer, slot, x);
            if (infinite_wall ? !turns_around(outer, slot, x) : shape_orientation(shape) <= 0) continue;
            if (found && shape_conflict(best, row(x)) < 0) continue;
            best = shape;
            found = true;
        }
        return found ? best : mirrored<D>(outer, slot, infinite_vertex);
    };

    // The large way: all cells of the hole are in the triangulation of its vertices.
    Complex<D> local(bounds_.integral());
    std::unordered_map<Key, Index, KeyHash> local_facet;
    bool large = candidates.size() > small_hole;
    if (large) {
        std::vector<Row> local_rows;
        for (const Index u : candidates) local_rows.push_back(row(u));
        large = local.build(std::move(local_rows));
    }
    if (large) {
        for (Index c = 0; c < static_cast<Index>(local.cells_.size()); ++c) {
            if (local.is_free(c)) continue;
            Cell& renamed = local.at(c);
            for (int k = 0; k <= D; ++k)
                if (renamed.v[k] != infinite_vertex) renamed.v[k] = candidates[static_cast<std::size_t>(renamed.v[k])];
        }
        for (Index c = 0; c < static_cast<Index>(local.cells_.size()); ++c) {
            if (local.is_free(c)) continue;
            for (int k = 0; k <= D; ++k)
                if (local.cell(c).n[k] > 4 * c + k) local_facet.emplace(facet_key<D>(local.cell(c), k), 4 * c + k);
        }
    }
    const auto copied_over = [&](const Wall& wall) {
        const Cell& outer = cell(wall.outer >> 2);
        const int slot = wall.outer & 3;
        const Index facet = local_facet.at(wall.key);
        // Of the two cells at the facet, the one on the side of the hole shows it with the other orientation.
        for (const Index side : {facet, local.cell(facet >> 2).n[facet & 3]}) {
            const Index x = local.cell(side >> 2).v[side & 3];
            const Cell shape = mirrored<D>(outer, slot, x);
            int permutation[4];
            for (int k = 0; k <= D; ++k) permutation[k] = slot_of(local.cell(side >> 2), shape.v[k]);
            int inversions = 0;
            for (int k = 0; k <= D; ++k)
                for (int m = 0; m < k; ++m) inversions += permutation[m] > permutation[k];
            if (inversions % 2 == 0) return shape;
        }
        return Cell{};
    };

    std::unordered_map<Key, std::size_t, KeyHash> open;  // walls by key, when there are many
    const bool hashed = front.size() > 64;
    if (hashed)
        for (std::size_t k = 0; k < front.size(); ++k) open.emplace(front[k].key, k);
    std::size_t remaining = front.size();
    std::vector<std::uint8_t> closed(front.size(), 0);
    while (remaining > 0) {
        while (closed.back()) {
            closed.pop_back();
            front.pop_back();
        }
        const std::size_t w = front.size() - 1;
        const Wall wall = front[w];
        const Cell shape = large ? copied_over(wall) : apex_over(wall.outer);
        const int slot = wall.outer & 3;
        const Index c = new_cell();
        fresh.push_back(c);
        for (int k = 0; k <= D; ++k) {
            at(c).v[k] = shape.v[k];
            if (shape.v[k] != infinite_vertex) place_of(shape.v[k]) = c;
        }
        for (int k = 0; k <= D; ++k) {
            if (k == slot) {
                link(c, k, wall.outer);
                closed[w] = 1;
                --remaining;
                if (hashed) open.erase(wall.key);
                continue;
            }
            const Key key = facet_key<D>(cell(c), k);
            std::size_t other = front.size();
            if (hashed) {
                if (const auto found = open.find(key); found != open.end()) other = found->second;
            } else {
                for (std::size_t m = front.size(); m-- > 0;)
                    if (!closed[m] && front[m].key == key) {
                        other = m;
                        break;
                    }
            }
            if (other < front.size()) {
                link(c, k, front[other].outer);
                closed[other] = 1;
                --remaining;
                if (hashed) open.erase(key);
            } else {
                if (hashed) open.emplace(key, front.size());
                front.push_back({4 * c + k, key});
                closed.push_back(0);
                ++remaining;
            }
        }
    }
    if (exchange) {
        for (const Index c : star_cells) exchange->gone.push_back(cell(c));
        for (const Index c : fresh) {
            exchange->made.push_back(cell(c));
            exchange->made_numbers.push_back(c);
        }
    }
    for (const Index c : star_cells) free_cell(c);
    place_of(v) = absent;
    recent_ = fresh.back();
    return true;
}

template <int D>
bool Complex<D>::remove(Index v) {
    if (is_hidden(v)) {
        forget_hidden(v);
        return true;
    }
    // Only hidden vertices inside the star can be uncovered: elsewhere the cells stay as they are.
    std::vector<Index> star_cells, candidates;
    double low[3], high[3];
    if (!hidden_.empty()) {
        star(v, star_cells);
        for (int k = 0; k < 3; ++k) low[k] = high[k] = row(v).c[k];
        for (const Index c : star_cells)
            for (int i = 0; i <= D; ++i)
                if (const Index u = cell(c).v[i]; u != infinite_vertex)
                    for (int k = 0; k < 3; ++k) {
                        low[k] = std::min(low[k], row(u).c[k]);
                        high[k] = std::max(high[k], row(u).c[k]);
                    }
        for (const Index u : hidden_) {
            bool inside = true;
            for (int k = 0; k < D; ++k) inside = inside && row(u).c[k] >= low[k] && row(u).c[k] <= high[k];
            if (inside) candidates.push_back(u);
        }
    }
    if (!take_out(v, nullptr)) return false;
    uncover(candidates);
    return true;
}

template class Complex<2>;
template class Complex<3>;

}  // namespace scree::tri
