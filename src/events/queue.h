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
#include <array>
#include <cstdint>
#include <vector>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

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
    // Who came to lead when the first event was last replaced: of all up to 8, 64, 512 ... before the last round. So many other events
    // or so will come before theirs.
    int rounds() const { return static_cast<int>(levels_.size()); }
    Item leader(int before_last) const { return leaders_[rounds() - 1 - before_last]; }
    double time_of(Item item) const { return levels_[0].times[item]; }

    void set(Item item, double time, std::uint64_t tie) {
        ties_[item] = tie;
        // The first of the group so far, and its place; in each level the others of the group are looked at independently of
        // who comes up from below, so that the processor can do all levels at once.
        Item first = item;
        std::size_t at = item;
        for (std::size_t level = 0;; ++level, at /= 8) {
            Level& here = levels_[level];
            const bool last = level + 1 == levels_.size();
            const double leading = last ? forever : levels_[level + 1].times[at / 8];
            const bool open = last || (levels_[level + 1].items[at / 8] == item) | (time == leading);
            const std::size_t group = at & ~std::size_t{7};
            double others = forever;
            unsigned equal = 0;
            if (open) equal = least_of_others(here.times.data() + group, at - group, others);
            here.times[at] = time;  // after the others have been read: what has just been written is slow to read as a whole
            if (level > 0) here.items[at] = first;
            if (!open) {
                if (time > leading) return;
                continue;
            }
            const bool beaten = others < time;
            if ((others == time) | (beaten & ((equal & (equal - 1)) != 0))) {  // by ties
                at = winner_of(level, at / 8);
            } else {  // chosen without a branch, for the processor could only guess it
                const std::size_t other = group + static_cast<std::size_t>(__builtin_ctz(equal));
                at ^= (at ^ other) & -static_cast<std::size_t>(beaten);
            }
            first = item_at(level, static_cast<Item>(at));
            time = std::min(time, others);
            leaders_[level] = first;
            if (last) break;
        }
        top_ = first, top_time_ = time;
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
        double least;
        unsigned equal = least_of_eight(t, least);
        const auto first = static_cast<Item>(8 * group);
        Item best = first + static_cast<Item>(__builtin_ctz(equal));
        equal &= equal - 1;
        if (equal == 0 || least == forever) return best;
        // Of equal ones, items to the right have higher numbers.
        for (; equal != 0; equal &= equal - 1) {
            const Item other = first + static_cast<Item>(__builtin_ctz(equal));
            if (ties_[item_at(level, other)] < ties_[item_at(level, best)]) best = other;
        }
        return best;
    }
    // The least of eight numbers, and a bit for each that equals it.
    static unsigned least_of_eight(const double* t, double& least) { return least_of_others(t, 8, least); }
    // The same without one of them.
    static unsigned least_of_others(const double* t, std::size_t own, double& least) {
        // A window of this row has `forever` in the place of the one left out.
        alignas(16) static constexpr double without[8 + 1 + 8] = {-forever, -forever, -forever, -forever, -forever, -forever, -forever, -forever, forever,
                                                                  -forever, -forever, -forever, -forever, -forever, -forever, -forever, -forever};
        const double* mask = without + 8 - own;
#ifdef __SSE2__
        const auto pair = [&](int k) { return _mm_max_pd(_mm_load_pd(t + k), _mm_loadu_pd(mask + k)); };
        const __m128d a = pair(0), b = pair(2), c = pair(4), d = pair(6);
        __m128d m = _mm_min_pd(_mm_min_pd(a, b), _mm_min_pd(c, d));
        m = _mm_min_pd(m, _mm_shuffle_pd(m, m, 1));
        least = _mm_cvtsd_f64(m);
        const auto bits = [&](__m128d v) { return static_cast<unsigned>(_mm_movemask_pd(_mm_cmpeq_pd(v, m))); };
        return bits(a) | bits(b) << 2 | bits(c) << 4 | bits(d) << 6;
#else
        least = forever;
        for (int k = 0; k < 8; ++k) least = std::min(least, std::max(t[k], mask[k]));
        unsigned equal = 0;
        for (unsigned k = 0; k < 8; ++k) equal |= static_cast<unsigned>(std::max(t[k], mask[k]) == least) << k;
        return equal;
#endif
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
        leaders_.fill(0);
    }

    std::size_t items_ = 0;
    LongVector<std::uint64_t> ties_;
    std::vector<Level> levels_;
    std::array<Item, 12> leaders_{};  // of the groups on the path of the last item that changed, as far as they were decided
    Item top_ = 0;
    double top_time_ = forever;
};

}  // namespace scree::events
