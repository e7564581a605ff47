// Collisions through the whole simulation: what was asked comes back, whatever is hit, and nothing gains energy.
#include <gtest/gtest.h>

#include "engine/scenes.h"

namespace scree {
namespace {

using namespace scenes;

class collision_of : public testing::TestWithParam<LawKind> {};

// Runs until the grain 0 that flies at something has come back out of it.
double restitution(const Scene& scene, Vec3 towards) {
    Simulation simulation(scene);
    const double before = dot(grain(simulation, 0).velocity, towards);
    bool touched = false;
    for (int k = 0; k < 20000; ++k) {
        simulation.step();
        if (simulation.contact_count() > 0)
            touched = true;
        else if (touched)
            break;
    }
    EXPECT_TRUE(touched);
    return -dot(grain(simulation, 0).velocity, towards) / before;
}

struct Target {
    std::string name;
    int dimension;
    WallShape shape;
    bool outside;
    Vec3 from, towards;
};

std::vector<Target> targets() {
    const double r = grain_radius, gap = 1.1 * r, f = 1.37 * r;
    const PlaneWall plane{{}, {0, 0, 1}};
    const Vec3 tilt = normalized(Vec3{0.3, -0.2, 1});
    BallsWall balls;
    balls.like = DiscWall{{}, {0, 0, 1}, 1e-4, 0};
    balls.radius = 3 * r;
    balls.spacing = 1;
    return {
        {"plane", 3, plane, false, {0, 0, gap}, {0, 0, -1}},
        {"plane_tilted", 3, PlaneWall{{}, tilt}, false, gap * tilt, -tilt},
        {"plane_outside", 3, plane, true, {0, 0, -gap}, {0, 0, 1}},
        {"box_inside", 3, BoxWall{{-0.02, -0.02, 0}, {0.02, 0.02, 0.05}}, false, {0, 0, gap}, {0, 0, -1}},
        {"box_outside_face",
         3,
         BoxWall{{-0.02, -0.02, 0}, {0.02, 0.02, 0.05}},
         true,
         {0.02 + gap, 0, 0.02},
         {-1, 0, 0}},
        {"box_outside_edge", 3, BoxWall{{-0.02, -0.02, 0}, {0.02, 0.02, 0.05}}, true,
         Vec3{0.02, 0.02, 0.02} + f * normalized(Vec3{1, 1, 0}), -normalized(Vec3{1, 1, 0})},
        {"box_outside_corner", 3, BoxWall{{-0.02, -0.02, 0}, {0.02, 0.02, 0.05}}, true,
         Vec3{0.02, 0.02, 0.05} + f * normalized(Vec3{1, 1, 1}), -normalized(Vec3{1, 1, 1})},
        {"sphere_inside", 3, SphereWall{{}, 5 * r}, false, {0, 0, -5 * r + gap}, {0, 0, -1}},
        {"sphere_outside", 3, SphereWall{{}, 5 * r}, true, {0, 0, 5 * r + gap}, {0, 0, -1}},
        {"cylinder_inside",
         3,
         CylinderWall{{0, 0, -0.05}, {0, 0, 0.05}, 4 * r},
         false,
         {4 * r - gap, 0, 0.01},
         {1, 0, 0}},
        {"cylinder_outside",
         3,
         CylinderWall{{0, 0, -0.05}, {0, 0, 0.05}, 4 * r},
         true,
         {4 * r + gap, 0, 0.01},
         {-1, 0, 0}},
        {"cylinder_rim",
         3,
         CylinderWall{{0, 0, -0.05}, {0, 0, 0.05}, 4 * r},
         false,
         {4 * r, 0, 0.05 + gap},
         {0, 0, -1}},
        {"cone", 3, ConeWall{{0, 0, 0}, {0, 0, 0.05}, 0, 0.05}, false,
         Vec3{0.025, 0, 0.025} + gap * normalized(Vec3{-1, 0, 1}), normalized(Vec3{1, 0, -1})},
        {"disc", 3, DiscWall{{}, {0, 0, 1}, 0.02, 0}, false, {3e-3, 0, gap}, {0, 0, -1}},
        {"disc_from_below", 3, DiscWall{{}, {0, 0, 1}, 0.02, 0}, false, {3e-3, 0, -gap}, {0, 0, 1}},
        {"disc_rim", 3, DiscWall{{}, {0, 0, 1}, 0.02, 0}, false, {0.02 + gap, 0, 0}, {-1, 0, 0}},
        {"balls", 3, balls, false, {0, 0, 3.3 * r + gap + 0.01}, {0, 0, -1}},
        {"line_2d", 2, PolylineWall{{{-1, 0, 0}, {1, 0, 0}}}, false, {0.1, gap, 0}, {0, -1, 0}},
        {"line_joint_2d", 2, PolylineWall{{{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}}}, false, {0, gap, 0}, {0, -1, 0}},
        {"line_end_2d", 2, PolylineWall{{{-1, 0, 0}, {0, 0, 0}}}, false, {gap, 0, 0}, {-1, 0, 0}},
        {"line_knee_2d", 2, PolylineWall{{{-1, -1, 0}, {0, 0, 0}, {1, -1, 0}}}, false, {0, gap, 0}, {0, -1, 0}},
        {"box_2d", 2, BoxWall{{-0.02, 0, 0}, {0.02, 0.05, 0}}, false, {0, gap, 0}, {0, -1, 0}},
        {"sphere_2d", 2, SphereWall{{}, 5 * r}, false, {0, -5 * r + gap, 0}, {0, -1, 0}},
    };
}

TEST_P(collision_of, restitution_is_what_was_asked_at_every_wall) {
    for (const Target& target : targets()) {
        double first = 0;
        for (const double e : {0.3, 0.9}) {
            Scene scene = empty(target.dimension, GetParam());
            scene.gravity = {};
            contact(scene).restitution = e;
            contact(scene).cohesion = 0;
            add_wall(scene, "target", target.shape, target.outside);
            add_grain(scene, target.from, grain_radius, 0.3 * target.towards);
            const double achieved = restitution(scene, target.towards);
            // Viscoelastic grains have a restitution of their own.
            if (GetParam() == LawKind::kuwabara_kono) {
                EXPECT_GT(achieved, 0.1) << target.name;
                EXPECT_LT(achieved, 0.99) << target.name;
                if (e > 0.5) {
                    EXPECT_DOUBLE_EQ(achieved, first) << target.name;
                }
                first = achieved;
            } else {
                EXPECT_NEAR(achieved, e, 0.01 * e) << target.name;
            }
        }
    }
}

TEST_P(collision_of, restitution_is_what_was_asked_between_grains) {
    for (const int dimension : {2, 3})
        for (const double ratio : {1.0, 3.0, 30.0})
            for (const bool fixed : {false, true}) {
                Scene scene = empty(dimension, GetParam());
                scene.gravity = {};
                contact(scene).cohesion = 0;
                const Vec3 n = dimension == 3 ? normalized(Vec3{1, 2, -2}) : normalized(Vec3{1, 2, 0});
                add_grain(scene, {}, grain_radius, 0.3 * n);
                add_grain(scene, (1.1 + ratio) * grain_radius * n, ratio * grain_radius).fixed = fixed;
                Simulation simulation(scene);
                for (int k = 0; k < 3000; ++k) simulation.step();
                const Vec3 other = fixed ? Vec3{} : grain(simulation, 1).velocity;
                const double e = -dot(grain(simulation, 0).velocity - other, n) / 0.3;
                if (GetParam() != LawKind::kuwabara_kono) {
                    EXPECT_NEAR(e, 0.6, 0.006) << ratio << (fixed ? " fixed" : "");
                } else {
                    EXPECT_TRUE(e > 0.1 && e < 0.99);
                }
                EXPECT_EQ(simulation.contact_count(), 0u);
            }
}

// The cohesive law: a rebound at e v leaves with sqrt((e v)^2 - N_c^2/(k m*)), or stays.
TEST(collision, cohesion_costs_its_energy_or_holds) {
    Scene scene = empty(3, LawKind::cohesive);
    scene.gravity = {};
    add_floor(scene).name = "plate";
    add_grain(scene, {0, 0, 1.05 * grain_radius}, grain_radius, {0, 0, -0.2});
    contact(scene).cohesion = 0;
    const double free = restitution(scene, {0, 0, -1}) * 0.2;
    const double m = 2500 * 4 * pi / 3 * grain_radius * grain_radius * grain_radius;
    // The stiffness follows from the collision itself: without damping pi^2 m / t_c^2.
    contact(scene).restitution = 1;
    const double k = pi * pi * m / 1e-6;
    contact(scene).cohesion = 0.1 * std::sqrt(k * m);
    const double left = restitution(scene, {0, 0, -1}) * 0.2;
    EXPECT_NEAR(left, std::sqrt(0.04 - 0.01), 2e-3);
    EXPECT_NEAR(free, 0.12, 0.002);
    contact(scene).cohesion = 0.25 * std::sqrt(k * m);
    Simulation simulation(scene);
    run_until(simulation, 0.1);
    EXPECT_LT(grain(simulation, 0).position.z, 1.5 * grain_radius);
    EXPECT_LT(std::fabs(grain(simulation, 0).velocity.z), 0.02);
}

double kinetic(Simulation& simulation) { return simulation.energy().kinetic; }

// Two grains at every angle, spin and size ratio.
TEST_P(collision_of, no_energy_gain_at_any_angle_and_spin) {
    for (const int dimension : {2, 3})
        for (const double ratio : {1.0, 10.0})
            for (const double friction : {0.1, 1.0})
                for (const double spin : {-400.0, 0.0, 400.0})
                    for (double angle = 0; angle < 1.5; angle += 0.3) {
                        Scene scene = empty(dimension, GetParam());
                        scene.gravity = {};
                        contact(scene).restitution = 0.95;
                        contact(scene).tangential_restitution = 1;
                        contact(scene).friction = friction;
                        contact(scene).viscosity = 1e-6;
                        const SinCos a = same_sincos(angle);
                        const double r2 = ratio * grain_radius;
                        add_grain(scene, {}, grain_radius, {0.3 * a.cos, 0.3 * a.sin, 0},
                                  dimension == 3 ? Vec3{30, 0.7 * spin, spin} : Vec3{0, 0, spin});
                        add_grain(scene, {(grain_radius + r2) * 1.001, 0, 0}, r2, {}, {0, 0, 0.3 * spin / ratio});
                        Simulation simulation(scene);
                        const double before = kinetic(simulation);
                        bool touched = false;
                        for (int k = 0; k < 4000 && !(touched && simulation.contact_count() == 0); ++k) {
                            simulation.step();
                            touched |= simulation.contact_count() > 0;
                        }
                        EXPECT_TRUE(touched);
                        EXPECT_LE(kinetic(simulation), before * (1 + 1e-6))
                            << dimension << "d ratio " << ratio << " friction " << friction << " spin " << spin
                            << " angle " << angle;
                    }
}

// A small grain thrown into the wedge between two large ones comes out as it does with a step eight times finer, and
// one that touches both falls away freely.
TEST_P(collision_of, small_grain_between_two_large_ones_does_not_stick) {
    for (const double ratio : {10.0, 30.0}) {
        const double large = 20e-3, small = large / ratio;
        Scene scene = empty(3, GetParam());
        scene.gravity = {};
        contact(scene).cohesion = 0;
        contact(scene).contact_time = 2e-4;
        contact(scene).friction = 0.1;  // less than would hold a grain in this wedge
        scene.materials[0].young = 1e8;
        contact(scene).viscosity = 1e-6;
        const double apart = 0.5 * small;  // the gap
        const double z = std::sqrt((large + small) * (large + small) - (large + 0.5 * apart) * (large + 0.5 * apart));
        add_grain(scene, {-large - 0.5 * apart, 0, 0}, large);
        add_grain(scene, {large + 0.5 * apart, 0, 0}, large);

        Scene thrown = scene;
        add_grain(thrown, {1e-2 * small, 0, z + 0.3 * small}, small, {0, 0, -0.2});
        double speed[2];
        for (const int fine : {0, 1}) {
            Scene each = thrown;
            if (fine) each.time_step = Simulation(thrown).time_step().automatic / 8;
            Simulation simulation(each);
            run_until(simulation, 0.3 * small / 0.2 + 20 * 2e-4);
            EXPECT_EQ(simulation.contact_count(), 0u) << ratio;
            speed[fine] = grain(simulation, 2).velocity.z;
        }
        EXPECT_GT(speed[0], 0.02) << ratio;
        EXPECT_NEAR(speed[0], speed[1], 0.03 * 0.2) << ratio;

        Scene released = scene;
        for (GrainGroup& each : released.grains) each.fixed = true;
        add_grain(released, {0, 0, z}, small);
        released.gravity = {0, 0, g};
        Simulation simulation(released);
        run_until(simulation, 0.01);
        EXPECT_NEAR(grain(simulation, 2).velocity.z, g * simulation.time(), 1e-3 * g * simulation.time()) << ratio;
    }
}

INSTANTIATE_TEST_SUITE_P(laws, collision_of, testing::ValuesIn(all_laws),
                         [](const auto& each) { return name_of(each.param); });

}  // namespace
}  // namespace scree
