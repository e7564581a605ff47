#include "events/cells.h"

#include <algorithm>

namespace scree::events {

template <int D>
void Cells<D>::fill(std::span<const double> reach, std::span<const std::array<double, D>> places, const Periods& periods) {
    const std::size_t n = reach.size();
    double largest = 0, smallest = forever;
    std::array<double, D> low, high;
    low.fill(forever), high.fill(-forever);
    for (std::size_t i = 0; i < n; ++i) {
        largest = std::max(largest, reach[i]), smallest = std::min(smallest, reach[i]);
        for (int k = 0; k < D; ++k) low[k] = std::min(low[k], places[i][k]), high[k] = std::max(high[k], places[i][k]);
    }
    const double least = 2 * largest * (1 + 1e-6);
    std::array<int, D> coarse;
    for (int k = 0; k < D; ++k) {
        periodic_[k] = periods.length[k] > 0;
        origin_[k] = periodic_[k] ? periods.low[k] : low[k] - 0.5 * least;
        const double extent = periodic_[k] ? periods.length[k] : high[k] - low[k] + 2 * least;
        coarse[k] = static_cast<int>(std::clamp(std::floor(extent / least), 1.0, 1e4));
        width_[0][k] = periodic_[k] ? extent / coarse[k] : least;
    }
    // Levels down to the smallest grains, as long as their cells are not many more than grains. Folding more tightly costs a
    // few strangers per cell; only axes without period may be folded.
    for (levels_ = 0; levels_ < most_levels; ++levels_) {
        if (levels_ > 0 && !(std::ldexp(least, -levels_) > 2 * smallest * (1 + 1e-7))) break;
        std::array<int, D>& count = counts_of_[levels_];
        const auto product = [&] {
            double cells = 1;
            for (int k = 0; k < D; ++k) cells *= count[k];
            return cells;
        };
        for (int k = 0; k < D; ++k) count[k] = levels_ == 0 ? coarse[k] : periodic_[k] ? 2 * counts_of_[levels_ - 1][k] : coarse[k] << levels_;
        const double most = 8.0 * static_cast<double>(n) + 64;
        while (product() > most) {
            int widest = -1;
            for (int k = 0; k < D; ++k)
                if (!periodic_[k] && count[k] > 4 && (widest < 0 || count[k] > count[widest])) widest = k;
            if (widest < 0) break;
            count[widest] = (count[widest] + 1) / 2;
        }
        if (levels_ > 0 && product() > most) break;
        for (int k = 0; k < D && levels_ > 0; ++k) width_[levels_][k] = 0.5 * width_[levels_ - 1][k];
    }
    level_.resize(n), link_.resize(n + 1);
    counts_.fill(0);
    for (std::size_t i = 0; i < n; ++i) {
        int level = 0;
        while (level + 1 < levels_ && std::ldexp(least, -(level + 1)) > 2 * reach[i] * (1 + 1e-7)) ++level;
        level_[i] = static_cast<std::uint8_t>(level);
        ++counts_[static_cast<std::size_t>(level)];
    }
    std::size_t slots = 0;
    for (int level = 0; level < levels_; ++level) {
        std::size_t cells = 1;
        if (counts_[level] == 0) counts_of_[level].fill(1);  // a level without grains needs no cells
        for (int k = 0; k < D; ++k) cells *= static_cast<std::size_t>(counts_of_[level][k]);
        first_[level] = slots;
        slots += cells;
    }
    head_.assign(slots, none());
    link_.back() = {};
    link_.back().next = none();
    for (std::size_t i = 0; i < n; ++i) {
        for (int k = 0; k < D; ++k) link_[i].cell[k] = cell_of(static_cast<Index>(i), k, places[i][k]);
        link(static_cast<Index>(i));
    }
}

template <int D>
void Cells<D>::link(Index i) {
    std::array<int, D> f;
    for (int k = 0; k < D; ++k) f[k] = folded(link_[i].cell[k], counts_of_[level_[i]][k]);
    Index& head = head_[slot(level_[i], f)];
    link_[i].next = head;
    head = i;
}

template <int D>
void Cells<D>::unlink(Index i) {
    std::array<int, D> f;
    for (int k = 0; k < D; ++k) f[k] = folded(link_[i].cell[k], counts_of_[level_[i]][k]);
    Index* at = &head_[slot(level_[i], f)];
    while (*at != i) at = &link_[*at].next;
    *at = link_[i].next;
}

template <int D>
void Cells<D>::move(Index i, const double* place) {
    std::array<int, D> cell;
    bool same = true;
    for (int k = 0; k < D; ++k) cell[k] = cell_of(i, k, place[k]), same = same && cell[k] == link_[i].cell[k];
    if (same) return;
    unlink(i);
    std::copy(cell.begin(), cell.end(), link_[i].cell);
    link(i);
}

template class Cells<2>;
template class Cells<3>;

}  // namespace scree::events
