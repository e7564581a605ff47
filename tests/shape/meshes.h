// Surfaces that several tests look at.
#pragma once

#include <cmath>
#include <numbers>

#include "shape/mesh.h"

namespace scree {

// A ring of `m` times `n` quadrilaterals cut in two.
inline TriangleMesh torus(int m, int n, double thickness) {
    TriangleMesh ring;
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            const double u = 2 * std::numbers::pi * i / m, v = 2 * std::numbers::pi * j / n,
                         r = 1 + thickness * std::cos(v);
            ring.points.push_back({r * std::cos(u), r * std::sin(u), thickness * std::sin(v)});
        }
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            const int k = (i + 1) % m, l = (j + 1) % n;
            ring.triangles.push_back({i * n + j, k * n + j, k * n + l});
            ring.triangles.push_back({i * n + j, k * n + l, i * n + l});
        }
    return ring;
}

}  // namespace scree
