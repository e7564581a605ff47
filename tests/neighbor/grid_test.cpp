#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/parallel.h"
#include "core/random.h"
#include "neighbor/neighborhood.h"

namespace scree {
namespace {

std::vector<double> random_balls(std::size_t n, double ratio, Vec3 low, Vec3 high, std::uint64_t seed) {
    Random random(seed, 0);
    std::vector<double> rows(8 * n);
    for (std::size_t i = 0; i < n; ++i) {
        double* b = &rows[8 * i];
        for (int axis = 0; axis < 3; ++axis) b[axis] = random.uniform(low[axis], high[axis]);
        b[3] = 0.01 * std::pow(ratio, std::pow(random.uniform(), 3));
        b[7] = random.uniform() < 0.1 ? 0 : 1;
    }
    return rows;
}

void expect_equal_lists(const std::vector<double>& rows, const Periodicity& periodicity, double reach) {
    const BallRows balls{rows.data(), 8, rows.size() / 8};
    PairList brute, grid;
    brute_pairs(balls, periodicity, reach, brute);
    grid_pairs(balls, periodicity, reach, grid);
    EXPECT_EQ(brute.first, grid.first);
    EXPECT_EQ(brute.partners, grid.partners);
}

TEST(neighbor, grid_equals_brute_on_random_polydisperse_sets) {
    std::uint64_t seed = 0;
    std::size_t pairs = 0;
    for (const double ratio : {1.0, 2.0, 10.0, 100.0})
        for (const std::size_t n : {0u, 1u, 2u, 3u, 30u, 300u, 2000u})
            for (const double size : {0.05, 0.3, 1.0}) {
                const auto rows = random_balls(n, ratio, {-size, 0, 1}, {size, 2 * size, 1 + size}, ++seed);
                for (const int threads : {1, 3}) {
                    set_thread_count(threads);
                    expect_equal_lists(rows, {}, 0.002);
                }
                PairList list;
                grid_pairs({rows.data(), 8, n}, {}, 0.002, list);
                pairs += list.size();
            }
    set_thread_count(1);
    EXPECT_GT(pairs, 100'000u);  // the sets are not trivial
}

TEST(neighbor, grid_equals_brute_on_periodic_axes) {
    std::uint64_t seed = 100;
    for (const double ratio : {1.0, 5.0, 20.0})
        for (const double length : {0.05, 0.07, 0.1, 0.5, 2.0}) {
            const auto rows = random_balls(800, ratio, {-1, 0, 0}, {-1 + length, 0.4, 0.4}, ++seed);
            expect_equal_lists(rows, {{-1, 0, 0}, {length, 0, 0}}, 0.001);
            const auto cube = random_balls(800, ratio, {3, 3, 3}, {3 + length, 3 + length, 3 + length}, ++seed);
            expect_equal_lists(cube, {{3, 3, 3}, {length, length, length}}, 0.001);
        }
}

TEST(neighbor, grid_equals_brute_on_lattices_planes_lines_and_strays) {
    std::vector<double> rows;
    const auto add = [&](double x, double y, double z, double r) { rows.insert(rows.end(), {x, y, z, r, 0, 0, 0, 1}); };
    for (int i = 0; i < 10; ++i)
        for (int j = 0; j < 10; ++j)
            for (int k = 0; k < 10; ++k) add(0.1 * i, 0.1 * j, 0.1 * k, 0.05);  // touching exactly
    expect_equal_lists(rows, {}, 0);
    expect_equal_lists(rows, {}, 1e-12);
    expect_equal_lists(rows, {{0, 0, 0}, {1, 1, 1}}, 1e-9);
    add(1e9, -1e9, 3, 0.05);  // one far away
    add(0.5, 0.5, 0.5, 10);   // one around all
    expect_equal_lists(rows, {}, 0.01);
    rows.clear();
    for (int i = 0; i < 300; ++i) add(1e6 + 0.1 * i, 7, 7, 0.05);
    expect_equal_lists(rows, {}, 1e-3);
    rows.clear();
    for (int i = 0; i < 50; ++i) add(1, 2, 3, 0.05);  // all in one place
    expect_equal_lists(rows, {}, 1e-3);
}

TEST(neighbor, hilbert_order_is_a_permutation_with_short_jumps) {
    const auto rows = random_balls(5000, 1, {0, 0, 0}, {1, 1, 1}, 5);
    const auto order = hilbert_order({rows.data(), 8, 5000});
    EXPECT_EQ(std::set<std::uint32_t>(order.begin(), order.end()).size(), 5000u);
    double mean = 0;
    for (std::size_t k = 1; k < order.size(); ++k) {
        const double *a = &rows[8 * order[k]], *b = &rows[8 * order[k - 1]];
        mean += norm(Vec3{a[0] - b[0], a[1] - b[1], a[2] - b[2]}) / 5000;
    }
    EXPECT_LT(mean, 1.5 * std::cbrt(1.0 / 5000));  // about the mean distance of neighbors; 0.66 for a random order
}

}  // namespace
}  // namespace scree
