// The living triangulation lists the same pairs as brute force while balls move, come, go, are sorted and cross
// periodic borders, or it refuses.
#include "neighbor/living_triangulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.h"
#include "core/random.h"

namespace scree {
namespace {

// A box of balls that can be shaken; positions stay apart by pushing overlapping pairs back.
struct Crowd {
    int dimension;
    Periodicity periodicity;
    Vec3 low, high;
    std::vector<double> rows;
    std::vector<std::uint32_t> ids;
    std::uint32_t next_id = 0;
    Random random;

    Crowd(int dimension_, Vec3 low_, Vec3 high_, std::uint64_t seed)
        : dimension(dimension_),
          low(low_),
          high(high_),
          random(seed, 0) {}

    BallRows balls() const { return {rows.data(), 8, ids.size()}; }
    Vec3 at(std::size_t i) const { return {rows[8 * i], rows[8 * i + 1], rows[8 * i + 2]}; }
    Vec3 somewhere() {
        Vec3 x;
        for (int axis = 0; axis < dimension; ++axis) x[axis] = random.uniform(low[axis], high[axis]);
        return x;
    }
    bool is_free(Vec3 x, double radius, std::size_t except) const {
        for (std::size_t j = 0; j < ids.size(); ++j)
            if (j != except && norm(periodicity.nearest(x - at(j))) < 0.9 * (radius + rows[8 * j + 3])) return false;
        return true;
    }
    void add(double radius) {
        for (int attempt = 0; attempt < 50; ++attempt) {
            const Vec3 x = somewhere();
            if (!is_free(x, radius, ids.size())) continue;
            rows.insert(rows.end(), {x.x, x.y, x.z, radius, 0, 0, 0, 1});
            ids.push_back(next_id++);
            return;
        }
    }
    void remove(std::size_t i) {
        rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(8 * i),
                   rows.begin() + static_cast<std::ptrdiff_t>(8 * i + 8));
        ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(i));
    }
    // Every ball tries a jump of up to `length`.
    void shake(double length) {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            Vec3 x = at(i);
            for (int axis = 0; axis < dimension; ++axis) {
                x[axis] += random.uniform(-length, length);
                const double period = periodicity.length[axis];
                if (period > 0) x[axis] -= period * std::floor((x[axis] - periodicity.low[axis]) / period);
                if (period > 0 && x[axis] >= periodicity.low[axis] + period) x[axis] = periodicity.low[axis];
            }
            if (!is_free(x, rows[8 * i + 3], i)) continue;
            for (int axis = 0; axis < 3; ++axis) rows[8 * i + static_cast<std::size_t>(axis)] = x[axis];
        }
    }
    void shuffle() {
        for (std::size_t i = ids.size(); i > 1; --i) {
            const auto j = static_cast<std::size_t>(random.uniform(0, static_cast<double>(i)));
            std::swap(ids[i - 1], ids[j]);
            std::swap_ranges(rows.begin() + static_cast<std::ptrdiff_t>(8 * (i - 1)),
                             rows.begin() + static_cast<std::ptrdiff_t>(8 * i),
                             rows.begin() + static_cast<std::ptrdiff_t>(8 * j));
        }
    }
};

// Refreshes, compares with brute force if certified. Returns whether it was.
bool refresh_and_compare(const Crowd& crowd, LivingTriangulation& living, double reach) {
    PairList pairs, brute;
    const Refusal refusal = living.update(crowd.balls(), crowd.ids, reach, 1e-6, pairs);
    if (refusal != Refusal::none) return false;
    EXPECT_GT(reach, 0);
    brute_pairs(crowd.balls(), crowd.periodicity, reach, brute);
    EXPECT_EQ(pairs.first, brute.first);
    EXPECT_EQ(pairs.partners, brute.partners);
    EXPECT_EQ(living.triangulation().validate(), "");
    return true;
}

