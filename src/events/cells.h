// The grid neighborhood of hard grains: linked cells in levels, entered and left by events.
//
// Level 0 has cells a little wider than the largest grain, each further level cells of half the width; a grain lives on
// the finest level whose cells are wider than itself. Two grains are neighbors when their cells, both taken on the
// coarser of the two levels, are the same or adjacent. So a small grain looks at few others however large some grains
// are. When a grain crosses into the next cell, only the slab of cells that has become adjacent is new to it, on its own
// level, and on coarser ones where it crosses a border there too.
//
// Cell numbers are counted without bound, and folded onto a torus for storage. On periodic axes the torus is the period
// and the number of turns names the image; on others, grains that only seem near by folding are told apart by number. No
// extent of space needs to be known.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "events/flight.h"

namespace scree::events {

struct Periods {
    Vec3 low, length;  // length 0: not periodic
};

using Image = std::array<std::int8_t, 3>;  // periods added to the partner

template <int D>
class Cells {
  public:
    using Index = std::uint32_t;

    // Sorts in all grains, known at time 0.
    void fill(std::span<const Flight<D>> grains, const Periods& periods);

    // Calls visit(j, image) for every neighbor of i.
    template <class Visit>
    void neighbors(Index i, Visit&& visit) const {
        std::array<int, D> low, high;
        for (int k = 0; k < D; ++k) low[k] = cell_[i][k] - 1, high[k] = cell_[i][k] + 1;
        look(i, level_[i], low, high, true, visit);
        for (int level = level_[i] - 1; level >= 0; --level) {
            if (counts_[level] == 0) continue;
            const int shift = level_[i] - level;
            for (int k = 0; k < D; ++k) low[k] = (cell_[i][k] >> shift) - 1, high[k] = (cell_[i][k] >> shift) + 1;
            look(i, level, low, high, false, visit);
        }
    }

    struct Crossing {
        double time = forever;
        int axis = 0, step = 0;
    };
    // The next border that grain i, which is where its flight says, crosses after `now`.
    Crossing next_crossing(Index i, const Flight<D>& grain, const double* g, double now) const;

    // Moves i to the next cell and calls visit(j, image) for every neighbor this makes.
    template <class Visit>
    void cross(Index i, int axis, int step, Visit&& visit) {
        unlink(i);
        const int before = cell_[i][axis];
        cell_[i][axis] += step;
        link(i);
        std::array<int, D> low, high;
        for (int level = level_[i]; level >= 0; --level) {
            const int shift = level_[i] - level;
            if (before >> shift == cell_[i][axis] >> shift) break;
            if (counts_[level] == 0) continue;
            for (int k = 0; k < D; ++k) low[k] = (cell_[i][k] >> shift) - 1, high[k] = (cell_[i][k] >> shift) + 1;
            low[axis] = high[axis] = (cell_[i][axis] >> shift) + step;
            look(i, level, low, high, level == level_[i], visit);
        }
    }

  private:
    static constexpr Index none = ~Index{0};
    static constexpr int most_levels = 24;

    static int folded(int c, int n) {
        const int r = c % n;
        return r < 0 ? r + n : r;
    }
    std::size_t slot(int level, const std::array<int, D>& folded_cell) const {
        std::size_t at = 0;
        for (int k = D - 1; k >= 0; --k) at = at * static_cast<std::size_t>(counts_of_[level][k]) + static_cast<std::size_t>(folded_cell[k]);
        return first_[level] + at;
    }
    void link(Index i);
    void unlink(Index i);

    // The grains of cells [low, high] of a level; with `finer`, also those of finer levels inside these cells.
    template <class Visit>
    void look(Index i, int level, const std::array<int, D>& low, const std::array<int, D>& high, bool finer, Visit&& visit) const {
        look_on(i, level, low, high, visit);
        if (!finer) return;
        for (int below = level + 1; below < levels_; ++below) {
            if (counts_[below] == 0) continue;
            std::array<int, D> fine_low, fine_high;
            const int parts = 1 << (below - level);
            for (int k = 0; k < D; ++k) fine_low[k] = low[k] * parts, fine_high[k] = high[k] * parts + parts - 1;
            look_on(i, below, fine_low, fine_high, visit);
        }
    }
    template <class Visit>
    void look_on(Index i, int level, const std::array<int, D>& low, const std::array<int, D>& high, Visit&& visit) const {
        std::array<int, D> c = low, f;
        std::array<int, D> first;
        for (int k = 0; k < D; ++k) first[k] = f[k] = folded(low[k], counts_of_[level][k]);
        for (;;) {
            for (Index j = head_[slot(level, f)]; j != none; j = next_[j]) {
                if (j == i) continue;
                Image image{};
                bool same = true;
                for (int k = 0; k < D; ++k) {
                    const int difference = c[k] - cell_[j][k];
                    if (difference == 0) continue;
                    if (periodic_[k]) image[static_cast<std::size_t>(k)] = static_cast<std::int8_t>(difference / counts_of_[level][k]);
                    else same = false;
                }
                if (same) visit(j, image);
            }
            int k = 0;
            for (; k < D; ++k) {
                if (c[k] < high[k]) {
                    ++c[k];
                    if (++f[k] == counts_of_[level][k]) f[k] = 0;
                    break;
                }
                c[k] = low[k], f[k] = first[k];
            }
            if (k == D) return;
        }
    }

    int levels_ = 0;
    std::array<double, D> origin_{};
    std::array<std::array<double, D>, most_levels> width_{};  // of a cell
    std::array<bool, D> periodic_{};
    std::array<std::size_t, most_levels> first_{}, counts_{};  // first slot of a level; grains on it
    std::array<std::array<int, D>, most_levels> counts_of_{};  // cells along each axis
    std::vector<Index> head_, next_;
    std::vector<std::array<int, D>> cell_;
    std::vector<std::uint8_t> level_;
};

extern template class Cells<2>;
extern template class Cells<3>;

}  // namespace scree::events
