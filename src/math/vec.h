// Vectors (scree/vec.h) and what only the inside of scree needs of them: 3x3 matrices and helpers.
#pragma once

#include "scree/vec.h"

namespace scree {

// Any unit vector at a right angle to the unit vector n.
inline Vec3 perpendicular(Vec3 n) {
    const Vec3 other = std::fabs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    return normalized(cross(n, other));
}

struct Mat3 {  // rows
    Vec3 row[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Vec3 operator*(Vec3 v) const { return {dot(row[0], v), dot(row[1], v), dot(row[2], v)}; }
    // The transpose, which is the inverse for rotations, times v.
    Vec3 transposed_times(Vec3 v) const { return v.x * row[0] + v.y * row[1] + v.z * row[2]; }
};

}  // namespace scree
