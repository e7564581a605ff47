// What all ways of placing ask of a group of grains: its region, and how to refuse it.
#pragma once

#include <cstddef>
#include <string>

#include "scree/scene.h"

namespace scree {

// The region as a grain of this radius sees it: where it spans a whole period (a box, or a cylinder along the periodic
// axis), its border there is none, and it is continued by the radius.
RegionShape region_for_grain(const Scene& scene, const RegionShape& region, double radius);

// Throws Error(bad_input) about a group, beginning with its place in the scene's file.
[[noreturn]] void refuse_group(const Scene& scene, std::size_t group, const std::string& message);
// The region a group names; refuses the group if there is none.
const RegionShape& region_of_group(const Scene& scene, std::size_t group, const std::string& name);

}  // namespace scree
