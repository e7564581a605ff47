// How well shaped an element is: 6√2 V / ℓ³, in the plane 4 A / √3 ℓ², ℓ the root mean square of the lengths of edges.
// Regular elements have 1, flat ones 0, those turned inside out less.
#pragma once

#include <cmath>

#include "math/vec.h"

namespace scree::micro {

inline double quality_of_triangle(Vec3 a, Vec3 b, Vec3 c) {
    const double sum = norm2(b - a) + norm2(c - b) + norm2(a - c);
    return 2 * std::sqrt(3.0) * cross(b - a, c - a).z / sum;
}

inline double quality_of_tetrahedron(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    const double mean = (norm2(b - a) + norm2(c - a) + norm2(d - a) + norm2(c - b) + norm2(d - b) + norm2(d - c)) / 6;
    return std::sqrt(2.0) * dot(b - a, cross(c - a, d - a)) / (mean * std::sqrt(mean));
}

}  // namespace scree::micro
