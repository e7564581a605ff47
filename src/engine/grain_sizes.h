// The smallest and the largest grain of each material, of those that are there and those that will be poured in.
#pragma once

#include <cstddef>
#include <map>

#include "contact/law.h"
#include "scree/scene.h"
#include "shape/shape_table.h"
#include "world/world.h"

namespace scree {

struct SizeRange {
    GrainSize smallest, largest;  // by mass; of bodies the radius is that of their rounding
};
using GrainSizes = std::map<std::size_t, SizeRange>;  // by material

// `shapes` may be null where all grains are spheres.
GrainSizes grain_sizes(const Scene& scene, const Grains& grains, const ShapeTable* shapes);

}  // namespace scree
