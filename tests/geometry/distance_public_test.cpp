#include <gtest/gtest.h>

#include <vector>

#include "scree/distance.h"
#include "scree/error.h"

namespace scree {
namespace {

TEST(PublicDistance, of_a_square_and_a_point) {
    const std::vector<Point3> square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, 0}}, point{{0.25, 0.5, 2}};
    const ConvexShape a(square), b(point);
    EXPECT_EQ(a.vertex_count(), 4);
    EXPECT_EQ(a.dimension(), 2);
    const ShapeDistance d = shape_distance(a, b);
    EXPECT_DOUBLE_EQ(d.distance, 2);
    EXPECT_FALSE(d.overlap);
    EXPECT_EQ(d.point_a, (Point3{0.25, 0.5, 0}));
    ASSERT_TRUE(d.normal.has_value());
    EXPECT_EQ(*d.normal, (Point3{0, 0, 1}));
    EXPECT_EQ(exact_shape_distance(a, b), "2.000000000000000000000000");
    EXPECT_TRUE(shape_distance(a, a).overlap);
    EXPECT_TRUE(shape_distance(a, a).touching);  // a flat body leaves itself by any shift across its plane
    EXPECT_THROW(ConvexShape(std::vector<Point3>{}), Error);
}

}  // namespace
}  // namespace scree
