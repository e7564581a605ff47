// Hard discs and spheres moved from event to event over a span of time in which walls move in one way each.
//
// Each grain has one pending event: its earliest meeting with a neighbor or a wall, or, in the grid, when it leaves the
// ball of its list. Only the two partners of a collision are moved on to its time and looked at anew; everybody else
// keeps flying from where they were last touched (flight.h). An event with a partner that has collided with somebody
// else in the meantime is out of date: the grain then looks again. This is enough: of any pair, the one that changed
// its course last has an event no later than their meeting.
//
// Simultaneous events come in a fixed order: neighborhood first, then by the pair's numbers. With pair times that
// depend on the states alone (flight.h), all neighborhoods give the same collisions to the last bit.
//
// Threads: none. The order of events is the physics here; speculative parallel schemes exist, but pay off for systems
// far larger than the sequential rate of a million collisions per second makes bearable.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "events/cells.h"
#include "events/impact.h"
#include "events/wall_piece.h"
#include "triangulation/complex.h"

namespace scree::events {

struct HardGrain {
    Vec3 position, velocity, rim;         // rim: radius times spin
    double radius = 0, inverse_mass = 0;  // inverse mass 0: fixed
    std::uint32_t material = 0;
    double last_collision = -forever;  // before the start of the span: negative
};

enum class Search { grid, triangulation, brute };

struct HardSetup {
    int dimension = 3;
    Vec3 gravity;
    Periodicity periods;
    std::size_t materials = 1;
    std::vector<ImpactLaw> laws;  // materials x materials
    Search search = Search::grid;
    double cutoff =
        0;  // s: a collision within this time after another of the same grain loses nothing in its normal part
};

// What has happened in a span of time; adds up.
struct HardReport {
    std::int64_t collisions = 0, wall_collisions = 0;  // between grains; with walls
    std::int64_t cut_off = 0;                          // of both, those the cutoff made elastic
    std::int64_t crossings = 0, outdated = 0, flips = 0, rechecks = 0, repairs = 0;
    double virial = 0;  // sum over collisions of impulse times distance of centers
    double dissipated = 0, sliding = 0, wall_work = 0;
    double deepest = 0;                         // overlap, of the smaller radius
    std::vector<Vec3> wall_impulse, wall_turn;  // by wall of the scene: impulse, and moment of impulse about the origin
};

struct Collision {
    double time;
    std::uint32_t a, b;  // grain; grain or number of the wall's piece
    bool wall;
    double speed;  // of approach, normal
};

class HardDynamics {
  public:
    static std::unique_ptr<HardDynamics> make(const HardSetup& setup);
    virtual ~HardDynamics() = default;

    // Moves the grains over `duration`, to the end of which their positions are brought. Throws Error(invalid) when the
    // clock stands still (inelastic collapse with the cutoff off).
    virtual void advance(std::span<HardGrain> grains, std::span<const WallPiece> walls, double duration) = 0;

    // For tests: told of every collision; and the triangulation as it is at the end of a span: all its edges, and its
    // sites, of which the grains come first and the guards after them.
    std::function<void(const Collision&)> watch;
    virtual std::vector<std::pair<std::uint32_t, std::uint32_t>> edges() const = 0;
    virtual std::vector<tri::Row> sites() const = 0;

    HardReport report;
};

}  // namespace scree::events
