#include <gtest/gtest.h>

#include <cmath>

#include "math/elementary.h"
#include "wall/motion.h"
#include "wall/wall.h"

namespace scree {
namespace {

Wall wall_with(Motion motion) {
    Wall wall;
    wall.shape = PlaneWall{{0, 0, 0}, {0, 0, 1}};
    wall.motion = motion;
    return wall;
}

TEST(wall_motion, velocity_is_the_rate_of_displacement) {
    const std::vector<Motion> motions{
        Vibrate{{0, 1e-3, 2e-3}, 7, Wave::sine, 0.1, 5}, Vibrate{{0, 0, 1.5e-3}, 4, Wave::tap, 0.05, 5},
        Rotate{{1, 2, 3}, {0.1, 0.2, 0.3}, 2.5, 0.2, 3}, Translate{{0.1, -0.2, 0.3}, 0.5, 2},
        MotionTable{{{0.1, 0, 0, 0}, {0.7, 0.1, 0, 0}, {1.5, 0.1, 0.4, -0.2}, {2, 0, 0, 0}}}};
    const Vec3 p{0.3, -0.4, 0.5};
    for (const Motion& motion : motions) {
        const Wall wall = wall_with(motion);
        double fastest = 0;
        for (int k = 0; k < 3000; ++k) {
            const double t = 0.00137 + k * 0.00113, h = 1e-6;
            const WallPlacement now = placement(wall, {}, t), before = placement(wall, {}, t - h),
                                after = placement(wall, {}, t + h);
            // Skip the corners of the motion, where it has no derivative.
            if (norm(before.velocity - after.velocity) > 0.05 * norm(now.velocity) + 1e-3) continue;
            if (norm(before.spin - after.spin) > 0) continue;
            const Vec3 rate = (after.to_world(p) - before.to_world(p)) / (2 * h);
            EXPECT_NEAR(norm(rate - now.velocity_at(now.to_world(p))), 0, 1e-6) << "t = " << t;
            EXPECT_NEAR(norm(now.to_wall(now.to_world(p)) - p), 0, 1e-14);
            fastest = std::max(fastest, norm(rate));
        }
        EXPECT_GT(fastest, 0.01);
    }
}

TEST(wall_motion, the_tap_is_half_a_sine_and_then_rest) {
    const Wall wall = wall_with(Vibrate{{0, 0, 3e-3}, 4, Wave::tap});
    EXPECT_NEAR(placement(wall, {}, 0.0625).shift.z, 3e-3, 1e-15);  // a quarter period: the top
    EXPECT_NEAR(placement(wall, {}, 10 + 0.0625).shift.z, 3e-3, 1e-15);
    for (double t = 0; t < 3; t += 0.00071) {
        const WallPlacement p = placement(wall, {}, t);
        EXPECT_GE(p.shift.z, -1e-17);
        if (t * 4 - std::floor(t * 4) >= 0.5) {
            EXPECT_EQ(norm(p.shift) + norm(p.velocity), 0);
        }
    }
}

TEST(wall_motion, a_vibration_never_jumps_when_it_ends) {
    for (const Wave wave : {Wave::sine, Wave::tap}) {
        const Wall wall = wall_with(Vibrate{{0, 0, 1}, 2, wave, 0.3, 1.137});
        double last = 0;
        for (double t = 0; t < 2; t += 1e-4) {
            const double z = placement(wall, {}, t).shift.z;
            EXPECT_LE(std::fabs(z - last), 2 * pi * 2 * 1e-4 * 1.01);
            if (t < 0.3 || t >= 1.137) {
                EXPECT_EQ(z, 0);
            }
            last = z;
        }
    }
    // A whole number of waves in decimal numbers is played to its end.
    EXPECT_NEAR(placement(wall_with(Vibrate{{0, 0, 1}, 10, Wave::sine, 0.1, 0.4}), {}, 0.375).shift.z, -1, 1e-12);
}

TEST(wall_motion, rotation_is_exact_at_any_time) {
    const Wall wall = wall_with(Rotate{{0, 0, 2}, {1, 0, 0}, 3, 0.5, forever});
    for (const double t : {0.5, 1.0, 100.0, 12345.678}) {
        const WallPlacement p = placement(wall, {}, t);
        const double angle = 3 * (t - 0.5);
        const Vec3 x = p.to_world({2, 0, 7});
        EXPECT_NEAR(x.x, 1 + std::cos(angle), 1e-12);
        EXPECT_NEAR(x.y, std::sin(angle), 1e-12);
        EXPECT_EQ(x.z, 7);
        EXPECT_EQ(p.spin, (Vec3{0, 0, 3}));
    }
}

// A hole without a time is open, one with a time is closed until then, and for good at infinity.
TEST(wall_motion, holes_open_at_their_time) {
    struct Case {
        std::optional<double> open_at;
        bool closed_before, closed_after;
    };
    for (const auto& [open_at, closed_before, closed_after] :
         {Case{{}, false, false}, Case{2, true, false}, Case{forever, true, true}}) {
        Scene scene;
        Wall disc;
        disc.shape = DiscWall{{}, {0, 0, 1}, 1, 0.3};
        disc.open_at = open_at;
        scene.walls = {disc};
        const WallSet set(scene);
        for (const auto& [time, closed] : {std::pair{1.0, closed_before}, {3.0, closed_after}}) {
            const WallPlacement now = set.place(0, {}, time);
            EXPECT_FALSE(now.open);
            // A small ball in the middle: on the disc, or in the hole.
            EXPECT_EQ(set.distance(0, now, {0, 0, 0.05}, 0.1).has_value(), closed) << time;
        }
    }
}

TEST(wall_motion, walls_open_at_their_time) {
    Wall wall = wall_with({});
    wall.open_at = 1.5;
    EXPECT_FALSE(placement(wall, {}, 1.4999).open);
    EXPECT_TRUE(placement(wall, {}, 1.5).open);
}

TEST(wall_motion, a_free_piston_falls_as_galilei_says_and_is_held_before) {
    const FreePiston piston{2, {0, 0, 3}, -5, 0.25};
    const Vec3 gravity{1, 0, -9.81};
    const double dt = 1.0 / 1024;  // exact in binary: the piston is released on a step
    WallState state;
    kick_piston(piston, state, {}, gravity, 0, 0);
    for (int step = 0; step < 1024; ++step) {
        move_piston(piston, state, step * dt, (step + 1) * dt);
        kick_piston(piston, state, {0, 0, 1}, gravity, step * dt, (step + 1) * dt);
        const double t = (step + 1) * dt, a = -9.81 + (1 - 5) / 2.0, free = std::max(0.0, t - 0.25);
        EXPECT_NEAR(state.displacement, 0.5 * a * free * free, 1e-12);
        EXPECT_NEAR(state.speed, a * free, 1e-12);
        const WallPlacement p = placement(wall_with(piston), state, t);
        EXPECT_NEAR(p.shift.z, state.displacement, 1e-15);
        EXPECT_NEAR(p.velocity.z, state.speed, 1e-15);
    }
}

TEST(wall_motion, a_piston_on_a_spring_keeps_its_energy) {
    const FreePiston piston{0.5, {1, 0, 0}, 0, 0};
    const double k = 800, dt = 1e-4, omega = std::sqrt(k / 0.5);
    WallState state;
    state.displacement = 0.01;
    kick_piston(piston, state, {-k * state.displacement, 0, 0}, {}, 0, 0);
    for (int step = 0; step < 20000; ++step) {
        move_piston(piston, state, step * dt, (step + 1) * dt);
        kick_piston(piston, state, {-k * state.displacement, 0, 0}, {}, step * dt, (step + 1) * dt);
        const double energy = 0.5 * k * state.displacement * state.displacement + 0.25 * state.speed * state.speed;
        EXPECT_NEAR(energy, 0.5 * k * 1e-4, 0.5 * k * 1e-4 * omega * omega * dt * dt);
    }
    EXPECT_NEAR(state.displacement, 0.01 * std::cos(omega * 2.0), 2e-5);
}

TEST(wall_motion, gravity_turns_and_stays) {
    Scene scene;
    scene.gravity = {0, 0, -9.81};
    EXPECT_EQ(gravity_at(scene, 3), scene.gravity);
    scene.gravity_turn = GravityTurn{{0, 1, 0}, pi, 4, 5};
    EXPECT_EQ(gravity_at(scene, 4), scene.gravity);
    const Vec3 half = gravity_at(scene, 4.5), end = gravity_at(scene, 7);
    EXPECT_NEAR(half.x, -9.81, 1e-14);
    EXPECT_NEAR(half.z, 0, 1e-14);
    EXPECT_NEAR(end.z, 9.81, 1e-14);
    EXPECT_NEAR(end.x, 0, 1e-14);
    for (double t = 3.9; t < 5.1; t += 0.01) EXPECT_NEAR(norm(gravity_at(scene, t)), 9.81, 1e-13);
}

}  // namespace
}  // namespace scree
