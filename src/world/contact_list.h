// The contacts' memory outside of the pair tiles: how checkpoints, frames and sorting see contacts.
#pragma once

#include <cstdint>
#include <vector>

#include "world/world.h"

namespace scree {

// One contact between grains a and b (or grain a and a feature of a wall) as it was in the last step.
struct ContactView {
    Index a, b;              // identities; b is unused at a wall
    std::int32_t wall = -1;  // index of the wall, -1 between grains
    std::int32_t feature = 0;
    double overlap = 0;
    Vec3 point, normal;  // normal from b (or the wall) to a
    Vec3 force;          // on a
    double elastic_energy = 0;
};

// Memory of all living contacts, `width` numbers each.
struct ContactMemory {
    int width = 0;
    std::vector<Index> a, b;        // identities of grain pairs, a owns (the memory's sign is a relative to b)
    std::vector<double> memory;     // width * a.size()
    std::vector<Index> wall_grain;  // identities of grains touching walls
    std::vector<std::int32_t> wall, feature;
    std::vector<double> wall_memory;  // width * wall_grain.size()
    // Of grains that are not spheres: which point of the pair it is, several for one pair. Empty otherwise.
    std::vector<std::uint64_t> key, wall_key;
};

}  // namespace scree
