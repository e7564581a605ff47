// Clusters of glued spheres: forces as Ferrez 2001 eq. 3.25-3.29 say, and bodies that move and yield as mechanics says.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "core/parallel.h"
#include "scenes.h"
#include "scree/error.h"
#include "shape/glue.h"

namespace scree {
namespace {

using namespace scenes;

Glue potential(double strength, double alpha, double beta, double damping = 0) {
    return {Glue::Law::potential, strength, alpha, beta, damping};
}

GrainShape cluster(const std::string& name, std::vector<std::array<double, 4>> spheres, const Glue& glue) {
    GrainShape shape;
    shape.name = name;
    shape.kind = ShapeKind::cluster;
    shape.spheres = std::move(spheres);
    shape.glue = glue;
    return shape;
}

// Spheres of a close packing: layers of triangles, each over the hollows of the one below.
std::vector<std::array<double, 4>> close_packing(double radius, int layers,
                                                 const std::function<bool(int, double, double)>& wanted, int wide) {
    std::vector<std::array<double, 4>> out;
    for (int k = 0; k < layers; ++k)
        for (int j = -wide; j <= wide; ++j)
            for (int i = -wide; i <= wide; ++i) {
                const double x = 2 * radius * (i + 0.5 * j + 0.5 * (k % 3)),
                             y = radius * (std::sqrt(3.0) * j + (k % 3) / std::sqrt(3.0));
                if (wanted(k, x, y)) out.push_back({x, y, 2 * radius * std::sqrt(2.0 / 3) * k, radius});
            }
    return out;
}

GrainGroup& add_cluster(Scene& scene, const GrainShape& shape, std::vector<Vec3> at) {
    scene.shapes.push_back(shape);
    GrainGroup one = group(scene, 0, PlaceAt{std::move(at)});
    one.shape = shape.name;
    scene.grains.push_back(one);
    return scene.grains.back();
}

TEST(glue, the_force_is_the_derivative_of_the_potential_and_rests_where_it_was_given) {
    for (const Glue& glue : {potential(1500, 0.2, 1), potential(1500, 0.2, 8), potential(3, 6, 12),
                             Glue{Glue::Law::power, 1e5, 1, 0, 0}, Glue{Glue::Law::power, 1e9, 3, 0, 0}}) {
        const double rest = 4e-3;
        EXPECT_EQ(bond_force(glue, rest, rest).repulsion, 0);
        EXPECT_NEAR(bond_force(glue, rest, rest).energy, 0, 1e-12);
        for (const double x : {0.7, 0.9, 0.99, 1.01, 1.2, 2.0}) {
            const double h = 1e-6 * rest, slope = (bond_force(glue, x * rest + h, rest).energy -
                                                   bond_force(glue, x * rest - h, rest).energy) /
                                                  (2 * h);
            const double force = bond_force(glue, x * rest, rest).repulsion;
            EXPECT_NEAR(-slope, force, 1e-6 * std::fabs(force) + 1e-7 * bond_stiffness(glue, rest) * rest);
            EXPECT_EQ(force > 0, x < 1);
        }
        // Ferrez 2001 eq. 3.26, 3.29 as written, with A = -strength.
        if (glue.law != Glue::Law::potential) continue;
        const double a = glue.alpha, b = glue.beta, A = -glue.strength, B = -(a / b) * A * std::pow(rest, b - a),
                     x = 0.93 * rest;
        EXPECT_NEAR(bond_force(glue, x, rest).repulsion, a * A * std::pow(x, -a - 1) + b * B * std::pow(x, -b - 1),
                    1e-9 * glue.strength * std::pow(x, -a - 1));
        const double h = 1e-5 * rest;
        EXPECT_NEAR(
            bond_stiffness(glue, rest),
            -(bond_force(glue, rest + h, rest).repulsion - bond_force(glue, rest - h, rest).repulsion) / (2 * h),
            1e-4 * bond_stiffness(glue, rest));
    }
}

TEST(glue, two_glued_spheres_swing_at_the_frequency_of_their_bond) {
    const double r = 2e-3;
    Scene scene = empty();
    scene.gravity = {};
    const Glue glue = potential(1e-2, 0.2, 2);
    add_cluster(scene, cluster("pair", {{-r, 0, 0, r}, {r, 0, 0, r}}, glue), {{0, 0, 0}});
    Simulation sim(scene);
    World world = sim.synchronised_world();
    ASSERT_EQ(world.grains.size(), 2u);
    const double mass = 1 / world.grains.row[0].inverse_mass, omega = std::sqrt(2 * bond_stiffness(glue, 2 * r) / mass);
    world.grains.row[0].vx = -1e-4;
    world.grains.row[1].vx = 1e-4;
    Simulation swinging(scene, {world, sim.contact_memory()}, sim.group_names());
    const double start = swinging.energy().kinetic;
    // Ten turning points of the distance.
    int turns = 0;
    double last = 1e-4, when = 0;
    while (turns < 10) {
        swinging.step();
        const Grains& grains = swinging.synchronised_world().grains;
        const double v = grains.row[grains.id[0] == 0 ? 1 : 0].vx;
        if (v * last < 0) {
            ++turns;
            when = swinging.time() - swinging.world().time_step * v / (v - last);
        }
        last = v;
    }
    EXPECT_NEAR(when, (turns - 0.5) * pi / omega, 2e-3 * turns * pi / omega);
    const EnergyReport now = swinging.energy();
    EXPECT_NEAR(now.kinetic + now.elastic, start,
                5e-3 * start);  // (omega dt)^2 / 8: the energy that Verlet's scheme keeps differs by this
}

TEST(glue, a_cluster_flies_and_turns_as_one_body) {
    const double r = 2e-3;
    Scene scene = empty();
    scene.gravity = {};
    const auto spheres = close_packing(
        r, 5, [&](int k, double x, double y) { return std::hypot(x - 0.5 * r * k, y) < 3 * r && k >= 0; }, 4);
    add_cluster(scene, cluster("body", spheres, potential(1e-2, 0.2, 4)), {{0, 0, 0}}).velocity = {0.1, 0, 0};
    scene.grains[0].spin = {0, 3, 4};
    Simulation sim(scene);
    const auto angular = [&] {
        const Grains& grains = sim.synchronised_world().grains;
        Vec3 center, momentum, sum;
        double mass = 0;
        for (std::size_t g = 0; g < grains.size(); ++g) {
            center += grains.position(g) / grains.row[g].inverse_mass;
            momentum += grains.velocity(g) / grains.row[g].inverse_mass;
            mass += 1 / grains.row[g].inverse_mass;
        }
        for (std::size_t g = 0; g < grains.size(); ++g)
            sum += cross(grains.position(g) - center / mass, grains.velocity(g)) / grains.row[g].inverse_mass +
                   grains.momentum[g];
        return std::array<Vec3, 3>{center / mass, momentum / mass, sum};
    };
    const auto before = angular();
    const double energy = sim.energy().total();
    run_until(sim, 0.05);
    const auto after = angular();
    EXPECT_LT(norm(after[0] - before[0] - Vec3{0.1 * sim.time(), 0, 0}), 1e-9);
    EXPECT_LT(norm(after[1] - before[1]), 1e-12);
    EXPECT_LT(norm(after[2] - before[2]), 1e-9 * norm(before[2]));
    EXPECT_NEAR(sim.energy().total(), energy, 1e-4 * energy);
}

// Glued spheres between a floor and a piston; the strain of the cluster itself, without the overlap at its ends.
double strain(const std::vector<std::array<double, 4>>& spheres, double beta, double force, double until,
              Glue* glue_used = nullptr) {
    const double r = spheres[0][3];
    Scene scene = empty();
    scene.gravity = {};
    contact(scene).friction = 0;
    contact(scene).contact_time = 2e-4;
    const Glue glue = potential(0.3, 0.2, beta, 0.3);
    if (glue_used) *glue_used = glue;
    double center = 0, height = 0;
    for (const auto& s : spheres) {
        center += s[2] / static_cast<double>(spheres.size());
        height = std::fmax(height, s[2]);
    }
    add_cluster(scene, cluster("column", spheres, glue), {{0, 0, center + r}});
    add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}});
    add_wall(scene, "piston", PlaneWall{{0, 0, height + 2 * r}, {0, 0, -1}}).motion =
        FreePiston{0.02, {0, 0, 1}, -force, 0};
    scene.damping = 1;
    Simulation sim(scene);
    run_until(sim, until);
    const Grains& grains = sim.synchronised_world().grains;
    double low = 0, high = 0;
    std::size_t n_low = 0, n_high = 0;
    for (std::size_t g = 0; g < grains.size(); ++g) {
        const double z = spheres[grains.id[g]][2];
        if (z == 0) {
            low += grains.row[g].z;
            ++n_low;
        }
        if (z == height) {
            high += grains.row[g].z;
            ++n_high;
        }
    }
    EXPECT_LT(sim.energy().kinetic, 1e-9 * force * r);
    return 1 - (high / static_cast<double>(n_high) - low / static_cast<double>(n_low)) / height;
}

