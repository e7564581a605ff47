// Contacts between spheres: tiles of pairs by chunk, with their memory in place.
//
// Pairs inside a chunk and pairs with a grain of a later chunk are in tiles of their own. The first add to the sums of
// both grains, the second to one and write an outgoing row for the other (rows.h); both in the order of (i, j).
#pragma once

#include <functional>
#include <vector>

#include "engine/families/tile_scene.h"
#include "engine/rows.h"

namespace scree {

class SpherePairs {
  public:
    explicit SpherePairs(const TileScene& scene) : scene_(scene) {}

    // Replaces the lists; memory is carried over by pair.
    void renew(const Grains& grains, const PairList& list, const Blocks& blocks);
    // The rows that a chunk writes for grains of later ones.
    template <class Visit>
    void each_crossing(std::size_t chunk, Visit&& visit) const {
        const Chunk& of = chunks_[chunk];
        for (std::size_t p = 0; p < of.across.pair_count(); ++p)
            visit(static_cast<std::uint32_t>(of.first_outgoing + p),
                  std::size_t{index_at(of.across.tile(p / tile_width).j[p % tile_width])});
    }

    // Adds the forces of a chunk's pairs to its sums.
    void collide(std::size_t chunk, KernelArguments in, KernelResult& result);
    // Adds what earlier chunks have written.
    void add_incoming(const Rows& rows, std::size_t chunk) const;

    std::size_t size() const { return size_; }
    std::size_t chunk_count() const { return chunks_.size(); }
    std::size_t pair_count(std::size_t chunk) const {
        return chunks_[chunk].inside.pair_count() + chunks_[chunk].across.pair_count();
    }
    template <class Visit>
    void each_view(const Grains& grains, std::size_t chunk, Visit&& visit) const;
    // Appends all memory, by identity. With `let_go` what has been read is given up, chunk by chunk: all of it twice
    // would be the most memory of a run.
    void remember(const Grains& grains, ContactMemory& out, bool let_go);
    void attach(const Grains& grains, const ContactMemory& memory, const Blocks& blocks);

  private:
    struct Remembered {  // living memory of a chunk in the order of its pairs: inside, across, each by (i, j)
        std::vector<Index> i, j;
        std::vector<double> numbers;
    };
    struct Chunk {
        explicit Chunk(std::size_t width) : inside(static_cast<int>(width)), across(static_cast<int>(width)) {}
        PairTiles inside, across;
        std::size_t first_outgoing = 0;
        Remembered remembered;  // set by attach(), used by the next renew()
        bool has_remembered = false;
    };

    Remembered read(const Chunk& chunk) const;
    void fill(Chunk& chunk, std::size_t begin, std::size_t end, const PairList& list);
    void resize(std::size_t chunks);

    const TileScene& scene_;
    std::vector<Chunk> chunks_;
    std::vector<ForceRow> outgoing_;
    std::size_t size_ = 0;
};

template <class Visit>
void SpherePairs::each_view(const Grains& grains, std::size_t chunk, Visit&& visit) const {
    for (const PairTiles* tiles : {&chunks_[chunk].inside, &chunks_[chunk].across})
        for (std::size_t p = 0; p < tiles->pair_count(); ++p) {
            const TileView tile = tiles->tile(p / tile_width);
            const Index i = index_at(tile.i[p % tile_width]), j = index_at(tile.j[p % tile_width]);
            ContactView view{};
            view.a = grains.id[i];
            view.b = grains.id[j];
            if (scene_.look({grains.row[i], grains.spin[i]}, {grains.row[j], grains.spin[j]},
                            scene_.periodicity.nearest(grains.position(i) - grains.position(j)),
                            scene_.materials.type(grains.material[i], grains.material[j]), tile, p % tile_width, view))
                visit(view);
        }
}

}  // namespace scree
