// Local repair by flips.
//
// For an illegal facet with apexes d and q, replace one facet vertex k of its cell by q and look at the orientation
// s_k. All positive: the segment dq pierces the facet, 2 → 3 (in the plane 2 → 2). One negative: the two cells meet at
// a reflex edge; if a third cell fills it, 3 → 2. One zero: d, q and the edge lie in one plane; a ring of four turns, 4
// → 4. Two negative: the remaining facet vertex lies inside the cell of the others; if it has no further cells it is
// hidden, 4 → 1 (in the plane: one negative, 3 → 1). Each flip lowers the lifted surface, so flipping ends; in space it
// may end stuck (Pournin 2005 §3.3.2), and the caller climbs the ladder.
//
// With the infinite vertex in the facet (a, b, infinite): q is beyond the hull facet abd. If a hull vertex a has just
// the three hull facets, all its hull edges are reflex together, and a sinks below the new hull facet: 3 → 2 at the
// edge (a, infinite). Else the reflex edge ab is covered by the cell abdq: 2 → 3.
//
// Records are saved before they change, so that an attempt that fails can be rolled back.
#include <algorithm>

#include "complex.h"

namespace scree::tri {

template <int D>
void Complex<D>::save(Index c) {
    if (journaling_) journal_.push_back({c, cell(c)});
}

// Saves a cell that is about to be replaced.
template <int D>
void Complex<D>::unsettle(Index c) {
    save(c);
    if (watching_) watch_.covering -= covers(cell(c), watch_);
}

template <int D>
void Complex<D>::save_place(Index v) {
    if (journaling_) place_journal_.push_back({v, place_of(v)});
}

template <int D>
void Complex<D>::begin_attempt() {
    journaling_ = true;
    journal_.clear();
    place_journal_.clear();
    before_ = {first_free_, recent_, live_cells_, cells_.size(), hidden_.size()};
}

template <int D>
void Complex<D>::rollback() {
    for (std::size_t k = journal_.size(); k-- > 0;) at(journal_[k].cell) = journal_[k].was;
    for (std::size_t k = place_journal_.size(); k-- > 0;) place_of(place_journal_[k].vertex) = place_journal_[k].was;
    first_free_ = before_.first_free;
    recent_ = before_.recent;
    live_cells_ = before_.live_cells;
    cells_.resize(before_.cells);
    mark_.resize(before_.cells);
    hidden_.resize(before_.hidden);
    journaling_ = false;
}

template <int D>
void Complex<D>::relink(Index c, int i, Index facet) {
    save(facet >> 2);
    link(c, i, facet);
}

// A new cell, whose record (a link of the list of free cells) is saved.
template <int D>
Index Complex<D>::born_cell() {
    if (first_free_ != no_cell) save(first_free_);
    return new_cell();
}

template <int D>
void Complex<D>::buried_cell(Index c) {
    free_cell(c);
}

template <int D>
void Complex<D>::settle(Index c) {
    for (int k = 0; k <= D; ++k) {
        const Index v = cell(c).v[k];
        if (v == infinite_vertex) {
            if (watching_) watch_.hull.push_back(c);
        } else if (place_of(v) != c) {
            save_place(v);
            place_of(v) = c;
        }
    }
    if (watching_) watch_.covering += covers(cell(c), watch_);
    recent_ = c;
}

template <int D>
typename Complex<D>::Certificate Complex<D>::certificate(Index facet) const {
    Certificate made{Certificate::Kind::power, {}, -1};
    const Cell& here = cell(facet >> 2);
    const Index q = apex(twin(facet));
    std::copy(here.v, here.v + D + 1, made.v);
    made.v[D + 1] = q;
    if (here.v[facet & 3] == infinite_vertex || q == infinite_vertex) {
        made.kind = Certificate::Kind::always;
    } else if (const int slot = infinite_slot(here); slot >= 0) {
        made.kind = Certificate::Kind::hull;
        made.slot = slot;
        made.v[slot] = q;
    }
    return made;
}

template <int D>
void Complex<D>::set_row(Index v, const Row& row) {
    rows_[static_cast<std::size_t>(v)] = row;
    bounds_.cover(row);
}

template <int D>
typename Complex<D>::Flip Complex<D>::flip(Index facet, bool even_if_legal) {
    Flip result;
    if (certificate(facet).kind == Certificate::Kind::always || (!even_if_legal && facet_is_legal(facet)))
        return result;
    // The ring of a 4 → 4 flip may fail half way; so records are kept.
    begin_attempt();
    stack_.clear();
    UpdateCounts counts;
    if (!flip_somehow(facet, counts)) {
        rollback();
        return result;
    }
    journaling_ = false;
    // Every cell made has put a facet on the stack.
    const auto add = [](Index c, Index* list, int& count) {
        if (std::find(list, list + count, c) == list + count) list[count++] = c;
    };
    for (const Index f : stack_)
        if (!is_free(f >> 2)) add(f >> 2, result.made, result.made_count);
    for (const Saved& saved : journal_) {
        if (!is_free(saved.cell) || static_cast<std::size_t>(saved.cell) >= before_.cells) continue;
        // A cell born and buried within the flip is none of the caller's business: its first record is free.
        const auto first =
            std::find_if(journal_.begin(), journal_.end(), [&](const Saved& s) { return s.cell == saved.cell; });
        if (first->was.v[0] != free_mark) add(saved.cell, result.freed, result.freed_count);
    }
    for (const SavedPlace& saved : place_journal_)
        if (is_hidden(saved.vertex)) result.hidden = saved.vertex;
    stack_.clear();
    return result;
}

template <int D>
bool Complex<D>::facet_is_legal(Index facet) const {
    const Index c = facet >> 2, across = cell(c).n[facet & 3];
    const Index d = cell(c).v[facet & 3], q = cell(across >> 2).v[across & 3];
    if (d == infinite_vertex || q == infinite_vertex) return true;  // a hull facet of a positive cell
    return conflict(c, row(q)) < 0;
}

// Orientation of four (in the plane three) vertices; with the infinite vertex among them, 1.
template <int D>
int Complex<D>::orientation_of(const Index* v) const {
    for (int k = 0; k <= D; ++k)
        if (v[k] == infinite_vertex) return 1;
    if constexpr (D == 3)
        return orientation3(bounds_, row(v[0]), row(v[1]), row(v[2]), row(v[3]));
    else
        return orientation2(bounds_, row(v[0]), row(v[1]), row(v[2]));
}

// Replaces the two cells at the facet by D cells around the new edge.
template <int D>
void Complex<D>::flip_facet(Index c, int i) {
    const Cell a = cell(c);
    const Index c2 = a.n[i] >> 2;
    const Cell b = cell(c2);
    const int i2 = a.n[i] & 3;
    const Index q = b.v[i2];
    Index fresh[4];
    int slots[3], n = 0;
    for (int k = 0; k <= D; ++k)
        if (k != i) slots[n++] = k;
    fresh[slots[0]] = c;
    fresh[slots[1]] = c2;
    unsettle(c);
    unsettle(c2);
    if constexpr (D == 3) fresh[slots[2]] = born_cell();
    for (int s = 0; s < D; ++s) {
        const int k = slots[s];
        Cell& made = at(fresh[k]);
        made = a;
        made.v[k] = q;
    }
    for (int s = 0; s < D; ++s) {
        const int k = slots[s];
        relink(fresh[k], k, a.n[k]);
        relink(fresh[k], i, b.n[slot_of(b, a.v[k])]);
        for (int m = 0; m < s; ++m) link(fresh[k], slots[m], 4 * fresh[slots[m]] + k);
    }
    // The facets between the new cells are legal; those around them are to be looked at.
    for (int s = 0; s < D; ++s) {
        settle(fresh[slots[s]]);
        stack_.push_back(4 * fresh[slots[s]] + slots[s]);
        stack_.push_back(4 * fresh[slots[s]] + i);
    }
}

// The ring of an edge is closed by three cells: replaces them by two (3D).
template <int D>
bool Complex<D>::flip_edge(Index c, int i, int j, bool only_if_positive) {
    const Cell a = cell(c);
    int k = 0;
    while (k == i || k == j) ++k;
    const int l = 6 - i - j - k;
    const Index c1 = a.n[k] >> 2, c2 = a.n[l] >> 2;
    const Cell b1 = cell(c1), b2 = cell(c2);
    const Index t = b1.v[a.n[k] & 3];
    if (c1 == c2 || b2.v[a.n[l] & 3] != t || b1.n[slot_of(b1, a.v[l])] >> 2 != c2) return false;
    Cell upper = a, lower = a;
    upper.v[j] = t;
    lower.v[i] = t;
    if (only_if_positive && (orientation_of(upper.v) <= 0 || orientation_of(lower.v) <= 0)) return false;
    unsettle(c);
    unsettle(c1);
    unsettle(c2);
    at(c) = upper;
    at(c1) = lower;
    relink(c, j, a.n[j]);
    relink(c, k, b1.n[slot_of(b1, a.v[j])]);
    relink(c, l, b2.n[slot_of(b2, a.v[j])]);
    relink(c1, i, a.n[i]);
    relink(c1, k, b1.n[slot_of(b1, a.v[i])]);
    relink(c1, l, b2.n[slot_of(b2, a.v[i])]);
    link(c, i, 4 * c1 + j);
    buried_cell(c2);
    settle(c);
    settle(c1);
    for (const int slot : {j, k, l}) stack_.push_back(4 * c + slot);
    for (const int slot : {i, k, l}) stack_.push_back(4 * c1 + slot);
    return true;
}

// The vertex in slot i of c has D + 1 cells only: it becomes hidden.
template <int D>
bool Complex<D>::flip_vertex(Index c, int i) {
    const Cell a = cell(c);
    const Index v = a.v[i];
    Index apex = free_mark;
    Index others[4];
    Index outer[4];
    if (v == infinite_vertex) return false;
    for (int k = 0; k <= D; ++k) {
        if (k == i) continue;
        others[k] = a.n[k] >> 2;
        const Cell& other = cell(others[k]);
        const Index seen = other.v[a.n[k] & 3];
        if (apex == free_mark) apex = seen;
        if (seen != apex) return false;
        outer[k] = other.n[slot_of(other, v)];
        for (int m = 0; m < k; ++m)
            if (m != i &&
                (others[m] == others[k] || cell(others[m]).n[slot_of(cell(others[m]), a.v[k])] >> 2 != others[k]))
                return false;
    }
    Cell made = a;
    made.v[i] = apex;
    if (apex == infinite_vertex || orientation_of(made.v) <= 0) return false;
    unsettle(c);
    for (int k = 0; k <= D; ++k)
        if (k != i) unsettle(others[k]);
    at(c) = made;
    for (int k = 0; k <= D; ++k)
        if (k != i) relink(c, k, outer[k]);
    for (int k = 0; k <= D; ++k)
        if (k != i) buried_cell(others[k]);
    save_place(v);
    set_hidden(v, c);
    settle(c);
    for (int k = 0; k <= D; ++k) stack_.push_back(4 * c + k);
    return true;
}

template <int D>
int Complex<D>::edge_degree(Index c, int i, int j, int most) const {
    const Cell& first = cell(c);
    int out = 0;
    while (out == i || out == j) ++out;
    Index pivot = first.v[6 - i - j - out];
    Index facet = first.n[out];
    int degree = 1;
    for (; facet >> 2 != c && degree <= most; ++degree) {
        const Cell& here = cell(facet >> 2);
        const Index reached = here.v[facet & 3];
        const int next = slot_of(here, pivot);
        pivot = reached;
        facet = here.n[next];
    }
    return degree;
}

// One flip at an illegal facet; false when it is not flippable as things stand.
template <int D>
bool Complex<D>::flip_somehow(Index facet, UpdateCounts& counts) {
    const Index c = facet >> 2;
    const int i = facet & 3;
    const Cell a = cell(c);
    const Index across = a.n[i];
    const Index q = cell(across >> 2).v[across & 3];
    const int infinite = infinite_slot(a);
    int sign[4] = {1, 1, 1, 1}, negatives = 0, zeros = 0;
    int negative_slot = -1, zero_slot = -1, positive_slot = -1;
    for (int k = 0; k <= D; ++k) {
        if (k == i) continue;
        if (infinite < 0 || k == infinite) {
            sign[k] = orientation_with(c, k, row(q));
        } else if constexpr (D == 3) {
            // The edge of the hull vertex that is not k to infinity: reflex when it has three cells.
            const int other = 6 - i - k - infinite;
            sign[k] = edge_degree(c, other, infinite, 3) == 3 ? -1 : 1;
        }
        if (sign[k] < 0) {
            ++negatives;
            negative_slot = k;
        }
        if (sign[k] == 0) {
            ++zeros;
            zero_slot = k;
        }
        if (sign[k] > 0) positive_slot = k;
    }
    bool done = false;
    if (negatives == 0 && zeros == 0) {
        flip_facet(c, i);
        done = true;
    } else if (D == 3 && negatives == 1 && zeros == 0) {
        int edge[2], n = 0;
        for (int k = 0; k <= D; ++k)
            if (k != i && k != negative_slot) edge[n++] = k;
        done = flip_edge(c, edge[0], edge[1], true);
    } else if (D == 3 && negatives == 0 && zeros == 1) {
        int edge[2], n = 0;
        for (int k = 0; k <= D; ++k)
            if (k != i && k != zero_slot) edge[n++] = k;
        done = turn_ring(c, i, zero_slot, edge[0], edge[1], q, infinite);
    } else if (zeros == 0 && negatives == D - 1) {
        done = flip_vertex(c, positive_slot);
        if (done) ++counts.hidden;
    }
    if (done) ++counts.flips;
    return done;
}

// 4 → 4: d, q and the edge e0 e1 lie in one plane, and four cells share the edge. First 2 → 3 (which makes a flat
// cell), then 3 → 2 at the edge (which removes it).
template <int D>
bool Complex<D>::turn_ring(Index c, int i, int zero_slot, int e0, int e1, Index q, int infinite) {
    if (edge_degree(c, e0, e1, 4) != 4) return false;
    const Cell a = cell(c);
    if (infinite >= 0 && zero_slot == infinite) {
        // In the plane of the hull the diagonals must cross.
        if (same_side_in_plane(bounds_, row(a.v[i]), row(q), row(a.v[e0]), row(a.v[e1])) >= 0) return false;
    }
    // The fourth vertex of the ring must see the same quadrilateral from the other side.
    const Index beyond = a.n[zero_slot];
    Cell upper = cell(beyond >> 2);
    if (upper.v[beyond & 3] == q) return false;
    const Index z = upper.v[beyond & 3];
    const Index edge0 = a.v[e0], edge1 = a.v[e1];
    if (z != infinite_vertex) {
        Cell first = upper, second = upper;
        first.v[slot_of(first, edge0)] = q;
        second.v[slot_of(second, edge1)] = q;
        if (orientation_of(first.v) <= 0 || orientation_of(second.v) <= 0) return false;
    }
    flip_facet(c, i);
    // The flat cell holds d, q, edge0 and edge1; it is the fresh one without the vertex in zero_slot.
    for (const Index s : {c, a.n[i] >> 2, recent_}) {
        const Cell& flat = cell(s);
        if (flat.v[slot_of(flat, edge0)] != edge0 || flat.v[slot_of(flat, edge1)] != edge1) continue;
        return flip_edge(s, slot_of(flat, edge0), slot_of(flat, edge1), false);
    }
    return false;
}

// Tries to get rid of a cell that is not positive by one flip after which all cells it made are positive. Nothing is
// known about the facets between them: all go on the stack.
template <int D>
bool Complex<D>::untangle(Index c, UpdateCounts& counts) {
    const std::size_t before = stack_.size();
    if (!untangle_once(c, counts)) return false;
    for (std::size_t k = before, end = stack_.size(); k < end; ++k)
        for (int i = 0; i <= D; ++i) stack_.push_back((stack_[k] & ~3) + i);
    return true;
}

template <int D>
bool Complex<D>::untangle_once(Index c, UpdateCounts& counts) {
    const Cell a = cell(c);
    if constexpr (D == 3) {
        for (int i = 0; i <= D; ++i)
            for (int j = 0; j < i; ++j)
                if (flip_edge(c, i, j, true)) {
                    ++counts.flips;
                    ++counts.untangled;
                    return true;
                }
    }
    for (int i = 0; i <= D; ++i) {
        const Index across = a.n[i];
        const Index q = cell(across >> 2).v[across & 3];
        if (q == infinite_vertex) continue;
        bool positive = true;
        for (int k = 0; k <= D && positive; ++k)
            if (k != i) positive = orientation_with(c, k, row(q)) > 0;
        if (!positive) continue;
        flip_facet(c, i);
        ++counts.flips;
        ++counts.untangled;
        return true;
    }
    for (int i = 0; i <= D; ++i)
        if (flip_vertex(c, i)) {
            ++counts.flips;
            ++counts.untangled;
            ++counts.hidden;
            return true;
        }
    return false;
}

// Flips until all facets on the stack and all that flips touch are legal. False when stuck or when it takes too long;
// the facets that could not be flipped are then in `stuck`.
template <int D>
bool Complex<D>::make_legal(UpdateCounts& counts, std::vector<Index>* stuck) {
    const std::int64_t limit = counts.flips + 2000 + 20 * static_cast<std::int64_t>(stack_.size());
    std::vector<Index> waiting;
    for (;;) {
        bool progress = false;
        while (!stack_.empty()) {
            const Index facet = stack_.back();
            stack_.pop_back();
            if (is_free(facet >> 2) || facet_is_legal(facet)) continue;
            if (flip_somehow(facet, counts))
                progress = true;
            else
                waiting.push_back(facet);
            if (counts.flips > limit) {
                if (stuck) stuck->push_back(facet);
                stack_.clear();
                return false;
            }
        }
        std::erase_if(waiting, [&](Index facet) { return is_free(facet >> 2) || facet_is_legal(facet); });
        if (waiting.empty()) return true;
        if (!progress) break;
        stack_.swap(waiting);
    }
    if (stuck) *stuck = waiting;
    return false;
}

template class Complex<2>;
template class Complex<3>;

}  // namespace scree::tri