// Two tetrahedra of spheres that share an apex, their bases on floor and piston. Each sloping bond carries f = F /
// sqrt(6), each bond of a base f / 3; from their energy the height gives way by 10/9 F/k.
TEST(glue, a_compressed_cluster_yields_as_calculated_and_less_with_larger_beta) {
    const double r = 2e-3, base = 2 * r / std::sqrt(3.0), h = 2 * r * std::sqrt(2.0 / 3);
    std::vector<std::array<double, 4>> spheres{{0, 0, h, r}};
    for (int k = 0; k < 3; ++k) {
        const double a = 2 * pi * k / 3;
        spheres.push_back({base * std::cos(a), base * std::sin(a), 0, r});
        spheres.push_back({base * std::cos(a), base * std::sin(a), 2 * h, r});
    }
    const double force = 0.05;
    Glue glue;
    const double one = strain(spheres, 2, force, 0.1, &glue), two = strain(spheres, 2, 2 * force, 0.1),
                 harder = strain(spheres, 8, 2 * force, 0.1);
    const double expected = 10.0 / 9 * force / bond_stiffness(glue, 2 * r) / (2 * h);
    EXPECT_LT(expected, 1e-3);
    EXPECT_NEAR(one, expected, 3e-3 * expected);
    EXPECT_NEAR(two / one, 2, 5e-3);
    // Stiffness is in proportion to beta - alpha.
    EXPECT_NEAR(two / harder, 7.8 / 1.8, 1e-2 * 7.8 / 1.8);
}

