// All contacts of a simulation: pair tiles by chunk of grains, their memory, and the sums of forces.
//
// Same bits for any thread count and any list of pairs: a chunk is 4096 consecutive grains; a pair belongs to the chunk
// of its lower index. Forces are summed in rows of the chunk: first those of pairs inside the chunk, which add to both
// grains, in the order of (i, j); then those of pairs with a grain of a later chunk, which write one outgoing row for
// it; then walls; then the rows that came in from earlier chunks, in the order of their owners. The order of a grain's
// sum so depends on the storage order of grains alone. A chunk is complete when it and all chunks with rows for it are
// done; it is then kicked and moved while it is in the cache, and its rows serve the next chunk. Rejected: atomics
// (order varies), a force per contact and a gather per grain (98 in place of 56 ns per grain at 10^6), a full list
// (each contact computed twice), rows of all grains (a fifth more memory traffic).
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "contact/materials.h"
#include "core/parallel.h"
#include "engine/kernels/kernel.h"
#include "engine/kernels/tiles.h"
#include "neighbor/grain_balls.h"
#include "wall/walls.h"
#include "world/contact_list.h"
#include "world/world.h"

namespace scree {

constexpr std::size_t grain_chunk = 4096;

// A grain and a feature of a wall that may touch.
struct WallPair {
    Index grain;
    std::int32_t wall, feature;
    friend auto operator<=>(const WallPair&, const WallPair&) = default;
};

// Rows for the sums of chunks under way: about one set per thread, used again and again. They are zero when taken, and
// have to be again when given back.
class RowPool {
  public:
    void reset();  // all sets are free
    ForceRow* take();
    void give_back(ForceRow* rows);

  private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<ForceRow[]>> all_;
    std::vector<ForceRow*> free_;
};

class Contacts {
  public:
    Contacts(const MaterialTable& materials, const Walls& walls, const Periodicity& periodicity, double time_step);

    // Replaces the lists of pairs; memory is carried over by pair. wall_pairs holds a sorted list per chunk.
    void refresh(const Grains& grains, const PairList& pairs, std::vector<std::vector<WallPair>> wall_pairs);
    // Takes all memory out of the tiles, by identity, and clears the lists; the grains may then be permuted, removed or
    // added to before attach() and refresh().
    ContactMemory detach(const Grains& grains);
    void attach(const Grains& grains, const ContactMemory& memory);
    // As detach, without clearing: for checkpoints.
    ContactMemory memory(const Grains& grains) const;

    // Makes the contacts of restored grains known to observers, as the collide() before the checkpoint did.
    void look(const Grains& grains, const Walls& walls);
    // With a step of 0, collide() leaves all memory as it is: forces at the start of a run.
    void set_time_step(double time_step) { time_step_ = time_step; }

    // Computes all contact forces at the current positions and velocities. finish(chunk, worker) is called once for
    // each chunk of grains, as soon as all forces on its grains are known and nobody reads them any more: it takes the
    // sums (forces_on), leaves zeros, and may move the grains.
    void collide(Grains& grains, const Walls& walls, TaskRef finish);
    // Sums of the forces on the grains of a chunk; while it is being finished.
    ForceRow* forces_on(std::size_t chunk) const { return chunks_[chunk].force; }

    double max_overlap() const { return max_overlap_; }  // in the last collide()
    std::size_t contact_count() const { return contact_count_; }
    std::size_t pair_count() const { return pair_count_; }
    std::span<const WallLoad> wall_loads() const { return loads_; }  // per wall, in the last collide()

    // Touching pairs with their forces as of now, in canonical order.
    std::vector<ContactView> views(const Grains& grains) const;
    void each_view(const Grains& grains, const std::function<void(const ContactView&)>& visit) const;
    double elastic_energy(const Grains& grains) const;

  private:
    // Living memory of one chunk in the order of its pairs: inside, across, each by (i, j).
    struct Remembered {
        std::vector<Index> i, j;
        std::vector<double> memory;
        std::vector<WallPair> wall_pairs;
        std::vector<double> wall_memory;
    };
    struct Incoming {
        std::uint32_t row;  // of outgoing_
        Index grain;        // counted from the first of the chunk
    };
    struct Chunk {
        explicit Chunk(int memory_width) : inside(memory_width), across(memory_width), wall_tiles(memory_width) {}

        PairTiles inside, across, wall_tiles;  // pairs within the chunk, with grains of later chunks, with walls
        std::vector<WallPair> wall_pairs;
        bool one_wall_type = false;  // all of them are of one pair of materials
        std::vector<GrainRow> ghosts;
        std::vector<SpinRow> ghost_spins;
        std::vector<std::uint8_t> ghost_materials;
        std::vector<ForceRow> ghost_forces;
        std::size_t first_outgoing = 0;
        std::vector<std::uint32_t> targets;  // chunks that its outgoing rows go to
        std::vector<Incoming> incoming;      // rows from earlier chunks, in their order
        ForceRow* force = nullptr;           // sums, from the first collision to the last grain moved
        Remembered remembered;               // set by attach(), used by the next refresh()
        bool has_remembered = false;
        std::vector<WallLoad> loads;
        KernelResult result;
    };

    void remember(const Chunk& chunk, Remembered& out) const;
    template <class Done>
    ContactMemory collect_memory(const Grains& grains, Done&& done_with) const;
    void fill_tiles(Chunk& chunk, std::size_t begin, std::size_t end, const PairList& pairs,
                    std::vector<WallPair>&& wall_pairs);
    void link_outgoing();
    void place_ghosts(Chunk& chunk, const Grains& grains, const Walls& walls) const;
    bool place_ghosts_alone(Chunk& chunk, std::size_t begin, std::size_t end, const Grains& grains,
                            const Walls& walls) const;
    void hand_over_memory(Chunk& chunk, std::size_t from, std::size_t to) const;
    void load_walls(Chunk& chunk, const Walls& walls) const;
    void collide_chunk(std::size_t c, const Grains& grains, const Walls& walls);
    void gather(Chunk& chunk) const;
    KernelArguments arguments(const Grains& grains) const;
    template <class Visit>
    void visit_contacts(const Grains& grains, Visit&& visit) const;

    const MaterialTable& materials_;
    Periodicity periodicity_;
    double time_step_;
    int width_;
    CollideFunction collide_;
    std::vector<std::uint8_t> wall_materials_;
    std::vector<Chunk> chunks_;
    std::vector<ForceRow> outgoing_;
    RowPool rows_;
    std::vector<int> sources_;                   // per chunk, how many chunks have rows for it, itself included
    std::vector<std::atomic<int>> waiting_for_;  // of these, still to come in the current step
    std::vector<WallLoad> loads_;
    double max_overlap_ = 0;
    std::size_t contact_count_ = 0, pair_count_ = 0;
};

}  // namespace scree
