// Many grains: what is conserved, what walls and pistons carry, what periodic space means.
#include <gtest/gtest.h>

#include "engine/scenes.h"

namespace scree {
namespace {

using namespace scenes;

class system_of : public testing::TestWithParam<LawKind> {};

struct Momenta {
    Vec3 linear, angular;
    double linear_scale = 0, angular_scale = 0;
};
Momenta momenta(Simulation& simulation, double inertia_factor) {
    const Grains& grains = simulation.synchronised_world().grains;
    Momenta sum;
    for (std::size_t k = 0; k < grains.size(); ++k) {
        const double m = 1 / grains.row[k].inverse_mass, r = grains.row[k].radius;
        const Vec3 p = m * grains.velocity(k), spin = inertia_factor * m * r * r * grains.angular_velocity(k),
                   l = cross(grains.position(k), p);
        sum.linear += p;
        sum.angular += l + spin;
        sum.linear_scale += norm(p);
        sum.angular_scale += norm(l) + norm(spin);
    }
    return sum;
}

// A ball of grains implodes: many contacts at once, friction, rolling resistance.
TEST_P(system_of, momentum_and_angular_momentum_of_a_closed_gas) {
    for (const int dimension : {2, 3}) {
        Scene scene = empty(dimension, GetParam());
        scene.gravity = {};
        contact(scene).rolling_friction = 0.05;
        Random random(7, 0);
        const auto axis = [&] { return dimension == 3 ? random.uniform(-1, 1) : 0.0; };
        int placed = 0;
        for (int x = -2; x <= 2; ++x)
            for (int y = -2; y <= 2; ++y)
                for (int z = dimension == 3 ? -1 : 0; z <= (dimension == 3 ? 1 : 0); ++z, ++placed) {
                    const Vec3 at =
                        4.6e-3 * Vec3{x + 0.1 * random.uniform(), y + 0.1 * random.uniform(), z + 0.1 * axis()};
                    const Vec3 sideways{random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 0.1 * axis()};
                    add_grain(scene, at, random.uniform(0.5, 1) * grain_radius, -30 * at + sideways,
                              Vec3{50 * axis(), 50 * axis(), random.uniform(-50, 50)});
                }
        Simulation simulation(scene);
        const double factor = dimension == 3 ? 0.4 : 0.5;
        const Momenta before = momenta(simulation, factor);
        std::size_t most = 0;
        for (int k = 0; k < 1500; ++k) {
            simulation.step();
            most = std::max(most, simulation.contact_count());
        }
        EXPECT_GT(most, static_cast<std::size_t>(placed) / 4);
        const Momenta after = momenta(simulation, factor);
        EXPECT_LT(norm(after.linear - before.linear), 1e-12 * before.linear_scale);
        EXPECT_LT(norm(after.angular - before.angular), 1e-12 * before.angular_scale);
    }
}

// In the plane nothing ever leaves it.
TEST_P(system_of, discs_stay_in_their_plane) {
    Scene scene = box_of_grains(2, GetParam());
    contact(scene).rolling_friction = 0.05;
    Simulation simulation(scene);
    run_until(simulation, 0.05);
    const Grains& grains = simulation.synchronised_world().grains;
    for (std::size_t k = 0; k < grains.size(); ++k) {
        EXPECT_EQ(grains.row[k].z, 0);
        EXPECT_EQ(grains.row[k].vz, 0);
        EXPECT_EQ(grains.spin[k].x, 0);
        EXPECT_EQ(grains.spin[k].y, 0);
        EXPECT_NE(grains.spin[k].z, 0);
    }
    // Mass of a disc of 1 m thickness.
    const double r = grains.row[0].radius;
    EXPECT_NEAR(1 / grains.row[0].inverse_mass, 2500 * pi * r * r, 1e-9 * 2500 * pi * r * r);
}

TEST_P(system_of, walls_carry_the_weight_of_a_settled_bed) {
    Scene scene = empty(3, GetParam());
    contact(scene).restitution = 0.3;
    contact(scene).viscosity = 3e-4;
    add_floor(scene);
    add_wall(scene, "tube", CylinderWall{{0, 0, 0}, {0, 0, 60e-3}, 8e-3});
    add_region(scene, "inside", CylinderShape{{0, 0, 0}, {0, 0, 40e-3}, 8e-3});
    fill_region(scene, "inside", 60);
    scene.damping = 1e-3;
    Simulation simulation(scene);
    run_until(simulation, 0.5);
    const double weight = g * total_mass(simulation);
    const auto walls = simulation.walls();
    EXPECT_NEAR(walls[0].force.z + walls[1].force.z, -weight, 0.01 * weight);
    EXPECT_NEAR(walls[0].force.x + walls[1].force.x, 0, 0.01 * weight);
    // The reported forces are those of the contacts.
    Vec3 sum;
    for (const ContactView& view : simulation.contacts())
        if (view.wall >= 0) sum -= view.force;
    EXPECT_NEAR(sum.z, -weight, 0.01 * weight);
}

TEST(system, piston_falls_freely_and_rests_on_the_bed) {
    Scene scene = empty(3);
    contact(scene).restitution = 0.2;
    contact(scene).contact_time = 5e-4;
    add_floor(scene);
    add_wall(scene, "tube", CylinderWall{{0, 0, 0}, {0, 0, 80e-3}, 8e-3});
    const double mass = 5e-3, force = -0.05, from = 0.1, top = 34e-3;
    add_wall(scene, "piston", PlaneWall{{0, 0, top}, {0, 0, -1}}).motion = FreePiston{mass, {0, 0, 1}, force, from};
    add_region(scene, "inside", CylinderShape{{0, 0, 0}, {0, 0, 30e-3}, 8e-3});
    fill_region(scene, "inside", 40);
    Simulation simulation(scene);
    run_until(simulation, from + 0.02);
    const double dt = simulation.time_step().value, t = simulation.time() - dt * std::ceil(from / dt - 1e-9);
    EXPECT_NEAR(simulation.walls()[2].displacement.z, 0.5 * (force / mass - g) * t * t, 1e-12);
    EXPECT_NEAR(simulation.walls()[2].velocity.z, (force / mass - g) * t, 1e-11);
    run_until(simulation, 0.6);
    const auto walls = simulation.walls();
    const double weight = g * total_mass(simulation);
    EXPECT_NEAR(walls[2].force.z, mass * g - force, 0.005 * (mass * g - force));
    EXPECT_NEAR(walls[0].force.z + walls[1].force.z, -(weight + mass * g - force), 0.005 * (weight + mass * g));
    EXPECT_NEAR(walls[2].velocity.z, 0, 1e-3);
    // All that the piston has lost in height it has done as work on the grains.
    EXPECT_NEAR(simulation.energy().wall_work, (mass * g - force) * -walls[2].displacement.z,
                2e-3 * simulation.energy().wall_work);
}

// A drum that turns with the positive sense about y drags its load along: the grains pull back at its rim.
TEST_P(system_of, torque_of_a_drum_resists_its_rotation) {
    Scene scene = rotating_drum(GetParam());
    std::get<Rotate>(scene.walls[0].motion).rate = 4;
    Simulation simulation(scene);
    run_until(simulation, 0.3);
    double torque = 0, lever = 0;
    const Vec3 before = momenta(simulation, 0.4).angular;
    for (int k = 0; k < 2000; ++k) {
        simulation.step();
        for (const WallReport& wall : simulation.walls()) torque += wall.torque.y;
        for (std::size_t i = 0; i < simulation.world().grains.size(); ++i)
            lever += g * simulation.world().grains.row[i].x / simulation.world().grains.row[i].inverse_mass;
    }
    // The bed is carried to one side; its weight there is what the walls have to hold up.
    EXPECT_LT(torque, 0);
    EXPECT_LT(simulation.walls()[0].torque.y, 0);
    EXPECT_GT(simulation.energy().wall_work, 0);
    const double gained = (momenta(simulation, 0.4).angular.y - before.y) / simulation.time_step().value;
    EXPECT_NEAR(torque, lever - gained, 0.01 * std::fabs(lever));
}

// ---- Periodic space ---------------------------------------------------------------------------------------------------

// Shifted along its periodic axes by a part of the period, a scene goes on as before but for rounding.
TEST_P(system_of, periodic_space_has_no_preferred_place) {
    for (const int dimension : {2, 3}) {
        const double length = 20e-3;
        const auto build = [&](Vec3 shift) {
            Scene scene = empty(dimension, GetParam());
            scene.gravity += Vec3{3, 0, 0};
            scene.periodic[0] = std::pair{-5e-3, -5e-3 + length};
            if (dimension == 3) scene.periodic[1] = std::pair{0.0, length};
            add_floor(scene);
            Random random(3, 1);
            for (int k = 0; k < 16; ++k) {
                const double a = (k % 4 + 0.5) * length / 4, b = (k / 4 + 0.5) * length / 4;
                Vec3 x = dimension == 3 ? Vec3{a - 5e-3, b, 2.1e-3} : Vec3{a - 5e-3, b, 0};
                x += shift;
                for (int axis = 0; axis < 2; ++axis)
                    if (const auto& p = scene.periodic[static_cast<std::size_t>(axis)])
                        x[axis] -= length * std::floor((x[axis] - p->first) / length);
                add_grain(scene, x, grain_radius, {random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4), 0},
                          {0, 0, random.uniform(-20, 20)});
            }
            return scene;
        };
        const Vec3 shift{0.37 * length, dimension == 3 ? 0.81 * length : 0, 0};
        Simulation here(build({})), there(build(shift));
        std::size_t met = 0;
        while (here.time() < 0.01) {
            here.step();
            there.step();
            met += here.contact_count();
            ASSERT_EQ(here.contact_count(), there.contact_count());
        }
        EXPECT_GT(met, 200u);
        for (Index id = 0; id < 16; ++id) {
            const GrainState a = grain(here, id), b = grain(there, id);
            EXPECT_LT(norm(a.velocity - b.velocity), 1e-8) << id;
            EXPECT_LT(norm(a.spin - b.spin), 1e-5) << id;
            for (int axis = 0; axis < 3; ++axis) {
                double d = b.position[axis] - a.position[axis] - shift[axis];
                if (axis < dimension - 1) d -= length * std::round(d / length);
                EXPECT_NEAR(d, 0, 1e-10) << id;
            }
        }
        const EnergyReport ea = here.energy(), eb = there.energy();
        EXPECT_NEAR(ea.kinetic, eb.kinetic, 1e-7 * ea.kinetic);
        EXPECT_NEAR(ea.dissipated, eb.dissipated, 1e-7 * ea.kinetic);
    }
}

// One period of a row is as good as three of them.
TEST_P(system_of, a_periodic_row_is_a_long_row) {
    const double length = 5 * 2.2 * grain_radius;
    const auto build = [&](int copies) {
        Scene scene = empty(2, GetParam());
        scene.gravity += Vec3{2, 0, 0};
        scene.periodic[0] = std::pair{0.0, copies * length};
        add_floor(scene);
        for (int copy = 0; copy < copies; ++copy) {
            Random random(11, 4);
            for (int k = 0; k < 5; ++k)
                add_grain(scene, {copy * length + (k + 0.5) * 2.2 * grain_radius, 1.05 * grain_radius, 0}, grain_radius,
                          {random.uniform(-0.3, 0.3), random.uniform(-0.1, 0.1), 0});
        }
        return scene;
    };
    Simulation one(build(1)), three(build(3));
    run_until(one, 0.02);
    run_until(three, 0.02);
    for (Index id = 0; id < 5; ++id)
        for (const Index copy : {0u, 1u, 2u}) {
            const GrainState a = grain(one, id), b = grain(three, id + 5 * copy);
            EXPECT_LT(norm(a.velocity - b.velocity), 1e-8);
            double d = b.position.x - a.position.x - copy * length;
            d -= length * std::round(d / length);
            EXPECT_NEAR(d, 0, 1e-10);
        }
}

TEST(system, a_grain_carried_round_and_round_falls_in_energy_too) {
    Scene scene = empty(3);
    scene.gravity = {5, 0, 0};
    scene.periodic[0] = std::pair{-1e-2, 1e-2};
    add_grain(scene, {}, grain_radius, {0, 1, 0});
    Simulation simulation(scene);
    const double before = simulation.energy().total(), m = grain(simulation, 0).mass;
    run_until(simulation, 0.5);
    EXPECT_NEAR(simulation.energy().total(), before, 1e-9 * before);
    EXPECT_NEAR(simulation.energy().potential, -m * 5 * 0.5 * 5 * 0.25, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(laws, system_of, testing::ValuesIn(all_laws),
                         [](const auto& each) { return name_of(each.param); });

}  // namespace
}  // namespace scree
