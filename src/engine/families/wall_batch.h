// Points of bodies on walls, on their way through the law: patches of one pair of materials are gathered until the
// lanes of the kernel are full. Both families at walls fill it. What the points do is added up by body and by wall.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/families/body_walls.h"
#include "engine/rows.h"

namespace scree {

class WallBatch {
  public:
    explicit WallBatch(const BodyWalls& walls);

    // Begins a block of bodies, the first of which is given; all that follows goes into `sums`.
    void begin(const Grains& grains, std::size_t first, WallSums& sums);
    // The last points go through the law, and the loads of the walls are added up.
    void end();

    // Room for so many more points of a pair of materials: sends what waits through the law if there is none, or it is
    // of another pair.
    void make_room(std::uint16_t of_type, std::size_t points) {
        if (type != of_type || free() < points) flush();
        type = of_type;
    }
    std::size_t free() const { return PatchLanes::W - count; }
    // All points since the last patch are one, of a body on a wall, under an account if there is one.
    void end_patch(std::size_t g, std::size_t wall, double near, WallAccount* account = nullptr);
    void flush();
    // Adds what a patch does that went through the law elsewhere. Moment: about the center of the body, without
    // couples; wall_power: that the wall puts in.
    void add(std::size_t g, std::size_t wall, const ForceRow& on_body, Vec3 moment, double wall_power);

    std::size_t count = 0;  // of points in the lanes
    std::uint16_t type = 0;
    PatchLanes lanes{};

  private:
    void pay();
    void load(std::size_t g, std::size_t wall, Vec3 force, Vec3 moment, double power);

    const BodyWalls& walls_;
    const Grains* grains_ = nullptr;
    std::size_t first_ = 0;
    WallSums* sums_ = nullptr;
    // Of each patch.
    std::size_t grain_[PatchLanes::W], wall_[PatchLanes::W];
    WallAccount* account_[PatchLanes::W];
    // What each body of the block does to each wall, if its bit in `loads_` says so. Added up in the order of the
    // bodies, so that the sum does not tell which family a body was in.
    std::vector<WallLoad> wall_rows_;
    std::vector<std::uint64_t> loads_;  // by wall
    static_assert(body_block <= 64);
};

}  // namespace scree
