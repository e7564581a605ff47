// Regions of space: boxes, cylinders, frusta and spheres (discs in 2D) in which grains are placed, poured or kept. All
// are convex and solid, borders included. In 2D a cylinder or cone is its section with the plane, a rectangle or
// trapezium about its axis.
#pragma once

#include <optional>

#include "core/random.h"
#include "geometry/extent.h"
#include "scree/scene.h"

namespace scree {

// Distance from x to the border; negative outside (there not the distance, but its sign is right).
double region_depth(const RegionShape& shape, Vec3 x, int dimension);
inline bool region_contains(const RegionShape& shape, Vec3 x, int dimension) {
    return region_depth(shape, x, dimension) >= 0;
}

double region_volume(const RegionShape& shape, int dimension);  // area in 2D
Extent region_extent(const RegionShape& shape, int dimension);

// Where the centres of the balls of this radius may be that lie wholly in the region; nothing if none fits.
std::optional<RegionShape> region_inset(const RegionShape& shape, double radius, int dimension);

// A point of the region, uniformly distributed. Takes a varying number of draws.
Vec3 region_sample(const RegionShape& shape, int dimension, Random& random);

// The point of the region closest to x.
Vec3 region_nearest(const RegionShape& shape, Vec3 x, int dimension);

// The region of that name, or null.
const Region* find_region(const Scene& scene, const std::string& name);

}  // namespace scree
