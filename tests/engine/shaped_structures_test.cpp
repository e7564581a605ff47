// Structures and motions of polyhedra that books have numbers for: an arch, a rolling hexagon; and faces with more
// corners than a patch or a batch of lanes has points.
#include <gtest/gtest.h>

#include "scenes.h"
#include "shape/shape.h"

namespace scree {
namespace {

using namespace scenes;

std::size_t row_of(const World& world, Index id) {
    for (std::size_t k = 0; k < world.grains.size(); ++k)
        if (world.grains.id[k] == id) return k;
    return 0;
}

// Half a ring of seven wedges on the floor. As a ring of thickness over radius 1/3 it cannot hinge; without enough
// friction the lowest joints slide (for a half ring below a coefficient of about 0.31).
double keystone_drop(double friction, double* kinetic = nullptr) {
    Scene scene = empty();
    scene.overlap_limit = 0.9;
    contact(scene).restitution = 0.3;
    contact(scene).friction = friction;
    contact(scene).tangential_restitution = 0.5;
    add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}});
    GrainShape wedge;
    wedge.name = "wedge";
    wedge.kind = ShapeKind::spheropolyhedron;
    wedge.radius = 1e-3;
    wedge.erode = true;
    const int stones = 7;
    const double half = 0.5 * pi / stones - 2e-5;
    for (const double radius : {0.05, 0.07})
        for (const double side : {-0.01, 0.01})
            for (const double angle : {-half, half})
                wedge.vertices.push_back({radius * std::sin(angle), side, radius * std::cos(angle)});
    scene.shapes.push_back(wedge);
    const double center = make_shape(scene, 0).center.z;
    for (int k = 0; k < stones; ++k) {
        const double angle = pi * (k + 0.5) / stones - 0.5 * pi;
        const Quaternion q = turn_about({0, 1, 0}, angle);
        GrainGroup stone = group(scene, 0, PlaceAt{{{center * std::sin(angle), 0, center * std::cos(angle) + 1e-6}}});
        stone.shape = "wedge";
        stone.orientation.quaternion = {q.w, q.x, q.y, q.z};
        scene.grains.push_back(stone);
    }
    Simulation sim(scene);
    run_until(sim, 0.4);
    if (kinetic) *kinetic = sim.energy().kinetic;
    const World& world = sim.synchronised_world();
    return center + 1e-6 - world.grains.row[row_of(world, stones / 2)].z;
}

TEST(shaped_structures, an_arch_stands_by_friction_and_falls_without) {
    double kinetic = 1;
    EXPECT_LT(std::fabs(keystone_drop(0.6, &kinetic)), 5e-4);  // settled by the softness of its joints
    EXPECT_LT(kinetic, 1e-7);
    EXPECT_GT(keystone_drop(0.1), 0.02);
}

Scene coins(int corners, double restitution, std::vector<Vec3> at) {
    Scene scene = empty();
    scene.overlap_limit = 0.9;
    contact(scene).restitution = restitution;
    contact(scene).friction = restitution < 1 ? 0.4 : 0;
    GrainShape coin;
    coin.name = "coin";
    coin.kind = ShapeKind::spheropolyhedron;
    coin.radius = 1e-3;
    for (const double side : {-2e-3, 2e-3})
        for (int k = 0; k < corners; ++k)
            coin.vertices.push_back(
                {0.01 * std::cos(2 * pi * k / corners), 0.01 * std::sin(2 * pi * k / corners), side});
    scene.shapes.push_back(coin);
    scene.grains.push_back(group(scene, 0, PlaceAt{std::move(at)}));
    scene.grains.back().shape = "coin";
    return scene;
}

TEST(shaped_structures, a_stack_of_coins_stands_however_round_they_are) {
    for (const int corners : {30, 100}) {
        const std::vector<Vec3> at = {{0, 0, 3.01e-3}, {1e-3, 0, 9.02e-3}, {0, 1e-3, 15.03e-3}};
        Scene scene = coins(corners, 0.3, at);
        add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}});
        Simulation sim(scene);
        run_until(sim, 0.2);
        std::vector<Vec3> settled;
        for (Index id = 0; id < 3; ++id) settled.push_back(sim.world().grains.position(row_of(sim.world(), id)));
        run_until(sim, 0.5);
        for (Index id = 0; id < 3; ++id) {
            const Vec3 now = sim.world().grains.position(row_of(sim.world(), id));
            EXPECT_LT(norm(now - at[id]), 5e-5) << corners << ' ' << id;
            EXPECT_LT(norm(now - settled[id]), 5e-6) << corners << ' ' << id;
        }
    }
}

// More corners on the floor than there are lanes: still one patch, which gives back what it took.
TEST(shaped_structures, a_coin_of_many_corners_rebounds_from_its_face) {
    for (const int corners : {40, 64, 65, 130}) {
        Scene scene = coins(corners, 1, {{0, 0, 4e-3}});
        scene.gravity = {};
        scene.grains[0].velocity = {0, 0, -0.1};
        add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}});
        Simulation sim(scene);
        run_until(sim, 0.03);
        EXPECT_NEAR(sim.synchronised_world().grains.row[0].vz, 0.1, 1e-4) << corners;
        EXPECT_LT(norm(sim.world().grains.momentum[0]), 1e-12) << corners;
    }
}

