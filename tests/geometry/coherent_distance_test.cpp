#include "geometry/coherent_distance.h"

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
TEST(CoherentDistance, skips_most_queries_and_never_misses_an_approach) {
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
    DistanceMark marks[3];
    CoherentDistance coherent;
    const double threshold = 0.02, dt = 1e-3;
    int steps = 20000, contacts = 0;
    for (int step = 0; step < steps; ++step) {
        for (int k = 1; k < 3; ++k) {
            Body& b = bodies[k];
            b.v.z -= 9.81 * dt;
            if (b.x.z < 1.2 * k && b.v.z < 0) b.v.z = -b.v.z;
            const Vec3 shift = dt * b.v;
            b.x += shift;
            b.angle += dt * b.rate;
            b.odometer.add(motion_bound(shift, dt * b.rate, grain.reach() + 1e-12));
        }
        int pair = 0;
        for (int i = 0; i < 3; ++i)
            for (int j = i + 1; j < 3; ++j, ++pair) {
                Body &a = bodies[i], &b = bodies[j];
                const Distance d =
                    distance(Placed(*a.shape, about_z(a.angle), a.x), Placed(*b.shape, about_z(b.angle), b.x));
                const double truth = d.distance;
                ASSERT_LE(CoherentDistance::lower_bound(marks[pair], a.odometer, b.odometer), truth + 1e-12)
                    << "step " << step;
                const bool asked = coherent.must_query(marks[pair], a.odometer, b.odometer, threshold);
                if (asked) CoherentDistance::note(marks[pair], a.odometer, b.odometer, truth - d.error);
                if (truth <= threshold) {
                    ASSERT_TRUE(asked) << "a near pair was skipped at step " << step;
                    ++contacts;
                }
            }
    }
    EXPECT_GT(contacts, 0);
    EXPECT_EQ(coherent.made() + coherent.saved(), static_cast<std::uint64_t>(3 * steps));
    std::printf("    queries saved: %.1f %%\n", 100.0 * static_cast<double>(coherent.saved()) / (3.0 * steps));
    EXPECT_GT(coherent.saved(), static_cast<std::uint64_t>(0.9 * 3 * steps));
}

TEST(CoherentDistance, odometer_keeps_its_digits_over_many_steps) {
    Odometer odometer;
    for (int k = 0; k < 10000000; ++k) odometer.add(0.1);
    EXPECT_NEAR(odometer.travelled, 1e6, 1e-9);
}

TEST(CoherentDistance, a_fresh_pair_is_asked_at_once) {
    CoherentDistance coherent;
    EXPECT_TRUE(coherent.must_query({}, {}, {}, 0));
    EXPECT_EQ(coherent.made(), 1u);
}

}  // namespace
}  // namespace scree
