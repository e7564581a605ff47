#include "geometry/triangle_tree.h"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

constexpr int leaf_size = 4;
constexpr double on_line = 1e-12;  // of an edge's length: closer to its line than this is on it

double distance2(const Extent& box, Vec3 x) {
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double d = std::fmax(0, std::fmax(box.low[axis] - x[axis], x[axis] - box.high[axis]));
        sum += d * d;
    }
    return sum;
}

}  // namespace

TriangleTree::TriangleTree(std::vector<Vec3> points, std::vector<std::array<int, 3>> triangles)
    : points_(std::move(points)),
      triangles_(std::move(triangles)) {
    const int count = static_cast<int>(triangles_.size());
    for (int t = 0; t < count; ++t) {
        Frame frame;
        const Vec3 a = corner(t, 0), b = corner(t, 1), c = corner(t, 2);
        frame.normal = normalized(cross(b - a, c - a));
        for (int k = 0; k < 3; ++k)
            frame.inward[k] = normalized(cross(frame.normal, corner(t, (k + 1) % 3) - corner(t, k)));
        frames_.push_back(frame);
        order_.push_back(t);
    }
    if (count > 0) build(0, count);
}

void TriangleTree::build(int first, int last) {
    Extent box, middles;
    const auto middle = [&](int t) { return corner(t, 0) + corner(t, 1) + corner(t, 2); };
    for (int k = first; k < last; ++k) {
        const int t = order_[static_cast<std::size_t>(k)];
        for (int c = 0; c < 3; ++c) box.include(corner(t, c));
        middles.include(middle(t));
    }
    const std::size_t here = nodes_.size();
    nodes_.push_back({box, first, last - first});
    if (last - first <= leaf_size) return;
    int axis = 0;
    const Vec3 size = middles.high - middles.low;
    for (int k = 1; k < 3; ++k)
        if (size[k] > size[axis]) axis = k;
    const int half = first + (last - first) / 2;
    const auto at = [&](int k) { return order_.begin() + k; };
    std::nth_element(at(first), at(half), at(last), [&](int s, int t) {
        const double u = middle(s)[axis], v = middle(t)[axis];
        return u != v ? u < v : s < t;
    });
    build(first, half);
    nodes_[here].count = 0;
    nodes_[here].first = static_cast<int>(nodes_.size());
    build(half, last);
}

TriangleTree::Closest TriangleTree::closest(int triangle, Vec3 x) const {
    const Frame& frame = frames_[static_cast<std::size_t>(triangle)];
    Closest best{};
    double least = Extent::unbounded;
    bool inside = true;
    for (int k = 0; k < 3; ++k) {
        const Vec3 a = corner(triangle, k), along = corner(triangle, (k + 1) % 3) - a, d = x - a;
        const double square = norm2(along);
        if (dot(frame.inward[k], d) > on_line * std::sqrt(square)) continue;
        inside = false;
        const double t = std::clamp(dot(d, along) / square, 0.0, 1.0);
        const Vec3 p = a + t * along;
        const double here = norm2(x - p);
        if (here < least) {
            least = here;
            best.point = p;
        }
    }
    if (inside) {
        best.height = dot(frame.normal, x - corner(triangle, 0));
        best.point = x - best.height * frame.normal;
        best.rim = false;
        return best;
    }
    best.height = std::sqrt(least);
    best.rim = true;
    return best;
}

bool TriangleTree::between(int triangle, Vec3 x, Vec3 p) const {
    const Vec3 n = normal(triangle), a = corner(triangle, 0);
    const double from = dot(n, x - a), to = dot(n, p - a), slack = 1e-9 * norm(x - p);
    if (!((from > slack && to < -slack) || (from < -slack && to > slack))) return false;
    const Vec3 q = x + (from / (from - to)) * (p - x);
    return closest(triangle, q).height <= slack;
}

void TriangleTree::near(Vec3 x, double reach, std::vector<int>& out) const {
    if (!(reach > 0) || nodes_.empty()) return;
    const std::size_t begin = out.size();
    int stack[64];
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const int number = stack[--depth];
        const Node& node = nodes_[static_cast<std::size_t>(number)];
        if (!(distance2(node.box, x) < reach * reach)) continue;
        if (node.count == 0) {
            stack[depth++] = node.first;
            stack[depth++] = number + 1;
            continue;
        }
        for (int k = node.first; k < node.first + node.count; ++k) {
            const int t = order_[static_cast<std::size_t>(k)];
            if (std::fabs(closest(t, x).height) < reach) out.push_back(t);
        }
    }
    std::sort(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end());
}

}  // namespace scree
