// The triangulation follows moving sites: after each update it is valid and equals a fresh build.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <functional>

#include "core/parallel.h"
#include "core/random.h"
#include "math/elementary.h"
#include "reference.h"

namespace scree::tri {
namespace {

template <int D>
void expect_equals_fresh_build(const Complex<D>& complex, const std::string& name) {
    ASSERT_EQ(complex.validate(), "") << name;
    Complex<D> fresh(complex.bounds().integral());
    ASSERT_TRUE(fresh.build(complex.rows()));
    EXPECT_TRUE(edges_of(complex) == edges_of(fresh)) << name;
    auto hidden = complex.hidden_vertices(), expected = fresh.hidden_vertices();
    std::sort(hidden.begin(), hidden.end()), std::sort(expected.begin(), expected.end());
    EXPECT_EQ(hidden, expected) << name;
}

std::vector<Row> jiggled(std::vector<Row> rows, int dimension, double size, Random& random) {
    for (Row& row : rows)
        for (int k = 0; k < dimension; ++k) row.c[k] = std::nearbyint(row.c[k] + random.uniform(-size, size));
    return rows;
}

template <int D>
void follow_random_motion(double motion, double ratio, int n, int updates) {
    auto rows = snapped(random_sites(D, n, ratio, 11, 0.6), 0x1p-12);
    Complex<D> complex(true);
    ASSERT_TRUE(complex.build(rows));
    Random random(8, 8);
    UpdateCounts counts;
    for (int k = 0; k < updates; ++k) {
        rows = jiggled(rows, D, motion * 4096, random);
        ASSERT_TRUE(complex.update(rows, Ladder{}, counts));
        expect_equals_fresh_build(complex, fmt::format("{}D, motion {}, ratio {}, update {}", D, motion, ratio, k));
    }
    fmt::print("{}D motion {:5} ratio {:3}: per 1000 vertices and update {:6.1f} illegal {:5.1f} inverted {:6.1f} flips {:5.1f} untangled {:5.1f} reinserted; {} substeps {} rebuilds of {}\n",
               D, motion, ratio, 1e3 * counts.illegal_facets / n / updates, 1e3 * counts.inverted_cells / n / updates, 1e3 * counts.flips / n / updates,
               1e3 * counts.untangled / n / updates, 1e3 * counts.reinserted / n / updates, counts.substeps, counts.rebuilds, counts.updates);
}

TEST(motion, random_motion_of_any_size_is_followed_3d) {
    for (const double ratio : {1.0, 2.0, 10.0})
        for (const double motion : {1e-3, 1e-2, 1e-1, 0.5, 2.0}) follow_random_motion<3>(motion, ratio, 2000, 4);
}

TEST(motion, random_motion_of_any_size_is_followed_2d) {
    for (const double ratio : {1.0, 2.0, 10.0})
        for (const double motion : {1e-3, 1e-2, 1e-1, 0.5, 2.0}) follow_random_motion<2>(motion, ratio, 2000, 4);
}

}  // namespace
}  // namespace scree::tri