Scene heap() {
    const double r = 1e-3;
    Scene scene = empty();
    contact(scene).contact_time = 5e-4;
    scene.overlap_limit = 0.3;
    add_wall(scene, "box", BoxWall{{}, {0.012, 0.012, 0.03}}).motion = Vibrate{{0, 0, 2e-4}, 40};
    scene.shapes.push_back(cluster("tetra",
                                   close_packing(
                                       r, 2,
                                       [&](int k, double x, double y) {
                                           return k == 0 ? std::hypot(x - r, y - r / std::sqrt(3.0)) < 1.3 * r
                                                         : std::hypot(x - r, y - r / std::sqrt(3.0)) < 0.1 * r;
                                       },
                                       3),
                                   potential(0.05, 0.2, 4, 0.1)));
    EXPECT_EQ(scene.shapes[0].spheres.size(), 4u);
    add_region(scene, "inside", BoxShape{{1e-3, 1e-3, 1e-3}, {0.011, 0.011, 0.029}});
    PlaceAtRandom place;
    place.region = "inside";
    place.count = 10;
    GrainGroup one = group(scene, 0, place);
    one.shape = "tetra";
    one.orientation.random = true;
    scene.grains.push_back(one);
    return scene;
}

TEST(glue, the_account_of_a_shaken_heap_closes_and_bonds_hold) {
    Simulation sim(heap());
    EnergyReport start = sim.energy();
    run_until(sim, 0.08);
    const EnergyReport now = sim.energy();
    EXPECT_NEAR(now.total(), start.total(), 2e-3 * start.potential);
    std::size_t bonds = 0;
    double worst = 0;
    const Grains& grains = sim.synchronised_world().grains;
    for (std::size_t i = 0; i < grains.size(); ++i)
        for (std::size_t j = 0; j < grains.size(); ++j)
            if (grains.id[i] < grains.id[j] && grains.id[i] / 4 == grains.id[j] / 4) {
                ++bonds;
                worst = std::fmax(worst, std::fabs(norm(grains.position(i) - grains.position(j)) / 2e-3 - 1));
            }
    EXPECT_EQ(bonds, 60u);
    EXPECT_LT(worst, 0.05);
}

