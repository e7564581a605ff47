#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/random.h"
#include "scree/error.h"
#include "scree/triangulation.h"

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

TEST(public_face, wrong_input_is_refused) {
    EXPECT_THROW(RegularTriangulation(4), Error);
    EXPECT_THROW(RegularTriangulation(3, 0.3), Error);
    RegularTriangulation triangulation(2);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(triangulation.build(std::vector<double>{0, 0, 1}, std::vector<double>{1, 1}), Error);
    EXPECT_THROW(triangulation.build(std::vector<double>{0, nan}, std::vector<double>{1}), Error);
    RegularTriangulation snapped(2, 0x1p-40);
    EXPECT_THROW(snapped.build(std::vector<double>{0, 1e9}, std::vector<double>{1}), Error);
}

}  // namespace
}  // namespace scree
