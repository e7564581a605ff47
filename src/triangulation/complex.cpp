#include "complex.h"

#include <algorithm>

namespace scree::tri {

UpdateCounts& UpdateCounts::operator+=(const UpdateCounts& other) {
    updates += other.updates;
    illegal_facets += other.illegal_facets;
    inverted_cells += other.inverted_cells;
    flips += other.flips;
    untangled += other.untangled;
    substeps += other.substeps;
    reinserted += other.reinserted;
    rebuilds += other.rebuilds;
    uncovered += other.uncovered;
    hidden += other.hidden;
    return *this;
}

template <int D>
Index Complex<D>::new_cell() {
    ++live_cells_;
    if (first_free_ != no_cell) {
        const Index c = first_free_;
        first_free_ = at(c).n[0];
        return c;
    }
    cells_.emplace_back();
    mark_.push_back(0);
    return static_cast<Index>(cells_.size() - 1);
}

template <int D>
void Complex<D>::free_cell(Index c) {
    --live_cells_;
    const std::size_t block = static_cast<std::size_t>(c) / block_cells;
    Index& first = block < blocks_.size() ? blocks_[block].first_free : first_free_;
    at(c).v[0] = free_mark;
    at(c).n[0] = first;
    first = c;
}

// A place in the block of vertex v, in one of the next, in any, or behind all.
template <int D>
Index Complex<D>::new_cell_near(Index v) {
    constexpr std::size_t patience = 64;
    const auto take = [&](std::size_t b) {
        Block& block = blocks_[b];
        const Index c = block.first_free;
        if (c != no_cell) block.first_free = at(c).n[0];
        return c != no_cell                                   ? c
               : block.used < static_cast<Index>(block_cells) ? static_cast<Index>(b * block_cells) + block.used++
                                                              : no_cell;
    };
    const std::size_t home = static_cast<std::size_t>(v) / block_vertices;
    Index c = no_cell;
    for (std::size_t b = home; c == no_cell && b < std::min(home + patience, blocks_.size()); ++b) c = take(b);
    for (; c == no_cell && spare_block_ < blocks_.size(); spare_block_ += c == no_cell) c = take(spare_block_);
    if (c == no_cell) return new_cell();
    ++live_cells_;
    return c;
}

template <int D>
void Complex<D>::set_hidden(Index v, Index near) {
    if (!is_hidden(v)) hidden_.push_back(v);
    place_of(v) = hidden_base - near;
}

template <int D>
void Complex<D>::forget_hidden(Index v) {
    const auto found = std::find(hidden_.begin(), hidden_.end(), v);
    *found = hidden_.back();
    hidden_.pop_back();
    place_of(v) = absent;
}

template <int D>
Index Complex<D>::some_finite_cell() const {
    Index c = recent_ < static_cast<Index>(cells_.size()) ? recent_ : 0;
    while (is_free(c)) c = c + 1 < static_cast<Index>(cells_.size()) ? c + 1 : 0;
    const int slot = infinite_slot(cell(c));
    return slot < 0 ? c : cell(c).n[slot] >> 2;
}

template <int D>
bool Complex<D>::on_hull(Index v) const {
    std::vector<Index> cells_at_v;
    star(v, cells_at_v);
    return std::any_of(cells_at_v.begin(), cells_at_v.end(), [&](Index c) { return is_infinite(c); });
}

template <int D>
std::size_t Complex<D>::finite_cell_count() const {
    std::size_t count = 0;
    for (const Cell& cell : cells_)
        if (cell.v[0] != free_mark && infinite_slot(cell) < 0) ++count;
    return count;
}

template <int D>
std::size_t Complex<D>::bytes() const {
    return rows_.capacity() * sizeof(Row) + cells_.capacity() * sizeof(Cell) + mark_.capacity() +
           cell_of_.capacity() * sizeof(Index) + hidden_.capacity() * sizeof(Index);
}

template <int D>
void Complex<D>::star(Index v, std::vector<Index>& out) const {
    out.clear();
    out.push_back(a_cell_of(v));
    // Stars hold some 25 cells: a linear search beats any set.
    for (std::size_t k = 0; k < out.size(); ++k) {
        const Cell& here = cell(out[k]);
        for (int i = 0; i <= D; ++i) {
            if (here.v[i] == v) continue;
            const Index next = here.n[i] >> 2;
            if (std::find(out.begin(), out.end(), next) == out.end()) out.push_back(next);
        }
    }
}

template <int D>
void Complex<D>::star(Index v, std::vector<Index>& out, std::vector<std::uint32_t>& marks, std::uint32_t stamp) const {
    out.clear();
    if constexpr (D == 2) {  // once around
        const Index first = a_cell_of(v);
        Index c = first;
        do {
            out.push_back(c);
            const int slot = slot_of(cell(c), v);
            c = cell(c).n[slot == 2 ? 0 : slot + 1] >> 2;
        } while (c != first);
        return;
    }
    const auto visit = [&](Index c) {
        if (marks[static_cast<std::size_t>(c)] == stamp) return;
        marks[static_cast<std::size_t>(c)] = stamp;
        out.push_back(c);
    };
    visit(a_cell_of(v));
    for (std::size_t k = 0; k < out.size(); ++k) {
        const Cell& here = cell(out[k]);
        for (int i = 0; i <= D; ++i)
            if (here.v[i] != v) visit(here.n[i] >> 2);
    }
}

template <int D>
void Complex<D>::neighbors(Index v, std::vector<Index>& out) const {
    std::vector<Index> cells_at_v;
    star(v, cells_at_v);
    out.clear();
    for (const Index c : cells_at_v)
        for (int i = 0; i <= D; ++i)
            if (cell(c).v[i] != v && cell(c).v[i] != infinite_vertex) out.push_back(cell(c).v[i]);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
}

template <int D>
bool Complex<D>::owns_edge(Index c, int i, int j) const {
    const Cell& first = cell(c);
    if constexpr (D == 2) return c < first.n[3 - i - j] >> 2;  // the two cells at the edge
    // Turn around the edge: cross the facet opposite the vertex that was not just reached.
    int out = 0;
    while (out == i || out == j) ++out;
    Index pivot = first.v[6 - i - j - out];  // the fourth vertex, kept when crossing `out`
    Index facet = first.n[out];
    while (facet >> 2 != c) {
        if (facet >> 2 < c) return false;
        const Cell& here = cell(facet >> 2);
        const Index reached = here.v[facet & 3];
        int next = 0;
        while (here.v[next] != pivot) ++next;
        pivot = reached;
        facet = here.n[next];
    }
    return true;
}

template class Complex<2>;
template class Complex<3>;

}  // namespace scree::tri