TEST(glue, same_bits_for_threads_neighborhoods_and_restart) {
    const auto run = [&](int threads, NeighborMethod method, std::uint64_t disturbance) {
        set_thread_count(threads);
        Scene scene = heap();
        scene.neighbors = method;
        Simulation sim(scene);
        if (disturbance) sim.disturb_search(disturbance);
        for (int k = 0; k < 3000; ++k) sim.step();
        set_thread_count(1);
        return sim.hash();
    };
    const std::string reference = run(1, NeighborMethod::grid, 0);
    EXPECT_EQ(run(2, NeighborMethod::grid, 0), reference);
    EXPECT_EQ(run(1, NeighborMethod::brute, 0), reference);
    EXPECT_EQ(run(1, NeighborMethod::grid, 9), reference);
    Simulation first(heap());
    for (int k = 0; k < 1500; ++k) first.step();
    Simulation second(heap(), {first.synchronised_world(), first.contact_memory()}, first.group_names());
    for (int k = 0; k < 1500; ++k) {
        first.step();
        second.step();
    }
    EXPECT_EQ(second.hash(), first.hash());
}

// The automatic step allows for damping past the critical one, where it is what limits the step.
TEST(glue, bonds_damped_past_the_critical_come_to_rest) {
    for (const double damping : {0.5, 3.0, 20.0}) {
        Scene scene = heap();
        scene.gravity = {};
        scene.walls.clear();
        scene.shapes[0].glue.damping = damping;
        Simulation sim(scene);
        World world = sim.synchronised_world();
        for (std::size_t g = 0; g < world.grains.size(); ++g)
            world.grains.row[g].vx = world.grains.id[g] % 4 == 0 ? 0.01 : -0.01 / 3;
        Simulation jolted(scene, {world, sim.contact_memory()}, sim.group_names());
        const EnergyReport start = jolted.energy();
        double last = start.kinetic;
        for (int k = 0; k < 5; ++k) {
            for (int step = 0; step < 200; ++step) jolted.step();
            const EnergyReport now = jolted.energy();
            EXPECT_LE(now.kinetic + now.elastic, last * (1 + 1e-6)) << damping;
            EXPECT_NEAR(now.total(), start.total(), 2e-2 * start.kinetic) << damping;
            last = now.kinetic + now.elastic;
        }
        EXPECT_LT(last, 0.9 * start.kinetic) << damping;
    }
}

TEST(glue, spheres_that_do_not_touch_are_refused) {
    Scene scene = empty();
    add_cluster(scene,
                cluster("loose", {{0, 0, 0, 1e-3}, {2e-3, 0, 0, 1e-3}, {6e-3, 0, 0, 1e-3}}, potential(1, 0.2, 2)),
                {{0, 0, 0}});
    try {
        Simulation sim(scene);
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("fall into 2 parts"), std::string::npos) << error.what();
    }
}

TEST(glue, spheres_come_from_a_file_too) {
    const std::string path = (std::filesystem::path(testing::TempDir()) / "glue_spheres.csv").string();
    std::ofstream(path) << "x,y,z,radius\n0,0,0,1e-3\n0.002,0,0,1e-3\n0.004,0,0,1e-3\n";
    Scene scene = empty();
    GrainShape shape = cluster("row", {}, potential(1, 0.2, 2));
    shape.file = path;
    add_cluster(scene, shape, {{0, 0, 0}, {0, 0.01, 0}});
    EXPECT_EQ(Simulation(scene).world().grains.size(), 6u);
    std::ofstream(path) << "x,y,radius\n0,0,1e-3\n";
    EXPECT_THROW(Simulation{scene}, Error);
}

}  // namespace
}  // namespace scree
