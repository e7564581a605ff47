#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/random.h"
#include "scree/error.h"
#include "scree/triangulation.h"
#include "scree/vec.h"

namespace scree {
namespace {

TEST(public_face, spheres_are_built_edited_and_moved) {
    for (const double snap : {0.0, 0x1p-12}) {
        Random random(5, 1);
        std::vector<double> centers, weights;
        for (int k = 0; k < 300; ++k) {
            for (int m = 0; m < 3; ++m) centers.push_back(random.uniform(0, 20));
            weights.push_back(random.uniform(0.2, 1));
        }
        RegularTriangulation triangulation(3, snap);
        triangulation.build(centers, weights);
        EXPECT_EQ(triangulation.validate(), "");
        EXPECT_EQ(triangulation.dimension(), 3);
        const auto before = triangulation.edges();
        const double middle[] = {10, 10, 10};
        const int added = triangulation.insert(middle, 4);
        EXPECT_EQ(added, 300);
        EXPECT_GT(triangulation.neighbors(added).size(), 3u);
        triangulation.move(added, std::vector<double>{12, 9, 10}, 4);
        EXPECT_EQ(triangulation.validate(), "");
        triangulation.remove(added);
        EXPECT_TRUE(triangulation.edges() == before);
        RegularTriangulation second(3, snap);
        second.build(centers, weights);
        for (double& x : centers) x += random.uniform(-0.01, 0.01);
        second.update(centers, weights);
        EXPECT_EQ(second.validate(), "");
        RegularTriangulation fresh(3, snap);
        fresh.build(centers, weights);
        EXPECT_TRUE(second.edges() == fresh.edges());
        EXPECT_EQ(second.hidden(), fresh.hidden());
        // In real units, snapped or not: the middle one of the cells has about the mean volume.
        std::vector<double> volumes = fresh.cell_volumes();
        std::nth_element(volumes.begin(), volumes.begin() + 150, volumes.end());
        EXPECT_GT(volumes[150], 8000.0 / 300 / 3);
        EXPECT_LT(volumes[150], 8000.0 / 300 * 6);
    }
}

// Volumes of simplices add up to that of the hull, here a cube, and their edges are edges().
TEST(public_face, simplices_fill_the_hull) {
    Random random(8, 1);
    std::vector<double> centers{0, 0, 0, 2, 0, 0, 0, 2, 0, 2, 2, 0, 0, 0, 2, 2, 0, 2, 0, 2, 2, 2, 2, 2};
    for (int k = 0; k < 3 * 200; ++k) centers.push_back(random.uniform(0.2, 1.8));
    RegularTriangulation triangulation(3);
    triangulation.build(centers, std::vector<double>(208, 0.01));
    const auto point = [&](int v) {
        const double* c = &centers[3 * static_cast<std::size_t>(v)];
        return Vec3{c[0], c[1], c[2]};
    };
    double volume = 0;
    std::set<std::pair<int, int>> edges;
    const auto simplices = triangulation.simplices();
    for (const auto& [a, b, c, d] : simplices) {
        ASSERT_TRUE(0 <= a && a < b && b < c && c < d);
        volume += std::fabs(dot(point(b) - point(a), cross(point(c) - point(a), point(d) - point(a)))) / 6;
        for (const auto& edge : {std::pair(a, b), {a, c}, {a, d}, {b, c}, {b, d}, {c, d}}) edges.insert(edge);
    }
    EXPECT_NEAR(volume, 8, 1e-12);
    EXPECT_EQ(simplices.size(), triangulation.simplex_count());
    EXPECT_TRUE(std::is_sorted(simplices.begin(), simplices.end()));
    const auto all = triangulation.edges();
    EXPECT_TRUE(std::equal(edges.begin(), edges.end(), all.begin(), all.end()));

    // On a line: the intervals.
    triangulation.build(std::vector<double>{0, 0, 0, 3, 3, 3, 1, 1, 1}, std::vector<double>{0, 0, 0});
    EXPECT_EQ(triangulation.simplices(), (std::vector<std::array<int, 4>>{{0, 2, -1, -1}, {1, 2, -1, -1}}));
}

TEST(public_face, wrong_input_is_refused) {
    EXPECT_THROW(RegularTriangulation(4), Error);
    EXPECT_THROW(RegularTriangulation(3, 0.3), Error);
    RegularTriangulation triangulation(2);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(triangulation.build(std::vector<double>{0, 0, 1}, std::vector<double>{1, 1}), Error);
    EXPECT_THROW(triangulation.build(std::vector<double>{0, nan}, std::vector<double>{1}), Error);
    triangulation.build(std::vector<double>{0, 0, 1, 0, 0, 1, 2, 2}, std::vector<double>{1, 1, 1, 1});
    triangulation.remove(3);
    for (const int absent : {-1, 3, 4}) {
        EXPECT_THROW(triangulation.remove(absent), Error);
        EXPECT_THROW(triangulation.neighbors(absent), Error);
        EXPECT_THROW(triangulation.move(absent, std::vector<double>{1, 1}, 0), Error);
    }
    RegularTriangulation snapped(2, 0x1p-40);
    EXPECT_THROW(snapped.build(std::vector<double>{0, 1e9}, std::vector<double>{1}), Error);
}

}  // namespace
}  // namespace scree
