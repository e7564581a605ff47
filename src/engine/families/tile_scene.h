// What both families of spheres know (sphere_pairs.h, sphere_walls.h), and how they keep memory in tiles.
#pragma once

#include <utility>

#include "contact/materials.h"
#include "engine/kernels/kernel.h"
#include "engine/kernels/tiles.h"
#include "neighbor/neighborhood.h"
#include "world/contact_list.h"
#include "world/world.h"

namespace scree {

struct TileScene {
    TileScene(const MaterialTable& materials, const Periodicity& periodicity, double time_step);

    // For the kernel: all but the tiles and where forces go.
    KernelArguments arguments(const Grains& grains) const;

    // A pair as it is now, recomputed from positions, velocities and memory, with no time passing. False when it does
    // not touch. `separation`: of the first from the second.
    struct Body {
        const GrainRow& row;
        const SpinRow& spin;
    };
    bool look(const Body& a, const Body& b, Vec3 separation, std::uint16_t type, const TileView& tile, std::size_t lane,
              ContactView& view) const;

    const MaterialTable& materials;
    Periodicity periodicity;
    double time_step;   // 0: memory stays as it is, for forces at the start of a run
    std::size_t width;  // numbers of memory per pair
    CollideFunction collide;
};

// Memory of one lane of a tile.
inline bool remembers(const double* memory, std::size_t lane, std::size_t width) {
    for (std::size_t m = 0; m < width; ++m)
        if (memory[m * tile_width + lane] != 0) return true;
    return false;
}
// `from` is null for a pair that begins.
inline void set_memory(const TileView& tile, std::size_t lane, std::size_t width, const double* from) {
    for (std::size_t m = 0; m < width; ++m) tile.memory[m * tile_width + lane] = from ? from[m] : 0;
}
// Unused lanes of the last tile repeat its first pair, so that every lane may be loaded.
inline void pad(const PairTiles& tiles, std::size_t width) {
    const std::size_t count = tiles.pair_count();
    if (count % tile_width == 0) return;
    const TileView tile = tiles.tile(count / tile_width);
    for (std::size_t k = count % tile_width; k < tile_width; ++k) {
        tile.i[k] = tile.i[0];
        tile.j[k] = tile.j[0];
        set_memory(tile, k, width, nullptr);
    }
}
// Calls keep(p) for each pair that remembers something, and appends its numbers.
template <class Keep>
void collect_memory(const PairTiles& tiles, std::size_t width, Keep&& keep, std::vector<double>& numbers) {
    for (std::size_t p = 0; p < tiles.pair_count(); ++p) {
        const TileView tile = tiles.tile(p / tile_width);
        if (!remembers(tile.memory, p % tile_width, width)) continue;
        keep(p);
        for (std::size_t m = 0; m < width; ++m) numbers.push_back(tile.memory[m * tile_width + p % tile_width]);
    }
}
inline std::size_t count_living(const PairTiles& tiles, std::size_t width) {
    std::size_t count = 0;
    for (std::size_t p = 0; p < tiles.pair_count(); ++p)
        count += remembers(tiles.tile(p / tile_width).memory, p % tile_width, width);
    return count;
}

}  // namespace scree
