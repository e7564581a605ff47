// What all contact families of bodies know, and what they tell of one block of bodies after a step.
#pragma once

#include <cstdint>

#include "contact/materials.h"
#include "engine/bodies.h"
#include "engine/families/patch_law.h"
#include "neighbor/neighborhood.h"
#include "world/world.h"

namespace scree {

struct BodyScene {
    const Bodies& bodies;
    const PatchLaw& law;
    const MaterialTable& materials;
    const BodyKernel& kernel;
    Periodicity periodicity;
    int dimension;

    // Of the center of b from that of a.
    Vec3 offset(const Grains& grains, std::size_t a, std::size_t b) const {
        return periodicity.nearest(grains.position(b) - grains.position(a));
    }
    const Piece& piece(const Grains& grains, std::size_t g, std::size_t number) const {
        return bodies.shapes[grains.shape[g]].pieces[number];
    }
    Touching touching(const Grains& grains, std::size_t a, std::size_t b, Vec3 offset) const {
        return {grains.row[a].inverse_mass + grains.row[b].inverse_mass, &bodies.inertia[a], &bodies.inertia[b],
                offset};
    }
};

struct BodyAtWall {
    Index id = 0;
    std::int32_t wall = -1;  // -1: none
};

struct BlockReport {
    std::size_t contacts = 0;
    double max_overlap = 0;  // of the rounding radius
    // The first pair whose skeletons have met.
    bool sunk = false;
    Index sunk_a = 0, sunk_b = 0;
    // A body that is about to pass through a sheet. Of a sheet no overlap is larger than the rounding radius: beyond,
    // the body is on the other side.
    BodyAtWall passing;
    // The body that was deepest, if it was in a wall that is not flat; it may be elsewhere by now.
    BodyAtWall deepest;
    std::uint64_t queries = 0, queries_saved = 0;  // of the distance of two pieces

    void sink(Index a, Index b) {
        if (sunk) return;
        sunk = true;
        sunk_a = a;
        sunk_b = b;
    }
    // Walls that are not flat come last: what is deeper there is deepest.
    void sink_into_wall(double ratio, bool sheet, Index id, std::int32_t wall) {
        // Overlap of a sheet past which a body may be on the other side in the next step.
        constexpr double sheet_limit = 0.9;
        if (ratio > max_overlap) {
            max_overlap = ratio;
            deepest = {id, wall};
        }
        if (sheet && ratio > sheet_limit) passing = {id, wall};
    }
    // Of all blocks, in their order.
    void add(const BlockReport& block) {
        contacts += block.contacts;
        if (block.max_overlap > max_overlap) {
            max_overlap = block.max_overlap;
            deepest = block.deepest;
        }
        if (block.sunk) sink(block.sunk_a, block.sunk_b);
        if (passing.wall < 0) passing = block.passing;
        queries += block.queries;
        queries_saved += block.queries_saved;
    }
};

}  // namespace scree
