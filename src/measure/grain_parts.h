// Parts of grains: how far they reach, and what of them lies below a plane or inside a cylinder. Spheres and discs in
// closed form (volumes.h), other shapes by the lines that fill them (shape/filling.h). In 2D areas in place of volumes.
#pragma once

#include <functional>

#include "measure/snapshot.h"

namespace scree {

// How far the grain reaches from its center along a unit vector.
double reach_along(const Snapshot& s, std::size_t k, Vec3 direction);

// What of the grain lies below the height h along `up`, a unit vector, if its center is at the height y.
double volume_below(const Snapshot& s, std::size_t k, Vec3 up, double y, double h);

// What of the grain lies within R of the line through `middle` along a coordinate axis, and between two planes across
// it. In 2D the axis is z and there are no planes.
double volume_in_cylinder(const Snapshot& s, std::size_t k, int axis, Vec3 middle, double R, double low, double high);

// Of grains that are no spheres: calls visit(velocity there, offset from the center, part of the area) over the cut by
// the plane normal . (x - center) = h.
void each_of_cut(const Snapshot& s, std::size_t k, Vec3 normal, double h,
                 const std::function<void(Vec3 velocity, Vec3 offset, double area)>& visit);

}  // namespace scree
