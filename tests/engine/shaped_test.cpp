// Grains that are not spheres: resting, sliding, falling and colliding as mechanics says.
#include <gtest/gtest.h>

#include "core/parallel.h"
#include "scenes.h"
#include "scree/error.h"
#include "shape/shape.h"

namespace scree {
namespace {

using namespace scenes;

GrainShape cube(double edge = 0.02, double radius = 1e-3) {
    GrainShape shape;
    shape.name = "cube";
    shape.kind = ShapeKind::spheropolyhedron;
    shape.solid = Solid::cube;
    shape.length = edge;
    shape.radius = radius;
    shape.erode = true;
    return shape;
}
GrainShape rod(double length = 0.02, double radius = 2e-3) {
    GrainShape shape;
    shape.name = "rod";
    shape.kind = ShapeKind::spherocylinder;
    shape.length = length;
    shape.radius = radius;
    return shape;
}

Scene bare(double restitution, double friction, LawKind law = LawKind::linear) {
    Scene scene = empty(3, law);
    contact(scene).restitution = restitution;
    contact(scene).friction = friction;
    scene.overlap_limit = 0.9;
    return scene;
}

GrainGroup& add_shape(Scene& scene, const GrainShape& shape, std::vector<Vec3> at, Quaternion q = {}) {
    bool known = false;
    for (const GrainShape& each : scene.shapes) known = known || each.name == shape.name;
    if (!known) scene.shapes.push_back(shape);
    GrainGroup one = group(scene, 0, PlaceAt{std::move(at)});
    one.shape = shape.name;
    one.orientation.quaternion = {q.w, q.x, q.y, q.z};
    scene.grains.push_back(one);
    return scene.grains.back();
}

std::size_t index_of(const World& world, Index id) {
    for (std::size_t k = 0; k < world.grains.size(); ++k)
        if (world.grains.id[k] == id) return k;
    return 0;
}

void advance(Simulation& sim, double until) {
    while (sim.time() < until) sim.step();
}

TEST(shaped, a_block_rests_on_a_plane_and_weighs_what_it_weighs) {
    Scene scene = bare(0.5, 0.5);
    add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}});
    add_shape(scene, cube(), {{0, 0, 0.0105}});
    Simulation sim(scene);
    advance(sim, 0.5);
    const World& world = sim.synchronised_world();
    const double weight = g / world.grains.row[0].inverse_mass;
    EXPECT_NEAR(sim.walls()[0].force.z, -weight, 1e-6 * weight);
    EXPECT_LT(sim.energy().kinetic, 1e-12 * weight);
    EXPECT_NEAR(world.grains.orientation[0].w, 1, 1e-12);
    EXPECT_EQ(sim.contacts().size(), 4u);
}

TEST(shaped, ten_cubes_stand_for_ten_seconds) {
    Scene scene = bare(0.5, 0.5);
    contact(scene).contact_time = 2e-3;
    contact(scene).tangential_restitution = 0.5;
    add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}});
    std::vector<Vec3> at;
    for (int k = 0; k < 10; ++k) at.push_back({3e-4 * (k % 2), 2e-4 * (k % 3), 0.01001 + 0.02002 * k});
    add_shape(scene, cube(), at);
    Simulation sim(scene);
    advance(sim, 2);
    const World settled = sim.synchronised_world();
    advance(sim, 10);
    const World& world = sim.synchronised_world();
    for (Index id = 0; id < 10; ++id) {
        const Vec3 drift = world.grains.position(index_of(world, id)) - settled.grains.position(index_of(settled, id));
        EXPECT_LT(norm(drift), 2e-6) << id;  // a ten-thousandth of an edge: the column still sways a little
        EXPECT_LT(norm(world.grains.position(index_of(world, id)) - at[id]), 1e-3) << id;
    }
    EXPECT_LT(sim.energy().kinetic, 1e-9);
    const NeighborReport report = sim.neighbors();
    EXPECT_GT(static_cast<double>(report.distance_queries_saved),
              0.8 * static_cast<double>(report.distance_queries + report.distance_queries_saved));
}

TEST(shaped, counts_of_distance_queries_go_on_when_grains_are_sorted) {
    Scene scene = bare(0.5, 0.5);
    add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}});
    add_shape(scene, cube(), {{0, 0, 0.0105}, {0.001, 0.002, 0.031}, {0.002, 0.001, 0.052}});
    Simulation sim(scene);
    NeighborReport last;
    for (int k = 0; k < 70; ++k) {
        for (int each = 0; each < 64; ++each) sim.step();  // past two sorts, at each 2048 steps
        const NeighborReport now = sim.neighbors();
        ASSERT_GE(now.distance_queries, last.distance_queries) << sim.step_count();
        ASSERT_GE(now.distance_queries_saved, last.distance_queries_saved) << sim.step_count();
        last = now;
    }
    EXPECT_GT(last.distance_queries + last.distance_queries_saved, 2 * 4000u);
}

