// Pairs in tiles of 64: what the kernel streams through. A tile holds the two bodies of each pair and the memory of
// their contact, structure of arrays, in one piece of memory (2 kB with three numbers of memory). Narrower tiles measured
// 15-35 % slower.
//
// Pairs of a chunk of grains are sorted by (i, j). Bodies are indices into the grain arrays; for wall contacts j counts
// the ghosts of the chunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "sim/world.h"

namespace scree {

constexpr std::size_t tile_width = 64;

// A view of one tile with `width` numbers of memory per pair.
struct TileView {
    Index* i;
    Index* j;
    double* memory;  // [width][tile_width]
};

class PairTiles {
  public:
    explicit PairTiles(int memory_width = 0) : bytes_(tile_width * (2 * sizeof(Index) + static_cast<std::size_t>(memory_width) * sizeof(double))) {}

    std::size_t pair_count() const { return pairs_; }
    std::size_t tile_count() const { return (pairs_ + tile_width - 1) / tile_width; }
    std::size_t bytes_per_tile() const { return bytes_; }
    std::size_t allocated_bytes() const { return capacity_ * bytes_; }

    // Makes room for `pairs` pairs; contents are lost.
    void reset(std::size_t pairs) {
        pairs_ = pairs;
        const std::size_t tiles = tile_count();
        if (tiles > capacity_ || 2 * tiles + 8 < capacity_) {
            capacity_ = tiles + tiles / 16;
            data_.reset(capacity_ ? static_cast<std::byte*>(::operator new(capacity_ * bytes_, std::align_val_t{64})) : nullptr);
        }
    }

    TileView tile(std::size_t t) const {
        std::byte* at = data_.get() + t * bytes_;
        auto* i = reinterpret_cast<Index*>(at);
        return {i, i + tile_width, reinterpret_cast<double*>(at + 2 * tile_width * sizeof(Index))};
    }

  private:
    struct Free {
        void operator()(std::byte* p) const { ::operator delete(p, std::align_val_t{64}); }
    };
    std::size_t bytes_;
    std::size_t pairs_ = 0, capacity_ = 0;
    std::unique_ptr<std::byte, Free> data_;
};

}  // namespace scree
