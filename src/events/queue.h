// The schedule: one pending event per item (a grain), smallest time first. Equal times are ordered by a tie number,
// then by item, so that the order of events does not depend on how the schedule came about. Tie numbers are asked for
// when times are equal; kept here they would be one more far line to write for every change.
//
// A tournament: times lie in the order of the items, in groups of eight (a line of the cache); the first of each group
// plays on in a binary tree, every node of which has the first of those below it. An event that changes is written in
// its place, and the nodes above are decided anew as far up as their winner changes: O(log n). Whom a winner will play
// against on its way up is known from the start, so nothing waits but a comparison per round, and no branch depends on
// who wins. Items near each other in space are near each other here too, so of a million pending events a change
// touches one far line, and a tree that stays in the cache. Rejected: a heap that knows where each item is; every level
// of a sinking event is two far lines and a far store. Leaving outdated events in the queue until they surface: the
// queue then grows with the number of collisions, and every one of them is sorted in vain. Groups of eight all the way
// up: fewer rounds, but each takes as long as four of these.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>
#ifdef __SSE2__
#    include <emmintrin.h>
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
        const std::size_t groups = std::max<std::size_t>((items + 7) / 8, 1);
        times_.assign(8 * groups, forever);
        leaves_ = std::bit_ceil(groups);
        depth_ = std::countr_zero(leaves_);
        nodes_.assign(2 * leaves_, Node{forever, 0});
        top_ = 0;
        top_time_ = forever;
        path_ = leaves_;
    }
    bool empty() const { return items_ == 0; }
    double top_time() const { return top_time_; }
    Item top() const { return top_; }
    // Who leads the half (quarter, eighth ... after 1, 2, 3 rounds) of all that the first event was last replaced in.
    // About 2^rounds other events will come before theirs.
    Item leader(int rounds) const {
        const int down = depth_ - rounds;
        return nodes_[down > 0 ? path_ >> down : path_].item;
    }
    // The event of an item will be changed soon.
    void expect(Item item) const {
        const std::size_t node = leaves_ + item / 8;
        __builtin_prefetch(&times_[item]);
        __builtin_prefetch(&nodes_[node]);
        __builtin_prefetch(&nodes_[node / 2]);
        __builtin_prefetch(&nodes_[node / 4]);
    }
    double time_of(Item item) const { return times_[item]; }

    // tie_of: the tie number of an item with a finite time.
    template <class Ties>
    void set(Item item, double time, const Ties& tie_of) {
        const std::size_t group = item / 8, own = item % 8;
        std::size_t node = leaves_ + group;
        if (nodes_[node].item != item && time > nodes_[node].time) {
            times_[item] = time;
            return;
        }
        double others;
        const unsigned equal = least_of_others(times_.data() + 8 * group, own, others);
        times_[item] = time;  // after the others have been read: what has just been written is slow to read as a whole
        const bool beaten = others < time;
        Item first = item;
        if ((others == time) | (beaten & ((equal & (equal - 1)) != 0))) {  // by ties
            first = winner_of(group, tie_of);
        } else {  // chosen without a branch, for the processor could only guess it
            const Item other = static_cast<Item>(8 * group) + static_cast<Item>(__builtin_ctz(equal | 256));
            first ^= (first ^ other) & -static_cast<Item>(beaten);
        }
        time = std::min(time, others);
        nodes_[node].item = first;
        nodes_[node].time = time;
        while (node > 1) {
            const Item opponent = nodes_[node ^ 1].item;
            const double its_time = nodes_[node ^ 1].time;
            bool loses = its_time < time;
            if (its_time == time) [[unlikely]]
                loses = is_before(its_time, opponent, time, first, tie_of);
            first ^= (first ^ opponent) & -static_cast<Item>(loses);
            time = std::min(time, its_time);
            node /= 2;
            // The same winner as before, who is not the one that has changed: nothing happens above.
            if ((first != item) & (nodes_[node].item == first) & (nodes_[node].time == time)) return;
            nodes_[node].item = first;
            nodes_[node].time = time;
        }
        top_ = first;
        top_time_ = time;
        path_ = leaves_ + group;
    }

  private:
    template <class Ties>
    static bool is_before(double time_a, Item a, double time_b, Item b, const Ties& tie_of) {
        if (time_a != time_b || time_a == forever) return time_a < time_b;
        const std::uint64_t tie_a = tie_of(a), tie_b = tie_of(b);
        return tie_a != tie_b ? tie_a < tie_b : a < b;
    }

    // The first of a group.
    template <class Ties>
    Item winner_of(std::size_t group, const Ties& tie_of) const {
        double least;
        unsigned equal = least_of_eight(times_.data() + 8 * group, least);
        const auto first = static_cast<Item>(8 * group);
        Item best = first + static_cast<Item>(__builtin_ctz(equal));
        if (least == forever) return std::min(best, static_cast<Item>(items_ - 1));
        for (equal &= equal - 1; equal != 0; equal &= equal - 1) {
            const Item other = first + static_cast<Item>(__builtin_ctz(equal));
            if (tie_of(other) < tie_of(best)) best = other;
        }
        return best;
    }
    // The least of eight numbers, and a bit for each that equals it.
    static unsigned least_of_eight(const double* t, double& least) { return least_of_others(t, 8, least); }
    // The same without one of them.
    static unsigned least_of_others(const double* t, std::size_t own, double& least) {
        // A window of this row has `forever` in the place of the one left out.
        alignas(16) static constexpr double without[8 + 1 + 8] = {
            -forever, -forever, -forever, -forever, -forever, -forever, -forever, -forever, forever,
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
    std::size_t items_ = 0;
    LongVector<double> times_;  // padded to a multiple of eight with `forever`
    // The tree: node 1 is the last round, below node k are 2k and 2k + 1, and the groups are the nodes from leaves_ on.
    struct Node {
        double time;
        Item item;
    };
    LongVector<Node> nodes_;
    std::size_t leaves_ = 1, path_ = 1;  // path: the group that last changed the first event
    int depth_ = 0;
    Item top_ = 0;
    double top_time_ = forever;
};

}  // namespace scree::events
