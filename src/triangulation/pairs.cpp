#include "pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "scree/error.h"

namespace scree::tri {

Snap choose_snap(std::span<const Vec3> centers, double smallest_radius, int dimension) {
    double farthest = 0;
    for (const Vec3& x : centers) farthest = std::max({farthest, std::fabs(x.x), std::fabs(x.y), std::fabs(x.z)});
    int exponent = std::ilogb(smallest_radius) - 12;
    // Far from the origin the grid must be coarser; past r/16 the skin would be spent on it.
    const int needed = farthest > 0 ? std::ilogb(farthest) - 46 : exponent;
    if (needed > exponent + 8)
        throw Error(ErrorKind::invalid,
                    fmt::format("a center lies {} from the origin, too far to distinguish spheres of radius {}",
                                farthest, smallest_radius));
    exponent = std::max(exponent, needed);
    return {std::ldexp(1.0, exponent), dimension};
}

Row snapped_row(const Snap& snap, Vec3 center, double reach) {
    const double scale = 1 / snap.unit, radius = (reach + snap.length()) * scale;
    return {{std::nearbyint(center.x * scale), std::nearbyint(center.y * scale),
             snap.dimension == 3 ? std::nearbyint(center.z * scale) : 0, std::ceil(radius * radius * (1 + 0x1p-50))}};
}

namespace {

template <int D>
PairList pairs_of(const Complex<D>& complex, std::span<const Vec3> centers, std::span<const double> radii,
                  double skin) {
    PairList list;
    if (!complex.hidden_vertices().empty()) {
        list.refusal = Refusal::hidden_vertex;
        return list;
    }
    struct Part {
        std::vector<Pair> pairs;
        bool orthogonal = true;
    };
    const std::size_t n = complex.cells().size();
    std::vector<Part> parts(chunk_count(n));
    run_tasks(parts.size(), [&](std::size_t task, int) {
        Part& part = parts[task];
        const auto begin = static_cast<Index>(task * default_chunk),
                   end = static_cast<Index>(std::min(n, (task + 1) * default_chunk));
        for (Index c = begin; c < end; ++c) {
            const Cell& cell = complex.cell(c);
            if (cell.v[0] == free_mark) continue;
            for (int k = 1; k <= D; ++k)
                for (int m = 0; m < k; ++m) {
                    const Index a = cell.v[k], b = cell.v[m];
                    if (a == infinite_vertex || b == infinite_vertex) continue;
                    // Every cell at an edge looks at it; only its first cell lists it, and only the close ones need
                    // asking.
                    part.orthogonal =
                        part.orthogonal && orthogonality(complex.bounds(), complex.row(a), complex.row(b)) > 0;
                    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
                    if (i >= radii.size() || j >= radii.size()) continue;
                    const Vec3 d = centers[i] - centers[j];
                    const double reach = radii[i] + radii[j] + 2 * skin;
                    if (norm2(d) <= reach * reach * (1 + 0x1p-48) && complex.owns_edge(c, k, m))
                        part.pairs.push_back({std::min(a, b), std::max(a, b)});
                }
        }
    });
    for (const Part& part : parts) {
        list.pairs.insert(list.pairs.end(), part.pairs.begin(), part.pairs.end());
        if (!part.orthogonal) list.refusal = Refusal::not_orthogonal;
    }
    parallel_stable_sort(list.pairs, std::less<>());
    return list;
}

}  // namespace

PairList certified_pairs(const Triangulation& triangulation, std::span<const Vec3> centers,
                         std::span<const double> radii, double skin) {
    if (const Complex<3>* space = triangulation.space()) return pairs_of(*space, centers, radii, skin);
    if (const Complex<2>* plane = triangulation.plane()) return pairs_of(*plane, centers, radii, skin);
    PairList list;
    list.refusal = Refusal::flat;
    return list;
}

}  // namespace scree::tri