TEST(living_triangulation, equals_brute_through_motion_pouring_outflow_and_sorting) {
    int certified = 0, all = 0;
    std::int64_t inserted = 0, removed = 0;
    for (const int dimension : {2, 3})
        for (const int wrapped : {0, 1, 3})
            for (const double ratio : {1.0, 10.0}) {
                Crowd crowd(dimension, {-1, 2, dimension == 3 ? 0.5 : 0}, {1, 4, dimension == 3 ? 2.5 : 0},
                            17 + static_cast<std::uint64_t>(dimension + wrapped));
                for (int axis = 0; axis < std::min(wrapped, dimension); ++axis) {
                    crowd.periodicity.low[axis] = crowd.low[axis];
                    crowd.periodicity.length[axis] = 2;
                }
                const double large = dimension == 3 ? 0.15 : 0.1;
                const auto radius = [&] { return large / (1 + (ratio - 1) * std::cbrt(crowd.random.uniform())); };
                for (int k = 0; k < 300; ++k) crowd.add(radius());
                LivingTriangulation living(dimension, crowd.periodicity);
                for (int round = 0; round < 40; ++round) {
                    crowd.shake(crowd.random.uniform() * 0.3 * large / ratio);
                    if (round % 5 == 1) crowd.shuffle();
                    if (round % 3 == 1)
                        for (int k = 0; k < 5; ++k)
                            crowd.remove(static_cast<std::size_t>(
                                crowd.random.uniform(0, static_cast<double>(crowd.ids.size()))));
                    if (round % 3 != 0)
                        for (int k = 0; k < 4; ++k) crowd.add(radius());
                    set_thread_count(1 + round % 3);
                    certified += refresh_and_compare(crowd, living, crowd.random.uniform(0.01, 0.6) * large / ratio);
                    ++all;
                    if (testing::Test::HasFailure())
                        FAIL() << dimension << "D, " << wrapped << " periodic axes, ratio " << ratio << ", round "
                               << round;
                }
                inserted += living.counts().inserted;
                removed += living.counts().removed;
            }
    set_thread_count(1);
    EXPECT_GT(certified, 0.95 * all);
    EXPECT_GT(inserted, 500);  // living, not built anew each time
    EXPECT_GT(removed, 300);
}

TEST(living_triangulation, degenerate_sets_are_certified) {
    const auto certified = [](int dimension, const std::vector<Vec3>& centers, double radius) {
        Crowd crowd(dimension, {}, {}, 1);
        for (const Vec3& x : centers) {
            crowd.rows.insert(crowd.rows.end(), {x.x, x.y, x.z, radius, 0, 0, 0, 1});
            crowd.ids.push_back(crowd.next_id++);
        }
        LivingTriangulation living(dimension, {});
        return refresh_and_compare(crowd, living, 0.05 * radius) && refresh_and_compare(crowd, living, 0.02 * radius);
    };
    for (const int dimension : {2, 3}) {
        EXPECT_TRUE(certified(dimension, {}, 1));
        EXPECT_TRUE(certified(dimension, {{3, 4, 0}}, 1));
        EXPECT_TRUE(certified(dimension, {{3, 4, 0}, {5, 4, 0}}, 1));
        EXPECT_TRUE(certified(dimension, {{3, 4, 0}, {5, 4, 0}, {7, 4, 0}, {9, 4, 0}}, 1));  // on a line
        std::vector<Vec3> plane, lattice;
        for (int i = 0; i < 9; ++i)
            for (int j = 0; j < 9; ++j) {
                plane.push_back({2.0 * i, 2.0 * j, 0});
                for (int k = 0; k < 9; ++k) lattice.push_back({2.0 * i, 2.0 * j, 2.0 * k});
            }
        EXPECT_TRUE(certified(dimension, plane, 1));  // touching exactly, all facets ties
        if (dimension == 3) {
            EXPECT_TRUE(certified(dimension, lattice, 1));
        }
        EXPECT_TRUE(certified(dimension, {{0, 0, 0}, {1e5, 0, 0}, {1.9, 0, 0}}, 1));  // one far away
        EXPECT_TRUE(certified(dimension, {{1e6, 1e6, 0}, {1e6 + 1.9, 1e6, 0}}, 1));   // all far away
    }
    EXPECT_FALSE(certified(3, {{0, 0, 0}, {1e13, 0, 0}}, 1e-3));  // no grid of snapping holds both
}

