// How much the grains of a scene are aligned.
#pragma once

#include "engine/simulation.h"

namespace scree {

// Of the longest axes u of those grains that have one (Shape::longest); zeros where none has.
struct OrientationOrder {
    double nematic = 0;  // largest eigenvalue of <3 u u^T - 1>/2 (2D: <2 u u^T - 1>): 0 at random, 1 when parallel
    double mean_angle =
        0;  // rad, between u and the vertical (that of gravity; z, in 2D y, without), 1 rad at random in 3D
};

OrientationOrder orientation_order(Simulation& simulation);

}  // namespace scree
