// The distance of two convex polyhedra as a rational number under a square root: no rounding anywhere.
//
// The same iteration as GJK in integers. Each simplex is affinely independent and strictly closer to the origin than
// the last, so no simplex returns and the search ends with the true one. Started from the simplex the doubles ended
// with, it is usually a check and nothing more: some ten microseconds for small bodies.
#pragma once

#include <array>
#include <span>
#include <string>

#include "math/exact_integer.h"
#include "math/vec.h"

namespace scree {

enum class Relation {
    separated,    // a positive distance
    touching,     // common points, but some shift, however small, separates them
    overlapping,  // no small shift separates them
};

// The vertices of a polyhedral body: vertex k is origin + vertex(body, k), an exact sum.
struct VertexSet {
    const void* body = nullptr;
    Vec3 (*vertex)(const void* body, int k) = nullptr;
    int count = 0;
    Vec3 origin;
};

template <class Body>
static VertexSet vertex_set(const Body& body) {
    return {&body, [](const void* b, int k) { return static_cast<const Body*>(b)->vertex(k); }, body.vertex_count(),
            body.origin()};
}

struct VertexPair {
    int a, b;
};

struct ExactDistance {
    Relation relation = Relation::separated;
    int count = 0;  // pairs of vertices that carry the closest points, 1 to 4
    std::array<VertexPair, 4> pair{};
    std::array<ExactInteger, 4> weight;  // positive; barycentric coordinate = weight / sum of weights
    ExactInteger numerator, denominator = 1;
    int exponent = 0;  // distance^2 = numerator / denominator * 4^exponent
    int iterations = 0;

    // Rounded to the nearest double; the distance within one unit in the last place.
    double distance = 0;
    Vec3 point_a, point_b, normal;  // normal: unit, from a to b; zero when the bodies overlap

    // Correctly rounded significant digits of the distance.
    std::string digits(int significant) const { return decimal_sqrt(numerator, denominator, exponent, significant); }
};

// `start`: up to four pairs to begin with, best those of an approximate answer. Throws Error (bad_input) when a set is
// empty or a coordinate is not finite.
ExactDistance exact_distance(const VertexSet& a, const VertexSet& b, std::span<const VertexPair> start = {});

}  // namespace scree
