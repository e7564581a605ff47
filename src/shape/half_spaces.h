// Convex bodies as clouds of points and as what half-spaces have in common: the balls in them, their corners, and what
// is left of them when they are drawn in.
#pragma once

#include <vector>

#include "math/vec.h"
#include "scree/scene.h"

namespace scree {

// Corners of a platonic solid with edges of the given length about the origin.
std::vector<Vec3> solid_corners(Solid solid, double edge);
// A ball in the hull of the cloud that is nearly the largest. Radius 0 when the cloud is flat.
struct Inscribed {
    Vec3 center;
    double radius = 0;
};
Inscribed inscribed_ball(const std::vector<Vec3>& cloud, int dimension);
struct HalfSpace {  // normal . x <= offset
    Vec3 normal;
    double offset = 0;
};
// The same for what half-spaces have in common, looked for from `start` on, as far away as `size`. Radius <= 0 when no
// ball is found.
Inscribed inscribed_ball(const std::vector<HalfSpace>& sides, Vec3 start, double size);
// The corners of what half-spaces have in common, which is bounded and has `inside` in its interior.
std::vector<Vec3> common_corners(const std::vector<HalfSpace>& sides, Vec3 inside, int dimension);
// The hull of the cloud drawn in by `radius`: the corners of what is left. Empty when nothing is.
std::vector<Vec3> eroded(const std::vector<Vec3>& cloud, double radius, int dimension);

}  // namespace scree
