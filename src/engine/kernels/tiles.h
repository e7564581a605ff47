// Pairs in tiles of 64: what the kernel streams through. A tile holds the two bodies of each pair and the memory of
// their contact, structure of arrays, in one piece of memory (2 kB with three numbers of memory). Narrower tiles
// measured 15-35 % slower.
//
// Pairs of a chunk of grains are sorted by (i, j). Bodies are rows of the grain arrays; for wall contacts j counts the
// ghosts of the chunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "world/world.h"

namespace scree {

constexpr std::size_t tile_width = 64;

// A body in a tile is named by its place: its index times 8, so that rows of 64 and of 32 bytes are reached by the
// scaled addresses of the processor, without a shift. It leaves room for 2^29 bodies.
using Place = std::uint32_t;
constexpr std::size_t row_scale = 8;
constexpr std::size_t most_bodies = (std::size_t{1} << 32) / row_scale;
constexpr Place place_of(std::size_t index) { return static_cast<Place>(index * row_scale); }
constexpr Index index_at(Place place) { return place / static_cast<Place>(row_scale); }

// A view of one tile with `width` numbers of memory per pair.
struct TileView {
    Place* i;
    Place* j;
    double* memory;  // [width][tile_width]
};

class PairTiles {
  public:
    explicit PairTiles(int memory_width = 0) : bytes_(bytes(memory_width)) {}

    static constexpr std::size_t bytes(int memory_width) {
        return tile_width * (2 * sizeof(Place) + static_cast<std::size_t>(memory_width) * sizeof(double));
    }

    std::size_t pair_count() const { return pairs_; }
    std::size_t tile_count() const { return (pairs_ + tile_width - 1) / tile_width; }

    // Makes room for `pairs` pairs; contents are lost.
    void reset(std::size_t pairs) {
        pairs_ = pairs;
        const std::size_t tiles = tile_count();
        if (tiles > capacity_ || 2 * tiles + 8 < capacity_) {
            capacity_ = tiles + tiles / 16;
            data_.reset(capacity_ ? static_cast<std::byte*>(::operator new (capacity_* bytes_, std::align_val_t{64}))
                                  : nullptr);
        }
    }

    TileView tile(std::size_t t) const {
        std::byte* at = data_.get() + t * bytes_;
        auto* i = reinterpret_cast<Place*>(at);
        return {i, i + tile_width, reinterpret_cast<double*>(at + 2 * tile_width * sizeof(Place))};
    }

  private:
    struct Free {
        void operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{64}); }
    };
    std::size_t bytes_;
    std::size_t pairs_ = 0, capacity_ = 0;
    std::unique_ptr<std::byte, Free> data_;
};

}  // namespace scree
