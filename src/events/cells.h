// Cells in levels, in which grains of any sizes find who is near.
//
// Level 0 holds the largest grains and all down to half their reach, level 1 the largest of the rest and all down to
// half of theirs, and so on: grains of nearly one size are on one level, whatever others there are. A grain looks, on
// each level, into the cells that its reach and the largest of the level touch. So a small grain looks at few others
// however large some grains are.
//
// A cell is a block of a few grains that is copied as a whole, whether full or not: how many there are is a coin toss
// that processors cannot predict. Cells with more go on in further blocks. Rejected: grains linked to chains, where
// every link is such a toss, and a far read that waits for the one before.
//
// Cell numbers are counted without bound, and folded onto a torus for storage. On periodic axes the torus is the period
// and the number of turns names the image; on others, strangers that only seem near by folding are left to the caller,
// who looks at distances. No extent of space needs to be known.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "core/large_pages.h"
#include "events/flight.h"
#include "math/periodicity.h"

namespace scree::events {

using Image = std::array<std::int8_t, 3>;  // periods added to the partner

struct Neighbor {
    std::uint32_t grain;
    Image image;
    std::int8_t unused = 0;  // so that two can be compared as one number
    friend bool operator==(const Neighbor& a, const Neighbor& b) {
        return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
    }
};

template <int D>
class Cells {
  public:
    using Index = std::uint32_t;

    // Those who may be near, and strangers; where more than one image of a grain may be near, the cell each was found
    // in.
    struct Found {
        std::size_t count = 0;
        std::vector<Index> grains, cells;
        std::vector<std::array<int, D>> looked_at;
    };

    // Sorts in all grains: two are near each other when their reaches overlap. room: part of every reach in which
    // others may be.
    void fill(std::span<const double> reach, double room, std::span<const std::array<double, D>> places,
              const Periodicity& periods);

    // Grain i is elsewhere now.
    void move(Index i, const double* from, const double* to);

    // Everybody who may be near a grain of this reach at this place, and this grain itself.
    void look(const double* place, double reach, Found& found) const {
        found.count = 0;
        found.looked_at.clear();
        for (int level = 0; level < levels_; ++level) {
            const double away = (reach + largest_[level]) * (1 + 1e-9);
            std::array<int, D> low, high;
            for (int k = 0; k < D; ++k) {
                low[k] = cell_at(level, k, place[k] - away);
                high[k] = cell_at(level, k, place[k] + away);
                if (!periodic_[k] || !many_images_)
                    high[k] = std::min(high[k], low[k] + counts_of_[level][k] - 1);  // each at most once
            }
            look_on(level, low, high, found);
        }
    }

    // Whether periods are so short that two images of a grain may be near: then one may be found as often.
    bool many_images() const { return many_images_; }
    // The image, seen from the place of the search, of the m-th found, of which this is the place, if there may be
    // many.
    Image image_of(const Found& found, std::size_t m, const double* place) const {
        Image image{};
        const std::array<int, D>& c = found.looked_at[found.cells[m]];
        const int level = level_[found.grains[m]];
        for (int k = 0; k < D; ++k) {
            const int turned = periodic_[k] ? c[k] - cell_at(level, k, place[k]) : 0;
            if (turned != 0)
                image[static_cast<std::size_t>(k)] = static_cast<std::int8_t>(turned / counts_of_[level][k]);
        }
        return image;
    }

  private:
    static constexpr int most_levels = 24;
    static constexpr Index capacity = D == 2 ? 6 : 14;

    struct alignas(4 * (capacity + 2)) Block {
        Index grains[capacity];
        Index count, next;  // next: where the cell goes on, or 0
    };

    static int folded(int c, int n) {
        const int r = c % n;
        return r < 0 ? r + n : r;
    }
    int cell_at(int level, int axis, double place) const {
        const double at = (place - origin_[axis]) * per_width_[level][axis];
        const int cell = static_cast<int>(at);
        return cell - (at < cell);
    }
    std::array<int, D> cell_of(Index i, const double* place) const {
        std::array<int, D> cell;
        for (int k = 0; k < D; ++k) cell[k] = cell_at(level_[i], k, place[k]);
        return cell;
    }
    Index block_of(int level, const std::array<int, D>& cell) const {
        std::size_t at = 0;
        for (int k = D - 1; k >= 0; --k)
            at = at * static_cast<std::size_t>(counts_of_[level][k]) +
                 static_cast<std::size_t>(folded(cell[k], counts_of_[level][k]));
        return static_cast<Index>(first_[level] + at);
    }
    void insert(Index i, const std::array<int, D>& cell);
    void remove(Index i, const std::array<int, D>& cell);

    // The grains of cells [low, high] of a level.
    void look_on(int level, const std::array<int, D>& low, const std::array<int, D>& high, Found& found) const {
        const std::array<int, D>& count = counts_of_[level];
        std::array<int, D> c = low, f, first;
        for (int k = 0; k < D; ++k) first[k] = f[k] = folded(low[k], count[k]);
        for (;;) {
            // A row of cells along the first axis.
            std::size_t row = 0;
            for (int k = D - 1; k > 0; --k)
                row = (row + static_cast<std::size_t>(f[k])) * static_cast<std::size_t>(count[k - 1]);
            row += first_[level];
            for (c[0] = low[0], f[0] = first[0]; c[0] <= high[0]; ++c[0]) {
                append(static_cast<Index>(row + static_cast<std::size_t>(f[0])), c, found);
                if (++f[0] == count[0]) f[0] = 0;
            }
            int k = 1;
            for (; k < D; ++k) {
                if (c[k] < high[k]) {
                    ++c[k];
                    if (++f[k] == count[k]) f[k] = 0;
                    break;
                }
                c[k] = low[k];
                f[k] = first[k];
            }
            if (k == D) return;
        }
    }
    void append(Index at, const std::array<int, D>& c, Found& found) const {
        if (many_images_) found.looked_at.push_back(c);
        do {
            const Block& block = blocks_[at];
            if (found.count + capacity > found.grains.size()) {
                found.grains.resize(2 * found.count + 64);
                found.cells.resize(found.grains.size());
            }
            std::memcpy(found.grains.data() + found.count, block.grains, sizeof block.grains);
            if (many_images_)
                for (Index m = 0; m < capacity; ++m)
                    found.cells[found.count + m] = static_cast<Index>(found.looked_at.size() - 1);
            found.count += block.count;
            at = block.next;
        } while (at != 0);
    }

    int levels_ = 0;
    std::array<double, D> origin_{};
    std::array<std::array<double, D>, most_levels> per_width_{};  // one over the width of a cell
    std::array<bool, D> periodic_{};
    bool many_images_ = false;
    std::array<double, most_levels> largest_{};                // reach
    std::array<std::size_t, most_levels> first_{};             // block of a level
    std::array<std::array<int, D>, most_levels> counts_of_{};  // cells along each axis
    LongVector<Block> blocks_;                                 // one per cell, then those in which cells go on
    std::vector<std::uint8_t> level_;
};

extern template class Cells<2>;
extern template class Cells<3>;

}  // namespace scree::events
