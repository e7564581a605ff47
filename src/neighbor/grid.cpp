// Hashed grids, one per octave of radius.
//
// A ball lives in the grid of its own octave, whose cells are as wide as the largest reach between two balls of that
// octave. Ball i looks for partners in its own grid (in the cells after its own, and those after it in its own cell)
// and in all coarser grids; partners in finer grids find i themselves. So a pair is met exactly once, each look-up
// visits at most three cells per axis, and a large ball among many small ones costs nothing extra. Lazarević et al.
// 2002 puts a ball into up to eight cubes and recognises a repeated pair by its midpoint; one cell per ball and a range
// of cells per look-up needs neither the copies nor the test.
//
// Cells are numbered in row-major order. In an ordinary dense box every cell has its own place in the table, and the
// cells of a row that a ball reaches are one stretch of memory. When space is too empty for that, numbers are hashed by
// their lowest bits, so that stray balls far away cost no cells.
#include <array>
#include <bit>
#include <cmath>

#include "neighbor/pair_rows.h"

namespace scree {
namespace {

constexpr std::size_t search_chunk = 512;

struct Entry {
    double x, y, z, radius;
    std::uint32_t ball;
    std::uint32_t check;  // further bits of the cell's number, to tell cells in one bucket apart
};

struct Level {
    double largest = 0;  // radius
    std::array<double, 3> low{}, inverse_width{};
    std::array<std::int64_t, 3> cells{};  // along periodic axes exactly this many, else within the bounding box
    int bits = 64;                        // of a cell's number that make its bucket
    std::vector<std::uint32_t> first;     // bucket -> entries
    std::vector<Entry> entries;

    using Cell = std::array<std::int64_t, 3>;

    // Where a ball of this level is kept.
    Cell home(const double* ball) const {
        Cell cell{};
        for (int axis = 0; axis < 3; ++axis)
            cell[static_cast<std::size_t>(axis)] =
                std::clamp<std::int64_t>(cell_of(ball[axis], axis), 0, cells[static_cast<std::size_t>(axis)] - 1);
        return cell;
    }
    std::int64_t cell_of(double x, int axis) const {
        constexpr double farthest = 0x1p62;  // of a grain on its way to infinity: no integer tells its cell
        const double cell =
            std::floor((x - low[static_cast<std::size_t>(axis)]) * inverse_width[static_cast<std::size_t>(axis)]);
        return static_cast<std::int64_t>(std::clamp(cell, -farthest, farthest));
    }
    std::uint64_t number(std::int64_t ix, std::int64_t iy, std::int64_t iz) const {
        return static_cast<std::uint64_t>(ix + cells[0] * (iy + cells[1] * iz));
    }
    // `bits` is 64 when every cell has a bucket of its own.
    std::size_t bucket(std::uint64_t number) const {
        return bits == 64 ? number : number & ((std::uint64_t{1} << bits) - 1);
    }
    std::uint32_t check(std::uint64_t number) const {
        return bits == 64 ? 0 : static_cast<std::uint32_t>(number >> bits);
    }
};

// Number of cells along an axis is kept below this, so that the number of a cell fits in 62 bits.
constexpr double max_cells = 0x1p20;

void shape_level(Level& level, const BallRows& balls, std::span<const std::uint32_t> members,
                 const Periodicity& periodicity, double reach) {
    const double width = 2 * level.largest + reach;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double period = periodicity.length[static_cast<int>(axis)];
        if (period > 0) {
            level.low[axis] = periodicity.low[static_cast<int>(axis)];
            level.cells[axis] = static_cast<std::int64_t>(std::clamp(std::floor(period / width), 1.0, max_cells));
            level.inverse_width[axis] = static_cast<double>(level.cells[axis]) / period;
            continue;
        }
        const auto [low, high] = parallel_reduce(
            members.size(), std::pair(balls[members[0]][axis], balls[members[0]][axis]),
            [&](std::size_t begin, std::size_t end) {
                std::pair bounds(balls[members[begin]][axis], balls[members[begin]][axis]);
                for (std::size_t k = begin; k < end; ++k)
                    bounds = {std::min(bounds.first, balls[members[k]][axis]),
                              std::max(bounds.second, balls[members[k]][axis])};
                return bounds;
            },
            [](auto a, auto b) { return std::pair(std::min(a.first, b.first), std::max(a.second, b.second)); });
        const double wide = std::max(width, (high - low) / max_cells);
        level.low[axis] = low;
        level.inverse_width[axis] = 1 / wide;
        level.cells[axis] = static_cast<std::int64_t>(std::floor((high - low) / wide)) + 1;
    }
}

// Counting sort of the members into their buckets. Their order within a bucket does not matter: rows are sorted in the
// end.
void fill_level(Level& level, const BallRows& balls, std::span<const std::uint32_t> members,
                const Periodicity& periodicity, double reach) {
    shape_level(level, balls, members, periodicity, reach);
    const double all =
        static_cast<double>(level.cells[0]) * static_cast<double>(level.cells[1]) * static_cast<double>(level.cells[2]);
    std::size_t buckets = 2 * members.size() + 16;
    if (all <= static_cast<double>(buckets))
        buckets = static_cast<std::size_t>(all);
    else {
        buckets = std::bit_ceil(buckets);
        level.bits = std::countr_zero(buckets);
    }
    std::vector<std::atomic<std::uint32_t>> counts(buckets);
    std::vector<std::uint64_t> numbers(members.size());
    parallel_for(members.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const Level::Cell cell = level.home(balls[members[k]]);
            numbers[k] = level.number(cell[0], cell[1], cell[2]);
            counts[level.bucket(numbers[k])].fetch_add(1, std::memory_order_relaxed);
        }
    });
    counts_to_starts(counts, level.first);
    level.entries.resize(members.size());
    parallel_for(members.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const double* b = balls[members[k]];
            level.entries[counts[level.bucket(numbers[k])].fetch_add(1, std::memory_order_relaxed)] = {
                b[0], b[1], b[2], b[3], members[k], level.check(numbers[k])};
        }
    });
}

