// How much the grains of a scene are aligned.
#pragma once

#include "shape/shape.h"
#include "sim/simulation.h"

namespace scree {

// Over the grains that are not spheres, of their long axes u (that of the least moment of inertia).
struct OrientationOrder {
    double nematic = 0;     // largest eigenvalue of <3 u u^T - 1>/2 (2D: <2 u u^T - 1>): 0 at random, 1 when parallel
    double mean_angle = 0;  // rad, between u and the vertical (that of gravity; z, in 2D y, without), 1 rad at random in 3D
};

OrientationOrder orientation_order(Simulation& simulation);
// The long axis of a shape in its own frame, a unit vector. In 2D it is the x of the shape as given; inertia knows one axis
// only there.
Vec3 long_axis(const Shape& shape, int dimension);

}  // namespace scree
