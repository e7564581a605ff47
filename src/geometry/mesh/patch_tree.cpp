#include "geometry/mesh/patch_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/jacobi.h"

namespace scree {
namespace {

Vec3 middle_of_patch(const Triangle& t) { return (1.0 / 3) * (t.a + t.b + t.c); }

// Axes along which the corners spread most and least.
std::array<Vec3, 3> axes_of(std::span<const Triangle> triangles, std::span<const std::int32_t> chosen) {
    const Vec3 origin = middle_of_patch(triangles[static_cast<std::size_t>(chosen[0])]);
    Vec3 sum;
    for (const std::int32_t k : chosen) sum += middle_of_patch(triangles[static_cast<std::size_t>(k)]) - origin;
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

PatchBox box_around(std::span<const Triangle> triangles, std::span<const std::int32_t> chosen) {
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
    PatchBox box{origin, {axes[0], axes[1], axes[2]}, {}};
    for (int i = 0; i < 3; ++i) {
        box.middle += 0.5 * (low[i] + high[i]) * box.axis[i];
        box.size[i] = 0.5 * (high[i] - low[i]) + rounding;
    }
    return box;
}

void write(const PatchBox& box, PatchTree::Node& node, int lane) {
    int row = 0;
    for (const Vec3& v : {box.middle, box.axis[0], box.axis[1], box.axis[2], box.size})
        for (int i = 0; i < 3; ++i) node.row[row++][lane] = v[i];
}

// Lanes from the given one on repeat the first, so that nothing in them surprises.
void fill(PatchTree::Node& node, int lane) {
    for (; lane < PatchTree::width; ++lane) {
        for (auto& row : node.row) row[lane] = row[0];
        node.child[lane] = PatchTree::nothing;
    }
}

}  // namespace

PatchTree::PatchTree(std::span<const Triangle> triangles) : order_(triangles.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    if (triangles.empty()) return;
    nodes_.reserve(triangles.size() / 2 + 2);
    nodes_.emplace_back();
    write(box_around(triangles, order_), nodes_[0], 0);
    fill(nodes_[0], 1);
    nodes_[0].child[0] = 1;
    build(triangles, 0, static_cast<std::int32_t>(triangles.size()));
}

PatchBox PatchTree::box(Place place) const {
    const Node& n = node(place / width);
    const int lane = place % width;
    const auto vector = [&](int row) { return Vec3{n.row[row][lane], n.row[row + 1][lane], n.row[row + 2][lane]}; };
    return {vector(0), {vector(3), vector(6), vector(9)}, vector(12)};
}

std::int32_t PatchTree::build(std::span<const Triangle> triangles, std::int32_t first, std::int32_t last) {
    // Cut in two and once more, each time in the middle of the longest side; where more is left than a node holds, at
    // a multiple of what a node holds, so that the lowest nodes are full.
    const std::int32_t unit = last - first > width ? width : 1;
    const auto cut = [&](std::int32_t from, std::int32_t to) {
        const std::int32_t count = to - from, half = from + ((count + 1) / 2 + unit - 1) / unit * unit;
        if (half >= to) return to;
        const PatchBox box = box_around(
            triangles, std::span(order_).subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(count)));
        const int longest = box.size.x >= box.size.y && box.size.x >= box.size.z ? 0 : box.size.y >= box.size.z ? 1 : 2;
        const auto along = [&](std::int32_t k) {
            return dot(middle_of_patch(triangles[static_cast<std::size_t>(k)]) - box.middle, box.axis[longest]);
        };
        std::nth_element(order_.begin() + from, order_.begin() + half, order_.begin() + to,
                         [&](std::int32_t s, std::int32_t t) {
                             const double u = along(s), v = along(t);
                             return u != v ? u < v : s < t;
                         });
        return half;
    };
    const std::int32_t half = cut(first, last);
    const std::int32_t border[5] = {first, cut(first, half), half, cut(half, last), last};
    const auto here = static_cast<std::int32_t>(nodes_.size());
    nodes_.emplace_back();
    int lane = 0;
    for (int k = 0; k < width; ++k) {
        const std::int32_t from = border[k], to = border[k + 1];
        if (from == to) continue;
        write(box_around(triangles, std::span(order_).subspan(static_cast<std::size_t>(from),
                                                              static_cast<std::size_t>(to - from))),
              nodes_[static_cast<std::size_t>(here)], lane);
        const std::int32_t child = to - from == 1 ? ~from : build(triangles, from, to);
        nodes_[static_cast<std::size_t>(here)].child[lane++] = child;
    }
    fill(nodes_[static_cast<std::size_t>(here)], lane);
    return here;
}

}  // namespace scree
