// Where the grains of a scene are at the start, and where poured grains appear. Geometry only: no forces, no motion.
//
// Groups are placed in the order of the scene; each fills what earlier ones have left. A grain is wholly inside its
// region (a periodic border is no border), and touches neither another grain nor a wall. All draws are counter-based:
// the same scene and seed give the same grains everywhere.
//
//   lattice  every site of the lattice, with the given probability; sites where the grain does not fit are left out.
//   random   as many grains as asked, or as fill the asked fraction of the region: random sequential insertion, biggest
//            first; where that jams (from about 0.3 for equal spheres, 0.45 for discs), overlaps are relaxed away.
//            Fills up to `densest` are tried; what cannot be reached is refused with what was.
//   at       the given points; overlaps are refused.
//   file     rows of a CSV file; overlaps up to the scene's overlap limit are taken as contacts of a settled bed.
//   pour     nothing at the start; see pour_grains().
#pragma once

#include <span>
#include <vector>

#include "geometry/ball_index.h"
#include "geometry/region.h"
#include "scree/scene.h"
#include "setup/placing_radius.h"
#include "wall/wall.h"
#include "world/world.h"

namespace scree {

struct PlacedGrain {
    Vec3 position;
    double radius;
    Vec3 velocity, spin;
};

// Largest part of a region that random placing tries to fill.
constexpr double densest_random(int dimension) { return dimension == 2 ? 0.80 : 0.58; }

// Distances to other grains and walls up to this fraction of the radius count as touching, not as overlap.
constexpr double touching_tolerance = 1e-9;

// The grains already placed.
class Occupied {
  public:
    explicit Occupied(const Scene& scene) : index_(scene.periodic) {}
    void add(Vec3 position, double radius, Index id) {
        index_.add(position, radius);
        id_.push_back(id);
    }
    const BallIndex& balls() const { return index_; }
    Index id(int ball) const { return id_[static_cast<std::size_t>(ball)]; }
    bool overlaps(Vec3 position, double radius, double allowed) const {
        return index_.any_closer_than(-allowed, position, radius);
    }
    // The first grain that overlaps the ball by more than `allowed`, if there is one.
    std::optional<int> overlapping(Vec3 position, double radius, double allowed) const {
        return index_.closer_than(-allowed, position, radius);
    }

  private:
    BallIndex index_;
    std::vector<Index> id_;
};

// Walls as they stand at the moment of placing.
struct StandingWalls {
    const WallSet& walls;
    std::span<const WallPlacement> placements;
    // The wall that overlaps the ball by more than `allowed`, if there is one.
    std::optional<WallSet::Gap> overlapping(Vec3 position, double radius, double allowed) const {
        return walls.nearest(placements, position, radius, -allowed);
    }
};

// The grains of a group at the start, in the order of their identities first_id, first_id + 1, ...; they are added to
// `occupied`. `share` is the part of its ball that a grain fills: where balls stand for other shapes, less than 1.
// Throws Error(bad_input), located.
std::vector<PlacedGrain> place_group(const Scene& scene, std::size_t group, Occupied& occupied,
                                     const StandingWalls& walls, Index first_id, double share = 1);

// The grains of a group that are poured in the step from time `begin` to `end`, none of them in the way of those
// present. By time t, rate * (t - from) grains are due. At each moment at which a grain falls due, those due are given
// random places in the region; one that finds none after some tries, and all behind it, wait for the next such moment.
// So nothing is lost when the inlet is blocked for a while; what still waits at `until` is not poured.
std::vector<PlacedGrain> pour_grains(const Scene& scene, std::size_t group, double begin, double end,
                                     const Grains& present, const StandingWalls& walls, PourState& state);

// How many grains fall due up to a time, whatever `count` says.
std::int64_t due_by(const PourOverTime& pour, double time);

// The part of place_group() that places at random (placing_random.cpp).
std::vector<PlacedGrain> place_at_random(const Scene& scene, std::size_t group, const PlaceAtRandom& place,
                                         Occupied& occupied, const StandingWalls& walls, Index first_id, double share);

}  // namespace scree
