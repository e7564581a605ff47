// Contacts between two bodies of which at least one has edges or sides: patch by patch (shape/patch.h).
//
// Bodies of several pieces meet in one patch per side, whichever pieces the points are of: how a body is cut cannot be
// felt. A pair that touches keeps its features and an account of its work (patch_law.h). A pair apart keeps a lower
// bound of its distance, so that most are passed over by a look at it (geometry/odometer.h); a pair that did
// not touch is asked without memory, so skipping it cannot be seen.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/families/body_pairs.h"
#include "engine/families/body_scene.h"
#include "engine/families/pair_points.h"
#include "engine/families/patch_memory.h"
#include "world/contact_list.h"

namespace scree {

// Points of one side: normals whose cosine is above this belong to one patch.
constexpr double same_side = 0.9;

// One pair of pieces that may touch.
struct PiecePair {
    TwoPieces pieces;
    std::uint16_t type;  // of materials
    double feature;      // see find_patch
    std::int32_t slot;   // of its memory in the pool of the block, -1 while it does not touch
};

class PiecePairs {
  public:
    explicit PiecePairs(const BodyScene& scene);

    // Takes over the lists of all blocks. Marks: lower bounds of the distances. `largest`: radius of the ball around
    // any body.
    void renew(std::span<const std::vector<PiecePair>> lists, std::span<const std::vector<double>> marks,
               std::size_t body_pairs, double largest);
    void clear() { renew({}, {}, 0, 0); }
    // The forces of a block's pairs.
    void collide(const Grains& grains, std::size_t block, BodyPairs& bodies, BlockReport& report);

    std::size_t size() const { return pairs_.size(); }
    std::size_t touching(const BodyPair& pair) const;
    void each_view(const Grains& grains, std::size_t block, const BodyPair& pair,
                   const std::function<void(const ContactView&)>& visit) const;
    void remember(const Grains& grains, std::size_t block, const BodyPair& pair, ContactMemory& out) const;
    void recall(const Grains& grains, const ContactMemory& memory);

  private:
    // A pair of pieces that touches, on its way through the law.
    struct Touch {
        std::size_t at;
        int count;
        double near;  // points of other pairs nearer than this may share weights
        Patch patch;
        LawPoint points[Patch::most];
        double memory[Patch::most * point_memory];
    };
    struct Account {           // of two bodies, see PatchLaw::paid_share
        bool touched = false;  // in the last step
        double taken = 0, power = 0;
    };
    using Touches = std::span<const std::unique_ptr<Touch>>;

    // What a mark must be past for its pair not to be looked at.
    double passed_by(const BodyPair& pair) const;
    bool collide_bodies(const Grains& grains, const BodyPair& pair, double passed, PatchPool& pool, PairForce& out,
                        BlockReport& report);
    bool find_touch(const Grains& grains, std::size_t at, Vec3 offset, PatchPool& pool, Touch& out, Account& account,
                    BlockReport& report);
    void recall_points(const PatchMemory& old, Touch& touch) const;
    void look_at(const Grains& grains, const PatchMemory& old, std::size_t at, Vec3 offset, Touch& out) const;
    void apply_together(Touches touches, const Touching& bodies, Vec3 turn, bool look, PatchSum& sum) const;

    const BodyScene& scene_;
    std::size_t patch_points_;  // of two pieces, at most; as the faces of the shapes are
    std::vector<PiecePair> pairs_;
    // Lower bound of the distance of a pair that does not touch, plus the way both had come. In an array of its own:
    // most pairs are passed over by a look at it.
    std::vector<double> marks_;
    std::vector<double> body_marks_;     // by pair of bodies: the least of its pairs of pieces
    std::vector<std::size_t> first_{0};  // of each block; the end of the last one
    std::vector<PatchPool> pools_;       // by block
    double largest_ = 0;
};

}  // namespace scree