// The cells of a level that a ball of radius r at x may reach into, along one axis: count cells from `begin`, taken
// modulo the number of cells on a periodic axis.
struct CellRange {
    std::int64_t begin, count;
};

CellRange range(const Level& level, const Periodicity& periodicity, double x, double distance, int axis) {
    const std::int64_t cells = level.cells[static_cast<std::size_t>(axis)];
    std::int64_t begin = level.cell_of(x - distance, axis), end = level.cell_of(x + distance, axis) + 1;
    if (periodicity.length[axis] > 0) {
        if (end - begin >= cells) return {0, cells};
        return {begin < 0 ? begin + cells : begin, end - begin};
    }
    begin = std::max<std::int64_t>(begin, 0);
    end = std::min(end, cells);
    return {begin, std::max<std::int64_t>(end - begin, 0)};
}

// The partners of one ball, found without a branch per candidate: most of these are taken or left at random.
class Candidates {
  public:
    void clear() { count_ = 0; }
    std::span<const std::uint32_t> all() const { return {found_.data(), count_}; }

    // Those of the entries that are closer to `ball` than `reach` and numbered `lowest` or higher.
    template <bool Wrapped>
    void look(std::span<const Entry> entries, std::uint32_t check, const double* ball, const Periodicity& periodicity,
              double reach, std::uint32_t lowest) {
        if (found_.size() < count_ + entries.size()) found_.resize(2 * (count_ + entries.size()));
        std::uint32_t* const found = found_.data();
        std::size_t count = count_;
        const double x = ball[0], y = ball[1], z = ball[2], own = ball[3] + reach;
        for (const Entry& other : entries) {
            Vec3 d{x - other.x, y - other.y, z - other.z};
            if constexpr (Wrapped) d = periodicity.nearest(d);
            const double limit = own + other.radius;
            found[count] = other.ball;
            count +=
                static_cast<std::size_t>((norm2(d) < limit * limit) & (other.check == check) & (other.ball >= lowest));
        }
        count_ = count;
    }