TEST(living_triangulation, lowers_the_reach_for_overlaps_and_refuses_deep_ones) {
    Crowd crowd(3, {}, {}, 1);
    const auto add = [&](Vec3 x, double r) {
        crowd.rows.insert(crowd.rows.end(), {x.x, x.y, x.z, r, 0, 0, 0, 1});
        crowd.ids.push_back(crowd.next_id++);
    };
    for (int k = 0; k < 20; ++k) add({3.0 * k, 0.1 * (k % 3), 0.2 * (k % 5)}, 1);
    add({-1.7, 0, 0}, 1);  // overlap of 0.3: orthogonal up to a cover of 0.2
    PairList pairs;
    LivingTriangulation living(3, {});
    double reach = 0.8;
    EXPECT_EQ(living.update(crowd.balls(), crowd.ids, reach, 0.02, pairs), Refusal::none);
    EXPECT_LT(reach, 0.41);
    EXPECT_GT(reach, 0.25);
    EXPECT_TRUE(refresh_and_compare(crowd, living, 0.3));
    crowd.rows[8 * 20] = -1.3;  // 1.3² < 2: no cover at all
    reach = 0.1;
    EXPECT_EQ(living.update(crowd.balls(), crowd.ids, reach, 0.02, pairs), Refusal::not_orthogonal);
    crowd.rows[8 * 20] = -2;
    EXPECT_TRUE(refresh_and_compare(crowd, living, 0.1));  // and recovers
    // A ball inside another one is hidden.
    add({0.1, 0, 0}, 0.2);
    reach = 0.1;
    EXPECT_NE(living.update(crowd.balls(), crowd.ids, reach, 0.02, pairs), Refusal::none);
}

TEST(living_triangulation, corrupted_links_are_refused_and_built_anew) {
    Crowd crowd(3, {0, 0, 0}, {1, 1, 1}, 5);
    for (int k = 0; k < 200; ++k) crowd.add(0.06);
    int refused = 0;
    for (int trial = 0; trial < 50; ++trial) {
        LivingTriangulation living(3, {});
        ASSERT_TRUE(refresh_and_compare(crowd, living, 0.01));
        tri::Triangulation damaged = living.triangulation();
        auto& cells = const_cast<std::vector<tri::Cell>&>(damaged.space()->cells());
        // Two links of one cell change places, or a cell takes a vertex of another.
        tri::Cell& cell = cells[static_cast<std::size_t>(crowd.random.uniform(0, static_cast<double>(cells.size())))];
        if (cell.v[0] == tri::free_mark) continue;
        const int slot = trial % 3;
        if (trial % 2)
            std::swap(cell.n[slot], cell.n[slot + 1]);
        else
            cell.v[slot] = (cell.v[slot] + 7) % 100;
        std::vector<std::int32_t> site(damaged.rows().size(), no_site);
        std::iota(site.begin(), site.begin() + static_cast<std::ptrdiff_t>(crowd.ids.size()), 0);
        PairList pairs;
        EdgePairs edges;
        const std::vector<std::uint8_t> no_images(site.size(), 0);
        EXPECT_EQ(edges.list(damaged, {site, no_images, no_images}, crowd.balls(), nullptr, {}, 0.01, pairs),
                  Refusal::broken_links);
        ++refused;
    }
    EXPECT_GT(refused, 20);
}

// In a box that balls leave, and with sizes that were unknown at the start.
TEST(living_triangulation, follows_strays_and_new_sizes) {
    Crowd crowd(3, {0, 0, 0}, {1, 1, 1}, 9);
    for (int k = 0; k < 100; ++k) crowd.add(0.08);
    crowd.rows[0] = 1.2;
    crowd.rows[8 * 50 + 2] = -0.2;
    LivingTriangulation living(3, {});
    for (int round = 0; round < 60; ++round) {
        crowd.rows[0] += 0.05 * round;  // faster and faster, away
        crowd.rows[8 * 50 + 2] -= 0.03;
        if (round % 10 == 5) crowd.add(0.08 / (1 + round));
        ASSERT_TRUE(refresh_and_compare(crowd, living, 0.002)) << round;
    }
    EXPECT_GT(living.counts().builds, 2);
    EXPECT_LT(living.counts().builds, 30);
}

}  // namespace
}  // namespace scree
