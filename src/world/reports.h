// What a simulation reports about itself: plain data for observers, files and messages.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scree/vec.h"

namespace scree {

struct TimeStepChoice {
    double value;        // s, as used
    double automatic;    // what "auto" gives
    double stable;       // limit past which a scene is refused
    std::string reason;  // which contact limits it
};

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
    bool audit = false;             // compare every refresh with brute force; throws Error(invalid) that names the pair
    std::int64_t drop_pair_at = 0;  // for tests: the refresh, from 1 on, that loses a pair
};

// Energies in joule at the current time. total() stays constant but for integration errors.
struct EnergyReport {
    double kinetic = 0, rotational = 0;  // kinetic includes rotational
    double potential = 0, elastic = 0, dissipated = 0;
    double dissipated_sliding = 0, dissipated_damping = 0;  // parts of dissipated: sliding friction; linear damping
    double wall_work = 0, gravity_work = 0, poured = 0, removed = 0;
    double total() const {
        return kinetic + potential + elastic + dissipated - wall_work - gravity_work - poured + removed;
    }
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

struct WallReport {
    std::string name;
    bool open = false;
    bool moving = false;
    Vec3 force, torque;  // of the grains on the wall
    Vec3 displacement;   // of a moving wall or piston
    Vec3 velocity;
};

}  // namespace scree
