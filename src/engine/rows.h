// The sums of the forces on the grains, block by block, and who waits for whom.
//
// A block is a number of grains that follow each other in storage (blocks.h). What two grains do to each other belongs
// to the block of the lower one. For a grain of a later block it leaves an outgoing row, which that block reads when it
// adds up, in the order of the owners; so the order of a sum depends on the storage order of grains alone. A block is
// complete when it and all blocks that look at its grains are done. It is then added up, kicked and moved while it is
// in the cache, and its rows serve the next block.
//
// Rejected: atomics (order varies), a force per contact and a gather per grain (98 in place of 56 ns per sphere at
// 10^6), a full list (each contact computed twice), rows of all grains (a fifth more memory traffic).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "engine/blocks.h"
#include "world/world.h"

namespace scree {

inline void add_to(ForceRow& row, const ForceRow& f) {
    using Row = double __attribute__((vector_size(64), may_alias));
    reinterpret_cast<Row&>(row) += reinterpret_cast<const Row&>(f);
}

// Rows for the sums of blocks under way: about one set per thread, used again and again. They are zero when taken, and
// have to be again when given back.
class RowPool {
  public:
    explicit RowPool(std::size_t rows) : rows_(rows) {}
    void reset();  // all sets are free
    ForceRow* take();
    void give_back(ForceRow* rows);

  private:
    std::size_t rows_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<ForceRow[]>> all_;
    std::vector<ForceRow*> free_;
};

class Rows {
  public:
    static constexpr std::uint32_t no_row = ~std::uint32_t{0};
    struct Incoming {
        std::uint32_t row;    // as its owner numbers what it writes
        std::uint32_t grain;  // counted from the first of the block
    };

    explicit Rows(std::size_t most) : blocks_(most), pool_(most) {}

    // Links the blocks. each_crossing(block, visit) calls visit(row, grain) for every row that the
    // block writes for a grain of another one, in the order of the sums; of a grain that it only looks at, with no_row.
    template <class EachCrossing>
    void link(const Blocks& blocks, EachCrossing&& each_crossing);
    const Blocks& blocks() const { return blocks_; }

    // Calls collide(block, worker) for all blocks, and finish(block, worker) for each as soon as it is complete. Then
    // nobody looks at its grains any more, and they may move. Rows that finish() or collide() have opened must be zero
    // when finish() ends.
    template <class Collide, class Finish>
    void sweep(Collide&& collide, Finish&& finish);

    // The sums of a block: zero when they are opened.
    ForceRow* open(std::size_t block) { return links_[block].sums = pool_.take(); }
    ForceRow* sums(std::size_t block) const { return links_[block].sums; }
    // What other blocks have written for this one, by owner.
    std::span<const Incoming> incoming(std::size_t block) const { return links_[block].incoming; }

  private:
    struct Link {
        std::vector<std::uint32_t> targets;  // other blocks that wait for this one
        std::vector<Incoming> incoming;
        int sources = 0;  // how many blocks this one waits for, itself included
        ForceRow* sums = nullptr;
    };

    std::vector<std::vector<std::uint32_t>> sources() const;
    void begin_sweep();

    Blocks blocks_;
    RowPool pool_;
    std::vector<Link> links_;                    // by block
    std::vector<std::atomic<int>> waiting_for_;  // of the sources, still to come in the current sweep
};

template <class EachCrossing>
void Rows::link(const Blocks& blocks, EachCrossing&& each_crossing) {
    blocks_ = blocks;
    links_.resize(blocks.count());
    waiting_for_ = std::vector<std::atomic<int>>(blocks.count());
    run_tasks(links_.size(), [&](std::size_t b, int) {
        std::vector<std::uint32_t>& targets = links_[b].targets;
        targets.clear();
        each_crossing(b, [&](std::uint32_t, std::size_t grain) {
            const auto target = static_cast<std::uint32_t>(blocks_.of(grain));
            if (std::find(targets.begin(), targets.end(), target) == targets.end()) targets.push_back(target);
        });
    });
    const std::vector<std::vector<std::uint32_t>> sources = this->sources();
    run_tasks(links_.size(), [&](std::size_t b, int) {
        links_[b].sources = 1 + static_cast<int>(sources[b].size());
        std::vector<Incoming>& incoming = links_[b].incoming;
        incoming.clear();
        for (const std::uint32_t source : sources[b])
            each_crossing(source, [&](std::uint32_t row, std::size_t grain) {
                if (row != no_row && blocks_.of(grain) == b)
                    incoming.push_back({row, static_cast<std::uint32_t>(grain - blocks_.first(b))});
            });
    });
}

template <class Collide, class Finish>
void Rows::sweep(Collide&& collide, Finish&& finish) {
    begin_sweep();
    const auto done_for = [&](std::size_t b, int worker) {
        if (waiting_for_[b].fetch_sub(1, std::memory_order_acq_rel) != 1) return;
        finish(b, worker);
        if (ForceRow* const used = std::exchange(links_[b].sums, nullptr)) pool_.give_back(used);
    };
    run_tasks(links_.size(), [&](std::size_t b, int worker) {
        collide(b, worker);
        done_for(b, worker);
        for (const std::uint32_t target : links_[b].targets) done_for(target, worker);
    });
}

}  // namespace scree
