// Approximate convex decomposition: a solid that fills its hull well enough is a piece; another one is cut by a plane, and
// both halves are looked at in turn. Halves are closed by a lid where they were cut: where later cuts cross it they have
// corners that no part of the first surface knows. Planes tried are along the axes of the solid's box; the one that leaves
// the least volume in the two hulls is taken. Rejected: cutting at reflex edges (exact, but as many pieces as a scanned
// grain has dents).
#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/convex_hull.h"
#include "shape/mass.h"
#include "shape/mesh.h"

namespace scree {
namespace {

using Soup = std::vector<std::array<Vec3, 3>>;

std::vector<Vec3> points_of(const Soup& soup) {
    std::vector<Vec3> points;
    for (const auto& t : soup) points.insert(points.end(), t.begin(), t.end());
    return points;
}

struct Filled {
    ConvexHull hull;
    double volume = 0;
    std::vector<std::pair<Vec3, double>> planes;
};

Filled filled(const Soup& soup) {
    Filled out{convex_hull(points_of(soup)), 0, {}};
    const Vec3 origin = out.hull.points[0];
    if (out.hull.dimension < 3) return out;
    for (const auto& corners : out.hull.facets) {
        Vec3 normal;
        const Vec3 a = out.hull.points[static_cast<std::size_t>(corners[0])];
        for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
            const Vec3 b = out.hull.points[static_cast<std::size_t>(corners[k])], c = out.hull.points[static_cast<std::size_t>(corners[k + 1])];
            normal += cross(b - a, c - a);
            out.volume += dot(a - origin, cross(b - origin, c - origin)) / 6;
        }
        normal = normalized(normal);
        out.planes.emplace_back(normal, dot(normal, a));
    }
    return out;
}

// How deep the surface lies below its hull.
double hollow(const Soup& soup, const Filled& fill) {
    double deepest = 0;
    const auto look = [&](Vec3 p) {
        double depth = 1e300;
        for (const auto& [normal, offset] : fill.planes) depth = std::fmin(depth, offset - dot(normal, p));
        deepest = std::fmax(deepest, depth);
    };
    if (fill.planes.empty()) return 0;
    for (const auto& t : soup) {
        for (int k = 0; k < 3; ++k) look(t[static_cast<std::size_t>(k)]), look(0.5 * (t[static_cast<std::size_t>(k)] + t[static_cast<std::size_t>((k + 1) % 3)]));
        look((1.0 / 3) * (t[0] + t[1] + t[2]));
    }
    return deepest;
}

// Where an edge crosses the plane x[axis] = at, from the same end for both triangles at the edge: two points a last digit
// apart would span facets without area.
Vec3 crossing(Vec3 p, Vec3 q, int axis, double at) {
    if (q[axis] < p[axis]) std::swap(p, q);
    if (q[axis] == at) return q;
    Vec3 x = p + ((at - p[axis]) / (q[axis] - p[axis])) * (q - p);
    x[axis] = at;
    return x;
}

// The part of the triangles with x[axis] * sign >= at * sign.
Soup part(const Soup& soup, int axis, double at, double sign) {
    Soup out;
    for (const auto& t : soup) {
        std::vector<Vec3> kept;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 p = t[k], q = t[(k + 1) % 3];
            const double hp = sign * (p[axis] - at), hq = sign * (q[axis] - at);
            if (hp >= 0) kept.push_back(p);
            if ((hp < 0) != (hq < 0) && hp != 0 && hq != 0) kept.push_back(crossing(p, q, axis, at));
        }
        for (std::size_t k = 1; k + 1 < kept.size(); ++k) out.push_back({kept[0], kept[k], kept[k + 1]});
    }
    return out;
}

// The cross-section of a closed surface, as triangles: between neighboring corners of its outline, seen along one direction,
// inside and outside alternate along the other.
Soup lid(const Soup& soup, int axis, double at) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    std::vector<std::array<Vec3, 2>> outline;
    std::vector<double> levels;
    for (const auto& t : soup) {
        std::vector<Vec3> ends;
        for (std::size_t k = 0; k < 3; ++k)
            if ((t[k][axis] < at) != (t[(k + 1) % 3][axis] < at)) ends.push_back(crossing(t[k], t[(k + 1) % 3], axis, at));
        if (ends.size() != 2 || ends[0][v] == ends[1][v]) continue;
        outline.push_back(ends[0][v] < ends[1][v] ? std::array{ends[0], ends[1]} : std::array{ends[1], ends[0]});
        levels.push_back(ends[0][v]), levels.push_back(ends[1][v]);
    }
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    Soup out;
    for (std::size_t k = 0; k + 1 < levels.size(); ++k) {
        std::vector<std::array<Vec3, 2>> sides;
        for (const auto& [from, to] : outline)
            if (from[v] <= levels[k] && to[v] >= levels[k + 1]) sides.push_back({crossing(from, to, v, levels[k]), crossing(from, to, v, levels[k + 1])});
        std::sort(sides.begin(), sides.end(), [&](const auto& a, const auto& b) { return a[0][u] + a[1][u] < b[0][u] + b[1][u]; });
        for (std::size_t j = 0; j + 1 < sides.size(); j += 2) {
            out.push_back({sides[j][0], sides[j][1], sides[j + 1][1]});
            out.push_back({sides[j][0], sides[j + 1][1], sides[j + 1][0]});
        }
    }
    return out;
}

void cut(const Soup& soup, double tolerance, int depth, std::vector<std::vector<Vec3>>& out, double& reached) {
    if (soup.empty()) return;
    const Filled fill = filled(soup);
    const double deep = hollow(soup, fill);
    if (deep <= tolerance || depth >= 7 || fill.hull.dimension < 3) {
        if (fill.hull.dimension < 3) return;
        reached = std::fmax(reached, deep);
        out.push_back(fill.hull.points);
        return;
    }
    Vec3 low = fill.hull.points[0], high = low;
    for (const Vec3 p : fill.hull.points)
        for (int axis = 0; axis < 3; ++axis) low[axis] = std::fmin(low[axis], p[axis]), high[axis] = std::fmax(high[axis], p[axis]);
    double best = 1e300;
    int best_axis = 0;
    double best_at = 0;
    for (int axis = 0; axis < 3; ++axis)
        for (int k = 1; k < 12; ++k) {
            const double at = low[axis] + (high[axis] - low[axis]) * k / 12;
            const Soup one = part(soup, axis, at, -1), two = part(soup, axis, at, 1);
            if (one.empty() || two.empty()) continue;
            const double volume = filled(one).volume + filled(two).volume;
            if (volume < best) best = volume, best_axis = axis, best_at = at;
        }
    const Soup closing = lid(soup, best_axis, best_at);
    for (const double sign : {-1.0, 1.0}) {
        Soup half = part(soup, best_axis, best_at, sign);
        half.insert(half.end(), closing.begin(), closing.end());
        cut(half, tolerance, depth + 1, out, reached);
    }
}

}  // namespace

std::vector<std::vector<Vec3>> convex_pieces(const TriangleMesh& mesh, double tolerance, double* reached) {
    Soup soup;
    const auto at = [&](int k) { return mesh.points[static_cast<std::size_t>(k)]; };
    for (const auto& t : mesh.triangles) soup.push_back({at(t[0]), at(t[1]), at(t[2])});
    std::vector<std::vector<Vec3>> out;
    double deepest = 0;
    cut(soup, tolerance, 0, out, deepest);
    if (reached) *reached = deepest;
    return out;
}

}  // namespace scree