  private:
    std::vector<std::uint32_t> found_;
    std::size_t count_ = 0;
};

// Looks in all cells of a coarser level; in those of the ball's own level only where the partner does not look for it.
// Returns how many cells and balls it looked at.
template <bool Own>
std::size_t look_around(const Level& level, const double* ball, std::uint32_t index, const Periodicity& periodicity,
                        double reach, Candidates& candidates) {
    // A little more than the reach, so that rounding in the cell numbers cannot lose a pair.
    const double distance = (ball[3] + level.largest + reach) * (1 + 1e-12);
    const double slack = 1e-12 * (std::fabs(ball[0]) + std::fabs(ball[1]) + std::fabs(ball[2]));
    const CellRange rx = range(level, periodicity, ball[0], distance + slack, 0),
                    ry = range(level, periodicity, ball[1], distance + slack, 1),
                    rz = range(level, periodicity, ball[2], distance + slack, 2);
    const auto wrap = [](std::int64_t c, std::int64_t cells) { return c >= cells ? c - cells : c; };
    // Away from the borders, and with cells enough, the nearest image is the ball itself.
    bool wrapped = false;
    for (const auto& [r, axis] : {std::pair(rx, 0), {ry, 1}, {rz, 2}})
        wrapped |= periodicity.length[axis] > 0 && (r.begin + r.count > level.cells[static_cast<std::size_t>(axis)] ||
                                                    level.cells[static_cast<std::size_t>(axis)] < 2 * r.count + 2);
    std::size_t work = 0;
    const auto look = [&](std::uint32_t begin, std::uint32_t end, std::uint32_t check, std::uint32_t lowest) {
        const std::span<const Entry> entries(level.entries.data() + begin, end - begin);
        if (wrapped)
            candidates.look<true>(entries, check, ball, periodicity, reach, lowest);
        else
            candidates.look<false>(entries, check, ball, periodicity, reach, lowest);
        work += entries.size();
    };
    const auto look_at = [&](std::uint64_t number, std::uint32_t lowest) {
        const std::size_t bucket = level.bucket(number);
        look(level.first[bucket], level.first[bucket + 1], level.check(number), lowest);
        ++work;
    };
    const bool one_stretch = level.bits == 64 && rx.begin + rx.count <= level.cells[0];
    const auto look_along = [&](std::uint64_t row, std::int64_t begin, std::int64_t count) {
        work += static_cast<std::size_t>(count);
        look(level.first[row + static_cast<std::uint64_t>(begin)],
             level.first[row + static_cast<std::uint64_t>(begin + count)], 0, 0);
    };
    const Level::Cell home = Own ? level.home(ball) : Level::Cell{};
    for (std::int64_t kz = 0; kz < rz.count; ++kz)
        for (std::int64_t ky = 0; ky < ry.count; ++ky) {
            const std::int64_t y = wrap(ry.begin + ky, level.cells[1]), z = wrap(rz.begin + kz, level.cells[2]);
            if (Own && (z < home[2] || (z == home[2] && y < home[1]))) continue;
            const std::uint64_t row = level.number(0, y, z);
            if (Own && z == home[2] && y == home[1]) {
                look_at(row + static_cast<std::uint64_t>(home[0]), index + 1);
                for (std::int64_t kx = 0; kx < rx.count; ++kx)
                    if (const std::int64_t x = wrap(rx.begin + kx, level.cells[0]); x > home[0])
                        look_at(row + static_cast<std::uint64_t>(x), 0);
            } else if (one_stretch) {
                look_along(row, rx.begin, rx.count);
            } else {
                for (std::int64_t kx = 0; kx < rx.count; ++kx)
                    look_at(row + static_cast<std::uint64_t>(wrap(rx.begin + kx, level.cells[0])), 0);
            }
        }
    return work;
}

}  // namespace