TEST(shaped, the_friction_cone_holds_for_every_shape) {
    GrainShape tetra;
    tetra.name = "tetra";
    tetra.kind = ShapeKind::spherotetrahedron;
    tetra.length = 0.02;
    tetra.radius = 1e-3;
    GrainShape plate = cube();
    plate.name = "plate";
    plate.solid = Solid::none;
    plate.vertices.clear();
    plate.erode = false;
    for (int k = 0; k < 8; ++k)
        plate.vertices.push_back({k & 1 ? 0.01 : -0.01, k & 2 ? 0.01 : -0.01, k & 4 ? 2e-3 : -2e-3});
    const double mu = 0.4;
    for (const double slope : {0.35, 0.45}) {
        for (const GrainShape& shape : {cube(), plate, tetra}) {
            Scene scene = bare(0.3, mu);
            contact(scene).tangential_restitution = 0.5;
            const double angle = std::atan(slope);
            scene.gravity = {g * std::sin(angle), 0, -g * std::cos(angle)};
            add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}});
            // A face of the tetrahedron down.
            const Quaternion q =
                shape.name == "tetra" ? turn_about({1, -1, 0}, std::acos(1 / std::sqrt(3.0))) : Quaternion{};
            double low = 0;
            Scene one = scene;
            one.shapes = {shape};
            const Shape made = make_shape(one, 0);
            for (const Vec3 v : made.pieces[0].vertex)
                low = std::fmin(low, (matrix_of(normalized(q * made.given)) * v).z - made.pieces[0].radius);
            add_shape(scene, shape, {{0, 0, -low}}, q);
            Simulation sim(scene);
            advance(sim, 0.1);
            const double v0 = sim.synchronised_world().grains.row[0].vx;
            advance(sim, 0.3);
            const double v1 = sim.synchronised_world().grains.row[0].vx;
            const double expected = slope > mu ? g * (std::sin(angle) - mu * std::cos(angle)) : 0;
            EXPECT_NEAR((v1 - v0) / 0.2, expected, 0.02 * g * std::sin(angle)) << shape.name << " slope " << slope;
        }
    }
}

// A body falls with its contact point off its center: frictionless, elastic impact gives the impulse of the books.
void expect_rebound(const GrainShape& shape, Quaternion q, double tolerance) {
    Scene scene = bare(1, 0);
    scene.gravity = {};
    add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}});
    Scene one = scene;
    one.shapes = {shape};
    const Shape made = make_shape(one, 0);
    const Mat3 turn = matrix_of(normalized(q * made.given));
    Vec3 lowest;
    double low = 0;
    for (const Vec3 v : made.pieces[0].vertex)
        if ((turn * v).z - made.pieces[0].radius < low) {
            low = (turn * v).z - made.pieces[0].radius;
            lowest = turn * v;
        }
    add_shape(scene, shape, {{0, 0, -low + 1e-5}}, q).velocity = {0, 0, -0.05};
    scene.time_step = 4e-6;
    Simulation sim(scene);
    const double before = sim.energy().total();
    advance(sim, 8e-3);
    const World& world = sim.synchronised_world();
    ASSERT_EQ(sim.contact_count(), 0u);
    // J = 2 v / (1/m + (r x n).I^-1 (r x n)), with the body as it was: it turns little while it touches.
    const double mass = 1 / world.grains.row[0].inverse_mass;
    // A face touches with all its corners: in their middle.
    Vec3 sum;
    int count = 0;
    for (const Vec3 v : made.pieces[0].vertex)
        if ((turn * v).z - lowest.z < 1e-9) {
            sum += turn * v;
            ++count;
        }
    lowest = sum / count;
    const Vec3 arm = lowest - Vec3{0, 0, made.pieces[0].radius}, moment = cross(arm, Vec3{0, 0, 1}),
               local = turn.transposed_times(moment);
    const double per = mass / made.volume;
    const double yield = 1 / mass + (local.x * local.x / made.inertia.x + local.y * local.y / made.inertia.y +
                                     local.z * local.z / made.inertia.z) /
                                        per;
    const double impulse = 2 * 0.05 / yield;
    EXPECT_NEAR(mass * (world.grains.row[0].vz + 0.05), impulse, tolerance * impulse) << shape.name;
    EXPECT_NEAR(norm(world.grains.momentum[0] - impulse * moment), 0,
                tolerance * impulse * (norm(moment) + made.reach * tolerance))
        << shape.name;
    EXPECT_NEAR(sim.energy().total() / before, 1, 1e-5);
}

TEST(shaped, rod_and_cube_rebound_from_end_edge_corner_and_face_as_calculated) {
    expect_rebound(rod(), turn_about({0, 1, 0}, 0.5), 1e-3);
    expect_rebound(rod(), turn_about({1, 1, 0}, 1.1), 1e-3);
    expect_rebound(cube(), Quaternion{}, 1e-3);
    expect_rebound(cube(), normalized(turn_about({0, 1, 0}, 0.5) * turn_about({1, 0, 0}, 0.4)), 1e-3);
}

