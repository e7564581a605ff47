#include "geometry/gjk.h"

#include <fmt/format.h>

#include <algorithm>

#include "scree/error.h"

namespace scree {
namespace {

void add_vertex(Feature& feature, int vertex) {
    if (vertex < 0) return;
    for (int k = 0; k < feature.count; ++k)
        if (feature.vertex[static_cast<std::size_t>(k)] == vertex) return;
    if (feature.count < 3) feature.vertex[static_cast<std::size_t>(feature.count++)] = vertex;
}

}  // namespace

Feature Distance::feature_a() const {
    Feature feature;
    for (int k = 0; k < carriers; ++k) add_vertex(feature, carrier[static_cast<std::size_t>(k)].a);
    return feature;
}

Feature Distance::feature_b() const {
    Feature feature;
    for (int k = 0; k < carriers; ++k) add_vertex(feature, carrier[static_cast<std::size_t>(k)].b);
    return feature;
}

namespace gjk {

Front extend_carefully(const State& s, Front f, int slot) {
    std::array<Vec3, 4> corners;
    std::array<int, 4> slots{};
    std::size_t n = 0;
    for (int k = 0; k < f.count; ++k) {
        slots[n] = f.vertex(k);
        corners[n++] = s.w[f.vertex(k)];
    }
    slots[n] = slot;
    corners[n++] = s.w[slot];
    const SimplexPoint best = signed_volumes(std::span(corners).first(n));
    Front front;
    front.direction = best.point;
    front.height = front.length2 = front.norm2 = best.norm2;
    front.count = best.count;
    for (int k = 0; k < best.count; ++k)
        front.vertices |= static_cast<unsigned>(slots[static_cast<std::size_t>(best.vertex[k])]) << 8 * k;
    return front;
}

Distance conclude(const State& s, Vec3 origin_a, Vec3 origin_b, Vec3 offset, double scale, double margin_a,
                  double margin_b, bool polyhedral) {
    const Front& front = s.front;
    if (!(front.norm2 >= 0) || !(front.norm2 < std::numeric_limits<double>::infinity())) require_usable(front.norm2);
    Distance result;
    if (s.verdict != Verdict::overlapping && front.count < 4 && front.height > 0) {
        conclude_separated(
            s, front, [&](int slot) { return s.a[slot]; }, [&](int slot) { return s.b[slot]; }, origin_a, origin_b,
            offset, scale, margin_a, margin_b, polyhedral, result);
        return result;
    }
    result.iterations = s.iterations;
    Vec3 a, b;
    double lambda[4];
    front_weights(s.w, front, lambda);
    for (int k = 0; k < front.count; ++k) {
        a += lambda[k] * s.a[front.vertex(k)];
        b += lambda[k] * s.b[front.vertex(k)];
    }
    result.point_a = origin_a + a;
    result.point_b = origin_b + b;
    result.relation = Relation::overlapping;
    result.skeletons_overlap = true;
    result.error = s.verdict == Verdict::overlapping ? 0 : certain * scale;
    sweep(result, 0, margin_a, margin_b);
    return result;
}

Distance from_exact(const ExactDistance& exact, int iterations_before) {
    Distance result;
    result.relation = exact.relation;
    result.skeletons_overlap = exact.relation == Relation::overlapping;
    result.distance = result.gap = exact.distance;
    result.iterations = iterations_before + exact.iterations;
    result.exact = true;
    result.point_a = exact.point_a;
    result.point_b = exact.point_b;
    result.normal = exact.normal;
    result.error = epsilon * exact.distance;
    if (!result.skeletons_overlap) {
        result.carriers = std::min(exact.count, 3);
        std::copy_n(exact.pair.begin(), result.carriers, result.carrier.begin());
    }
    return result;
}

Distance conclude_exactly(const State& s, const VertexSet& a, const VertexSet& b, double margin_a, double margin_b) {
    std::array<VertexPair, 4> start{};
    std::size_t n = 0;
    for (int k = 0; k < s.front.count; ++k) start[n++] = s.pair[s.front.vertex(k)];
    const ExactDistance exact = exact_distance(a, b, std::span(start).first(n));
    Distance result = from_exact(exact, s.iterations);
    sweep(result, exact.distance, margin_a, margin_b);
    return result;
}

void require_usable(double scale) {
    throw Error(
        ErrorKind::bad_input,
        fmt::format(
            "the bodies and their offset measure {} together: coordinates must be finite, and with curved bodies "
            "between {} and {}",
            scale, smallest_scale, largest_scale));
}

}  // namespace gjk
}  // namespace scree
