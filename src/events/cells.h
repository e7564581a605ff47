// Linked cells in levels, in which grains of any sizes find who is near.
//
// Level 0 has cells a little wider than the largest reach, each further level cells of half the width; a grain lives on
// the finest level whose cells are wider than itself. Two grains are near when their cells, both taken on the coarser of
// the two levels, are the same or adjacent. So a small grain looks at few others however large some grains are.
//
// Cell numbers are counted without bound, and folded onto a torus for storage. On periodic axes the torus is the period
// and the number of turns names the image; on others, grains that only seem near by folding are told apart by number. No
// extent of space needs to be known.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/large_pages.h"
#include "events/flight.h"

namespace scree::events {

struct Periods {
    Vec3 low, length;  // length 0: not periodic
};

using Image = std::array<std::int8_t, 3>;  // periods added to the partner

struct Neighbor {
    std::uint32_t grain;
    Image image;
    std::int8_t unused = 0;  // so that two can be compared as one number
    bool is_itself() const { return (image[0] | image[1] | image[2]) == 0; }  // and no image
    friend bool operator==(const Neighbor& a, const Neighbor& b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
};

template <int D>
class Cells {
  public:
    using Index = std::uint32_t;

    // Sorts in all grains. reach: half the width of cells that a grain needs.
    void fill(std::span<const double> reach, std::span<const std::array<double, D>> places, const Periods& periods);

    // Grain i is elsewhere now.
    void move(Index i, const double* place);

    // Writes everybody near i to `found` and returns their number. `found` grows as needed and never shrinks.
    std::size_t neighbors(Index i, std::vector<Neighbor>& found) const {
        const Link& own = link_[i];
        const int level = level_[i];
        std::array<int, D> low, high;
        std::size_t n = 0;
        for (int k = 0; k < D; ++k) low[k] = own.cell[k] - 1, high[k] = own.cell[k] + 1;
        look(i, level, low, high, found, n);
        for (int coarser = level - 1; coarser >= 0; --coarser) {
            if (counts_[coarser] == 0) continue;
            const int shift = level - coarser;
            for (int k = 0; k < D; ++k) low[k] = (own.cell[k] >> shift) - 1, high[k] = (own.cell[k] >> shift) + 1;
            look_on(i, coarser, low, high, found, n);
        }
        return n;
    }

  private:
    static constexpr int most_levels = 24;

    // The grains of a cell are a chain that ends with none(), a grain that does not exist but may be looked at.
    struct alignas(16) Link {
        int cell[D];
        Index next;
    };
    Index none() const { return static_cast<Index>(link_.size() - 1); }

    static int folded(int c, int n) {
        const int r = c % n;
        return r < 0 ? r + n : r;
    }
    std::size_t slot(int level, const std::array<int, D>& folded_cell) const {
        std::size_t at = 0;
        for (int k = D - 1; k >= 0; --k) at = at * static_cast<std::size_t>(counts_of_[level][k]) + static_cast<std::size_t>(folded_cell[k]);
        return first_[level] + at;
    }
    int cell_of(Index i, int axis, double place) const { return static_cast<int>(std::floor((place - origin_[axis]) / width_[level_[i]][axis])); }
    void link(Index i);
    void unlink(Index i);

    // The grains of cells [low, high] of a level and those of finer levels inside these cells.
    void look(Index i, int level, const std::array<int, D>& low, const std::array<int, D>& high, std::vector<Neighbor>& found, std::size_t& n) const {
        look_on(i, level, low, high, found, n);
        for (int below = level + 1; below < levels_; ++below) {
            if (counts_[below] == 0) continue;
            std::array<int, D> fine_low, fine_high;
            const int parts = 1 << (below - level);
            for (int k = 0; k < D; ++k) fine_low[k] = low[k] * parts, fine_high[k] = high[k] * parts + parts - 1;
            look_on(i, below, fine_low, fine_high, found, n);
        }
    }
    void look_on(Index i, int level, const std::array<int, D>& low, const std::array<int, D>& high, std::vector<Neighbor>& found, std::size_t& n) const {
        const std::array<int, D>& count = counts_of_[level];
        std::array<int, D> c = low, f, first;
        for (int k = 0; k < D; ++k) first[k] = f[k] = folded(low[k], count[k]);
        const Index end = none();
        for (;;) {
            // A row of cells along the first axis. The first grain of a cell is taken without a branch: whether a cell is
            // empty is a coin toss that processors cannot predict.
            std::size_t row = 0;
            for (int k = D - 1; k > 0; --k) row = (row + static_cast<std::size_t>(f[k])) * static_cast<std::size_t>(count[k - 1]);
            const Index* heads = head_.data() + first_[level] + row;
            for (c[0] = low[0], f[0] = first[0]; c[0] <= high[0]; ++c[0]) {
                Index j = heads[f[0]];
                if (++f[0] == count[0]) f[0] = 0;
                do {
                    if (n == found.size()) found.resize(2 * n + 64);
                    const Link& link = link_[j];
                    unsigned differs = 0;
                    for (int k = 0; k < D; ++k) differs |= static_cast<unsigned>(link.cell[k] ^ c[k]);
                    found[n] = {j, Image{}};
                    const bool is = (j != end) & (j != i);
                    if (is & (differs != 0)) n += is_image(link, c, count, found[n].image);
                    else n += is;
                    j = link.next;
                } while (j != end);
            }
            int k = 1;
            for (; k < D; ++k) {
                if (c[k] < high[k]) {
                    ++c[k];
                    if (++f[k] == count[k]) f[k] = 0;
                    break;
                }
                c[k] = low[k], f[k] = first[k];
            }
            if (k == D) return;
        }
    }
    // Whether a grain whose cell number is not c is there as an image, and which.
    bool is_image(const Link& link, const std::array<int, D>& c, const std::array<int, D>& count, Image& image) const {
        for (int k = 0; k < D; ++k) {
            const int difference = c[k] - link.cell[k];
            if (difference == 0) continue;
            if (!periodic_[k]) return false;
            image[static_cast<std::size_t>(k)] = static_cast<std::int8_t>(difference / count[k]);
        }
        return true;
    }

    int levels_ = 0;
    std::array<double, D> origin_{};
    std::array<std::array<double, D>, most_levels> width_{};  // of a cell
    std::array<bool, D> periodic_{};
    std::array<std::size_t, most_levels> first_{}, counts_{};  // first slot of a level; grains on it
    std::array<std::array<int, D>, most_levels> counts_of_{};  // cells along each axis
    LongVector<Index> head_;
    LongVector<Link> link_;  // of each grain, and of none()
    std::vector<std::uint8_t> level_;
};

extern template class Cells<2>;
extern template class Cells<3>;

}  // namespace scree::events