TEST(shaped, a_cube_on_its_edge_rebounds_with_both_corners) {
    Scene scene = bare(1, 0);
    scene.gravity = {};
    add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}});
    const Quaternion q = turn_about({0, 1, 0}, 0.3);
    add_shape(scene, cube(), {{0, 0, 0.02}}, q).velocity = {0, 0, -0.05};
    Simulation sim(scene);
    const double mass = 1 / sim.world().grains.row[0].inverse_mass;
    Scene one = scene;
    const Shape made = make_shape(one, 0);
    double arm = 0, low = 1;
    for (const Vec3 v : made.pieces[0].vertex)
        if (const Vec3 w = matrix_of(q) * v; w.z < low - 1e-9) {
            low = w.z;
            arm = w.x;
        }
    const double inertia = mass * made.inertia.y / made.volume, impulse = 2 * 0.05 / (1 / mass + arm * arm / inertia);
    advance(sim, 0.25);
    const World& world = sim.synchronised_world();
    EXPECT_NEAR(mass * (world.grains.row[0].vz + 0.05), impulse, 2e-3 * impulse);
    EXPECT_NEAR(std::fabs(world.grains.momentum[0].y), std::fabs(arm) * impulse, 2e-3 * std::fabs(arm) * impulse);
    EXPECT_LT(std::fabs(world.grains.momentum[0].x) + std::fabs(world.grains.momentum[0].z), 1e-9 * impulse);
}

TEST(shaped, two_rods_hit_off_center_as_calculated) {
    // A rod flies across the end of a resting one, at a right angle: J = (1 + e) v / (2/m + a^2/I).
    for (const LawKind law : {LawKind::linear, LawKind::hertz, LawKind::walton, LawKind::pournin})
        for (const double e : {1.0, 0.8, 0.5, 0.2}) {
            Scene scene = bare(e, 0, law);
            scene.gravity = {};
            const double a = 8e-3;
            add_shape(scene, rod(), {{0, 0, 0}});
            add_shape(scene, rod(), {{4.1e-3, 0, a}}, turn_about({1, 0, 0}, pi / 2)).velocity = {-0.05, 0, 0};
            scene.time_step = 2e-6;
            Simulation sim(scene);
            const Shape made = make_shape(scene, 0);
            const double mass = 1 / sim.world().grains.row[0].inverse_mass,
                         inertia = mass * made.inertia.x / made.volume;
            const double impulse = (1 + e) * 0.05 / (2 / mass + a * a / inertia);
            advance(sim, 8e-3);
            const World& world = sim.synchronised_world();
            const std::size_t first = index_of(world, 0), second = index_of(world, 1);
            const std::string at = std::to_string(static_cast<int>(law)) + ", e = " + std::to_string(e);
            EXPECT_NEAR(mass * world.grains.row[first].vx, -impulse, 1e-3 * impulse) << at;
            EXPECT_NEAR(world.grains.momentum[first].y, -a * impulse, 1e-3 * a * impulse) << at;
            EXPECT_NEAR(mass * (world.grains.row[second].vx + 0.05), impulse, 1e-3 * impulse) << at;
            EXPECT_LT(norm(world.grains.momentum[second]), 1e-2 * a * impulse) << at;
        }
}

// Lists hold what can touch before they are renewed, when both bodies use up all the way they may go: a pair found late
// would rebound faster.
TEST(shaped, bodies_that_fly_at_each_other_meet_wherever_they_start) {
    for (const GrainShape& shape : {rod(), cube()})
        for (double gap = 5e-5; gap < 4e-3; gap += 1e-4) {
            Scene scene = bare(1, 0);
            scene.gravity = {};
            contact(scene).contact_time = 5e-4;
            const double width = shape.name == "rod" ? 4e-3 : 0.02, speed = 1;
            add_shape(scene, shape, {{0, 0, 0}}).velocity = {speed, 0, 0};
            add_shape(scene, shape, {{width + gap, 0, 0}}, turn_about({1, 0, 0}, pi / 2)).velocity = {-speed, 0, 0};
            scene.time_step = 5e-6;
            Simulation sim(scene);
            advance(sim, gap / (2 * speed) + 1e-3);
            const Grains& grains = sim.synchronised_world().grains;
            EXPECT_NEAR(grains.row[index_of(sim.world(), 0)].vx, -speed, 1e-3) << shape.name << ' ' << gap;
            EXPECT_NEAR(grains.row[index_of(sim.world(), 1)].vx, speed, 1e-3) << shape.name << ' ' << gap;
        }
}

