#include "neighbor/pair_rows.h"

namespace scree {

void brute_pairs(const BallRows& balls, const Periodicity& periodicity, double reach, PairList& pairs) {
    constexpr std::size_t chunk = 64;
    std::vector<FoundPairs> found(chunk_count(balls.count, chunk));
    run_tasks(found.size(), [&](std::size_t task, int) {
        for (std::size_t i = task * chunk; i < std::min(balls.count, (task + 1) * chunk); ++i) {
            const std::size_t before = found[task].partners.size();
            for (std::size_t j = i + 1; j < balls.count; ++j)
                if (is_near(balls[i], balls[j], periodicity, reach))
                    found[task].partners.push_back(static_cast<std::uint32_t>(j));
            found[task].counts.push_back(static_cast<std::uint32_t>(found[task].partners.size() - before));
        }
    });
    assemble_rows(balls.count, chunk, found, pairs);
}

}  // namespace scree
