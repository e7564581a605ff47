// Pairs of bodies that may touch, and what the families leave for them in a step: one force per pair of bodies, whether
// it came from balls (ball_pairs.h) or from pieces (piece_pairs.h), so that both are added up in one order.
#pragma once

#include <span>
#include <vector>

#include "engine/kernels/body_kernel.h"
#include "engine/rows.h"

namespace scree {

struct BodyPairs {
    std::vector<BodyPair> pairs;         // by block, there by the lower and the higher place in storage
    std::vector<std::size_t> first;      // of each block; the end of the last one
    std::vector<PairForce> forces;       // by pair
    std::vector<std::uint8_t> touching;  // whether there is a force

    std::span<const BodyPair> of(std::size_t block) const {
        return {pairs.data() + first[block], first[block + 1] - first[block]};
    }
    // Takes over the lists of all blocks.
    void renew(std::span<const std::vector<BodyPair>> lists);
    void clear() { *this = {}; }
    // Before the families come: nothing touches.
    void reset(std::size_t block) {
        std::fill(touching.begin() + static_cast<std::ptrdiff_t>(first[block]),
                  touching.begin() + static_cast<std::ptrdiff_t>(first[block + 1]), std::uint8_t{0});
    }
    // The pairs in which a body of another block takes part: visit(pair, body).
    template <class Visit>
    void each_crossing(const Blocks& blocks, std::size_t block, Visit&& visit) const {
        for (std::size_t p = first[block]; p < first[block + 1]; ++p)
            if (const std::size_t last = pairs[p].last_stored(); blocks.of(last) != block)
                visit(static_cast<std::uint32_t>(p), last);
    }
    // Adds the forces of a block's pairs to its sums: first of those that earlier blocks own. So every body meets its
    // partners in the order of storage, however long a block is.
    void add_up(const BodyKernel& kernel, const Rows& rows, std::size_t block, ForceRow* sums) const;
};

}  // namespace scree
