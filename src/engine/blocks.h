// How the grains are cut into blocks: grains that follow each other in storage and belong together, to one task and to
// one sum.
//
// Blocks are even, and as long as a chunk of spheres or a part of it of bodies. A part of a world, which has only some
// of the grains, has the borders that they have in the whole: then every sum over contacts is the same sequence of
// additions (tests/determinism/restriction_test.cpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace scree {

// Of spheres: the unit of ownership.
constexpr std::size_t grain_chunk = 4096;
// Bodies are twenty to thirty times as dear as spheres: their tasks are parts of a chunk. Their sums do not depend on
// it.
constexpr std::size_t body_block = 64;
static_assert(grain_chunk % body_block == 0);

class Blocks {
  public:
    explicit Blocks(std::size_t most) : most_(most) {}

    // Even blocks for so many grains.
    void cover(std::size_t grains) {
        ends_.resize((grains + most_ - 1) / most_);
        for (std::size_t b = 0; b < ends_.size(); ++b) ends_[b] = std::min(grains, (b + 1) * most_);
        even_ = true;
    }
    // Blocks that end before these grains, ascending. None is longer than most().
    void cut(std::vector<std::size_t> ends) {
        ends_ = std::move(ends);
        even_ = false;
    }

    std::size_t most() const { return most_; }  // grains in a block
    std::size_t count() const { return ends_.size(); }
    std::size_t grains() const { return ends_.empty() ? 0 : ends_.back(); }
    std::size_t first(std::size_t block) const { return block ? ends_[block - 1] : 0; }
    std::size_t end(std::size_t block) const { return ends_[block]; }
    std::size_t of(std::size_t grain) const {
        if (even_) return grain / most_;
        return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), grain) - ends_.begin());
    }

  private:
    std::size_t most_;
    std::vector<std::size_t> ends_;
    bool even_ = true;
};

}  // namespace scree
