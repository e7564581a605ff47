// Bodies put at given places: not through walls, and next to them as near as one likes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>

#include "core/random.h"
#include "geometry/gjk.h"
#include "geometry/surface.h"
#include "math/elementary.h"
#include "scenes.h"
#include "scree/error.h"
#include "shape/shape.h"

namespace scree {
namespace {

using namespace scenes;

GrainShape cube(double edge, double radius) {
    GrainShape shape;
    shape.name = "cube";
    shape.kind = ShapeKind::spheropolyhedron;
    shape.solid = Solid::cube;
    shape.length = edge;
    shape.radius = radius;
    shape.erode = true;
    return shape;
}

GrainShape rod(double length, double radius) {
    GrainShape shape;
    shape.name = "rod";
    shape.kind = ShapeKind::spherocylinder;
    shape.length = length;
    shape.radius = radius;
    return shape;
}

std::string refusal(const GrainShape& shape, Vec3 at, const WallShape& wall, bool outside = false, int dimension = 3) {
    Scene scene = empty(dimension, LawKind::linear);
    scene.shapes.push_back(shape);
    GrainGroup one = group(scene, 0, PlaceAt{{at}});
    one.shape = shape.name;
    scene.grains.push_back(one);
    add_wall(scene, "w", wall, outside);
    try {
        const Simulation sim(scene);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
        return error.what();
    }
    return "";
}

bool refused(const GrainShape& shape, Vec3 at, const WallShape& wall, bool outside = false, int dimension = 3) {
    const std::string why = refusal(shape, at, wall, outside, dimension);
    EXPECT_TRUE(why.empty() || why.find("overlaps wall 'w'") != std::string::npos) << why;
    return !why.empty();
}

TEST(shaped_placing_at_walls, a_body_across_a_wall_is_refused_and_one_beside_it_is_not) {
    const GrainShape die = cube(8e-3, 8e-4), stick = rod(8e-3, 1e-3);
    const DiscWall table{{}, {0, 0, 1}, 0.02, 0}, coin{{}, {0, 0, 1}, 1e-3, 0}, ring{{}, {0, 0, 1}, 0.02, 5e-3},
        upright{{0, 2e-3, 0}, {0, 1, 0}, 1e-3, 0};
    const CylinderWall pipe{{0, 0, -1e-3}, {0, 0, 1e-3}, 1e-3}, tube{{0, 0, -0.1}, {0, 0, 0.1}, 0.02};
    const ConeWall tip{{0, 0, -1e-3}, {0, 0, 1e-3}, 1e-3, 0};
    for (const WallShape& wall :
         {WallShape(table), WallShape(coin), WallShape(pipe), WallShape(tip), WallShape(upright)}) {
        EXPECT_TRUE(refused(die, {0, 0, 5e-4}, wall));
        EXPECT_FALSE(refused(die, {0, 0, 0.05}, wall));
    }
    for (const WallShape& wall : {WallShape(table), WallShape(coin), WallShape(tip)})
        EXPECT_TRUE(refused(stick, {0, 0, 5e-4}, wall));
    EXPECT_FALSE(refused(stick, {0, 0, 5e-4}, pipe)) << "it fits exactly";
    EXPECT_TRUE(refused(stick, {1e-5, 0, 5e-4}, pipe));
    EXPECT_TRUE(refused(die, {1e-3, 0, 0}, ring)) << "upright edges pass beyond the rim of the hole";
    EXPECT_FALSE(refused(stick, {0, 0, 0}, ring)) << "through the hole";
    EXPECT_FALSE(refused(stick, {3.9e-3, 0, 0}, ring));
    EXPECT_TRUE(refused(stick, {4.1e-3, 0, 0}, ring));
    // On the table, under it, beside its rim, across it.
    EXPECT_FALSE(refused(die, {0, 0, 4e-3}, table));
    EXPECT_FALSE(refused(die, {0, 0, -4e-3}, table));
    EXPECT_TRUE(refused(die, {0, 0, 3.99e-3}, table));
    EXPECT_FALSE(refused(die, {0.024, 0, 0}, table));
    EXPECT_TRUE(refused(die, {0.0239, 0, 0}, table));
    EXPECT_FALSE(refused(die, {0.02, 0, 4e-3}, table));
    EXPECT_FALSE(refused(die, {0, 0, 4e-3}, coin));
    EXPECT_TRUE(refused(die, {0, 0, 3.99e-3}, coin));
    // Inside a tube, and outside of it.
    EXPECT_FALSE(refused(stick, {0.019, 0, 0}, tube));
    EXPECT_FALSE(refused(stick, {0.021, 0, 0}, tube));
    EXPECT_TRUE(refused(stick, {0.0191, 0, 0}, tube));
    EXPECT_FALSE(refused(die, {0.024, 0, 0}, tube));
    EXPECT_TRUE(refused(die, {0.0239, 0, 0}, tube));
}

TEST(shaped_placing_at_walls, what_sticks_out_of_a_wall_is_not_inside_a_body) {
    const GrainShape die = cube(8e-3, 8e-4), stick = rod(8e-3, 1e-3);
    const SphereWall ball{{2e-4, 0, 0}, 1e-3};
    const BoxWall block{{-1e-3, -1e-3, -1e-3}, {1e-3, 1e-3, 1e-3}};
    for (const GrainShape& shape : {die, stick}) {
        EXPECT_TRUE(refused(shape, {}, ball, true));
        EXPECT_TRUE(refused(shape, {}, block, true));
    }
    EXPECT_FALSE(refused(die, {0, 0, 5e-3}, ball, true));
    EXPECT_TRUE(refused(die, {0, 0, 4.99e-3}, ball, true));
    EXPECT_FALSE(refused(stick, {2e-3, 0, 0}, block, true));
    EXPECT_TRUE(refused(stick, {1.99e-3, 0, 0}, block, true));

    const std::string file = testing::TempDir() + "shaped_placing_tetrahedron.obj";
    std::ofstream(file) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    MeshWall mesh;
    mesh.file = file;
    mesh.scale = 1e-3;
    EXPECT_TRUE(refused(die, {}, mesh)) << "all of the mesh is inside";
    EXPECT_TRUE(refused(stick, {2e-4, 2e-4, 0}, mesh));
    EXPECT_FALSE(refused(die, {0, 0, -4e-3}, mesh));
    EXPECT_FALSE(refused(stick, {-1e-3, 5e-4, 0}, mesh));
    mesh.scale = 6e-3;
    EXPECT_TRUE(refused(stick, {1e-3, 1e-3, 4e-3}, mesh)) << "one end in, one out";
    std::remove(file.c_str());
}

TEST(shaped_placing_at_walls, in_the_plane_too) {
    GrainShape square;
    square.name = "square";
    square.kind = ShapeKind::spheropolyhedron;
    square.radius = 5e-4;
    square.vertices = {{0, 0, 0}, {8e-3, 0, 0}, {8e-3, 8e-3, 0}, {0, 8e-3, 0}};
    const PolylineWall line{{{-0.1, 1e-3, 0}, {0.1, 1e-3, 0}}}, inner{{{-1e-3, 1e-3, 0}, {1e-3, 1e-3, 0}}};
    const DiscWall shelf{{0, 1e-3, 0}, {0, 1, 0}, 0.1, 0}, gate{{0, 1e-3, 0}, {0, 1, 0}, 0.1, 5e-3};
    for (const WallShape& wall : {WallShape(line), WallShape(inner), WallShape(shelf)}) {
        EXPECT_TRUE(refused(square, {}, wall, false, 2));
        EXPECT_FALSE(refused(square, {0, 5.5e-3, 0}, wall, false, 2));
        EXPECT_TRUE(refused(square, {0, 5.49e-3, 0}, wall, false, 2));
    }
    EXPECT_FALSE(refused(square, {}, gate, false, 2));
    EXPECT_TRUE(refused(square, {1e-3, 0, 0}, gate, false, 2));
}

// Against points laid densely over the sheets.
TEST(shaped_placing_at_walls, distances_from_sheets_are_those_of_their_points) {
    Random random(2, 0);
    const auto number = [&](double low, double high) { return random.uniform(low, high); };
    int near = 0, far = 0;
    for (int round = 0; round < 300; ++round) {
        const double h = round % 3 == 0 ? 0 : number(0.5, 2),
                     s0 = round % 3 == 2   ? number(0, 1.5)
                          : round % 2      ? 0.4
                          : round % 3 == 0 ? 0
                                           : 1,
                     s1 = round % 3 == 1 ? s0 : number(0.5, 1.5) + (h == 0 ? s0 : 0);
        const WallShape wall = h == 0           ? WallShape(DiscWall{{}, {0, 0, 1}, s1, s0})
                               : round % 3 == 1 ? WallShape(CylinderWall{{}, {0, 0, h}, s0})
                                                : WallShape(ConeWall{{}, {0, 0, h}, s0, s1});
        const Surface surface(wall, false, 3);
        const double x = number(-1.5, 1.5), y = number(-1.5, 1.5), z = number(-1, 2), size = number(0.05, 0.8);
        std::vector<Vec3> corners;
        for (int k = 0; k < 1 + round % 7; ++k) {
            const double a = number(-1, 1), b = number(-1, 1), c = number(-1, 1);
            corners.push_back(Vec3{x, y, z} + size * Vec3{a, b, c});
        }
        const Polyhedron body(corners);
        constexpr int around = 200, up = 60;
        double nearest = 1e300;
        for (int i = 0; i < around; ++i)
            for (int j = 0; j <= up; ++j) {
                const double t = static_cast<double>(j) / up, s = s0 + t * (s1 - s0), angle = 2 * pi * i / around;
                const Distance d = distance(body, PointBody(Vec3{s * std::cos(angle), s * std::sin(angle), t * h}));
                nearest = std::fmin(nearest, d.skeletons_overlap ? 0 : d.gap);
            }
        const double spacing = 3.0 * pi / around + 3.0 / up, limit = 0.15;
        const bool found = surface.nearer_than(limit, body).has_value();
        if (nearest < limit) {
            EXPECT_TRUE(found) << round;
            ++near;
        } else if (nearest > limit + spacing) {
            EXPECT_FALSE(found) << round;
            ++far;
        }
    }
    EXPECT_GT(near, 40);
    EXPECT_GT(far, 60);
}

}  // namespace
}  // namespace scree
