// Edges and sides of grains over what sticks out of walls: rims of holes and discs, edges of boxes and meshes, balls.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "scenes.h"
#include "shape/shape.h"
#include "wall/rim_points.h"

namespace scree {
namespace {

using namespace scenes;

// A box of half sides (x, y, z), rounded.
GrainShape block(const char* name, Vec3 half, double radius) {
    GrainShape shape;
    shape.name = name;
    shape.kind = ShapeKind::spheropolyhedron;
    shape.radius = radius;
    for (int k = 0; k < 8; ++k)
        shape.vertices.push_back({k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
    return shape;
}

Scene with(const GrainShape& shape, Vec3 at, double friction = 0.5, double restitution = 0.3) {
    Scene scene = empty(3, LawKind::linear);
    contact(scene).restitution = restitution;
    contact(scene).friction = friction;
    scene.overlap_limit = 0.9;
    scene.shapes.push_back(shape);
    GrainGroup one = group(scene, 0, PlaceAt{{at}});
    one.shape = shape.name;
    scene.grains.push_back(one);
    return scene;
}

void advance(Simulation& sim, double until) {
    while (sim.time() < until) sim.step();
}

// It lies where it was put, upright, and the wall carries its weight.
void expect_rest(const Scene& scene, double duration = 0.15) {
    Simulation sim(scene);
    const Vec3 start = sim.world().grains.position(0);
    advance(sim, duration);
    const World& world = sim.synchronised_world();
    const double weight = g / world.grains.row[0].inverse_mass;
    EXPECT_LT(norm(world.grains.position(0) - start), 2e-4);
    EXPECT_GT(std::fabs(world.grains.orientation[0].w), 1 - 1e-4);
    EXPECT_LT(sim.energy().kinetic, 1e-8 * weight);
    EXPECT_NEAR(sim.walls()[0].force.z, -weight, 1e-3 * weight);
    EXPECT_GE(sim.contacts().size(), 2u);
}

const GrainShape bar = block("bar", {0.02, 2e-3, 2e-3}, 1e-3), slab = block("slab", {0.02, 0.02, 2e-3}, 1e-3);

TEST(shaped_rims, a_bar_lies_across_a_small_table) {
    // All corners of the bar are beyond the rim.
    Scene scene = with(bar, {1e-3, 0, 3e-3});
    add_wall(scene, "table", DiscWall{{}, {0, 0, 1}, 8e-3, 0});
    expect_rest(scene);
}

TEST(shaped_rims, a_slab_lies_on_a_table_that_is_smaller_all_round) {
    // No edge of the slab is near the rim either: its side lies on the circle.
    Scene scene = with(slab, {1e-3, -2e-3, 3e-3});
    add_wall(scene, "table", DiscWall{{}, {0, 0, 1}, 8e-3, 0});
    expect_rest(scene);
}

TEST(shaped_rims, a_cube_stands_over_the_edge_of_a_hole) {
    // Two of its lower corners hang over the hole, its center is over the plate: 5 mm of its 12 lie inside the hole.
    const GrainShape cube = block("cube", {5e-3, 5e-3, 5e-3}, 1e-3);
    Scene scene = with(cube, {0.0155, 0, 6e-3});
    add_wall(scene, "plate", DiscWall{{}, {0, 0, 1}, 0.06, 0.014});
    expect_rest(scene);
    // A bar across a slot no corner of which is on the plate would fall through without edges: here a ring.
    Scene ring = with(bar, {0, 0, 3e-3});
    add_wall(ring, "ring", DiscWall{{}, {0, 0, 1}, 0.012, 9e-3});
    expect_rest(ring);
}

TEST(shaped_rims, bars_and_slabs_lie_on_boxes_seen_from_outside) {
    for (const GrainShape& shape : {bar, slab}) {
        Scene scene = with(shape, {1e-3, 5e-4, 3e-3});
        Wall& box = add_wall(scene, "box", BoxWall{{-6e-3, -9e-3, -0.02}, {6e-3, 9e-3, 0}});
        box.outside = true;
        expect_rest(scene);
    }
}

TEST(shaped_rims, a_bar_lies_on_a_box_of_triangles) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "scree_rims_box.obj";
    {
        std::ofstream out(file);
        for (int k = 0; k < 8; ++k)
            out << "v " << (k & 1 ? 6e-3 : -6e-3) << ' ' << (k & 2 ? 9e-3 : -9e-3) << ' ' << (k & 4 ? 0 : -0.02)
                << '\n';
        for (const char* f : {"1 3 4", "1 4 2", "5 6 8", "5 8 7", "1 2 6", "1 6 5", "3 7 8", "3 8 4", "1 5 7", "1 7 3",
                              "2 4 8", "2 8 6"})
            out << "f " << f << '\n';
    }
    for (const GrainShape& shape : {bar, slab}) {
        Scene scene = with(shape, {1e-3, 5e-4, 3e-3});
        MeshWall mesh;
        mesh.file = file.string();
        add_wall(scene, "box", mesh);
        expect_rest(scene);
    }
    std::filesystem::remove(file);
}

TEST(shaped_rims, a_ring_threaded_on_a_pole_stays_on_it) {
    // Its center is inside the pole, all of the ring outside: clear half width 10 mm, pole 6 mm, so it may go 4 mm.
    GrainShape rod;
    rod.name = "rod";
    rod.kind = ShapeKind::spherocylinder;
    rod.length = 0.024;
    rod.radius = 2e-3;
    const GrainShape plate = block("plate", {1e-3, 0.013, 3e-3}, 1e-3);
    const double half = std::sqrt(0.5);
    for (const GrainShape& side : {rod, plate})
        for (const bool cone : {false, true}) {
            GrainShape ring;
            ring.name = "ring";
            ring.kind = ShapeKind::joined;
            // Rods are along z, plates along y.
            const bool rods = side.kind == ShapeKind::spherocylinder;
            const std::array<double, 4> along_y =
                                            rods ? std::array{half, half, 0.0, 0.0} : std::array{1.0, 0.0, 0.0, 0.0},
                                        along_x =
                                            rods ? std::array{half, 0.0, half, 0.0} : std::array{half, 0.0, 0.0, half};
            for (const double at : {0.012, -0.012}) {
                ring.parts.push_back({side.name, {at, 0, 0}, along_y});
                ring.parts.push_back({side.name, {0, at, 0}, along_x});
            }
            Scene scene = with(ring, {0, 0, 0.05}, 0, 0.8);
            scene.shapes.push_back(side);
            scene.gravity = {};
            scene.grains[0].velocity = {0.3, 0, 0};
            if (cone)
                add_wall(scene, "pole", ConeWall{{0, 0, 0}, {0, 0, 0.1}, 6e-3 + 1e-6, 6e-3 - 1e-6});
            else
                add_wall(scene, "pole", CylinderWall{{0, 0, 0}, {0, 0, 0.1}, 6e-3});
            Simulation sim(scene);
            double farthest = 0;
            while (sim.time() < 0.025) {
                sim.step();
                farthest = std::fmax(farthest, sim.world().grains.position(0).x);
            }
            SCOPED_TRACE(std::string(side.name) + (cone ? " on a cone" : " on a cylinder"));
            EXPECT_GT(farthest, 3.9e-3);
            EXPECT_LT(farthest, 4.3e-3);
            EXPECT_NEAR(sim.synchronised_world().grains.velocity(0).x, -0.8 * 0.3, 0.005);
        }
}

TEST(shaped_rims, past_the_edge_its_center_must_not_be) {
    // The bar tips over the rim when its center is beyond it, and not before: both by 1 mm.
    for (const double beyond : {-1e-3, 1e-3}) {
        Scene scene = with(bar, {6e-3 + beyond, 0, 3e-3}, 1.0);
        add_wall(scene, "box", BoxWall{{-0.1, -9e-3, -0.02}, {6e-3, 9e-3, 0}}).outside = true;
        Simulation sim(scene);
        advance(sim, 0.25);
        EXPECT_EQ(sim.world().grains.row[0].z<2.5e-3, beyond> 0) << beyond;
    }
}

TEST(shaped_rims, a_bar_falls_onto_an_edge_a_rim_and_a_ball_and_rebounds_as_calculated) {
    // Elastic, without friction, hit at a distance d from its middle: J = 2 v / (1/m + d^2/I).
    const double d = 6e-3, v = 0.05;
    const auto expect_hit = [&](const char* what, const WallShape& wall, bool outside, double top) {
        Scene scene = with(bar, {d, 0, top + 3e-3 + 1e-5}, 0, 1);
        scene.gravity = {};
        scene.grains[0].velocity = {0, 0, -v};
        scene.time_step = 4e-6;
        add_wall(scene, "wall", wall).outside = outside;
        Simulation sim(scene);
        const double before = sim.energy().total();
        advance(sim, 8e-3);
        const World& world = sim.synchronised_world();
        ASSERT_EQ(sim.contact_count(), 0u) << what;
        const Shape made = make_shape(scene, 0);
        const double mass = 1 / world.grains.row[0].inverse_mass,
                     inertia = mass * std::max({made.inertia.x, made.inertia.y, made.inertia.z}) / made.volume;
        const double impulse = 2 * v / (1 / mass + d * d / inertia);
        EXPECT_NEAR(mass * (world.grains.row[0].vz + v), impulse, 2e-3 * impulse) << what;
        EXPECT_NEAR(norm(world.grains.momentum[0]), d * impulse, 2e-3 * d * impulse) << what;
        EXPECT_NEAR(sim.energy().total() / before, 1, 1e-5) << what;
    };
    expect_hit("the edge of a wedge", BoxWall{{-1e-6, -0.03, -0.02}, {1e-6, 0.03, 0}}, true, 0);
    expect_hit("the rim of an upright disc", DiscWall{{0, 0, -0.02}, {1, 0, 0}, 0.02, 0}, false, 0);
    expect_hit("a cylinder", CylinderWall{{0, -0.03, -5e-3}, {0, 0.03, -5e-3}, 5e-3}, true, 0);
    expect_hit("a ball", SphereWall{{0, 0, -0.01}, 0.01}, true, 0);
    for (const double tip : {0.0, 1e-5, 1e-4}) {
        expect_hit("the tip at the end of a cone", ConeWall{{0, 0, -0.02}, {0, 0, 0}, 5e-3, tip}, false, 0);
        expect_hit("the tip at the start of a cone", ConeWall{{0, 0, 0}, {0, 0, -0.02}, tip, 5e-3}, false, 0);
    }
}

// Elastic, without friction, against an edge in any way: patches change while they touch, and no body may leave with
// more than it came with.
TEST(shaped_rims, no_hit_on_an_edge_gives_more_than_it_took) {
    const Vec3 turns[] = {{1, 0.2, 0.1}, {-0.3, 1, 0.5}, {0.2, -0.7, 1}, {1, 1, -0.4}};
    const GrainShape die = block("die", {4e-3, 4e-3, 4e-3}, 1e-3);
    for (const GrainShape& shape : {bar, die})
        for (int k = 0; k < 12; ++k) {
            const double angle = 0.3 + 0.5 * k;
            Scene scene = with(shape, {-4.3e-3 + 0.4e-3 * k, -4.2e-3 + 0.1e-3 * k, 0.0245}, 0, 1);
            contact(scene).contact_time = 2e-4;
            const Quaternion q = turn_about(turns[k % 4], angle);
            scene.gravity = {};
            scene.grains[0].orientation.quaternion = {q.w, q.x, q.y, q.z};
            scene.grains[0].velocity = {0, 0, -0.5};
            scene.grains[0].spin = {-13.1, 6.6 - k, 11.5};
            add_wall(scene, "box", BoxWall{{-5e-3, -5e-3, -0.01}, {5e-3, 5e-3, 0}}).outside = true;
            scene.time_step = 3e-6;
            Simulation sim(scene);
            const double before = sim.energy().kinetic;
            advance(sim, 0.08);
            EXPECT_LT(sim.energy().kinetic, 1.001 * before) << shape.name << ' ' << k;
            EXPECT_GT(sim.energy().kinetic, 0.9 * before) << shape.name << ' ' << k;
        }
}

TEST(shaped_rims, tumbling_over_rims_keeps_the_energy) {
    // Elastic and without friction, a block jumps on a small disc inside a closed box.
    Scene scene = with(block("block", {6e-3, 4e-3, 3e-3}, 1.5e-3), {2e-3, 1e-3, 0.03}, 0, 1);
    contact(scene).contact_time = 5e-4;
    scene.grains[0].spin = {20, 30, -10};
    add_wall(scene, "table", DiscWall{{0, 0, 0.01}, {0.1, 0, 1}, 8e-3, 3e-3});
    add_wall(scene, "block", BoxWall{{-0.03, -0.03, -0.01}, {0.02, 0.03, 0.002}}).outside = true;
    add_wall(scene, "box", BoxWall{{-0.03, -0.03, 0}, {0.03, 0.03, 0.06}});
    scene.time_step = 2e-6;
    Simulation sim(scene);
    const double before = sim.energy().total();
    double worst = 0;
    std::size_t touched = 0;
    while (sim.time() < 0.2) {
        for (int k = 0; k < 500; ++k) {
            sim.step();
            if (k % 50 == 0 && sim.contact_count() > 0)
                for (const ContactView& view : sim.contacts()) touched += view.wall < 2;
        }
        worst = std::max(worst, std::fabs(sim.energy().total() / before - 1));
    }
    EXPECT_LT(worst, 2e-3);
    EXPECT_GT(touched, 0u);
}

TEST(shaped_rims, points_offered_include_the_closest_one) {
    // Of many places on the skeleton none is nearer to the rim than those offered or the corners.
    Scene scene = with(block("block", {6e-3, 4e-3, 3e-3}, 1e-3), {});
    const Shape made = make_shape(scene, 0);
    const Piece& piece = made.pieces[0];
    const WallShape walls[] = {DiscWall{{}, {0, 0, 1}, 0.01, 4e-3}, CylinderWall{{0, 0, -0.01}, {0, 0, 0.01}, 6e-3},
                               BoxWall{{-5e-3, -4e-3, -6e-3}, {4e-3, 6e-3, 5e-3}}, SphereWall{{}, 4e-3}};
    Random random(5, 0);
    int decided_by_rims = 0;
    for (const WallShape& wall : walls) {
        const Surface surface(wall, true, 3);
        std::vector<ConvexPart> parts;
        surface.convex_parts(0, parts);
        for (int trial = 0; trial < 300; ++trial) {
            const Mat3 turn = matrix_of(uniform_rotation(random.uniform(), random.uniform(), random.uniform()));
            const Vec3 at{random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02)};
            std::vector<Vec3> vertex;
            for (const Vec3 v : piece.vertex) vertex.push_back(at + turn * v);
            const auto to_wall = [&](Vec3 p) { return surface.foot(0, p).distance; };
            double corners = 1, offered = 1, sampled = 1;
            for (const Vec3 v : vertex) corners = std::min(corners, to_wall(v));
            std::vector<RimPoint> points;
            for (const ConvexPart& part : parts) rim_points(piece, vertex, surface, part, 1, points);
            for (const RimPoint& p : points) offered = std::min(offered, to_wall(p.point));
            for (const Face& face : piece.faces)
                for (int i = 0; i <= 24; ++i)
                    for (int j = 0; j <= 24; ++j) {
                        const auto corner = [&](std::size_t k) {
                            return vertex[static_cast<std::size_t>(face.corners[k])];
                        };
                        const Vec3 p =
                            corner(0) + (i / 24.0) * (corner(1) - corner(0)) + (j / 24.0) * (corner(3) - corner(0));
                        sampled = std::min(sampled, to_wall(p));
                    }
            // Skeletons that pass through the wall have met it, which ends a run; a cylinder is touched from inside by
            // corners.
            if (sampled < 2e-4) continue;
            EXPECT_GE(sampled, std::min(corners, offered) - 1e-5) << wall.index() << " trial " << trial;
            decided_by_rims += offered < corners - 1e-5;
        }
    }
    EXPECT_GT(decided_by_rims, 100);
}

}  // namespace
}  // namespace scree
