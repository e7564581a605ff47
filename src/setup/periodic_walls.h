// Walls at periodic borders. Walls do not repeat themselves there: a grain meets them where they stand. That is no
// matter for a wall that spans the period, keeps off the borders, or closes them. Any other is continued by copies,
// shifted by the period; what cannot be copied is told of (engine/remarks.h).
//
// Rejected: asking the walls about every image of a grain. It would put the image into every contact and its memory,
// for what a few more walls do.
#pragma once

#include <string>
#include <vector>

#include "scree/scene.h"

namespace scree {

// Adds the copies that walls cut by a periodic border need, unless they are there. A copy of NAME beyond the high
// border of x is called NAME_high_x, and its forces are its own. Doing it again changes nothing.
void continue_walls(Scene& scene);

// What is still cut off for grains up to this radius: planes that lean or close one border only, containers that stick
// out, pistons. (wall, axis)
std::vector<std::pair<std::size_t, int>> walls_cut_off(const Scene& scene, double largest_radius);

}  // namespace scree
