// Walls that pass over grains between two steps. A wall that moves by less than half a radius in a step meets every
// grain in its way; of one that moves farther, the places in between are looked at too.
#pragma once

#include <span>

#include "engine/setting.h"

namespace scree {

// Throws Error(invalid), with the wall and the grain, if a wall has passed over a grain between the times `begin` and
// `end`, the present one. `before`: states of the walls then. `feel`: least depth at which a grain feels a contact.
void refuse_wall_jumps(const Setting& s, std::span<const WallState> before, double begin, double end, double feel);

// How deep a contact of this grain is felt: the radius, of bodies the least rounding.
double contact_depth(const Setting& s, std::size_t grain);

}  // namespace scree
