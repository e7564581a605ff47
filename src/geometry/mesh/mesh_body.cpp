#include "geometry/mesh/mesh_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "geometry/triangle_crossing.h"
#include "math/exact_orientation.h"
#include "scree/error.h"

namespace scree {
namespace {

constexpr double largest = 1e100;  // coordinate: squares of differences stay within doubles

// Every edge as often in one direction as in the other.
bool closed(const std::vector<std::array<int, 3>>& triangles) {
    std::vector<std::array<int, 3>> edges;  // lower corner, upper corner, direction
    for (const auto& t : triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const int from = t[k], to = t[(k + 1) % 3];
            edges.push_back({std::min(from, to), std::max(from, to), from < to ? 1 : -1});
        }
    std::sort(edges.begin(), edges.end());
    for (std::size_t k = 0; k < edges.size();) {
        int sum = 0;
        const std::array first = edges[k];
        for (; k < edges.size() && edges[k][0] == first[0] && edges[k][1] == first[1]; ++k) sum += edges[k][2];
        if (sum != 0) return false;
    }
    return true;
}

}  // namespace

MeshBody::MeshBody(std::vector<Vec3> points, std::vector<std::array<int, 3>> triangles) : points_(std::move(points)) {
    for (std::size_t k = 0; k < points_.size(); ++k)
        if (!(norm2(points_[k]) <= largest * largest))
            throw Error(ErrorKind::bad_input,
                        fmt::format("point {} has a coordinate that is not a number below {}", k, largest));
    const int count = static_cast<int>(points_.size());
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (const int corner : triangles[t])
            if (corner < 0 || corner >= count)
                throw Error(ErrorKind::bad_input,
                            fmt::format("triangle {} has a corner {}, but there are {} points", t, corner, count));
    solid_ = closed(triangles);
    std::vector<int> group(points_.size());
    std::iota(group.begin(), group.end(), 0);
    const auto root = [&](int k) {
        const auto of = [&](int j) -> int& { return group[static_cast<std::size_t>(j)]; };
        while (of(k) != k) k = of(k) = of(of(k));
        return k;
    };
    std::vector<Triangle> areas;
    std::vector<int> kept;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto& [a, b, c] = triangles[t];
        const auto at = [&](int k) { return points_[static_cast<std::size_t>(k)]; };
        if (collinear(at(a), at(b), at(c))) continue;
        group[static_cast<std::size_t>(root(a))] = root(b);
        group[static_cast<std::size_t>(root(b))] = root(c);
        kept.push_back(static_cast<int>(t));
        areas.push_back({at(a), at(b), at(c)});
        for (const int k : {a, b, c}) bounds_.include(at(k));
    }
    if (kept.empty()) throw Error(ErrorKind::bad_input, "the surface has no triangle with an area");
    tree_ = PatchTree(areas);
    std::vector<bool> seen(points_.size(), false);
    for (const std::int32_t k : tree_.order()) {
        sources_.push_back(kept[static_cast<std::size_t>(k)]);
        triangles_.push_back(triangles[static_cast<std::size_t>(sources_.back())]);
        const Triangle t = triangle(size() - 1);
        const int part = root(triangles_.back()[0]);
        if (!seen[static_cast<std::size_t>(part)]) part_points_.push_back(t.a);
        seen[static_cast<std::size_t>(part)] = true;
        for (const Vec3 p : {t.a, t.b, t.c}) {
            reach_ = std::fmax(reach_, norm(p));
            radius_ = std::fmax(radius_, norm(p - middle()));
        }
    }
    reach_ *= 1 + 1e-15;
    radius_ *= 1 + 1e-15;
    static std::atomic<std::uint64_t> bodies{0};
    identity_ = ++bodies;
}

// A path from the point to far away is crossed by the surface as often outwards, less inwards, as it winds around the
// point. Paths that meet an edge are replaced by others.
Place MeshBody::place(Vec3 p) const {
    if (!bounds_.contains(p)) return Place::outside;
    const double size = norm(bounds_.high - bounds_.low);
    const auto may_meet = patch_lanes().meeting;
    for (int attempt = 1;; ++attempt) {
        // Directions spread by the golden section.
        const double s = std::fmod(0.618033988749895 * attempt, 1), t = std::fmod(0.754877666246693 * attempt, 1);
        const Vec3 q = p + (2 * size) * Vec3{1, s - 0.5, t - 0.5}, half_way = 0.5 * (q - p), middle = p + half_way;
        int windings = 0;
        bool clear = true, on = false;
        const auto cross_triangle = [&](const Triangle& x) {
            const int p_side = orientation(x.a, x.b, x.c, p), q_side = orientation(x.a, x.b, x.c, q);
            if (p_side == 0 && q_side != 0) on = segment_meets_triangle(p, q, x.a, x.b, x.c);
            if (p_side == 0 && q_side == 0) clear = !segment_meets_triangle(p, q, x.a, x.b, x.c);
            if (p_side * q_side >= 0) {
                // An end of the path in the plane: another path will tell.
                clear = clear && (q_side != 0 || p_side == 0);
                return;
            }
            const int one = orientation(p, q, x.a, x.b), two = orientation(p, q, x.b, x.c),
                      three = orientation(p, q, x.c, x.a);
            if (std::min({one, two, three}) < 0 && std::max({one, two, three}) > 0) return;
            clear = one != 0 && two != 0 && three != 0;
            windings += q_side;
        };
        std::int32_t stack[128];  // three for each of the levels, of which there are fewer than 32
        int depth = 0;
        stack[depth++] = 0;
        while (depth > 0 && clear && !on) {
            const PatchTree::Node& node = tree_.node(stack[--depth]);
            const unsigned met = may_meet(node, middle, half_way);
            for (int lane = 0; lane < PatchTree::width && clear && !on; ++lane) {
                const std::int32_t child = node.child[lane];
                if ((met >> lane & 1) == 0 || child == PatchTree::nothing) continue;
                if (child >= 0)
                    stack[depth++] = child;
                else
                    cross_triangle(triangle(~child));
            }
        }
        if (on) return Place::on;
        if (clear) return solid_ && windings != 0 ? Place::inside : Place::outside;
    }
}

}  // namespace scree
