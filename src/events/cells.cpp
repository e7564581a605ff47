#include "events/cells.h"

#include <algorithm>

namespace scree::events {

template <int D>
void Cells<D>::fill(std::span<const double> reach, double room, std::span<const std::array<double, D>> places,
                    const Periodicity& periods) {
    const std::size_t n = reach.size();
    level_.assign(n, 0);
    // Levels by reach. The last one takes whatever is left.
    std::array<double, most_levels> smallest{};
    double above = forever;
    for (levels_ = 0; levels_ < most_levels; ++levels_) {
        double largest = 0;
        for (std::size_t i = 0; i < n; ++i)
            if (reach[i] < above) largest = std::max(largest, reach[i]);
        if (!(largest > 0)) break;
        double& least = smallest[levels_] = largest;
        for (std::size_t i = 0; i < n; ++i)
            if (reach[i] < above) {
                level_[i] = static_cast<std::uint8_t>(levels_);
                if (reach[i] >= 0.5 * largest) least = std::min(least, reach[i]);
            }
        largest_[levels_] = largest;
        above = 0.5 * largest;
    }
    std::array<double, D> low, high;
    low.fill(forever);
    high.fill(-forever);
    for (std::size_t i = 0; i < n; ++i)
        for (int k = 0; k < D; ++k) {
            low[k] = std::min(low[k], places[i][k]);
            high[k] = std::max(high[k], places[i][k]);
        }
    many_images_ = false;
    for (int k = 0; k < D; ++k) {
        periodic_[k] = periods.length[k] > 0;
        many_images_ = many_images_ || (periodic_[k] && n > 0 && 4.001 * largest_[0] > periods.length[k]);
        origin_[k] = periodic_[k] ? periods.low[k] : low[k];
    }
    // Cells in which not many more grains than fit a block have their centers, but no narrower than a reach: fewer
    // cells then serve. Not many more cells than grains: folding more tightly costs a few strangers per cell; periods
    // have wider cells.
    std::size_t blocks = 0;
    for (int level = 0; level < levels_; ++level) {
        std::array<int, D>& count = counts_of_[level];
        const double width = std::max((D == 2 ? 4.5 : 2.8) * (smallest[level] - room), largest_[level]);
        for (int k = 0; k < D; ++k) {
            const double extent = periodic_[k] ? periods.length[k] : high[k] - low[k] + width;
            count[k] = static_cast<int>(std::clamp(std::floor(extent / width), 1.0, 1e4));
        }
        const auto product = [&] {
            double cells = 1;
            for (int k = 0; k < D; ++k) cells *= count[k];
            return cells;
        };
        while (product() > 8.0 * static_cast<double>(n) + 64) {
            int& widest = *std::max_element(count.begin(), count.end());
            widest = (widest + 1) / 2;
        }
        for (int k = 0; k < D; ++k) per_width_[level][k] = periodic_[k] ? count[k] / periods.length[k] : 1 / width;
        first_[level] = blocks;
        blocks += static_cast<std::size_t>(product());
    }
    blocks_.assign(blocks, Block{});
    for (std::size_t i = 0; i < n; ++i) insert(static_cast<Index>(i), cell_of(static_cast<Index>(i), places[i].data()));
}

template <int D>
void Cells<D>::insert(Index i, const std::array<int, D>& cell) {
    Index at = block_of(level_[i], cell);
    while (blocks_[at].count == capacity) {
        if (blocks_[at].next == 0) {
            blocks_[at].next = static_cast<Index>(blocks_.size());
            blocks_.push_back(Block{});
        }
        at = blocks_[at].next;
    }
    Block& block = blocks_[at];
    block.grains[block.count++] = i;
}

template <int D>
void Cells<D>::remove(Index i, const std::array<int, D>& cell) {
    for (Index at = block_of(level_[i], cell);; at = blocks_[at].next) {
        Block& block = blocks_[at];
        Index* const end = block.grains + block.count;
        Index* const place = std::find(block.grains, end, i);
        if (place == end) continue;
        *place = end[-1];
        --block.count;
        return;
    }
}

template <int D>
void Cells<D>::move(Index i, const double* from, const double* to) {
    const std::array<int, D> before = cell_of(i, from), after = cell_of(i, to);
    if (before == after) return;
    remove(i, before);
    insert(i, after);
}

template class Cells<2>;
template class Cells<3>;

}  // namespace scree::events
