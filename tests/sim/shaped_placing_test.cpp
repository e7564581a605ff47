// Placing grains that are not spheres: files that tell too little or nonsense, orientations, short periods.
#include <gtest/gtest.h>

#include "csv_file.h"
#include "scenes.h"
#include "scree/error.h"
#include "shape/shape.h"
#include "sim/orientation_order.h"
#include "sim/shape_table.h"

namespace scree {
namespace {

using namespace scenes;

Scene scene_of(GrainShape shape, Placing place, int dimension = 3) {
    Scene scene = empty(dimension);
    shape.name = "it";
    scene.shapes = {shape};
    GrainGroup one = group(scene, 0, std::move(place));
    one.shape = "it";
    scene.grains = {one};
    return scene;
}

GrainShape rod() {
    GrainShape shape;
    shape.kind = ShapeKind::spherocylinder, shape.length = 8e-3, shape.radius = 1e-3;
    return shape;
}
GrainShape glued() {
    GrainShape shape;
    shape.kind = ShapeKind::cluster, shape.spheres = {{0, 0, 0, 1e-3}, {2e-3, 0, 0, 1e-3}}, shape.glue.law = Glue::Law::potential, shape.glue.strength = 0.1;
    return shape;
}

std::string refusal(const Scene& scene) {
    try {
        Simulation simulation(scene);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input) << error.what();
        return error.what();
    }
    return "";
}

std::string file_refusal(const std::string& text, const GrainShape& shape = rod(), int dimension = 3) {
    const CsvFile file(text);
    const std::string message = refusal(scene_of(shape, PlaceFromFile{file.path()}, dimension)), prefix = file.path();
    return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
}

TEST(shaped_placing, a_file_that_tells_too_little_or_nonsense_is_refused_at_its_line) {
    EXPECT_EQ(file_refusal("x,y,z\n0,0,0\n"), "");
    EXPECT_EQ(file_refusal("x,y,z,qw,qx,qy,qz\n0,0,0,2,0,0,1e-9\n"), "");
    EXPECT_EQ(file_refusal("x,y\n0,0\n"), ":1:1: there is no column 'z'; needed are x, y, z, and optional scale, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz");
    EXPECT_EQ(file_refusal("#\nx,y,z,qw,qx,qy\n0,0,0,1,0,0\n"), ":2:1: there is no column 'qz': an orientation needs all of qw, qx, qy, qz");
    EXPECT_EQ(file_refusal("x,y,z,qx,qy,qz\n0,0,0,1,0,0\n"), ":1:1: there is no column 'qw': an orientation needs all of qw, qx, qy, qz");
    for (const GrainShape& shape : {rod(), glued()}) {
        EXPECT_EQ(file_refusal("x,y,z,qw,qx,qy,qz\n0,0,0,1,0,0,0\n0,0,1,0,0,0,0\n", shape), ":3:7: qw, qx, qy, qz = 0, 0, 0, 0 is no orientation: a quaternion of length 1 is");
        EXPECT_EQ(file_refusal("x,y,z,qw,qx,qy,qz\n0,0,0,1e300,0,0,0\n", shape), ":2:7: qw, qx, qy, qz = 1e+300, 0, 0, 0 is no orientation: a quaternion of length 1 is");
    }
    EXPECT_EQ(file_refusal("x,y,z,scale\n0,0,0,-1\n"), ":2:7: a scale must be positive, not -1");
    EXPECT_EQ(file_refusal("x,y,qw,qx,qy,qz\n0,0,1,0,0,1\n", rod(), 2), "");
    EXPECT_EQ(file_refusal("x,y,qw,qx,qy,qz\n0,0,1,0,1,0\n", rod(), 2), ":2:7: qx and qy must be 0 in a scene of dimension 2: grains turn about the axis out of the plane");
    EXPECT_EQ(file_refusal("x,y,z\n0,0,1\n", rod(), 2), ":2:5: z must be 0 in a scene of dimension 2");
    EXPECT_NE(refusal(scene_of(rod(), PlaceFromFile{"/nowhere.csv"})).find("cannot read"), std::string::npos);
}

// The corners of a shape that is given neither about its center nor along its principal axes are where the file says.
TEST(shaped_placing, orientations_are_those_of_the_axes_given) {
    GrainShape shape;
    shape.kind = ShapeKind::spherotetrahedron, shape.vertices = {{0, 0, 0}, {8e-3, 0, 0}, {0, 12e-3, 0}, {1e-3, 2e-3, 5e-3}}, shape.radius = 5e-4;
    const CsvFile file("x,y,z,scale,qw,qx,qy,qz\n0.1,0.2,0.3,2,0.5,0.5,0.5,0.5\n");
    Simulation simulation(scene_of(shape, PlaceFromFile{file.path()}));
    const Grains& grains = simulation.synchronised_world().grains;
    const Shape& body = (*simulation.shape_table())[1];
    ASSERT_GT(std::fabs(body.given.x) + std::fabs(body.given.y) + std::fabs(body.given.z), 0.1);
    for (const Vec3 corner : shape.vertices) {
        // That quaternion turns x into y, y into z, z into x.
        const Vec3 d = corner - body.center, expected = Vec3{0.1, 0.2, 0.3} + 2 * Vec3{d.z, d.x, d.y};
        double nearest = forever;
        for (const Vec3 v : body.pieces[0].vertex) nearest = std::fmin(nearest, norm(grains.position(0) + matrix_of(grains.orientation[0]) * (grains.scale[0] * v) - expected));
        EXPECT_LT(nearest, 1e-15);
    }
    const Quaternion told = as_given(body, grains.orientation[0]);
    for (const double component : {told.w, told.x, told.y, told.z}) EXPECT_NEAR(component / told.w, 1, 1e-14);
}

// A rod lying along y, cubes turned anyhow: the cubes have no axis to be counted.
TEST(shaped_placing, order_is_that_of_grains_with_one_longest_axis) {
    Scene scene = scene_of(rod(), PlaceAt{{{0, 0, 0}}});
    scene.grains[0].orientation.quaternion = {1, 1, 0, 0};
    GrainShape cube;
    cube.name = "cube", cube.kind = ShapeKind::spheropolyhedron, cube.solid = Solid::cube, cube.length = 4e-3, cube.radius = 5e-4;
    scene.shapes.push_back(cube);
    GrainGroup cubes = group(scene, 0, PlaceAt{{{0.1, 0, 0}, {0.2, 0, 0}}});
    cubes.name = "cubes", cubes.shape = "cube", cubes.orientation.quaternion = {0.9, 0.2, 0.3, 0.1};
    scene.grains.push_back(cubes);
    Simulation simulation(scene);
    EXPECT_NEAR(orientation_order(simulation).nematic, 1, 1e-12);
    EXPECT_NEAR(orientation_order(simulation).mean_angle, pi / 2, 1e-12);
    scene.grains.erase(scene.grains.begin());
    Simulation only_cubes(scene);
    EXPECT_EQ(orientation_order(only_cubes).nematic, 0);
}

TEST(shaped_placing, poured_shapes_need_a_period_of_four_radii_too) {
    for (const auto& [scale, fits] : {std::pair{1.0, true}, std::pair{1.01, false}}) {
        Scene scene = scene_of(rod(), PourOverTime{});
        add_region(scene, "inlet", BoxShape{{-0.01, -0.1, 0}, {0.01, 0.1, 0.2}});
        auto& pour = std::get<PourOverTime>(scene.grains[0].place);
        pour.region = "inlet", pour.rate = 100;
        scene.grains[0].scale = {};
        scene.grains[0].scale.first = scale;
        scene.periodic[0] = {-0.01, 0.0100001};
        EXPECT_EQ(refusal(scene).find("periodic.x is 0.0200001 m long") == std::string::npos, fits) << refusal(scene);
    }
}

}  // namespace
}  // namespace scree
