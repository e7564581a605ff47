// Surfaces that several tests look at.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "core/random.h"
#include "geometry/mesh_file.h"

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

// A ball with dents and bumps: the faces of an icosahedron cut in four, `cuts` times (20 * 4^cuts triangles), and waves
// of random direction on it, `rough` high in all.
inline TriangleMesh rock(int cuts, double rough, std::uint64_t seed) {
    const double g = std::numbers::phi;
    TriangleMesh m;
    m.points = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    m.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                   {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                   {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    for (int k = 0; k < cuts; ++k) {
        std::map<std::pair<int, int>, int> middles;
        const auto middle = [&](int a, int b) {
            const auto [at, fresh] = middles.try_emplace(std::minmax(a, b), static_cast<int>(m.points.size()));
            if (fresh)
                m.points.push_back(m.points[static_cast<std::size_t>(a)] + m.points[static_cast<std::size_t>(b)]);
            if (fresh) m.points.back() = normalized(m.points.back()) * norm(m.points[static_cast<std::size_t>(a)]);
            return at->second;
        };
        std::vector<std::array<int, 3>> finer;
        for (const auto& [a, b, c] : m.triangles) {
            const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            for (const std::array<int, 3>& t :
                 {std::array{a, ab, ca}, std::array{b, bc, ab}, std::array{c, ca, bc}, std::array{ab, bc, ca}})
                finer.push_back(t);
        }
        m.triangles = std::move(finer);
    }
    Random r(seed, 0);
    std::vector<std::pair<Vec3, double>> waves;
    for (int k = 0; k < 12; ++k)
        waves.emplace_back(Vec3{r.uniform(-6, 6), r.uniform(-6, 6), r.uniform(-6, 6)},
                           r.uniform(0, 2 * std::numbers::pi));
    for (Vec3& p : m.points) {
        const Vec3 n = normalized(p);
        double height = 0;
        for (const auto& [wave, phase] : waves) height += std::sin(dot(wave, n) + phase) / 12;
        p = (1 + rough * height) * n;
    }
    return m;
}

}  // namespace scree
