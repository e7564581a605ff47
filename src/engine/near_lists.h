// What may touch, as the lists hand it to the families, and what those say of how long a list should serve (lists.h).
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "neighbor/neighborhood.h"
#include "world/world.h"

namespace scree {

// A grain and a feature of a wall that may touch.
struct WallPair {
    Index grain;
    std::int32_t wall, feature;
    friend auto operator<=>(const WallPair&, const WallPair&) = default;
};

// What may touch, until some grain or wall has moved by the skin.
struct NearLists {
    const PairList& pairs;
    std::vector<std::vector<WallPair>> walls;  // by block, sorted
    double skin, reach;
};

struct ListRules {
    double smallest_skin, first_skin, largest_skin;  // of the smallest radius
    double longer, shorter;                          // factors of a skin that is too short, too long
    // How far a grain went follows from where it is. Not of bodies: their points turn as well.
    bool positions_tell;
};

// Steps between refreshes: after fewer than `few` the skin is too short, after more than `many` too long; after
// `too_many` the list has cost more than several refreshes and is renewed at once.
struct Pace {
    double few, many, too_many;
};

}  // namespace scree