// On its end, edge, corner or tilted, and as a clump: the point that touches leaves with e times its speed, whatever
// turns.
TEST(shaped, restitution_is_what_was_asked_off_the_center_too) {
    GrainShape clump;
    clump.name = "clump";
    clump.kind = ShapeKind::cluster;
    clump.spheres = {{0, 0, 0, 4e-3}, {9e-3, 0, 0, 4e-3}, {0, 9e-3, 0, 3e-3}};
    for (const LawKind law : {LawKind::linear, LawKind::hertz})
        for (const double e : {0.8, 0.4})
            for (const GrainShape& shape : {rod(), cube(), clump})
                for (const double angle : {0.25, 0.6, 1.1}) {
                    Scene scene = bare(e, 0, law);
                    scene.gravity = {};
                    scene.materials[0].young = 1e9;  // so that nothing turns far while they touch
                    add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}});
                    const double speed = 0.05;
                    add_shape(scene, shape, {{0, 0, 0.0181}}, turn_about({1, 0.4, 0.1}, angle)).velocity = {0, 0,
                                                                                                            -speed};
                    scene.time_step = law == LawKind::linear ? 4e-6 : 1e-6;
                    Simulation sim(scene);
                    while (sim.contact_count() == 0 && sim.time() < 0.4) sim.step();
                    while (sim.contact_count() > 0 && sim.time() < 0.4) sim.step();
                    ASSERT_LT(sim.time(), 0.4);
                    const Grains& grains = sim.synchronised_world().grains;
                    const double mass = 1 / grains.row[0].inverse_mass, impulse = mass * (grains.row[0].vz + speed);
                    const double turning = 2 * sim.energy().rotational / (impulse * impulse),
                                 effective = 1 / (1 / mass + turning);  // 1/m' = 1/m + t J t
                    EXPECT_NEAR(impulse, (1 + e) * effective * speed, 4e-3 * impulse)
                        << static_cast<int>(law) << ' ' << e << ' ' << shape.name << ' ' << angle;
                }
}

TEST(shaped, a_face_that_falls_flat_keeps_the_restitution_asked_for) {
    for (const double e : {0.9, 0.6, 0.3}) {
        Scene scene = bare(e, 0.3);
        scene.gravity = {};
        add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}});
        add_shape(scene, cube(), {{0, 0, 0.0101}}).velocity = {0, 0, -0.1};
        Simulation sim(scene);
        advance(sim, 0.01);
        EXPECT_NEAR(sim.synchronised_world().grains.row[0].vz, 0.1 * e, 2e-3 * 0.1) << e;
    }
}

Scene tumbling(LawKind law, double restitution, double friction) {
    Scene scene = bare(restitution, friction, law);
    contact(scene).contact_time = 5e-4;
    scene.materials[0].young = 2e7;
    scene.duration = 0.1;
    add_wall(scene, "box", BoxWall{{}, {0.06, 0.06, 0.07}});
    std::vector<Vec3> at;
    for (int k = 0; k < 8; ++k) at.push_back({k & 1 ? 0.045 : 0.015, k & 2 ? 0.045 : 0.015, k & 4 ? 0.05 : 0.017});
    GrainShape small = cube(0.015, 1.5e-3);
    for (std::size_t k = 0; k < at.size(); ++k) {
        GrainShape r = rod(0.012, 3e-3);
        GrainShape clump;
        clump.name = "clump";
        clump.kind = ShapeKind::cluster;
        clump.spheres = {{0, 0, 0, 4e-3}, {5e-3, 0, 0, 4e-3}, {0, 5e-3, 0, 3e-3}};
        GrainGroup& one =
            add_shape(scene,
                      k % 3 == 0   ? small
                      : k % 3 == 1 ? r
                                   : clump,
                      {at[k]}, turn_about({1.0, 0.3 * static_cast<double>(k), -0.5}, 0.9 * static_cast<double>(k)));
        one.velocity = {k & 1 ? -0.3 : 0.3, k & 2 ? -0.2 : 0.25, 0.1};
        one.spin = {10, -20, static_cast<double>(k)};
    }
    return scene;
}

