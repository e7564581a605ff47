// Two gear teeth approach each other (Montanari 2017 section 4.8.3): their flanks are involutes, so that close to
// contact the simplices are slim and nearly parallel to the faces. The distance must fall in every step, down to
// rounding errors.
#include <gtest/gtest.h>

#include <algorithm>

#include "distance_cases.h"
#include "math/elementary.h"

namespace scree {
namespace {

// A tooth of base circle 1, extruded in z: involute flanks on both sides of the x axis.
std::vector<Vec3> tooth(int points, double width) {
    std::vector<Vec3> cloud;
    for (int k = 0; k <= points; ++k) {
        const double t = 0.7 * k / points;
        const auto [s, c] = same_sincos(t);
        // Involute, turned so that the flanks stand 0.12 rad apart from the middle at the base.
        const double x = c + t * s, y = s - t * c;
        const auto [ts, tc] = same_sincos(-0.12);
        const double px = tc * x - ts * y, py = std::min(ts * x + tc * y, 0.0);
        for (const double z : {0.0, width}) cloud.insert(cloud.end(), {Vec3{px, py, z}, Vec3{px, -py, z}});
    }
    return cloud;
}

TEST(GearTeeth, distance_falls_monotonically_to_rounding_error) {
    for (const int points : {8, 40, 200}) {
        const Polyhedron p(tooth(points, 0.5)), q(tooth(points, 0.4));
        const auto [s, c] = same_sincos(0.8);
        const Mat3 turn{{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
        // Approach along the line of the closest points, each step halving the gap.
        Vec3 x{0.2, 3, 0.05};
        double last = 1e300;
        int steps = 0;
        for (; steps < 200; ++steps) {
            const Distance d = distance(Placed(p, {}, {}), Placed(q, turn, x));
            if (d.relation != Relation::separated) break;
            ASSERT_LT(d.distance, last) << points << " points, step " << steps;
            const ExactDistance exact = exact_distance(vertex_set(Placed(p, {}, {})), vertex_set(Placed(q, turn, x)));
            ASSERT_NEAR(d.distance, exact.distance, 4e-15);
            last = d.distance;
            if (last < 1e-15) break;  // half of it no longer moves the tooth
            x -= 0.5 * d.distance * d.normal;
        }
        EXPECT_GT(steps, 40);
        EXPECT_LT(last, 1e-14);
    }
}

TEST(GearTeeth, sliding_flanks_keep_an_exact_distance) {
    const Polyhedron p(tooth(60, 0.5)), q(tooth(60, 0.5));
    WarmStart warm;
    for (int k = 0; k < 2000; ++k) {
        const auto [s, c] = same_sincos(2.6 + 5e-4 * k);
        const Placed a(p, {}, {}), b(q, {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}}, {2.35, 0.4, 0});
        const Distance d = distance(a, b, &warm);
        const ExactDistance exact = exact_distance(vertex_set(a), vertex_set(b));
        ASSERT_EQ(d.relation, exact.relation) << k;
        ASSERT_NEAR(d.distance, exact.distance, 4e-15) << k;
    }
}

}  // namespace
}  // namespace scree
