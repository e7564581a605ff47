// Scenes with grains that are not spheres: five families.
//
//   balls of clumps (ball_pairs.h), pieces (piece_pairs.h)    leave a force per pair of bodies (body_pairs.h)
//   flat walls (flat_points.h), other walls (wall_points.h)   leave what walls do to each body (body_walls.h)
//   bonds (bonds.h)                                           leave a force per bond
//
// When a block is complete, each of its bodies adds up: partners in the order of storage, walls, bonds. So a sum
// depends neither on the size of a block nor on the family that a contact is in.
#pragma once

#include <memory>

#include "engine/bodies.h"
#include "engine/dynamics.h"
#include "engine/families/ball_pairs.h"
#include "engine/families/body_pairs.h"
#include "engine/families/bonds.h"
#include "engine/families/flat_points.h"
#include "engine/families/piece_pairs.h"
#include "engine/families/wall_points.h"

namespace scree {

class BodyDynamics final : public Dynamics {
  public:
    BodyDynamics(const ShapeTable& shapes, const MaterialTable& materials, const Walls& walls,
                 const MotionParameters& motion, int dimension);

    const ListRules& list_rules() const override;
    Pace pace(double cost_of_refresh) const override;
    double work(std::int64_t steps) const override;
    const PairSearch::Bodies* ready_for_search(const Grains& grains) override;
    void renew(const Grains& grains, const Walls& walls, NearLists lists) override;
    void added(const Grains& grains, std::size_t first) override { bodies_.turn(grains, first); }

    void set_time_step(double time_step) override { law_.set_time_step(time_step); }
    void begin_sweep(const Grains& grains, const Walls& walls, double farthest) override;
    void collide(const Grains& grains, const Walls& walls, std::size_t block, int worker) override;
    KickPowers finish(Grains& grains, const MotionParameters& motion, Ending ending, std::size_t block,
                      double& travel) override;
    void move(Grains& grains, const MotionParameters& motion, std::size_t block, double& travel) override;
    ContactReport end_sweep(std::size_t walls) override;

    ContactMemory memory(const Grains& grains) override;
    ContactMemory detach(const Grains& grains) override;
    void attach(const Grains& grains, const ContactMemory& memory) override;

    std::size_t pair_count() const override { return balls_.size() + pieces_.size(); }
    std::uint64_t queries() const override { return queries_; }
    std::uint64_t queries_saved() const override { return queries_saved_; }
    double rotational_energy(const Grains& grains, const MotionParameters&, std::size_t g) const override {
        return bodies_.rotational_energy(grains, g);
    }
    void each_view(const Grains& grains, const Walls& walls,
                   const std::function<void(const ContactView&)>& visit) const override;
    std::size_t look(const Grains& grains, const Walls& walls) override;
    void check(const World& world, const Scene& scene, const Walls& walls, double max_overlap) const override;

  private:
    struct Block {
        WallSums walls;
        BlockReport report;
    };

    void list_walls(const Grains& grains, const Walls& walls, const NearLists& lists, std::size_t block);
    void clear_lists();
    // All bodies of a block near walls, in the order of storage, whichever family they are in.
    template <class Visit>
    void each_near_walls(const Grains& grains, std::size_t block, Visit&& visit) const;

    BodyKernel kernel_;
    Bodies bodies_;
    PatchLaw law_;
    BodyScene scene_;
    BodyCovering covering_;
    PairSearch::Bodies searched_;
    BodyPairs pairs_;
    BallPairs balls_;
    PiecePairs pieces_;
    BodyWalls walls_;
    FlatPoints flat_;
    WallPoints others_;
    Bonds bonds_;
    std::vector<Block> results_;                       // by block, of the last sweep
    std::vector<std::unique_ptr<WallBatch>> batches_;  // by worker
    double farthest_ = 0;
    ContactMemory waiting_;  // set by attach(), used by the next renew()
    bool has_waiting_ = false;
    BlockReport report_;                                                  // of the last sweep
    std::uint64_t queries_ = 0, queries_saved_ = 0, queries_before_ = 0;  // until now; until the last refresh
};

}  // namespace scree