// Sorting at fixed steps changes the order of bodies with other moments of inertia; pouring changes their number.
TEST(shaped, how_a_body_is_cut_into_pieces_is_not_felt) {
    // A plate of two boxes that overlap, or of one: what falls onto it rebounds alike, wherever.
    const auto box = [](const char* name, double half_length) {
        GrainShape shape;
        shape.name = name;
        shape.kind = ShapeKind::spheropolyhedron;
        shape.radius = 1e-3;
        for (int k = 0; k < 8; ++k)
            shape.vertices.push_back(
                {k & 1 ? half_length : -half_length, k & 2 ? 0.014 : -0.014, k & 4 ? 4e-3 : -4e-3});
        return shape;
    };
    GrainShape plate;
    plate.name = "plate";
    plate.kind = ShapeKind::joined;
    plate.parts = {{"half", {-8e-3, 0, 0}}, {"half", {8e-3, 0, 0}}};
    for (const LawKind law : {LawKind::linear, LawKind::hertz})
        for (const GrainShape& falls : {cube(8e-3), rod(8e-3)})
            for (const double x : {0.0, 5e-4, 3.5e-3, 4e-3, 0.012}) {
                SCOPED_TRACE(falls.name + " at " + std::to_string(x));
                double speed[2];
                for (const bool whole : {true, false}) {
                    Scene scene = bare(0.8, 0, law);
                    scene.gravity = {};
                    contact(scene).contact_time = 2e-4;
                    scene.materials[0].young = 1e8;
                    if (!whole) scene.shapes.push_back(box("half", 0.011));
                    GrainShape whole_plate = box("plate", 0.019);
                    add_shape(scene, whole ? whole_plate : plate, {{}}).fixed = true;
                    const double half = falls.name == "rod" ? 2e-3 : 4e-3;
                    add_shape(scene, falls, {{x, 1e-3, 5e-3 + half + 5e-4}},
                              falls.name == "rod" ? turn_about({0, 1, 0}, 0.5 * pi) : Quaternion{})
                        .velocity = {0, 0, -0.3};
                    Simulation sim(scene);
                    advance(sim, 0.012);
                    speed[whole] = sim.synchronised_world().grains.velocity(index_of(sim.world(), 1)).z;
                    EXPECT_NEAR(speed[whole], 0.8 * 0.3, 0.002) << (whole ? "whole" : "of two pieces");
                }
                EXPECT_NEAR(speed[0], speed[1], 0.002);
            }
}

TEST(shaped, free_bodies_keep_energy_and_angular_momentum_when_grains_are_sorted_and_poured) {
    Scene scene = bare(1, 0);
    scene.gravity = {};
    GrainShape plate = cube();
    plate.name = "plate";
    plate.solid = Solid::none;
    plate.erode = false;
    for (int k = 0; k < 8; ++k)
        plate.vertices.push_back({k & 1 ? 0.01 : -0.01, k & 2 ? 0.004 : -0.004, k & 4 ? 0.001 : -0.001});
    for (int k = 0; k < 12; ++k) {
        GrainGroup& one =
            add_shape(scene, k % 2 ? plate : rod(0.01, 1e-3), {{0.1 * (k * 7 % 12), 0.1 * (k * 5 % 12), 0}});
        one.spin = {20, 1, 30};
    }
    add_region(scene, "above", BoxShape{{0, 0, 0.5}, {1, 1, 0.6}});
    PourOverTime pour;
    pour.region = "above";
    pour.rate = 1000;
    pour.until = 0.02;
    scene.shapes.push_back(cube(0.02));
    GrainGroup poured = group(scene, 0, pour);
    poured.shape = "cube";
    poured.spin = {3, 4, 5};
    scene.grains.push_back(poured);
    scene.time_step = 2e-6;
    Simulation sim(scene);
    const auto state = [&] {
        double energy = 0;
        Vec3 momentum;
        const Grains& grains = sim.synchronised_world().grains;
        for (std::size_t g = 0; g < grains.size(); ++g) {
            if (grains.id[g] >= 12) continue;
            const Vec3 x{grains.spin[g].x, grains.spin[g].y, grains.spin[g].z};
            energy += 0.5 * dot(grains.momentum[g], x / grains.row[g].radius);
            momentum += grains.momentum[g];
        }
        return std::pair{energy, momentum};
    };
    const auto [energy, momentum] = state();
    for (int k = 0; k < 7000; ++k) sim.step();
    const auto [later, turned] = state();
    EXPECT_NEAR(later, energy, 1e-6 * energy);
    EXPECT_LT(norm(turned - momentum), 1e-12 * norm(momentum));
    EXPECT_GT(sim.world().grains.size(), 15u);
    EXPECT_NEAR(sim.energy().total(), energy, 1e-6 * energy);
}

// Alone they take the way of bodies with equal moments, beside a rod that of all others.
TEST(shaped, a_cube_turns_about_its_spin_alone_and_among_rods) {
    const Vec3 spin{30, -20, 50};
    for (const bool with_rod : {false, true}) {
        Scene scene = bare(1, 0);
        scene.gravity = {};
        const Quaternion start = turn_about({1, 2, 3}, 0.7);
        add_shape(scene, cube(), {{0, 0, 0}}, start).spin = spin;
        if (with_rod) add_shape(scene, rod(), {{1, 0, 0}});
        scene.time_step = 2e-5;
        Simulation sim(scene);
        for (int k = 0; k < 5000; ++k) sim.step();
        const Grains& grains = sim.synchronised_world().grains;
        const std::size_t g = index_of(sim.world(), 0);
        const Quaternion left = conjugate(turn_about(spin, norm(spin) * 5000 * 2e-5) * start) * grains.orientation[g];
        EXPECT_LT(norm(Vec3{left.x, left.y, left.z}), with_rod ? 1e-5 : 1e-10);
        EXPECT_LT(norm(grains.angular_velocity(g) - spin), 1e-10);
    }
}

