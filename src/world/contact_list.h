// The contacts' memory outside of the pair tiles: how checkpoints, frames and sorting see contacts.
#pragma once

#include <cstdint>
#include <vector>

#include "scree/contacts.h"
#include "world/world.h"

namespace scree {

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
