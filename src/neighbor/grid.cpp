// Hashed grids, one per octave of radius.
//
// A ball lives in the grid of its own octave, whose cells are as wide as the largest reach between two balls of that
// octave. Ball i looks for partners in its own grid (those after it) and in all coarser grids; partners in finer grids
// find i themselves. So a pair is met exactly once, each look-up visits at most three cells per axis, and a large ball
// among many small ones costs nothing extra. 001 puts a ball into up to eight cubes and recognises a repeated pair by
// its midpoint; one cell per ball and a range of cells per look-up needs neither the copies nor the test.
//
// Cells are hashed by their row-major number modulo the size of the table: in an ordinary dense box that is the
// row-major order itself, which walks through memory; stray balls far away cost no cells.
#include <array>
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
    double largest = 0;             // radius
    std::array<double, 3> low{}, inverse_width{};
    std::array<std::int64_t, 3> cells{};  // along periodic axes exactly this many, else within the bounding box
    std::vector<std::uint32_t> first;     // bucket -> entries
    std::vector<Entry> entries;

    std::int64_t cell_of(double x, int axis) const { return static_cast<std::int64_t>(std::floor((x - low[static_cast<std::size_t>(axis)]) * inverse_width[static_cast<std::size_t>(axis)])); }
    std::uint64_t number(std::int64_t ix, std::int64_t iy, std::int64_t iz) const {
        return static_cast<std::uint64_t>(ix + cells[0] * (iy + cells[1] * iz));
    }
    std::size_t bucket(std::uint64_t number) const { return number % (first.size() - 1); }
    std::uint32_t check(std::uint64_t number) const { return static_cast<std::uint32_t>(number / (first.size() - 1)); }
};

// Number of cells along an axis is kept below this, so that the number of a cell fits in 62 bits.
constexpr double max_cells = 0x1p20;

void shape_level(Level& level, const BallRows& balls, std::span<const std::uint32_t> members, const Periodicity& periodicity, double reach) {
    const double width = 2 * level.largest + reach;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double period = periodicity.length[static_cast<int>(axis)];
        if (period > 0) {
            level.low[axis] = periodicity.low[static_cast<int>(axis)];
            level.cells[axis] = static_cast<std::int64_t>(std::clamp(std::floor(period / width), 1.0, max_cells));
            level.inverse_width[axis] = static_cast<double>(level.cells[axis]) / period;
            continue;
        }
        double low = balls[members[0]][axis], high = low;
        for (const std::uint32_t b : members) low = std::min(low, balls[b][axis]), high = std::max(high, balls[b][axis]);
        const double wide = std::max(width, (high - low) / max_cells);
        level.low[axis] = low;
        level.inverse_width[axis] = 1 / wide;
        level.cells[axis] = static_cast<std::int64_t>(std::floor((high - low) / wide)) + 1;
    }
}

// Counting sort of the members into their buckets.
void fill_level(Level& level, const BallRows& balls, std::span<const std::uint32_t> members, const Periodicity& periodicity, double reach) {
    shape_level(level, balls, members, periodicity, reach);
    const double all = static_cast<double>(level.cells[0]) * static_cast<double>(level.cells[1]) * static_cast<double>(level.cells[2]);
    const std::size_t buckets = static_cast<std::size_t>(std::min(all, 2.0 * static_cast<double>(members.size()) + 16));
    level.first.assign(buckets + 1, 0);
    std::vector<std::uint64_t> numbers(members.size());
    parallel_for(members.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            std::array<std::int64_t, 3> cell{};
            for (int axis = 0; axis < 3; ++axis)
                cell[static_cast<std::size_t>(axis)] = std::clamp<std::int64_t>(level.cell_of(balls[members[k]][axis], axis), 0, level.cells[static_cast<std::size_t>(axis)] - 1);
            numbers[k] = level.number(cell[0], cell[1], cell[2]);
        }
    });
    for (const std::uint64_t number : numbers) ++level.first[level.bucket(number)];
    exclusive_scan(level.first);
    level.entries.resize(members.size());
    for (std::size_t k = 0; k < members.size(); ++k) {
        const double* b = balls[members[k]];
        level.entries[level.first[level.bucket(numbers[k])]++] = {b[0], b[1], b[2], b[3], members[k], level.check(numbers[k])};
    }
    // Each start has moved to the next one's place: shift back.
    for (std::size_t k = buckets; k > 0; --k) level.first[k] = level.first[k - 1];
    level.first[0] = 0;
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

