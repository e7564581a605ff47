// Which pieces of listed bodies may touch: found at a refresh, for the families of balls and of pieces.
#pragma once

#include <vector>

#include "engine/blocks.h"
#include "engine/families/body_pairs.h"
#include "engine/families/body_scene.h"
#include "engine/families/bonds.h"
#include "engine/families/piece_pairs.h"

namespace scree {

struct FoundPieces {  // by block
    std::vector<std::vector<BodyPair>> bodies;
    std::vector<std::vector<BallPair>> balls;
    std::vector<std::vector<PiecePair>> pieces;
    std::vector<std::vector<double>> marks;  // of pieces
    std::uint64_t queries = 0;               // of the distance of two pieces
};

// All pairs of pieces of the listed bodies that are closer than `reach`, but for bonded ones and those that cannot
// move.
FoundPieces find_pieces(const BodyScene& scene, const Grains& grains, const Blocks& blocks, const PairList& list,
                        const Bonds& bonds, double reach);

// Whether some pieces of two bodies are closer than the reach; for the audit.
bool pieces_are_near(const BodyScene& scene, const Grains& grains, std::size_t a, std::size_t b, double reach);

}  // namespace scree
