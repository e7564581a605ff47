// Assembles a PairList from pairs found in parallel: each task of the search keeps its findings in buffers of its own,
// and the rows come out sorted whatever the order of the tasks was.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "core/parallel.h"
#include "neighbor/neighborhood.h"

namespace scree {

// Of a counting sort: first[k] becomes the sum of all counts before k, first.back() that of all; every count becomes
// the place where the next one of its kind goes.
inline void counts_to_starts(std::vector<std::atomic<std::uint32_t>>& counts, std::vector<std::uint32_t>& first) {
    first.resize(counts.size() + 1);
    std::uint32_t total = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        first[k] = total;
        total += counts[k].exchange(total, std::memory_order_relaxed);
    }
    first.back() = total;
}

// What one task found while searching for the balls [begin, end).
struct FoundPairs {
    std::vector<std::uint32_t> counts;                           // partners above, per ball of the task
    std::vector<std::uint32_t> partners;                         // of those, in order of the balls
    std::vector<std::pair<std::uint32_t, std::uint32_t>> below;  // pairs (lower, higher) whose lower ball is elsewhere
    std::size_t work = 0;                                        // cells and balls looked at
};

// Fills `pairs` for n balls from the findings of the fixed chunks of [0, n).
inline void assemble_rows(std::size_t n, std::size_t chunk, std::vector<FoundPairs>& found, PairList& pairs) {
    std::vector<std::atomic<std::uint32_t>> fill(n);
    run_tasks(found.size(), [&](std::size_t task, int) {
        for (std::size_t k = 0; k < found[task].counts.size(); ++k)
            fill[task * chunk + k].fetch_add(found[task].counts[k], std::memory_order_relaxed);
        for (const auto& pair : found[task].below) fill[pair.first].fetch_add(1, std::memory_order_relaxed);
    });
    counts_to_starts(fill, pairs.first);
    pairs.partners.resize(pairs.first.back());
    run_tasks(found.size(), [&](std::size_t task, int) {
        std::size_t k = 0;
        for (std::size_t b = 0; b < found[task].counts.size(); ++b) {
            std::uint32_t at = fill[task * chunk + b].fetch_add(found[task].counts[b], std::memory_order_relaxed);
            for (std::uint32_t c = 0; c < found[task].counts[b]; ++c) pairs.partners[at++] = found[task].partners[k++];
        }
        for (const auto& pair : found[task].below)
            pairs.partners[fill[pair.first].fetch_add(1, std::memory_order_relaxed)] = pair.second;
        found[task] = {};
    });
    parallel_for(
        n,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                std::sort(pairs.partners.begin() + pairs.first[i], pairs.partners.begin() + pairs.first[i + 1]);
        },
        chunk);
}

}  // namespace scree