// Returns how many cells and balls it looked at.
template <class Visit>
std::size_t visit_near(const Level& level, const double* ball, const Periodicity& periodicity, double reach, Visit&& visit) {
    // A little more than the reach, so that rounding in the cell numbers cannot lose a pair.
    const double distance = (ball[3] + level.largest + reach) * (1 + 1e-12);
    const double slack = 1e-12 * (std::fabs(ball[0]) + std::fabs(ball[1]) + std::fabs(ball[2]));
    const CellRange rx = range(level, periodicity, ball[0], distance + slack, 0), ry = range(level, periodicity, ball[1], distance + slack, 1),
                    rz = range(level, periodicity, ball[2], distance + slack, 2);
    const auto wrap = [](std::int64_t c, std::int64_t cells) { return c >= cells ? c - cells : c; };
    auto work = static_cast<std::size_t>(rx.count * ry.count * rz.count);
    for (std::int64_t kz = 0; kz < rz.count; ++kz)
        for (std::int64_t ky = 0; ky < ry.count; ++ky)
            for (std::int64_t kx = 0; kx < rx.count; ++kx) {
                const std::uint64_t number = level.number(wrap(rx.begin + kx, level.cells[0]), wrap(ry.begin + ky, level.cells[1]), wrap(rz.begin + kz, level.cells[2]));
                const std::size_t bucket = level.bucket(number);
                const std::uint32_t check = level.check(number);
                work += level.first[bucket + 1] - level.first[bucket];
                for (std::uint32_t e = level.first[bucket]; e < level.first[bucket + 1]; ++e)
                    if (level.entries[e].check == check) visit(level.entries[e]);
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
    double smallest = balls[0][3];
    for (std::size_t i = 0; i < n; ++i) smallest = std::min(smallest, balls[i][3]);
    std::vector<std::uint8_t> octave(n);
    std::array<std::vector<std::uint32_t>, 64> members;
    std::array<double, 64> largest{};
    for (std::size_t i = 0; i < n; ++i) {
        const auto k = static_cast<std::uint8_t>(std::min(63, std::ilogb(balls[i][3] / smallest)));
        octave[i] = k;
        largest[k] = std::max(largest[k], balls[i][3]);
        members[k].push_back(static_cast<std::uint32_t>(i));
    }
    std::vector<Level> levels;
    std::array<std::size_t, 64> level_of{};
    for (std::size_t k = 0; k < 64; ++k) {
        if (members[k].empty()) continue;
        level_of[k] = levels.size();
        levels.emplace_back().largest = largest[k];
        fill_level(levels.back(), balls, members[k], periodicity, reach);
        members[k] = {};
    }

    const bool wrapped = periodicity.any();
    run_tasks(found.size(), [&](std::size_t task, int) {
        FoundPairs& mine = found[task];
        for (std::size_t i = task * search_chunk; i < std::min(n, (task + 1) * search_chunk); ++i) {
            const double* ball = balls[i];
            const std::size_t before = mine.partners.size(), own = level_of[octave[i]];
            for (std::size_t l = own; l < levels.size(); ++l) {
                mine.work += visit_near(levels[l], ball, periodicity, reach, [&](const Entry& other) {
                    if (other.ball <= i && (l == own)) return;
                    Vec3 d{ball[0] - other.x, ball[1] - other.y, ball[2] - other.z};
                    if (wrapped) d = periodicity.nearest(d);
                    const double limit = ball[3] + other.radius + reach;
                    if (!(norm2(d) < limit * limit) || (ball[7] == 0 && balls[other.ball][7] == 0)) return;
                    if (other.ball > i) mine.partners.push_back(other.ball);
                    else mine.below.emplace_back(other.ball, static_cast<std::uint32_t>(i));
                });
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
