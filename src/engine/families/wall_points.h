// Contacts of bodies with walls of any kind, near at least one that is not flat, or where corners share weights:
// corners are asked about as balls are, edges and sides over what sticks out of a wall (wall/rim_points.h), and what
// touches goes into patches side by side.
#pragma once

#include <functional>
#include <vector>

#include "engine/families/body_memory.h"
#include "engine/families/body_walls.h"
#include "engine/families/piece_pairs.h"
#include "engine/families/wall_batch.h"
#include "wall/rim_points.h"

namespace scree {

class WallPoints {
  public:
    explicit WallPoints(const BodyWalls& walls) : walls_(walls) {}

    // The lists of so many blocks begin anew.
    void clear(std::size_t blocks, double skin);
    void list(const Grains& grains, std::size_t block, std::size_t g, std::vector<WallFeature> features);
    const std::vector<GrainWalls>& of(std::size_t block) const { return lists_[block]; }

    // What touches in a block goes into the batch.
    void collide(const Grains& grains, const Walls& walls, std::size_t block, WallBatch& batch, BlockReport& report);

    // Of a body near walls, in whichever family it is.
    void each_view(const Grains& grains, const Walls& walls, const GrainWalls& near,
                   const std::function<void(const ContactView&)>& visit) const;
    // Takes its memory out of these rows, found by the identity of the body.
    void recall(const Grains& grains, const ContactMemory& memory, const BodyMemoryRows& rows,
                const RowsByName<Index>& names);

  private:
    // What is under way of one body, kept by each thread.
    struct Room {
        struct Touch {
            WallContact contact;
            std::uint32_t key;
            double radius, weight;
            bool taken;  // by a patch
        };
        WallTouch touch;
        std::vector<Touch> touches;
        std::vector<double> memory;
        WallMemory old;
        std::vector<LawPoint> points;  // of one patch
        std::vector<PatchPoint> weights;
        std::vector<std::size_t> members;
        std::vector<ConvexPart> parts;
        std::vector<Vec3> corners;
        std::vector<RimPoint> offered;
    };

    const Bodies& bodies() const { return walls_.scene.bodies; }
    const PatchLaw& law() const { return walls_.scene.law; }
    void collide(const Grains& grains, const Walls& walls, GrainWalls& near, WallBatch& batch, Room& room,
                 BlockReport& report) const;
    double find_touches(const Grains& grains, const Walls& walls, GrainWalls& near, Room& room, bool look) const;
    void rim_touches(const Grains& grains, const Walls& walls, const GrainWalls& near, double beyond, double& nearest,
                     Room& room) const;
    int next_patch(const Grains& grains, std::size_t g, const WallMemory& old, std::size_t from, Room& room) const;
    void large_patch(const Grains& grains, GrainWalls& near, std::size_t wall, std::uint16_t type, int count,
                     WallAccount* account, WallBatch& batch, Room& room, BlockReport& report) const;

    const BodyWalls& walls_;
    std::vector<std::vector<GrainWalls>> lists_;  // by block
    double skin_ = 0;
};

}  // namespace scree
