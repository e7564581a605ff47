// New numbers for the vertices, and cells in their order.
//
// Vertices keep their numbers while grains move, are sorted and come and go, so that after a while neighbors lie far
// apart in memory. Renumbering gives the vertices the order the caller knows to be good and sorts the cells by their
// lowest vertex; free cells are dropped. Nothing but names changes.
#include <algorithm>
#include <cassert>

#include "complex.h"
#include "core/parallel.h"
#include "core/release.h"
#include "triangulation.h"

namespace scree::tri {

template <int D>
void Complex<D>::renumber(const std::vector<Index>& number, std::size_t count) {
    assert(number.size() == rows_.size());
    const std::size_t n = cells_.size();
    // Count the cells by their lowest new vertex, and give each its place.
    std::vector<Index> lowest(n), first(count + 1, 0);
    parallel_for(n, [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
            lowest[c] = no_cell;
            Cell& here = cells_[c];
            if (here.v[0] == free_mark) continue;
            for (int k = 0; k <= D; ++k) {
                if (here.v[k] == infinite_vertex) continue;
                here.v[k] = number[static_cast<std::size_t>(here.v[k])];
                if (lowest[c] == no_cell || here.v[k] < lowest[c]) lowest[c] = here.v[k];
            }
        }
    });
    for (const Index v : lowest)
        if (v != no_cell) ++first[static_cast<std::size_t>(v)];
    exclusive_scan(first);
    std::vector<Index>& place = lowest;
    auto free_place = static_cast<Index>(live_cells_);
    for (std::size_t c = 0; c < n; ++c)
        place[c] = place[c] == no_cell ? free_place++ : first[static_cast<std::size_t>(place[c])]++;
    release(first);
    parallel_for(n, [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c)
            for (int k = 0; k <= D && cells_[c].v[0] != free_mark; ++k)
                cells_[c].n[k] = 4 * place[static_cast<std::size_t>(cells_[c].n[k] >> 2)] + (cells_[c].n[k] & 3);
    });
    std::vector<Index> cell_of(count, absent);
    for (std::size_t v = 0; v < number.size(); ++v) {
        if (number[v] < 0) continue;
        const auto to = static_cast<std::size_t>(number[v]);
        const Index at = cell_of_[v];
        // A hidden vertex remembers a cell nearby, which may be gone by now: any will do.
        if (at >= 0)
            cell_of[to] = place[static_cast<std::size_t>(at)];
        else if (at <= hidden_base)
            cell_of[to] = hidden_base - (static_cast<std::size_t>(hidden_base - at) < n
                                             ? place[static_cast<std::size_t>(hidden_base - at)]
                                             : 0);
    }
    for (Index& v : hidden_) v = number[static_cast<std::size_t>(v)];
    cell_of_ = std::move(cell_of);
    // Along the cycles of the permutation, in place: a copy of the cells would double the memory of a run.
    for (std::size_t c = 0; c < n; ++c)
        while (place[c] != static_cast<Index>(c)) {
            const auto to = static_cast<std::size_t>(place[c]);
            std::swap(cells_[c], cells_[to]);
            std::swap(place[c], place[to]);
        }
    release(lowest);
    std::vector<Row> rows(count, Row{{0, 0, 0, 0}});
    for (std::size_t v = 0; v < number.size(); ++v)
        if (number[v] >= 0) rows[static_cast<std::size_t>(number[v])] = rows_[v];
    rows_ = std::move(rows);
    cells_.resize(live_cells_);
    mark_.assign(cells_.size(), 0);
    local_.clear();
    first_free_ = no_cell;
    recent_ = 0;
}

void Triangulation::renumber(const std::vector<Index>& number, std::size_t count) {
    assert(full());
    if (space_)
        space_->renumber(number, count);
    else
        plane_->renumber(number, count);
}

template void Complex<2>::renumber(const std::vector<Index>&, std::size_t);
template void Complex<3>::renumber(const std::vector<Index>&, std::size_t);

}  // namespace scree::tri
