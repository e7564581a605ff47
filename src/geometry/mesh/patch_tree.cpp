#include "geometry/mesh/patch_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "math/jacobi.h"

namespace scree {
namespace {

Vec3 middle_of(const Triangle& t) { return (1.0 / 3) * (t.a + t.b + t.c); }

// Axes along which the corners spread most and least.
std::array<Vec3, 3> axes_of(std::span<const Triangle> triangles, std::span<const std::int32_t> chosen) {
    const Vec3 origin = middle_of(triangles[static_cast<std::size_t>(chosen[0])]);
    Vec3 sum;
    for (const std::int32_t k : chosen) sum += middle_of(triangles[static_cast<std::size_t>(k)]) - origin;
    const Vec3 mean = origin + (1.0 / static_cast<double>(chosen.size())) * sum;
    double spread[3][3] = {}, turned[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (const std::int32_t k : chosen) {
        const Triangle& t = triangles[static_cast<std::size_t>(k)];
        for (const Vec3 p : {t.a - mean, t.b - mean, t.c - mean})
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) spread[i][j] += p[i] * p[j];
    }
    diagonalise(spread, turned, 1e-12 * (spread[0][0] + spread[1][1] + spread[2][2]));
    const Vec3 first = normalized({turned[0][0], turned[1][0], turned[2][0]});
    Vec3 second{turned[0][1], turned[1][1], turned[2][1]};
    second = normalized(second - dot(second, first) * first);
    return {first, second, cross(first, second)};
}

}  // namespace

PatchTree::PatchTree(std::span<const Triangle> triangles) : order_(triangles.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    nodes_.reserve(triangles.size());
    if (!triangles.empty()) build(triangles, 0, static_cast<std::int32_t>(triangles.size()));
}

void PatchTree::build(std::span<const Triangle> triangles, std::int32_t first, std::int32_t last) {
    const std::span chosen =
        std::span(order_).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
    const std::array<Vec3, 3> axes = axes_of(triangles, chosen);
    const Vec3 origin = triangles[static_cast<std::size_t>(chosen[0])].a;
    Vec3 low, high;
    for (const std::int32_t k : chosen) {
        const Triangle& t = triangles[static_cast<std::size_t>(k)];
        for (const Vec3 p : {t.a - origin, t.b - origin, t.c - origin})
            for (int i = 0; i < 3; ++i) {
                const double x = dot(p, axes[static_cast<std::size_t>(i)]);
                low[i] = std::fmin(low[i], x);
                high[i] = std::fmax(high[i], x);
            }
    }
    const double rounding = 1e-14 * (norm(low) + norm(high));
    Node node{origin, {}, 0, first, last - first};
    int longest = 0;
    for (int i = 0; i < 3; ++i) {
        const Vec3 axis = axes[static_cast<std::size_t>(i)];
        node.middle += 0.5 * (low[i] + high[i]) * axis;
        node.half[i] = (0.5 * (high[i] - low[i]) + rounding) * axis;
        if (high[i] - low[i] > high[longest] - low[longest]) longest = i;
    }
    node.radius = std::sqrt(norm2(node.half[0]) + norm2(node.half[1]) + norm2(node.half[2])) * (1 + 1e-14);
    const std::size_t here = nodes_.size();
    nodes_.push_back(node);
    if (last - first <= leaf_size) return;
    const Vec3 axis = axes[static_cast<std::size_t>(longest)];
    const auto along = [&](std::int32_t k) {
        return dot(middle_of(triangles[static_cast<std::size_t>(k)]) - origin, axis);
    };
    const std::int32_t half = first + (last - first) / 2;
    std::nth_element(order_.begin() + first, order_.begin() + half, order_.begin() + last,
                     [&](std::int32_t s, std::int32_t t) {
                         const double u = along(s), v = along(t);
                         return u != v ? u < v : s < t;
                     });
    build(triangles, first, half);
    nodes_[here].count = 0;
    nodes_[here].first = static_cast<std::int32_t>(nodes_.size());
    build(triangles, half, last);
}

}  // namespace scree