TEST(shaped, energy_is_never_gained_and_the_account_closes) {
    for (const LawKind law : {LawKind::linear, LawKind::hertz, LawKind::walton}) {
        Simulation sim(tumbling(law, 0.7, 0.4));
        const EnergyReport start = sim.energy();
        const double scale = start.kinetic + 0.5 * start.potential;
        double mechanical = start.kinetic + start.potential + start.elastic;
        while (sim.time() < 0.3) {
            for (int k = 0; k < 100; ++k) sim.step();
            const EnergyReport now = sim.energy();
            EXPECT_LT(now.kinetic + now.potential + now.elastic, mechanical + 1e-3 * scale)
                << name_of(law) << " at " << sim.time();
            mechanical = std::fmin(mechanical, now.kinetic + now.potential + now.elastic);
            EXPECT_NEAR(now.total(), start.total(), 1e-3 * scale) << name_of(law);
        }
        EXPECT_LT(mechanical, start.kinetic + start.potential - 0.05 * scale);
    }
}

// When the patch of two polyhedra turns into another (a face tips onto an edge near the rim of the other face) its
// energy jumps, up or down. Only what was taken from the bodies is given back: nothing is gained at any time, and
// little is lost.
TEST(shaped, elastic_cubes_do_not_heat_up) {
    for (int k = 0; k < 8; ++k) {
        Scene scene = tumbling(LawKind::linear, 1, 0);
        scene.gravity = {};
        for (GrainGroup& one : scene.grains) {
            one.shape = "cube";
            one.velocity = (0.7 + 0.1 * k) * one.velocity;
            one.spin = (1.3 - 0.07 * k) * one.spin;
        }
        Simulation sim(scene);
        const double start = sim.energy().kinetic;
        double highest = 0;
        while (sim.time() < 0.2) {
            for (int step = 0; step < 20; ++step) sim.step();
            const EnergyReport now = sim.energy();
            highest = std::fmax(highest, (now.kinetic + now.elastic) / start - 1);
        }
        EXPECT_LT(highest, 1e-3) << "run " << k;
        EXPECT_GT(sim.energy().kinetic + sim.energy().elastic, 0.97 * start) << "run " << k;
    }
}

TEST(shaped, elastic_frictionless_bodies_keep_their_energy) {
    Scene scene = tumbling(LawKind::linear, 1, 0);
    scene.gravity = {};
    Simulation sim(scene);
    const double start = sim.energy().kinetic;
    double worst = 0;
    while (sim.time() < 0.5) {
        for (int k = 0; k < 50; ++k) sim.step();
        const EnergyReport now = sim.energy();
        worst = std::fmax(worst, (now.kinetic + now.elastic) / start - 1);
    }
    EXPECT_LT(worst, 2e-3);
    EXPECT_GT(sim.energy().kinetic / start, 0.9);
}

TEST(shaped, same_bits_for_threads_neighborhoods_and_refreshes) {
    for (const LawKind law : {LawKind::linear, LawKind::hertz}) {
        const auto run = [&](int threads, NeighborMethod method, std::uint64_t disturbance) {
            set_thread_count(threads);
            Scene scene = tumbling(law, 0.6, 0.5);
            scene.neighbors = method;
            Simulation sim(scene);
            if (disturbance) sim.disturb_search(disturbance);
            for (int k = 0; k < 8000; ++k) sim.step();
            return sim.hash();
        };
        const std::string reference = run(1, NeighborMethod::grid, 0);
        EXPECT_EQ(run(2, NeighborMethod::grid, 0), reference);
        EXPECT_EQ(run(3, NeighborMethod::brute, 0), reference);
        EXPECT_EQ(run(2, NeighborMethod::grid, 99), reference);
        EXPECT_EQ(run(1, NeighborMethod::grid, 5), reference);
        set_thread_count(1);
    }
}

// Bodies near flat walls alone are listed corner by corner; with a curved wall near they take the way of all walls.
// Neither may be seen.
TEST(shaped, a_curved_wall_that_is_near_but_not_touched_changes_no_bit) {
    for (const LawKind law : {LawKind::linear, LawKind::hertz}) {
        const auto run = [&](bool curved, std::uint64_t disturbance) {
            Scene scene = tumbling(law, 0.6, 0.5);
            contact(scene).rolling_friction = 0.05;
            // Under the floor, deeper than anything sinks in.
            for (int k = 0; k < 4 && curved; ++k)
                add_wall(scene, "hill " + std::to_string(k),
                         SphereWall{{k & 1 ? 0.045 : 0.015, k & 2 ? 0.045 : 0.015, -0.0204}, 0.02})
                    .outside = true;
            Simulation sim(scene);
            if (disturbance) sim.disturb_search(disturbance);
            for (int k = 0; k < 30000; ++k) sim.step();
            EXPECT_GT(sim.synchronised_world().energy.sliding, 0);
            return sim.hash();
        };
        const std::string reference = run(false, 0);
        EXPECT_EQ(run(true, 0), reference);
        EXPECT_EQ(run(true, 3), reference);
    }
}

