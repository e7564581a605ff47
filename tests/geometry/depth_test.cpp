// The least shift that separates overlapping bodies: against all differences of vertices, and closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/random.h"
#include "geometry/convex_hull.h"
#include "geometry/depth.h"
#include "geometry/gjk.h"
#include "geometry/superquadric.h"

namespace scree {
namespace {

std::vector<Vec3> block(Vec3 half, Vec3 middle = {}) {
    std::vector<Vec3> corners;
    for (int k = 0; k < 8; ++k)
        corners.push_back(middle + Vec3{(k & 1) != 0 ? half.x : -half.x, (k & 2) != 0 ? half.y : -half.y,
                                        (k & 4) != 0 ? half.z : -half.z});
    return corners;
}

// Coordinates that leave differences exact.
std::vector<Vec3> cloud(Random& r, int count, Vec3 size, Vec3 shift) {
    std::vector<Vec3> points;
    for (int k = 0; k < count; ++k) {
        Vec3 p;
        for (int axis = 0; axis < 3; ++axis)
            p[axis] = std::round((shift[axis] + size[axis] * r.uniform(-1, 1)) * 0x1p20) * 0x1p-20;
        points.push_back(p);
    }
    return points;
}

std::vector<Vec3> shifted(std::vector<Vec3> points, Vec3 by) {
    for (Vec3& p : points) p += by;
    return points;
}

// The nearest facet of the exact hull of all differences, measured in long doubles.
long double by_all_differences(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    std::vector<Vec3> differences;
    for (const Vec3& p : a)
        for (const Vec3& q : b) differences.push_back(p - q);
    const ConvexHull hull = convex_hull(differences);
    long double least = std::numeric_limits<long double>::infinity();
    for (const auto& corners : hull.facets) {
        const auto at = [&](std::size_t k) { return hull.points[static_cast<std::size_t>(corners[k])]; };
        const Vec3 e = at(1) - at(0), f = at(2) - at(0), p = at(0);
        const long double x = static_cast<long double>(e.y) * f.z - static_cast<long double>(e.z) * f.y,
                          y = static_cast<long double>(e.z) * f.x - static_cast<long double>(e.x) * f.z,
                          z = static_cast<long double>(e.x) * f.y - static_cast<long double>(e.y) * f.x;
        least = std::min(least, (x * p.x + y * p.y + z * p.z) / std::sqrt(x * x + y * y + z * z));
    }
    return least;
}

TEST(Depth, equals_the_nearest_facet_of_all_differences) {
    Random r(25, 0);
    int overlapping = 0;
    for (int k = 0; k < 400; ++k) {
        const Vec3 size{1, r.uniform(0.1, 1), k % 5 == 0 ? 0.01 : r.uniform(0.1, 1)};
        const auto a = cloud(r, 4 + static_cast<int>(r.below(14)), size, {});
        const auto b = cloud(r, 4 + static_cast<int>(r.below(14)), {1, 1, 1},
                             {r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-0.5, 0.5)});
        const Polyhedron p(a), q(b);
        if (distance(p, q).relation != Relation::overlapping) continue;
        ++overlapping;
        const Depth d = depth(AnyConvex(p), AnyConvex(q));
        EXPECT_NEAR(d.depth, static_cast<double>(by_all_differences(a, b)), 1e-14) << k;
        EXPECT_LE(d.error, 1e-13) << k;
        ASSERT_FALSE(d.directions.empty());
        const Vec3 n = d.directions[0];
        EXPECT_NEAR(norm(n), 1, 1e-15);
        EXPECT_NEAR(norm(d.point_a - d.point_b - d.depth * n), 0, 1e-13) << k;
        // The shift separates, a shorter one does not.
        EXPECT_EQ(distance(p, Polyhedron(shifted(b, (d.depth + 1e-12) * n))).relation, Relation::separated) << k;
        if (d.depth > 1e-9) {
            EXPECT_EQ(distance(p, Polyhedron(shifted(b, (d.depth - 1e-9) * n))).relation, Relation::overlapping) << k;
        }
    }
    EXPECT_GT(overlapping, 150);
}

TEST(Depth, tells_all_directions_that_are_as_good) {
    const Polyhedron cube(block({1, 1, 1}));
    const Depth centered = depth(AnyConvex(cube), AnyConvex(cube));
    EXPECT_DOUBLE_EQ(centered.depth, 2);
    EXPECT_EQ(centered.directions.size(), 6u);
    // Cubes 2 wide at 1.9 along z: a library's GJK says 0 and NaN (libccd, issue 25).
    const Polyhedron above(block({1, 1, 1}, {0, 0, 1.9}));
    EXPECT_EQ(distance(cube, above).relation, Relation::overlapping);
    const Depth d = depth(AnyConvex(cube), AnyConvex(above));
    EXPECT_NEAR(d.depth, 0.1, 1e-15);
    ASSERT_EQ(d.directions.size(), 1u);
    EXPECT_EQ(d.directions[0], (Vec3{0, 0, 1}));
    const Depth edge = depth(AnyConvex(cube), AnyConvex(Polyhedron(block({1, 1, 1}, {1.5, 1.5, 0.25}))));
    EXPECT_DOUBLE_EQ(edge.depth, 0.5);
    EXPECT_EQ(edge.directions.size(), 2u);
}

TEST(Depth, of_swept_and_flat_bodies) {
    // Balls: their centers in one point leave all directions equal; apart, the line of the centers is the way out.
    const auto one = sphere({0, 0, 0}, 1), two = sphere({0, 0, 0}, 0.5);
    EXPECT_DOUBLE_EQ(depth(AnyConvex(one), AnyConvex(two)).depth, 1.5);
    // Two crossing polygons, and a needle through a plate.
    const Polyhedron plate(std::vector<Vec3>{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}),
        needle(std::vector<Vec3>{{0, 0, -0.25}, {0, 0, 2}});
    EXPECT_DOUBLE_EQ(depth(AnyConvex(plate), AnyConvex(needle)).depth, 0.25);
    EXPECT_EQ(depth(AnyConvex(plate), AnyConvex(needle)).directions[0], (Vec3{0, 0, 1}));
    // In one plane they only touch.
    EXPECT_EQ(depth(AnyConvex(plate), AnyConvex(plate)).depth, 0);
}

TEST(Depth, of_curved_bodies_is_between_its_bounds) {
    // An ellipsoid in a half space as good as one: its extent along z is 0.5 about the middle.
    const Ellipsoid egg({1.25, 1, 0.5});
    const Polyhedron slab(block({10, 10, 1}, {0, 0, -1.2}));
    const Depth d = depth(AnyConvex(egg), AnyConvex(slab));
    EXPECT_NEAR(d.depth, 0.3, d.error + 1e-14);
    EXPECT_LT(d.error, 1e-6);
    // Superquadrics of power 2 are ellipsoids, of high power nearly boxes.
    const Superquadric same({1.25, 1, 0.5}, 2), boxy({1, 1, 1}, 400);
    Random r(25, 1);
    for (int k = 0; k < 100; ++k) {
        const Vec3 n{r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-1, 1)};
        EXPECT_NEAR(norm(same.support(n).point - egg.support(n).point), 0, 1e-14);
        const double box = std::fabs(n.x) + std::fabs(n.y) + std::fabs(n.z);
        EXPECT_NEAR(dot(n, boxy.support(n).point), box, 0.01 * box);
    }
}

}  // namespace
}  // namespace scree
