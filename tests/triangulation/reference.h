// The regular triangulation by CGAL, to compare with, and sets of sites to compare on.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "triangulation/complex.h"

namespace scree::tri {

using Edges = std::vector<std::pair<Index, Index>>;  // i < j, sorted

struct Reference {
    int dimension = 0;
    Edges edges;
    std::vector<Index> hidden;  // sorted
    std::size_t cells = 0;      // finite cells of the largest dimension
};

Reference cgal_3d(const std::vector<Row>& rows);
Reference cgal_2d(const std::vector<Row>& rows);

template <int D>
Edges edges_of(const Complex<D>& complex) {
    Edges edges;
    const auto n = static_cast<Index>(complex.cells().size());
    for (Index c = 0; c < n; ++c) {
        if (complex.is_free(c)) continue;
        const Cell& cell = complex.cell(c);
        for (int i = 0; i <= D; ++i)
            for (int j = 0; j < i; ++j)
                if (cell.v[i] >= 0 && cell.v[j] >= 0 && complex.owns_edge(c, i, j))
                    edges.emplace_back(std::min(cell.v[i], cell.v[j]), std::max(cell.v[i], cell.v[j]));
    }
    std::sort(edges.begin(), edges.end());
    return edges;
}

// For tests that corrupt a complex.
template <class T>
T& to_damage(const T& part) {
    return const_cast<T&>(part);
}

// Named sets of sites; D is 2 or 3. All are pure functions of the seed.
std::vector<Row> random_sites(int dimension, int n, double size_ratio, unsigned seed, double packing = 0.5);
std::vector<Row> lattice_sites(const std::string& kind,
                               int side);  // sc, fcc, bcc, hexagonal (3D), square, triangular (2D)
std::vector<Row> special_sites(const std::string& kind, int n, unsigned seed);

// Snaps rows (x, y, z, r²) to integers in the given unit.
std::vector<Row> snapped(std::vector<Row> rows, double unit);

}  // namespace scree::tri
