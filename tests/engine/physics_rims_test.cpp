// Where walls end and meet: rims, edges, holes, joints.
#include <gtest/gtest.h>

#include "engine/scenes.h"
#include "scree/error.h"

namespace scree {
namespace {

using namespace scenes;

Scene quiet(int dimension = 3) {
    Scene scene = empty(dimension);
    contact(scene).restitution = 0.2;
    contact(scene).tangential_restitution = 0.2;
    return scene;
}

// A grain a little wider than a hole rests on its rim, a little narrower falls through.
TEST(rims, a_hole_holds_a_wider_grain_and_lets_a_narrower_one_pass) {
    for (const LawKind law : all_laws)
        for (const double radius :
             {1.01 * grain_radius, 1.1 * grain_radius, 0.998 * grain_radius, 0.9 * grain_radius}) {
            Scene scene = quiet();
            scene.law = law;
            contact(scene).friction = 0;  // which would wedge it in on the way
            contact(scene).contact_time = 3e-4;
            if (inputs_of(law).coefficients) contact(scene).linear.stiffness = 9e3;
            scene.materials[0].young = 3e7;
            contact(scene).viscosity = 3e-4;
            scene.damping = 4e-3;
            add_wall(scene, "plate", DiscWall{{}, {0, 0, 1}, 20e-3, grain_radius});
            add_region(scene, "here", BoxShape{{-1, -1, -10e-3}, {1, 1, 1}});
            scene.outflow_region = "here";
            add_grain(scene,
                      {1e-7, 0,
                       radius > grain_radius ? 1.2 * std::sqrt(radius * radius - grain_radius * grain_radius) : radius},
                      radius);
            Simulation simulation(scene);
            run_until(simulation, 0.1);
            if (radius < grain_radius) {
                EXPECT_EQ(simulation.world().grains.size(), 0u) << name_of(law) << " " << radius / grain_radius;
                EXPECT_EQ(simulation.world().removed, 1);
            } else {
                ASSERT_EQ(simulation.world().grains.size(), 1u) << name_of(law) << " " << radius / grain_radius;
                EXPECT_NEAR(grain(simulation, 0).position.z, std::sqrt(radius * radius - grain_radius * grain_radius),
                            0.02 * radius);
                EXPECT_NEAR(norm(grain(simulation, 0).velocity), 0, 2e-3);
                // It may still tremble: the mean over many swings is its weight.
                double force = 0;
                for (int k = 0; k < 2000; ++k) {
                    simulation.step();
                    force += simulation.walls()[0].force.z / 2000;
                }
                EXPECT_NEAR(force, -g * total_mass(simulation), 0.01 * g * total_mass(simulation));
            }
        }
}

TEST(rims, a_funnel_end_holds_a_wider_grain_in_the_middle) {
    Scene scene = quiet();
    add_wall(scene, "funnel", ConeWall{{0, 0, 0}, {0, 0, 20e-3}, 0.9 * grain_radius, 15e-3});
    add_wall(scene, "spout", CylinderWall{{0, 0, -10e-3}, {0, 0, 0}, 0.9 * grain_radius});
    add_grain(scene, {5e-3, 1e-3, 14e-3});
    Simulation simulation(scene);
    run_until(simulation, 1.0);
    EXPECT_NEAR(grain(simulation, 0).position.x, 0, 1e-4);
    EXPECT_NEAR(grain(simulation, 0).position.y, 0, 1e-4);
    EXPECT_NEAR(norm(grain(simulation, 0).velocity), 0, 2e-3);
    EXPECT_NEAR(simulation.walls()[0].force.z + simulation.walls()[1].force.z, -g * total_mass(simulation),
                0.01 * g * total_mass(simulation));
}

// On top of a box's edge, held upright by symmetry; pushed to the side it rolls off and falls past the face.
TEST(rims, a_grain_on_an_edge_from_outside) {
    Scene scene = quiet();
    add_wall(scene, "block", BoxWall{{-10e-3, -10e-3, -10e-3}, {0, 10e-3, 0}}, true);
    add_wall(scene, "ground", PlaneWall{{0, 0, -10e-3}, {0, 0, 1}});
    add_grain(scene, {0, 0, grain_radius});
    Simulation balanced(scene);
    run_until(balanced, 0.02);
    EXPECT_NEAR(grain(balanced, 0).position.z, grain_radius, 2e-3 * grain_radius);
    Scene pushed = scene;
    pushed.grains[0].velocity = {0.05, 0, 0};
    Simulation simulation(pushed);
    const EnergyAudit audit = audited_run(simulation, 0.25);
    EXPECT_LT(audit.error(), 1e-3);
    EXPECT_NEAR(grain(simulation, 0).position.z, -10e-3 + grain_radius, 0.05 * grain_radius);
    EXPECT_GT(grain(simulation, 0).position.x, grain_radius);
}

// A disc rolling over the joints of a straight polyline does not feel them: as over one segment, to 1e-9.
TEST(rims, rolling_over_joints_is_rolling_over_one_line) {
    for (const LawKind law : all_laws)
        for (const double rolling : {0.0, 0.02}) {
            const Vec3 along = normalized(Vec3{4, -1, 0});
            const auto build = [&](std::vector<double> joints) {
                Scene scene = empty(2, law);
                contact(scene).rolling_friction = rolling;
                PolylineWall line;
                for (const double s : joints) line.points.push_back(s * along);
                add_wall(scene, "line", line);
                const Vec3 normal{-along.y, along.x, 0};
                add_grain(scene, -5e-3 * along + grain_radius * normal, grain_radius, 0.2 * along);
                return scene;
            };
            Simulation one(build({-0.05, 0.2})),
                many(build({-0.05, -1.234e-3, 0, 1e-3, 1.7e-3, 2.9e-3, 7e-3, 0.0123, 0.02, 0.2}));
            for (int k = 1; k <= 10; ++k) {
                run_until(one, 0.01 * k);
                run_until(many, 0.01 * k);
                const GrainState a = grain(one, 0), b = grain(many, 0);
                ASSERT_LT(norm(a.position - b.position), 1e-9) << name_of(law) << " t = " << 0.01 * k;
                ASSERT_LT(norm(a.velocity - b.velocity), 1e-7) << name_of(law) << " t = " << 0.01 * k;
                ASSERT_NEAR(a.spin.z, b.spin.z, 1e-4) << name_of(law);
            }
            EXPECT_GT(dot(grain(one, 0).position, along), 0.015);
        }
}

// Over a ridge and through a valley of a polyline: no energy appears at the bends.
TEST(rims, a_bent_line_gives_no_energy) {
    for (const LawKind law : all_laws) {
        Scene scene = empty(2, law);
        contact(scene).restitution = 0.9;
        add_wall(scene, "line",
                 PolylineWall{{{-40e-3, 10e-3, 0},
                               {-10e-3, 0, 0},
                               {0, 5e-3, 0},
                               {5e-3, 5e-3, 0},
                               {20e-3, -3e-3, 0},
                               {60e-3, 20e-3, 0}}});
        add_grain(scene, {-30e-3, 10e-3, 0});
        add_region(scene, "size", BoxShape{{-1, -1, 0}, {1, 1, 0}});
        Simulation simulation(scene);
        EnergyAudit audit(simulation);
        double highest = simulation.energy().dissipated, regained = 0;
        while (simulation.time() < 0.4) {
            simulation.step();
            audit.sample(simulation);
            const double lost = simulation.energy().dissipated;
            regained = std::fmax(regained, highest - lost);
            highest = std::fmax(highest, lost);
        }
        EXPECT_LT(regained, 1e-3 * audit.passed()) << name_of(law);
        EXPECT_LT(audit.error(), 1e-3) << name_of(law);
    }
}

// In the inner corner of a box both faces press; a third of the weight stays with the floor at most.
TEST(rims, a_corner_touches_both_faces) {
    Scene scene = quiet();
    scene.gravity = {-g, 0, -g};
    contact(scene).friction = 0;
    add_wall(scene, "box", BoxWall{{}, {20e-3, 20e-3, 20e-3}});
    add_grain(scene, {1.1 * grain_radius, 10e-3, 1.1 * grain_radius});
    Simulation simulation(scene);
    run_until(simulation, 0.1);
    EXPECT_EQ(simulation.contact_count(), 2u);
    const double weight = g * total_mass(simulation);
    EXPECT_NEAR(simulation.walls()[0].force.x, -weight, 0.01 * weight);
    EXPECT_NEAR(simulation.walls()[0].force.z, -weight, 0.01 * weight);
}

}  // namespace
}  // namespace scree