TEST(shaped, restart_goes_on_bit_for_bit) {
    for (const bool elastic : {false, true}) {
        Scene scene = elastic ? tumbling(LawKind::linear, 1, 0) : tumbling(LawKind::walton, 0.6, 0.5);
        for (GrainGroup& one : scene.grains) one.shape = elastic ? "cube" : one.shape;
        Simulation whole(scene), first(scene);
        // In the elastic scene until a contact between bodies is under way.
        const auto meets = [&] {
            const auto all = first.contacts();
            return std::any_of(all.begin(), all.end(), [](const ContactView& c) { return c.wall < 0; });
        };
        for (int k = 0; k < 5001 || (elastic && k < 20000 && !meets()); ++k) {
            whole.step();
            first.step();
        }
        EXPECT_TRUE(!elastic || meets());
        Simulation second(scene, {first.synchronised_world(), first.contact_memory()}, first.group_names());
        whole.synchronised_world();
        EXPECT_EQ(second.contact_count(), first.contact_count());
        for (int k = 0; k < 3000; ++k) {
            whole.step();
            second.step();
        }
        EXPECT_EQ(second.hash(), whole.hash()) << elastic;
        // A checkpoint from before contacts counted their work is read too.
        ContactMemory older = first.contact_memory();
        const auto narrow = [&](std::vector<double>& memory) {
            std::vector<double> kept;
            for (std::size_t k = 0; k < memory.size(); ++k)
                if (k % static_cast<std::size_t>(older.width) + 2 < static_cast<std::size_t>(older.width))
                    kept.push_back(memory[k]);
            memory = kept;
        };
        narrow(older.memory);
        narrow(older.wall_memory);
        older.width -= 2;
        Simulation third(scene, {first.synchronised_world(), older}, first.group_names());
        EXPECT_EQ(third.contact_count(), first.contact_count());
        EXPECT_NEAR(third.energy().elastic, first.energy().elastic, 0.1 * first.energy().elastic);
    }
}

TEST(shaped, overlapping_grains_are_refused_at_the_start) {
    Scene scene = bare(0.5, 0.5);
    add_shape(scene, cube(), {{0, 0, 0}, {0, 0, 0}});
    EXPECT_THROW(Simulation{scene}, Error);
    Scene apart = bare(0.5, 0.5);
    add_shape(apart, cube(), {{0, 0, 0}, {0, 0, 0.02}});
    EXPECT_NO_THROW(Simulation{apart});
    Scene wall = bare(0.5, 0.5);
    add_wall(wall, "floor", PlaneWall{{}, {0, 0, 1}});
    add_shape(wall, cube(), {{0, 0, 0.009}});
    EXPECT_THROW(Simulation{wall}, Error);
}

TEST(shaped, overlap_past_the_rounding_is_reported) {
    Scene scene = bare(0.5, 0.5);
    contact(scene).contact_time = 0.05;  // far too soft
    scene.overlap_limit = 1;
    add_shape(scene, cube(), {{0, 0, 0}});
    add_shape(scene, cube(), {{0, 0, 0.021}}).velocity = {0, 0, -2};
    Simulation sim(scene);
    try {
        advance(sim, 0.1);
        FAIL() << "nobody noticed";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::invalid);
        EXPECT_NE(std::string(error.what()).find("round"), std::string::npos) << error.what();
    }
}

TEST(shaped, no_body_passes_through_a_sheet_unnoticed) {
    for (const double speed : {0.5, 2.0, 8.0}) {
        Scene scene = bare(0.5, 0.5);
        contact(scene).contact_time = 0.05;  // far too soft
        scene.overlap_limit = 1;
        add_wall(scene, "table", DiscWall{{}, {0, 0, 1}, 0.05, 0});
        add_shape(scene, cube(), {{0, 0, 0.0105}}).velocity = {0, 0, -speed};
        scene.time_step = 2e-5;
        Simulation sim(scene);
        try {
            advance(sim, 0.05);
            FAIL() << "nobody noticed at " << speed << " m/s";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::invalid);
            EXPECT_NE(std::string(error.what()).find("grain 0 and wall \"table\""), std::string::npos) << error.what();
        }
    }
}

