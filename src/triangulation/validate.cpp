// Looking at everything.
//
// Why local checks and one count prove a triangulation: let all links be symmetric and turn orientation around, all
// finite cells be positive, and let o be a point strictly inside exactly one finite cell and strictly on the inner side
// of every hull facet. Map each finite cell to its place, and each infinite cell to the part of space behind its hull
// facet as seen from o. This maps a closed oriented pseudo-manifold to the sphere (space and one point at infinity),
// keeping orientation on every cell; so every generic point is covered equally often, namely as often as o: once.
// Without the count a star that winds twice around a vertex (a pentagram) would pass. Then legal facets make the
// triangulation the regular one (Pournin 2005, theorem 6), and facets between infinite cells, legal too, make the hull
// convex.
#include <fmt/format.h>

#include <algorithm>

#include "complex.h"

namespace scree::tri {

template <int D>
std::string Complex<D>::validate() const {
    const auto n = static_cast<Index>(cells_.size());
    const auto vertices = static_cast<Index>(rows_.size());
    std::size_t live = 0, visible = 0;
    std::vector<Index> cells_at(rows_.size(), 0);
    // Links and vertex numbers.
    for (Index c = 0; c < n; ++c) {
        if (is_free(c)) continue;
        ++live;
        const Cell& here = cell(c);
        int infinite = 0;
        for (int i = 0; i <= D; ++i) {
            const Index v = here.v[i];
            if (v == infinite_vertex) {
                ++infinite;
            } else {
                if (v < 0 || v >= vertices)
                    return fmt::format("cell {} names the vertex {}, which does not exist", c, v);
                if (!is_visible(v)) return fmt::format("cell {} holds the vertex {}, which is hidden or absent", c, v);
                ++cells_at[static_cast<std::size_t>(v)];
            }
            for (int k = 0; k < i; ++k)
                if (here.v[k] == v) return fmt::format("cell {} holds the vertex {} twice", c, v);
            const Index facet = here.n[i], other = facet >> 2;
            if (facet < 0 || other >= n || (facet & 3) > D || is_free(other))
                return fmt::format("cell {} links to nothing across facet {}", c, i);
            if (cell(other).n[facet & 3] != 4 * c + i)
                return fmt::format("the link of cells {} and {} is not symmetric", c, other);
            // Same facet, other orientation: the permutation from here (apex replaced) to there is odd.
            int permutation[4], inversions = 0;
            for (int k = 0; k <= D; ++k) {
                permutation[k] = -1;
                const Index u = k == i ? cell(other).v[facet & 3] : here.v[k];
                for (int m = 0; m <= D; ++m)
                    if (cell(other).v[m] == u) permutation[k] = m;
                if (permutation[k] < 0) return fmt::format("cells {} and {} are linked but share no facet", c, other);
                for (int m = 0; m < k; ++m) inversions += permutation[m] > permutation[k];
            }
            if (inversions % 2 == 0)
                return fmt::format("cells {} and {} lie on the same side of their facet", c, other);
        }
        if (infinite > 1) return fmt::format("cell {} holds the infinite vertex twice", c);
    }
    if (live != live_cells_) return fmt::format("{} cells are alive, {} are counted", live, live_cells_);
    // Vertices: each knows a cell of its own, and its cells hang together.
    std::vector<Index> cells_of_vertex;
    for (Index v = 0; v < vertices; ++v) {
        if (!is_visible(v)) continue;
        ++visible;
        const Index c = a_cell_of(v);
        if (c >= n || is_free(c) || cell(c).v[slot_of(cell(c), v)] != v)
            return fmt::format("vertex {} names a cell without it", v);
        if (cells_at[static_cast<std::size_t>(v)] > 2000) continue;  // the linear search of star() would take too long
        star(v, cells_of_vertex);
        if (static_cast<Index>(cells_of_vertex.size()) != cells_at[static_cast<std::size_t>(v)])
            return fmt::format("the cells at vertex {} do not hang together", v);
    }
    // Euler's count of the closed complex: the infinite vertex makes it a sphere of dimension D.
    std::size_t edges = 0;
    for (Index c = 0; c < n; ++c) {
        if (is_free(c)) continue;
        for (int i = 0; i <= D; ++i)
            for (int j = 0; j < i; ++j) edges += owns_edge(c, i, j);
    }
    const auto euler = static_cast<std::int64_t>(visible) + 1 - static_cast<std::int64_t>(edges) +
                       static_cast<std::int64_t>(D == 3 ? 2 * live : live) -
                       static_cast<std::int64_t>(D == 3 ? live : 0);
    if (euler != (D == 3 ? 0 : 2))
        return fmt::format("Euler's count is {}: {} vertices, {} edges, {} cells", euler, visible + 1, edges, live);
    // Orientation and legality.
    for (Index c = 0; c < n; ++c)
        if (!is_free(c) && !is_infinite(c) && orientation_with(c, 0, row(cell(c).v[0])) <= 0)
            return fmt::format("cell {} is not positive", c);
    if (!covers_once()) return "the cells do not cover space exactly once";
    for (Index c = 0; c < n; ++c) {
        if (is_free(c)) continue;
        for (int i = 0; i <= D; ++i) {
            const Index facet = cell(c).n[i];
            const Index opposite = cell(facet >> 2).v[facet & 3];
            if (opposite == infinite_vertex) continue;
            if (conflict(c, row(opposite)) >= 0)
                return fmt::format("the facet of cells {} and {} is not legal", c, facet >> 2);
        }
    }
    // Hidden vertices are hidden.
    for (const Index v : hidden_) {
        if (!is_hidden(v)) return fmt::format("vertex {} is on the list of hidden ones but is not hidden", v);
        const Index c = locate(row(v), some_finite_cell());
        bool twin = false;
        for (int k = 0; k <= D; ++k) {
            const Index u = cell(c).v[k];
            twin = twin || (u != infinite_vertex && u < v && compare_centers(row(u), row(v)) == 0 &&
                            row(u).c[3] == row(v).c[3]);
        }
        if (!twin && conflict(c, row(v)) >= 0) return fmt::format("vertex {} should be visible", v);
    }
    const auto hidden_count =
        std::count_if(cell_of_.begin(), cell_of_.end(), [](Index place) { return place <= hidden_base; });
    if (hidden_count != static_cast<std::ptrdiff_t>(hidden_.size()))
        return fmt::format("{} vertices are hidden, {} are listed", hidden_count, hidden_.size());
    return "";
}

template class Complex<2>;
template class Complex<3>;

}  // namespace scree::tri
