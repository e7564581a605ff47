// Walls that go so far in one step that they would jump over grains: thin ones leave no trace of it, no overlap, no
// contact. As for grains that are too fast, such a step ends the run.
//
// How far a wall goes in a step is bounded along its way, for a vibration may come back to where it was and a table may
// jump there and back. Only when that is more than contacts of the smallest grain can feel, the way is followed in
// pieces, and every grain that a piece passes is one that would be jumped over.
#pragma once

#include <limits>
#include <span>

#include "engine/setting.h"

namespace scree {

struct WallJumpScale {
    // To which contact is felt: the radius of the smallest sphere, the least rounding radius of bodies.
    double least_depth = std::numeric_limits<double>::infinity();
    double farthest = 0;  // grain from the origin
};
WallJumpScale wall_jump_scale(const Setting& setting);

// Throws Error(invalid) with the names of wall and grain. `then` is of the beginning of the step, whose end the setting
// shows.
void check_wall_jumps(const Setting& setting, const WallJumpScale& scale, std::span<const WallPlacement> then,
                      double begin, double end);

}  // namespace scree