TEST(shaped, a_wall_of_bricks_carries_its_load) {
    // Running bond, three courses, a heavy block on top.
    Scene scene = bare(0.3, 0.5);
    contact(scene).tangential_restitution = 0.5;
    GrainShape brick;
    brick.name = "brick";
    brick.kind = ShapeKind::spheropolyhedron;
    brick.radius = 1e-3;
    brick.erode = true;
    for (int k = 0; k < 8; ++k)
        brick.vertices.push_back({k & 1 ? 0.02 : -0.02, k & 2 ? 0.01 : -0.01, k & 4 ? 0.008 : -0.008});
    add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}});
    std::vector<Vec3> at;
    for (int course = 0; course < 3; ++course)
        for (int k = 0; k < 4 - course; ++k) at.push_back({0.0402 * (k + 0.5 * course), 0, 0.00801 + 0.01601 * course});
    add_shape(scene, brick, at);
    add_shape(scene, cube(), {{0.0603, 0, 0.01001 + 3 * 0.01602}}).density = 50000;
    Simulation sim(scene);
    advance(sim, 0.3);
    const World settled = sim.synchronised_world();
    advance(sim, 1);
    const World& world = sim.synchronised_world();
    double weight = 0;
    for (std::size_t k = 0; k < world.grains.size(); ++k) {
        weight += g / world.grains.row[k].inverse_mass;
        EXPECT_LT(norm(world.grains.position(index_of(world, static_cast<Index>(k))) -
                       settled.grains.position(index_of(settled, static_cast<Index>(k)))),
                  2e-5)
            << k;
    }
    EXPECT_NEAR(sim.walls()[0].force.z, -weight, 1e-3 * weight);
}

TEST(shaped, polygons_rest_and_keep_the_account_in_2d) {
    Scene scene = empty(2);
    scene.overlap_limit = 0.9;
    contact(scene).restitution = 0.5;
    contact(scene).friction = 0.5;
    GrainShape square;
    square.name = "square";
    square.kind = ShapeKind::spheropolyhedron;
    square.radius = 1e-3;
    square.erode = true;
    square.vertices = {{-0.01, -0.01, 0}, {0.01, -0.01, 0}, {0.01, 0.01, 0}, {-0.01, 0.01, 0}};
    add_wall(scene, "floor", PlaneWall{{}, {0, 1, 0}});
    add_shape(scene, square, {{0, 0.0101, 0}, {0.004, 0.0303, 0}, {0, 0.0505, 0}});
    add_shape(scene, square, {{0.03, 0.03, 0}}, turn_about({0, 0, 1}, 0.6)).velocity = {-0.2, 0, 0};
    Simulation sim(scene);
    const EnergyReport start = sim.energy();
    advance(sim, 1.5);
    const World& world = sim.synchronised_world();
    double weight = 0;
    for (std::size_t k = 0; k < world.grains.size(); ++k) {
        weight += g / world.grains.row[k].inverse_mass;
        EXPECT_EQ(world.grains.row[k].z, 0);
        EXPECT_EQ(world.grains.orientation[k].x, 0);
    }
    EXPECT_NEAR(sim.walls()[0].force.y, -weight, 1e-3 * weight);
    EXPECT_NEAR(sim.energy().total(), start.total(), 1e-3 * start.total());
}

TEST(shaped, spheres_among_shapes_move_as_spheres_alone) {
    const auto bounce = [](bool with_shape) {
        Scene scene = bare(0.7, 0.3);
        add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}});
        add_grain(scene, {0, 0, 3e-3}, 2e-3, {0.2, 0, -0.1}, {0, 40, 0});
        if (with_shape) add_shape(scene, cube(), {{0.5, 0, 0.0105}});
        scene.time_step = 1e-6;
        Simulation sim(scene);
        advance(sim, 0.02);
        const World& world = sim.synchronised_world();
        const std::size_t k = index_of(world, 0);
        return std::pair{world.grains.velocity(k), world.grains.angular_velocity(k)};
    };
    const auto [v, w] = bounce(false);
    const auto [v2, w2] = bounce(true);
    EXPECT_LT(norm(v - v2), 1e-4 * norm(v));
    EXPECT_LT(norm(w - w2), 1e-3 * norm(w));
}

TEST(shaped, a_wall_feels_a_rolling_sphere_among_shapes_as_one_alone) {
    const auto load = [](bool with_shape) {
        Scene scene = bare(0.2, 0.5);
        contact(scene).rolling_friction = 0.2;
        add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}});
        add_grain(scene, {1e-3, 2e-3, 2e-3}, 2e-3, {0.1, 0, 0}, {0, 50, 0});
        if (with_shape) add_shape(scene, cube(), {{0.5, 0, 0.5}});  // which does not come down so soon
        scene.time_step = 1e-6;
        Simulation sim(scene);
        Vec3 force, torque;
        while (sim.time() < 0.02) {
            sim.step();
            force += sim.walls()[0].force;
            torque += sim.walls()[0].torque;
        }
        return std::pair{force, torque};
    };
    const auto [force, torque] = load(false);
    const auto [force2, torque2] = load(true);
    EXPECT_GT(norm(torque), 0);
    EXPECT_LT(norm(force - force2), 1e-3 * norm(force));
    EXPECT_LT(norm(torque - torque2), 1e-3 * norm(torque));
}

}  // namespace
}  // namespace scree
