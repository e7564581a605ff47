// Contacts of spheres with walls: tiles of pairs of a grain and a feature of a wall.
//
// The foot of the perpendicular becomes a ghost of radius 0 and infinite mass, with the velocity of the wall there, so
// that the kernel of pairs serves walls too. wall/wall.h says how joints and rims are not counted twice.
#pragma once

#include <vector>

#include "engine/blocks.h"
#include "engine/families/tile_scene.h"
#include "engine/near_lists.h"
#include "wall/walls.h"

namespace scree {

class SphereWalls {
  public:
    SphereWalls(const TileScene& scene, const Walls& walls) : scene_(scene), materials_(walls.materials) {}

    // Replaces the lists, sorted ones per chunk; memory is carried over by pair.
    void renew(std::vector<std::vector<WallPair>> pairs);
    // Adds the forces of a chunk's walls to its sums.
    void collide(std::size_t chunk, const Grains& grains, const Walls& walls, KernelArguments in, KernelResult& result);
    // What a chunk does to each wall; empty when it is near none.
    const std::vector<WallLoad>& loads(std::size_t chunk) const { return chunks_[chunk].loads; }

    std::size_t pair_count(std::size_t chunk) const { return chunks_[chunk].pairs.size(); }
    // Puts the ghosts where they were when memory was last written.
    void look(const Grains& grains, const Walls& walls);
    template <class Visit>
    void each_view(const Grains& grains, std::size_t chunk, Visit&& visit) const;
    // As of sphere_pairs.h.
    void remember(const Grains& grains, ContactMemory& out, bool let_go);
    void attach(const Grains& grains, const ContactMemory& memory, const Blocks& blocks);

  private:
    struct Remembered {  // in the order of the pairs
        std::vector<WallPair> pairs;
        std::vector<double> numbers;
    };
    struct Chunk {
        explicit Chunk(std::size_t width) : tiles(static_cast<int>(width)) {}
        PairTiles tiles;
        std::vector<WallPair> pairs;
        bool one_type = false;  // all of them are of one pair of materials
        std::vector<GrainRow> ghosts;
        std::vector<SpinRow> ghost_spins;
        std::vector<std::uint8_t> ghost_materials;
        std::vector<ForceRow> ghost_forces;
        std::vector<WallLoad> loads;
        Remembered remembered;  // set by attach(), used by the next renew()
        bool has_remembered = false;
    };

    Remembered read(const Chunk& chunk) const;
    void fill(Chunk& chunk, std::vector<WallPair>&& pairs) const;
    void resize(std::size_t chunks);
    void place_ghosts(Chunk& chunk, const Grains& grains, const Walls& walls) const;
    bool place_ghosts_alone(Chunk& chunk, std::size_t begin, std::size_t end, const Grains& grains,
                            const Walls& walls) const;
    void hand_over_memory(Chunk& chunk, std::size_t from, std::size_t to) const;
    static void load_walls(Chunk& chunk, const Walls& walls);

    const TileScene& scene_;
    std::vector<std::uint8_t> materials_;  // by wall
    std::vector<Chunk> chunks_;
};

template <class Visit>
void SphereWalls::each_view(const Grains& grains, std::size_t chunk, Visit&& visit) const {
    const Chunk& of = chunks_[chunk];
    for (std::size_t p = 0; p < of.pairs.size(); ++p) {
        const Index i = of.pairs[p].grain;
        const GrainRow& ghost = of.ghosts[p];
        ContactView view{};
        view.a = grains.id[i];
        view.wall = of.pairs[p].wall;
        view.feature = of.pairs[p].feature;
        if (scene_.look({grains.row[i], grains.spin[i]}, {ghost, of.ghost_spins[p]},
                        grains.position(i) - Vec3{ghost.x, ghost.y, ghost.z},
                        scene_.materials.type(grains.material[i], of.ghost_materials[p]), of.tiles.tile(p / tile_width),
                        p % tile_width, view))
            visit(view);
    }
}

}  // namespace scree