// Corners near each other share their weight when both touch: that must not pay out.
TEST(shaped_structures, tilted_coins_gain_nothing_from_the_floor) {
    for (const LawKind law : {LawKind::linear, LawKind::hertz})
        for (const int corners : {4, 12, 40})
            for (const double angle : {0.3, 0.7}) {
                Scene scene = coins(corners, 1, {{0, 0, 0.0231}});
                scene.law = law;
                scene.materials[0].young = 1e7;
                const Quaternion q = turn_about({1, 0.3, 0}, angle);
                scene.grains[0].orientation.quaternion = {q.w, q.x, q.y, q.z};
                add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}});
                Simulation sim(scene);
                const auto mechanical = [&] { return sim.energy().kinetic + sim.energy().potential; };
                const double first = mechanical();
                double most = 0;
                int flights = 0;
                for (bool touched = false; sim.time() < 0.3;) {
                    sim.step();
                    if (touched && sim.contact_count() == 0) {
                        most = std::max(most, mechanical());
                        ++flights;
                    }
                    touched = sim.contact_count() > 0;
                }
                EXPECT_GT(flights, 1) << static_cast<int>(law) << ' ' << corners << ' ' << angle;
                EXPECT_LT(most, 1.003 * first) << static_cast<int>(law) << ' ' << corners << ' ' << angle;
            }
}

// What a list holds does not tell which of the two ways to a wall a body takes: all corners may be near, and few touch.
TEST(shaped_structures, coins_of_many_corners_fall_the_same_with_any_list) {
    std::string first;
    for (const std::uint64_t disturbance : {0u, 1u, 2u}) {
        Scene scene = coins(100, 0.5, {{0, 0, 8e-3}, {0.03, 0, 9e-3}});
        scene.grains[0].orientation.quaternion = {std::cos(0.01), std::sin(0.01), 0, 0};
        add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}});
        Simulation sim(scene);
        sim.disturb_search(disturbance);
        for (int k = 0; k < 20000; ++k) sim.step();
        if (first.empty()) first = sim.hash();
        EXPECT_EQ(sim.hash(), first) << disturbance;
        EXPECT_GT(sim.contact_count(), 0u);
    }
}

// A hexagon tips from one face to the next. Angular momentum about the corner it lands on is kept, so the rate of
// turning drops by (I + m r^2 cos 60) / (I + m r^2), the wheel without rim of McGeer.
TEST(shaped_structures, a_hexagon_rolls_from_face_to_face_as_calculated) {
    Scene scene = empty(2);
    scene.overlap_limit = 0.9;
    contact(scene).restitution = 0.05;
    contact(scene).friction = 2;
    contact(scene).tangential_restitution = 0.05;
    contact(scene).contact_time = 4e-4;
    GrainShape hexagon;
    const double r = 0.05, rounding = 5e-4;
    hexagon.name = "hexagon";
    hexagon.kind = ShapeKind::spheropolyhedron;
    hexagon.radius = rounding;
    for (int k = 0; k < 6; ++k) hexagon.vertices.push_back({r * std::sin(pi * k / 3), r * std::cos(pi * k / 3), 0});
    scene.shapes.push_back(hexagon);
    const Shape made = make_shape(scene, 0);
    const double inertia = made.inertia.z / made.volume;  // per mass
    add_wall(scene, "floor", PlaneWall{{}, {0, 1, 0}});
    // Just past the top, standing on a corner.
    const Quaternion q = turn_about({0, 0, 1}, -0.02);
    const double corner = r * std::cos(0.02);
    GrainGroup one = group(scene, 0, PlaceAt{{{0, corner + rounding, 0}}});
    one.shape = "hexagon";
    one.orientation.quaternion = {q.w, q.x, q.y, q.z};
    scene.grains.push_back(one);
    Simulation sim(scene);
    double before = 0, after = 0, lowest = 1;
    while (sim.time() < 1) {
        sim.step();
        const World& world = sim.synchronised_world();
        const double spin = -world.grains.angular_velocity(0).z, height = world.grains.row[0].y;
        if (height < lowest) {
            lowest = height;
            before = std::fmax(before, spin);
        } else if (height > lowest + 2e-4 && after == 0)
            after = spin;
        if (after != 0) break;
    }
    // Down from the corner: energy is kept while it rolls about it.
    const double fall = g * (r * std::cos(0.02) - r * std::cos(pi / 6)), about = inertia + r * r;
    EXPECT_NEAR(before, std::sqrt(2 * fall / about), 0.02 * before);
    const double kept = (inertia + 0.5 * r * r) / about;
    // It has climbed 0.2 mm since.
    const double expected = std::sqrt(kept * before * kept * before - 2 * g * 2e-4 / about);
    EXPECT_NEAR(after, expected, 0.05 * expected);
}

// One brick across the joint of two, edges flush: the patches change their corners from step to step, and the springs
// in them must not feed the bricks.
TEST(shaped_structures, bricks_with_flush_edges_come_to_rest_and_do_not_slide) {
    Scene scene = empty();
    contact(scene).restitution = 0.3;
    contact(scene).friction = 0.5;
    add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}});
    GrainShape brick;
    brick.name = "brick";
    brick.kind = ShapeKind::spheropolyhedron;
    brick.radius = 1e-3;
    brick.erode = true;
    for (const double x : {-1e-2, 1e-2})
        for (const double y : {-5e-3, 5e-3})
            for (const double z : {-5e-3, 5e-3}) brick.vertices.push_back({x, y, z});
    scene.shapes.push_back(brick);
    GrainGroup bricks = group(scene, 0, PlaceAt{{{0, 0, 5e-3}, {2.02e-2, 0, 5e-3}, {1.01e-2, 0, 1.5e-2}}});
    bricks.shape = "brick";
    scene.grains.push_back(bricks);
    Simulation sim(scene);
    while (sim.time() < 1) sim.step();
    const EnergyReport energy = sim.energy();
    EXPECT_LT(energy.kinetic, 1e-5 * energy.elastic);
    EXPECT_LT(std::fabs(energy.dissipated_sliding), 1e-3 * energy.elastic);
}

}  // namespace
}  // namespace scree
