// Whether triangles of a mesh cross or touch each other, without error: a mesh bounds a solid only when any two of them
// share a corner, an edge, or nothing.
#pragma once

#include <array>
#include <span>

#include "math/vec.h"

namespace scree {

// True when the segment and the triangle, borders included, have a point in common. The triangle must have an area.
bool segment_meets_triangle(Vec3 p, Vec3 q, Vec3 a, Vec3 b, Vec3 c);

// True when two triangles, given by the numbers of their corners, have more in common than shared corners and the edge
// between two of these.
bool triangles_cross(std::span<const Vec3> points, const std::array<int, 3>& s, const std::array<int, 3>& t);

}  // namespace scree
