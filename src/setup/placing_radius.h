// Radii of grains. The radius of grain number k of a group is a pure function of the scene's seed, the group and k, so
// that it depends neither on where the grain finds a place nor on when it is poured.
#pragma once

#include <cstdint>

#include "core/random.h"
#include "scree/scene.h"

namespace scree {

// What random numbers are used for; each purpose of each group has a stream of its own.
enum class Draw : std::uint64_t { radius, site, position, pour, orientation, room };

inline Random random_stream(const Scene& scene, std::size_t group, Draw purpose, std::uint64_t index = 0) {
    return Random(scene.seed, 0x67726f757000u + 8 * group + static_cast<std::uint64_t>(purpose), index);
}

double draw_radius(const RadiusDistribution& distribution, int dimension, Random& random);
double radius_of(const Scene& scene, std::size_t group, std::uint64_t k);

// Limits that no drawn radius passes. Positive if the distribution is sane.
double smallest_radius(const RadiusDistribution& distribution);
double largest_radius(const RadiusDistribution& distribution);

}  // namespace scree
