// The grains of a world as the balls that neighborhoods take.
#pragma once

#include "neighbor/neighborhood.h"
#include "world/world.h"

namespace scree {

inline BallRows ball_rows(const Grains& grains) {
    return {grains.row.empty() ? nullptr : &grains.row[0].x, sizeof(GrainRow) / sizeof(double), grains.size()};
}

}  // namespace scree
