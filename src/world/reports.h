// What a simulation reports about itself beside what its public face does (scree/simulation.h): plain data for files
// and messages.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scree/simulation.h"

namespace scree {

struct NeighborReport {
    std::string method;  // "grid", "brute", "triangulation"
    std::string reason;  // why it was chosen
    std::int64_t refreshes = 0, certified = 0, fallbacks = 0, flips = 0;
    std::vector<std::pair<std::string, std::int64_t>> repairs;  // by rung
    double pairs_per_grain = 0, contacts_per_grain = 0;
    std::vector<std::pair<std::string, std::int64_t>> fallback_reasons;  // sum up to fallbacks
    std::int64_t audited = 0;                                            // refreshes compared with brute force
    std::int64_t changes = 0;                                            // of the method, by "auto"
    std::uint64_t distance_queries = 0, distance_queries_saved = 0;      // of grains that are not spheres
};

// How the search for neighbors is watched. Nothing of it reaches a result.
struct SearchOptions {
    // Compares every refresh with brute force, grains and walls too; throws Error(invalid) that names the pair.
    bool audit = false;
    std::int64_t drop_pair_at = 0;  // for tests: the refresh, from 1 on, that loses a pair
    std::int64_t drop_wall_at = 0;  // that loses a grain and a wall
};

// What the event engine did since the simulation was made.
struct EventReport {
    std::int64_t collisions = 0, wall_collisions = 0;
    std::int64_t cut_off = 0;    // of both, those made elastic because the grain had collided just before
    std::int64_t crossings = 0;  // of borders of cells
    std::int64_t outdated = 0;   // events whose partner had collided with another
    std::int64_t flips = 0, rechecks = 0, repairs = 0;  // of the triangulation
    double virial = 0;  // J, sum over collisions of impulse times distance of centers: the pressure's collisional part
    double cutoff = 0;  // s
    std::string cutoff_reason;
};

}  // namespace scree
