// Times of first contact against closed forms, and against small steps.
#include "geometry/first_contact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "shape/meshes.h"

namespace scree {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double tolerance = 1e-12;

template <class F>
Compound only(F form, Vec3 position = {}, double radius = 0) {
    return {{{std::make_shared<const Form>(std::move(form)), {{}, position}, radius}}};
}
Compound ball(Vec3 center, double radius) { return only(Polyhedron(std::vector<Vec3>{{0, 0, 0}}), center, radius); }
Polyhedron box(Vec3 half) {
    std::vector<Vec3> corners;
    for (int k = 0; k < 8; ++k)
        corners.push_back({k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
    return Polyhedron(corners);
}

TEST(FirstContact, of_balls_that_fly) {
    // |r + v t| = 3, r = (10, 2, 0), v = (-2, 0, 0).
    const FirstContact head_on =
        first_contact(ball({}, 1), {{1, 0, 0}, {}, {}}, ball({10, 2, 0}, 2), {{-1, 0, 0}, {}, {}}, 100, tolerance);
    EXPECT_TRUE(head_on.meets);
    EXPECT_NEAR(head_on.time, (10 - std::sqrt(5.0)) / 2, 1e-12);
    const FirstContact past =
        first_contact(ball({}, 1), {}, ball({10, 3.0001, 0}, 2), {{-1, 0, 0}, {}, {}}, 100, tolerance);
    EXPECT_FALSE(past.meets);
    EXPECT_EQ(past.time, 100);
    EXPECT_FALSE(first_contact(ball({}, 1), {}, ball({10, 0, 0}, 2), {{1, 0, 0}, {}, {}}, 100, tolerance).meets);
    const FirstContact late = first_contact(ball({}, 1), {}, ball({10, 0, 0}, 2), {{-1, 0, 0}, {}, {}}, 6, tolerance);
    EXPECT_FALSE(late.meets);
    EXPECT_EQ(late.time, 6);
    EXPECT_NEAR(late.then.distance, 1, 1e-12);
    const FirstContact at_once = first_contact(ball({}, 1), {}, ball({1, 0, 0}, 2), {{1, 0, 0}, {}, {}}, 6, tolerance);
    EXPECT_TRUE(at_once.meets);
    EXPECT_EQ(at_once.time, 0);
}

// A rod that turns about its middle at one radian per second meets a wall when its end does.
TEST(FirstContact, of_a_turning_rod_and_a_wall) {
    const Compound rod = only(box({2, 0, 0})), wall = only(box({5, 5, 0.5}), {0, 0, 1.5});
    const FirstContact turned = first_contact(rod, {{}, {0, 1, 0}, {}}, wall, {}, 10, tolerance);
    EXPECT_TRUE(turned.meets);
    EXPECT_NEAR(turned.time, pi / 6, 1e-11);  // 2 sin t = 1
    // And sinking by 0.1 each second: 2 sin t = 1 + 0.1 t.
    const FirstContact sinking = first_contact(rod, {{0, 0, -0.1}, {0, 1, 0}, {}}, wall, {}, 10, tolerance);
    EXPECT_NEAR(2 * std::sin(sinking.time), 1 + 0.1 * sinking.time, 1e-11);
    // One that is too short goes round and round.
    EXPECT_FALSE(first_contact(only(box({0.999, 0, 0})), {{}, {0, 1, 0}, {}}, wall, {}, 20, tolerance).meets);
}

// Bodies of all kinds: before the time told they are apart at every step, at the time they meet.
TEST(FirstContact, no_step_before_finds_a_contact) {
    Random r(41, 0);
    int meetings = 0;
    for (int k = 0; k < 12; ++k) {
        const Compound a = k % 3 == 0   ? only(Ellipsoid({0.6, 0.3, 0.2}))
                           : k % 3 == 1 ? only(MeshBody(torus(16, 8, 0.3)))
                                        : only(box({0.5, 0.3, 0.2}), {}, 0.05);
        const Compound b =
            k % 2 == 0 ? only(box({0.2, 0.7, 0.1}), {3, 0, 0}) : only(MeshBody(rock(1, 0.4, 3)), {4, 0, 0});
        const SteadyMotion motion_a{{r.uniform(0, 1), 0, 0}, {r.uniform(-2, 2), r.uniform(-2, 2), 0}, {}},
            motion_b{{-1, r.uniform(-0.1, 0.1), 0}, {0, r.uniform(-2, 2), r.uniform(-2, 2)}, {3, 0, 0}};
        const FirstContact found = first_contact(a, motion_a, b, motion_b, 6, 1e-9);
        meetings += found.meets;
        for (int step = 0; step < 300; ++step) {
            const double t = found.time * step / 300;
            ASSERT_EQ(distance(moved(a, motion_a, t), moved(b, motion_b, t)).relation, Relation::separated) << k;
        }
        const double then = distance(moved(a, motion_a, found.time), moved(b, motion_b, found.time)).distance;
        EXPECT_EQ(found.meets, then <= 2e-9) << k;
    }
    EXPECT_GT(meetings, 6);
}

}  // namespace
}  // namespace scree
