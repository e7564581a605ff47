// The schedule: one pending event per item (grain, or cell of the triangulation), smallest time first. Equal times are
// ordered by the tie number, then by item, so that the order of events does not depend on how the schedule came about.
//
// A tournament: times lie in the order of the items, in groups of eight (a line of the cache); the first of each group
// plays on in a group of the next level. An event that changes is written in its place, and the groups above it are
// decided anew as far up as their winner changes: O(log n). Items near each other in space are near each other here too,
// so of a million pending events a change touches one far line, and levels that stay in the cache.
// Rejected: a heap that knows where each item is; every level of a sinking event is two far lines and a far store. Leaving
// outdated events in the queue until they surface: the queue then grows with the number of collisions, and every one of
// them is sorted in vain.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/large_pages.h"
#include "scree/scene.h"

namespace scree::events {

class Queue {
  public:
    using Item = std::uint32_t;

    // All items with nothing pending.
    void reset(std::size_t items) {
        items_ = items;
        allocate(items);
    }
    // Adds items with nothing pending.
    void grow(std::size_t items) {
        if (items <= items_) return;
        items_ = items;
        if (items <= ties_.size()) return;
        const LongVector<double> times = std::move(levels_[0].times);
        const LongVector<std::uint64_t> ties = std::move(ties_);
        allocate(items + items / 2);
        std::copy(times.begin(), times.end(), levels_[0].times.begin());
        std::copy(ties.begin(), ties.end(), ties_.begin());
        for (std::size_t level = 0; level + 1 < levels_.size(); ++level)
            for (std::size_t group = 0; 8 * group < levels_[level].times.size(); ++group) {
                const Item winner = winner_of(level, group);
                Level& above = levels_[level + 1];
                above.items[group] = item_at(level, winner), above.times[group] = levels_[level].times[winner];
            }
        settle_top();
    }
    std::size_t size() const { return items_; }
    bool empty() const { return items_ == 0; }
    double top_time() const { return top_time_; }
    Item top() const { return top_; }
    double time_of(Item item) const { return levels_[0].times[item]; }

    void set(Item item, double time, std::uint64_t tie) {
        ties_[item] = tie;
        levels_[0].times[item] = time;
        std::size_t at = item;
        for (std::size_t level = 0; level + 1 < levels_.size(); ++level) {
            at /= 8;
            Level& above = levels_[level + 1];
            const bool won = above.items[at] == item;
            if (!won && time > above.times[at]) return;
            if (time < above.times[at]) {
                above.items[at] = item, above.times[at] = time;
                continue;
            }
            // It has given way, or times are equal: look at all of the group.
            const Item slot = winner_of(level, at), winner = item_at(level, slot);
            if (!won && winner != item) return;
            above.items[at] = winner, above.times[at] = levels_[level].times[slot];
        }
        settle_top();
    }

  private:
    struct Level {
        LongVector<double> times;  // padded to a multiple of eight with `forever`
        LongVector<Item> items;    // not on level 0, where they are their places
    };

    Item item_at(std::size_t level, Item slot) const { return level == 0 ? slot : levels_[level].items[slot]; }

    // The place, on its level, of the first of a group.
    Item winner_of(std::size_t level, std::size_t group) const {
        const double* t = levels_[level].times.data() + 8 * group;
        const double a = std::min(t[0], t[1]), b = std::min(t[2], t[3]), c = std::min(t[4], t[5]), d = std::min(t[6], t[7]);
        const double least = std::min(std::min(a, b), std::min(c, d));
        unsigned equal = 0;
        for (unsigned k = 0; k < 8; ++k) equal |= static_cast<unsigned>(t[k] == least) << k;
        const auto first = static_cast<Item>(8 * group);
        Item best = first + static_cast<Item>(__builtin_ctz(equal));
        equal &= equal - 1;
        if (equal == 0 || least == forever) return best;
        for (; equal != 0; equal &= equal - 1) {
            const Item other = first + static_cast<Item>(__builtin_ctz(equal));
            const Item p = item_at(level, other), q = item_at(level, best);
            if (ties_[p] < ties_[q] || (ties_[p] == ties_[q] && p < q)) best = other;
        }
        return best;
    }
    void settle_top() {
        const std::size_t last = levels_.size() - 1;
        const Item slot = winner_of(last, 0);
        top_ = item_at(last, slot), top_time_ = levels_[last].times[slot];
    }
    void allocate(std::size_t items) {
        ties_.assign(items, ~std::uint64_t{0});
        levels_.clear();
        std::size_t count = std::max<std::size_t>(items, 1);
        for (;;) {
            Level level;
            level.times.assign((count + 7) / 8 * 8, forever);
            if (!levels_.empty()) {
                level.items.resize(level.times.size());
                for (std::size_t k = 0, span = levels_.size(); k < level.items.size(); ++k) level.items[k] = static_cast<Item>(std::min(k << 3 * span, items - 1));
            }
            levels_.push_back(std::move(level));
            if (count <= 8) break;
            count = (count + 7) / 8;
        }
        top_ = 0, top_time_ = forever;
    }

    std::size_t items_ = 0;
    LongVector<std::uint64_t> ties_;
    std::vector<Level> levels_;
    Item top_ = 0;
    double top_time_ = forever;
};

}  // namespace scree::events
