#include "geometry/odometer.h"

#include <gtest/gtest.h>

#include "distance_cases.h"
#include "math/elementary.h"

namespace scree {
namespace {

Mat3 about_z(double angle) {
    const auto [s, c] = same_sincos(angle);
    return {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
}

// Two grains fall onto a plate, turning, and bounce up again and again (after Montanari 2017 section 4.4).
TEST(odometer, marks_skip_most_queries_and_never_miss_an_approach) {
    Random r(14, 1);
    const Polyhedron grain(cases::random_body(r, 40)),
        plate(std::vector<Vec3>{{-9, -9, -1}, {9, -9, -1}, {-9, 9, -1}, {9, 9, -1}, {0, 0, -2}});
    struct Body {
        const Polyhedron* shape;
        Vec3 x, v;
        double angle, rate;
        Odometer odometer;
    };
    Body bodies[3] = {
        {&plate, {}, {}, 0, 0, {}}, {&grain, {0, 0, 4}, {}, 0, 1.5, {}}, {&grain, {0.3, 0, 9}, {}, 1, -2.5, {}}};
    double marks[3] = {-1e300, -1e300, -1e300};
    const double threshold = 0.02, dt = 1e-3;
    const int steps = 20000;
    int contacts = 0, queries = 0;
    for (int step = 0; step < steps; ++step) {
        for (int k = 1; k < 3; ++k) {
            Body& b = bodies[k];
            b.v.z -= 9.81 * dt;
            if (b.x.z < 1.2 * k && b.v.z < 0) b.v.z = -b.v.z;
            const Vec3 shift = dt * b.v;
            b.x += shift;
            b.angle += dt * b.rate;
            b.odometer.add(motion_bound(shift, dt * std::fabs(b.rate), grain.reach() + 1e-12));
        }
        int pair = 0;
        for (int i = 0; i < 3; ++i)
            for (int j = i + 1; j < 3; ++j, ++pair) {
                const Body &a = bodies[i], &b = bodies[j];
                const double truth =
                    distance(Placed(*a.shape, about_z(a.angle), a.x), Placed(*b.shape, about_z(b.angle), b.x)).distance;
                const double travelled = a.odometer.travelled + b.odometer.travelled;
                ASSERT_LE(marks[pair] - travelled, truth + 1e-12) << "step " << step;
                contacts += truth <= threshold;
                if (marks[pair] - travelled > threshold) continue;
                marks[pair] = truth + travelled;
                ++queries;
            }
    }
    EXPECT_GT(contacts, 0);
    EXPECT_LT(queries, 0.1 * 3 * steps);
}

TEST(odometer, keeps_its_digits_over_many_steps) {
    Odometer odometer;
    for (int k = 0; k < 10000000; ++k) odometer.add(0.1);
    EXPECT_NEAR(odometer.travelled, 1e6, 1e-9);
}

}  // namespace
}  // namespace scree
