#include "geometry/gjk.h"

#include <fmt/format.h>

#include <algorithm>

#include "scree/error.h"

namespace scree::gjk {
namespace {

void add_vertex(Feature& feature, int vertex) {
    if (vertex < 0) return;
    for (int k = 0; k < feature.count; ++k)
        if (feature.vertex[static_cast<std::size_t>(k)] == vertex) return;
    if (feature.count < 3) feature.vertex[static_cast<std::size_t>(feature.count++)] = vertex;
}

// From the skeletons' distance to that of the swept bodies.
void sweep(Distance& result, double skeleton_distance, double margin_a, double margin_b) {
    result.gap = skeleton_distance - (margin_a + margin_b);
    if (margin_a + margin_b > 0)
        result.relation = result.gap > 0 ? Relation::separated : result.gap < 0 || result.skeletons_overlap ? Relation::overlapping
                                                                                                           : Relation::touching;
    result.distance = result.gap > 0 ? result.gap : 0;
    result.point_a += margin_a * result.normal;
    result.point_b -= margin_b * result.normal;
}

// Closest point and direction from the last simplex, each as good as it can be had. On a triangle seen from nearer than
// it is wide the normal is the better direction, and the combination of the corners, which may have slid along the
// face, is put back onto it (by the coordinates of the slip, as in iterative refinement). Seen from farther, the
// combination is the better one.
void refine(const State& s, SimplexPoint& p) {
    const Vec3 o = s.w[p.vertex[2]], e = s.w[p.vertex[0]] - o, f = s.w[p.vertex[1]] - o, n = cross(e, f);
    const double whole = norm2(n), longest = std::max(norm2(e), norm2(f));
    if (p.norm2 * longest > whole) {
        p.point = o + p.lambda[0] * e + p.lambda[1] * f;
        return;
    }
    const Vec3 slip = p.point - (o + p.lambda[0] * e + p.lambda[1] * f);
    const double first = std::max(0.0, p.lambda[0] + dot(n, cross(slip, f)) / whole);
    const double second = std::max(0.0, p.lambda[1] + dot(n, cross(e, slip)) / whole);
    const double third = std::max(0.0, 1 - first - second), sum = first + second + third;
    p.lambda[0] = first / sum, p.lambda[1] = second / sum, p.lambda[2] = third / sum;
}

// The same for the common point of bodies that overlap: the combination should be the origin.
void refine_inside(const State& s, SimplexPoint& p) {
    const Vec3 o = s.w[p.vertex[3]], x = s.w[p.vertex[0]] - o, y = s.w[p.vertex[1]] - o, z = s.w[p.vertex[2]] - o;
    const Vec3 slip = -(o + p.lambda[0] * x + p.lambda[1] * y + p.lambda[2] * z);
    const double whole = dot(x, cross(y, z));
    const double change[3] = {dot(slip, cross(y, z)) / whole, dot(slip, cross(z, x)) / whole, dot(slip, cross(x, y)) / whole};
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += p.lambda[k] = std::max(0.0, p.lambda[k] + change[k]);
    p.lambda[3] = std::max(0.0, 1 - sum);
}

}  // namespace

SimplexPoint extend_carefully(const State& s, const SimplexPoint& p, int slot) {
    std::array<Vec3, 4> corners;
    std::array<int, 4> slots{};
    std::size_t n = 0;
    for (int k = 0; k < p.count; ++k) slots[n] = p.vertex[k], corners[n++] = s.w[p.vertex[k]];
    slots[n] = slot, corners[n++] = s.w[slot];
    SimplexPoint best = signed_volumes(std::span(corners).first(n));
    for (int k = 0; k < best.count; ++k) best.vertex[k] = slots[static_cast<std::size_t>(best.vertex[k])];
    return best;
}

Distance conclude(const State& s, Vec3 origin_a, Vec3 origin_b, Vec3 offset, double scale, double margin_a, double margin_b,
                  bool polyhedral) {
    Distance result;
    result.iterations = s.iterations;
    Vec3 a, b;
    SimplexPoint nearest = s.nearest;
    if (nearest.count == 3) refine(s, nearest);
    else if (nearest.count == 4) refine_inside(s, nearest);
    for (int k = 0; k < nearest.count; ++k) {
        const int slot = nearest.vertex[k];
        a += nearest.lambda[k] * s.a[slot];
        b += nearest.lambda[k] * s.b[slot];
    }
    result.point_a = origin_a + a;
    result.point_b = origin_b + b;
    if (!(s.nearest.norm2 >= 0) || !is_finite(result.point_a) || !is_finite(result.point_b)) require_usable(std::nan(""));
    if (s.verdict == Verdict::overlapping || s.nearest.count == 4 || s.nearest.norm2 == 0) {
        result.relation = Relation::overlapping;
        result.skeletons_overlap = true;
        result.error = s.verdict == Verdict::overlapping ? 0 : certain * scale;
        sweep(result, 0, margin_a, margin_b);
        return result;
    }
    const double upper = norm((a - b) + offset);
    result.normal = -normalized(nearest.point);
    result.error = std::max(std::fabs(upper - s.lower), 2 * epsilon * scale);
    if (polyhedral)
        for (int k = 0; k < s.nearest.count; ++k) {
            add_vertex(result.feature_a, s.pair[s.nearest.vertex[k]].a);
            add_vertex(result.feature_b, s.pair[s.nearest.vertex[k]].b);
        }
    result.relation = Relation::separated;
    sweep(result, upper, margin_a, margin_b);
    return result;
}

Distance from_exact(const ExactDistance& exact, int iterations_before) {
    Distance result;
    result.relation = exact.relation;
    result.skeletons_overlap = exact.relation == Relation::overlapping;
    result.distance = result.gap = exact.distance;
    result.iterations = iterations_before + exact.iterations;
    result.exact = true;
    result.point_a = exact.point_a, result.point_b = exact.point_b;
    result.normal = exact.normal;
    result.error = epsilon * exact.distance;
    if (!result.skeletons_overlap)
        for (int k = 0; k < exact.count; ++k) {
            add_vertex(result.feature_a, exact.pair[static_cast<std::size_t>(k)].a);
            add_vertex(result.feature_b, exact.pair[static_cast<std::size_t>(k)].b);
        }
    return result;
}

Distance conclude_exactly(const State& s, const VertexSet& a, const VertexSet& b, double margin_a, double margin_b) {
    std::array<VertexPair, 4> start{};
    std::size_t n = 0;
    for (int k = 0; k < s.nearest.count; ++k) start[n++] = s.pair[s.nearest.vertex[k]];
    const ExactDistance exact = exact_distance(a, b, std::span(start).first(n));
    Distance result = from_exact(exact, s.iterations);
    sweep(result, exact.distance, margin_a, margin_b);
    return result;
}

void require_usable(double scale) {
    throw Error(ErrorKind::bad_input,
                fmt::format("the bodies and their offset measure {} together: coordinates must be finite, and with curved bodies "
                            "between {} and {}", scale, smallest_scale, largest_scale));
}

void keep(const State& s, WarmStart& warm) {
    warm.count = s.nearest.count;
    for (int k = 0; k < s.nearest.count; ++k) warm.pair[static_cast<std::size_t>(k)] = s.pair[s.nearest.vertex[k]];
    warm.direction = s.nearest.point;
}

}  // namespace scree::gjk
