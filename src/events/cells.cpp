#include "events/cells.h"

#include <algorithm>

namespace scree::events {

template <int D>
void Cells<D>::fill(std::span<const Flight<D>> grains, const Periods& periods, const double* drift) {
    std::copy(drift, drift + D, drift_.begin());
    double largest = 0, smallest = forever;
    std::array<double, D> low, high;
    low.fill(forever), high.fill(-forever);
    for (const Flight<D>& grain : grains) {
        largest = std::max(largest, grain.radius), smallest = std::min(smallest, grain.radius);
        for (int k = 0; k < D; ++k) low[k] = std::min(low[k], grain.x[k]), high[k] = std::max(high[k], grain.x[k]);
    }
    // A little wider than the grains: neighbors are known some time before they touch.
    const double least = 2 * largest * (1 + 1e-6);
    levels_ = 1;
    while (levels_ < most_levels && std::ldexp(least, -levels_) > 2 * smallest * (1 + 1e-7)) ++levels_;

    // Cells in all, on level 0: about one per grain in the space the grains take up.
    std::array<int, D> coarse;
    for (int k = 0; k < D; ++k) {
        periodic_[k] = periods.length[k] > 0;
        origin_[k] = periodic_[k] ? periods.low[k] : low[k] - 0.5 * least;
        const double extent = periodic_[k] ? periods.length[k] : high[k] - low[k] + 2 * least;
        coarse[k] = static_cast<int>(std::clamp(std::floor(extent / least), 1.0, 1e4));
        for (int level = 0; level < levels_; ++level) width_[level][k] = std::ldexp(periodic_[k] ? extent / coarse[k] : least, -level);
    }
    const auto product = [&] {
        double cells = 1;
        for (int k = 0; k < D; ++k) cells *= coarse[k];
        return cells;
    };
    // Folding more tightly costs a few strangers per cell; only axes without period may be folded.
    while (product() > 8.0 * static_cast<double>(grains.size()) + 64) {
        int widest = -1;
        for (int k = 0; k < D; ++k)
            if (!periodic_[k] && coarse[k] > 4 && (widest < 0 || coarse[k] > coarse[widest])) widest = k;
        if (widest < 0) break;
        coarse[widest] = (coarse[widest] + 1) / 2;
    }
    level_.resize(grains.size()), link_.resize(grains.size() + 1);
    counts_.fill(0);
    for (std::size_t i = 0; i < grains.size(); ++i) {
        int level = 0;
        while (level + 1 < levels_ && std::ldexp(least, -(level + 1)) > 2 * grains[i].radius * (1 + 1e-7)) ++level;
        level_[i] = static_cast<std::uint8_t>(level);
        ++counts_[static_cast<std::size_t>(level)];
    }
    std::size_t slots = 0;
    for (int level = 0; level < levels_; ++level) {
        std::size_t cells = 1;
        for (int k = 0; k < D; ++k) {
            // A level without grains needs no cells.
            counts_of_[level][k] = counts_[level] == 0 ? 1 : coarse[k] << level;
            cells *= static_cast<std::size_t>(counts_of_[level][k]);
        }
        first_[level] = slots;
        slots += cells;
    }
    head_.assign(slots, none());
    link_.back() = {};
    link_.back().next = none();
    for (std::size_t i = 0; i < grains.size(); ++i) {
        for (int k = 0; k < D; ++k)
            link_[i].cell[k] = static_cast<int>(std::floor((grains[i].x[k] - origin_[k]) / width_[level_[i]][k]));
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
typename Cells<D>::Crossing Cells<D>::next_crossing(Index i, const Flight<D>& grain, const double* g, double now) const {
    // The time to travel a distance, arriving forwards; rounding may have carried the grain past the border already.
    const auto arrival = [](double distance, double speed, double pull) {
        if (!(distance > 0)) return speed > 0 ? 0.0 : pull > 0 ? -2 * speed / pull : forever;
        const double root = speed * speed + 2 * pull * distance;
        if (speed > 0) return root < 0 ? forever : 2 * distance / (speed + std::sqrt(root));
        return pull > 0 ? (std::sqrt(root) - speed) / pull : forever;
    };
    Crossing first;
    const double s = now - grain.t;
    for (int k = 0; k < D; ++k) {
        const double width = width_[level_[i]][k];
        const double x = grain.x[k] + s * (grain.v[k] + 0.5 * s * g[k]) - drift_[k] * now, v = grain.v[k] + s * g[k] - drift_[k];
        const double low = origin_[k] + width * link_[i].cell[k], high = origin_[k] + width * (link_[i].cell[k] + 1);
        if (g[k] == 0) {
            if (v == 0) continue;
            const double time = now + std::max(v > 0 ? high - x : x - low, 0.0) / std::fabs(v);
            if (time < first.time) first = {time, k, v > 0 ? 1 : -1};
            continue;
        }
        const double up = now + arrival(high - x, v, g[k]), down = now + arrival(x - low, -v, -g[k]);
        if (up < first.time) first = {up, k, 1};
        if (down < first.time) first = {down, k, -1};
    }
    return first;
}

template class Cells<2>;
template class Cells<3>;

}  // namespace scree::events
