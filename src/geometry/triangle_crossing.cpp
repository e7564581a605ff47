#include "geometry/triangle_crossing.h"

#include <algorithm>
#include <cmath>

#include "math/exact_orientation.h"

namespace scree {
namespace {

// An axis along which the triangle is seen with an area; the one along which it is largest, as far as doubles can tell.
int axis_across(Vec3 a, Vec3 b, Vec3 c) {
    const Vec3 n = cross(b - a, c - a);
    int axis = std::fabs(n.x) > std::fabs(n.y) ? 0 : 1;
    if (std::fabs(n.z) > std::fabs(n[axis])) axis = 2;
    for (int k = 0; k < 3 && orientation_dropping(axis, a, b, c) == 0; ++k) axis = k;
    return axis;
}

// In the plane left when `axis` is dropped.
struct Plane {
    int axis;

    int turn(Vec3 a, Vec3 b, Vec3 c) const { return orientation_dropping(axis, a, b, c); }
    // p, on the line of a b, is not beyond its ends.
    bool between(Vec3 a, Vec3 b, Vec3 p) const {
        for (const int k : {(axis + 1) % 3, (axis + 2) % 3})
            if (p[k] < std::fmin(a[k], b[k]) || p[k] > std::fmax(a[k], b[k])) return false;
        return true;
    }
    bool segments_meet(Vec3 p, Vec3 q, Vec3 a, Vec3 b) const {
        const int a_side = turn(p, q, a), b_side = turn(p, q, b), p_side = turn(a, b, p), q_side = turn(a, b, q);
        if (a_side * b_side < 0 && p_side * q_side < 0) return true;
        return (a_side == 0 && between(p, q, a)) || (b_side == 0 && between(p, q, b)) ||
               (p_side == 0 && between(a, b, p)) || (q_side == 0 && between(a, b, q));
    }
    bool in_triangle(Vec3 p, Vec3 a, Vec3 b, Vec3 c) const {
        const int whole = turn(a, b, c);
        return turn(a, b, p) * whole >= 0 && turn(b, c, p) * whole >= 0 && turn(c, a, p) * whole >= 0;
    }
};

}  // namespace

bool segment_meets_triangle(Vec3 p, Vec3 q, Vec3 a, Vec3 b, Vec3 c) {
    const int p_side = orientation(a, b, c, p), q_side = orientation(a, b, c, q);
    if (p_side * q_side > 0) return false;
    if (p_side == 0 && q_side == 0) {
        const Plane plane{axis_across(a, b, c)};
        return plane.in_triangle(p, a, b, c) || plane.segments_meet(p, q, a, b) || plane.segments_meet(p, q, b, c) ||
               plane.segments_meet(p, q, c, a);
    }
    // The one point of the plane that the segment has is in the triangle when all edges are passed on one side.
    const int one = orientation(p, q, a, b), two = orientation(p, q, b, c), three = orientation(p, q, c, a);
    return std::min({one, two, three}) >= 0 || std::max({one, two, three}) <= 0;
}

bool triangles_cross(std::span<const Vec3> points, const std::array<int, 3>& s, const std::array<int, 3>& t) {
    const auto at = [&](int k) { return points[static_cast<std::size_t>(k)]; };
    const auto corner_of = [](const std::array<int, 3>& triangle, int k) {
        return std::find(triangle.begin(), triangle.end(), k) != triangle.end();
    };
    // Shared corners first.
    std::array<int, 3> own = s, other = t;
    const auto own_rest = std::stable_partition(own.begin(), own.end(), [&](int k) { return corner_of(t, k); });
    std::stable_partition(other.begin(), other.end(), [&](int k) { return corner_of(s, k); });
    switch (own_rest - own.begin()) {
        case 0:
            for (std::size_t k = 0; k < 3; ++k) {
                if (segment_meets_triangle(at(s[k]), at(s[(k + 1) % 3]), at(t[0]), at(t[1]), at(t[2]))) return true;
                if (segment_meets_triangle(at(t[k]), at(t[(k + 1) % 3]), at(s[0]), at(s[1]), at(s[2]))) return true;
            }
            return false;
        case 1:  // What they have in common beside the corner reaches from there to the far edge of one of them.
            return segment_meets_triangle(at(own[1]), at(own[2]), at(t[0]), at(t[1]), at(t[2])) ||
                   segment_meets_triangle(at(other[1]), at(other[2]), at(s[0]), at(s[1]), at(s[2]));
        case 2: {  // They lie on each other when one is folded back onto the other.
            const Vec3 p = at(own[0]), q = at(own[1]), x = at(own[2]), y = at(other[2]);
            if (orientation(p, q, x, y) != 0) return false;
            const Plane plane{axis_across(p, q, x)};
            return plane.turn(p, q, x) == plane.turn(p, q, y);
        }
        default:
            return true;
    }
}

}  // namespace scree