std::size_t grid_pairs(const BallRows& balls, const Periodicity& periodicity, double reach, PairList& pairs) {
    const std::size_t n = balls.count;
    std::vector<FoundPairs> found(chunk_count(n, search_chunk));
    if (n == 0) {
        assemble_rows(n, search_chunk, found, pairs);
        return 0;
    }

    // Sort the balls into octaves of radius.
    const double smallest = parallel_reduce(
        n, balls[0][3],
        [&](std::size_t begin, std::size_t end) {
            double least = balls[begin][3];
            for (std::size_t i = begin; i < end; ++i) least = std::min(least, balls[i][3]);
            return least;
        },
        [](double a, double b) { return std::min(a, b); });
    constexpr std::size_t octaves = 64;
    struct Part {
        std::array<std::uint32_t, octaves> count{};
        std::array<double, octaves> largest{};
    };
    std::vector<std::uint8_t> octave(n);
    std::vector<Part> parts(chunk_count(n));
    run_tasks(parts.size(), [&](std::size_t task, int) {
        for (std::size_t i = task * default_chunk; i < std::min(n, (task + 1) * default_chunk); ++i) {
            octave[i] = static_cast<std::uint8_t>(std::min<std::uint64_t>(
                octaves - 1, (std::bit_cast<std::uint64_t>(balls[i][3] / smallest) >> 52) - 1023));
            ++parts[task].count[octave[i]];
            parts[task].largest[octave[i]] = std::max(parts[task].largest[octave[i]], balls[i][3]);
        }
    });
    std::array<std::vector<std::uint32_t>, octaves> members;
    std::array<double, octaves> largest{};
    for (std::size_t k = 0; k < octaves; ++k) {
        std::uint32_t total = 0;
        for (Part& part : parts) {
            largest[k] = std::max(largest[k], part.largest[k]);
            total += std::exchange(part.count[k], total);
        }
        members[k].resize(total);
    }
    run_tasks(parts.size(), [&](std::size_t task, int) {
        for (std::size_t i = task * default_chunk; i < std::min(n, (task + 1) * default_chunk); ++i)
            members[octave[i]][parts[task].count[octave[i]]++] = static_cast<std::uint32_t>(i);
    });
    std::vector<Level> levels;
    std::array<std::size_t, octaves> level_of{};
    for (std::size_t k = 0; k < octaves; ++k) {
        if (members[k].empty()) continue;
        level_of[k] = levels.size();
        levels.emplace_back().largest = largest[k];
        fill_level(levels.back(), balls, members[k], periodicity, reach);
        members[k] = {};
    }

    run_tasks(found.size(), [&](std::size_t task, int) {
        FoundPairs& mine = found[task];
        Candidates candidates;
        for (std::size_t i = task * search_chunk; i < std::min(n, (task + 1) * search_chunk); ++i) {
            const double* ball = balls[i];
            const std::size_t before = mine.partners.size(), own = level_of[octave[i]];
            const auto index = static_cast<std::uint32_t>(i);
            candidates.clear();
            mine.work += look_around<true>(levels[own], ball, index, periodicity, reach, candidates);
            for (std::size_t l = own + 1; l < levels.size(); ++l)
                mine.work += look_around<false>(levels[l], ball, index, periodicity, reach, candidates);
            for (const std::uint32_t other : candidates.all()) {
                if (ball[7] == 0 && balls[other][7] == 0) continue;
                if (other > index)
                    mine.partners.push_back(other);
                else
                    mine.below.emplace_back(other, index);
            }
            mine.counts.push_back(static_cast<std::uint32_t>(mine.partners.size() - before));
        }
    });
    std::size_t work = 0;
    for (const FoundPairs& part : found) work += part.work;
    assemble_rows(n, search_chunk, found, pairs);
    return work;
}

}  // namespace scree
