// Placing grains that are not spheres: files that tell too little or nonsense, orientations, short periods.
#include <gtest/gtest.h>

#include "csv_file.h"
#include "engine/orientation_order.h"
#include "scenes.h"
#include "scree/error.h"
#include "shape/shape.h"
#include "shape/shape_table.h"

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
    shape.kind = ShapeKind::spherocylinder;
    shape.length = 8e-3;
    shape.radius = 1e-3;
    return shape;
}
GrainShape glued() {
    GrainShape shape;
    shape.kind = ShapeKind::cluster;
    shape.spheres = {{0, 0, 0, 1e-3}, {2e-3, 0, 0, 1e-3}};
    shape.glue.law = Glue::Law::potential;
    shape.glue.strength = 0.1;
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
    EXPECT_EQ(
        file_refusal("x,y\n0,0\n"),
        ":1:1: there is no column 'z'; needed are x, y, z, and optional scale, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz");
    EXPECT_EQ(file_refusal("#\nx,y,z,qw,qx,qy\n0,0,0,1,0,0\n"),
              ":2:1: there is no column 'qz': an orientation needs all of qw, qx, qy, qz");
    EXPECT_EQ(file_refusal("x,y,z,qx,qy,qz\n0,0,0,1,0,0\n"),
              ":1:1: there is no column 'qw': an orientation needs all of qw, qx, qy, qz");
    for (const GrainShape& shape : {rod(), glued()}) {
        EXPECT_EQ(file_refusal("x,y,z,qw,qx,qy,qz\n0,0,0,1,0,0,0\n0,0,1,0,0,0,0\n", shape),
                  ":3:7: qw, qx, qy, qz = 0, 0, 0, 0 is no orientation: a quaternion of length 1 is");
        EXPECT_EQ(file_refusal("x,y,z,qw,qx,qy,qz\n0,0,0,1e300,0,0,0\n", shape),
                  ":2:7: 1e+300 in column 'qw' is too large: numbers up to 1e30 are possible");
    }
    EXPECT_EQ(file_refusal("x,y,z,scale\n0,0,0,-1\n"), ":2:7: a scale must be positive, not -1");
    EXPECT_EQ(file_refusal("x,y,qw,qx,qy,qz\n0,0,1,0,0,1\n", rod(), 2), "");
    EXPECT_EQ(file_refusal("x,y,qw,qx,qy,qz\n0,0,1,0,1,0\n", rod(), 2),
              ":2:7: qx and qy must be 0 in a scene of dimension 2: grains turn about the axis out of the plane");
    EXPECT_EQ(file_refusal("x,y,z\n0,0,1\n", rod(), 2), ":2:5: z must be 0 in a scene of dimension 2");
    EXPECT_NE(refusal(scene_of(rod(), PlaceFromFile{"/nowhere.csv"})).find("cannot read"), std::string::npos);
}

// The corners of a shape that is given neither about its center nor along its principal axes are where the file says.
TEST(shaped_placing, orientations_are_those_of_the_axes_given) {
    GrainShape shape;
    shape.kind = ShapeKind::spherotetrahedron;
    shape.vertices = {{0, 0, 0}, {8e-3, 0, 0}, {0, 12e-3, 0}, {1e-3, 2e-3, 5e-3}};
    shape.radius = 5e-4;
    const CsvFile file("x,y,z,scale,qw,qx,qy,qz\n0.1,0.2,0.3,2,0.5,0.5,0.5,0.5\n");
    Simulation simulation(scene_of(shape, PlaceFromFile{file.path()}));
    const Grains& grains = simulation.synchronised_world().grains;
    const Shape& body = (*simulation.shape_table())[1];
    ASSERT_GT(std::fabs(body.given.x) + std::fabs(body.given.y) + std::fabs(body.given.z), 0.1);
    for (const Vec3 corner : shape.vertices) {
        // That quaternion turns x into y, y into z, z into x.
        const Vec3 d = corner - body.center, expected = Vec3{0.1, 0.2, 0.3} + 2 * Vec3{d.z, d.x, d.y};
        double nearest = forever;
        for (const Vec3 v : body.pieces[0].vertex)
            nearest = std::fmin(nearest, norm(grains.position(0) +
                                              matrix_of(grains.orientation[0]) * (grains.scale[0] * v) - expected));
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
    cube.name = "cube";
    cube.kind = ShapeKind::spheropolyhedron;
    cube.solid = Solid::cube;
    cube.length = 4e-3;
    cube.radius = 5e-4;
    scene.shapes.push_back(cube);
    GrainGroup cubes = group(scene, 0, PlaceAt{{{0.1, 0, 0}, {0.2, 0, 0}}});
    cubes.name = "cubes";
    cubes.shape = "cube";
    cubes.orientation.quaternion = {0.9, 0.2, 0.3, 0.1};
    scene.grains.push_back(cubes);
    Simulation simulation(scene);
    EXPECT_NEAR(orientation_order(simulation).nematic, 1, 1e-12);
    EXPECT_NEAR(orientation_order(simulation).mean_angle, pi / 2, 1e-12);
    scene.grains.erase(scene.grains.begin());
    Simulation only_cubes(scene);
    EXPECT_EQ(orientation_order(only_cubes).nematic, 0);
}

// The fraction asked for is that of matter, in balls that are nearly empty.
TEST(shaped_placing, density_is_that_of_the_bodies) {
    for (const int dimension : {2, 3})
        for (const GrainShape& shape : {rod(), glued()}) {
            PlaceAtRandom place;
            const double asked = dimension == 2 ? 0.1 : 0.02;
            place.region = "in";
            place.density = asked;
            Scene scene = scene_of(shape, place, dimension);
            add_region(scene, "in", BoxShape{{0, 0, 0}, {0.1, 0.1, dimension == 2 ? 0 : 0.1}});
            scene.grains[0].scale.kind = RadiusDistribution::Kind::uniform;
            scene.grains[0].scale.first = 0.8;
            scene.grains[0].scale.second = 1.2;
            scene.grains[0].orientation.random = true;
            Simulation simulation(scene);
            const double body =
                             1.2 * 1.2 *
                             (dimension == 2 ? 2e-3 * 8e-3 + pi * 1e-6 : 1.2 * (pi * 1e-6 * 8e-3 + 4 * pi / 3 * 1e-9)),
                         whole = dimension == 2 ? 1e-2 : 1e-3;
            EXPECT_NEAR(total_mass(simulation) / scene.materials[0].density / whole, asked, 0.5 * body / whole);
        }
}

TEST(shaped_placing, a_density_that_balls_around_bodies_do_not_allow_is_refused_with_why) {
    PlaceAtRandom place;
    place.region = "in";
    place.density = 0.2;
    Scene scene = scene_of(rod(), place);
    add_region(scene, "in", BoxShape{{0, 0, 0}, {0.1, 0.1, 0.1}});
    const std::string limits =
        "random placing fills at most 0.0325 of a region with these grains (it keeps the balls around them apart, of "
        "which they fill 0.056)";
    EXPECT_NE(refusal(scene).find(limits + ", not 0.2"), std::string::npos) << refusal(scene);
    place.density = 0.02;
    scene.grains[0].place = place;
    scene.grains[0].scale.first = 1e-6;
    EXPECT_NE(refusal(scene).find("would be about 7e+20 grains; at most 1e+09 are possible"), std::string::npos)
        << refusal(scene);
    scene.grains[0].scale.first = 1;
    place.density = {};
    place.count = 3000;
    scene.grains[0].place = place;
    EXPECT_NE(
        refusal(scene).find("3000 grains would fill 0.088 of the region 'in'; random placing fills at most 0.0325"),
        std::string::npos)
        << refusal(scene);
}

TEST(shaped_placing, what_does_not_fit_is_told_of_balls) {
    PlaceAtRandom place;
    place.region = "in";
    place.count = 6;
    Scene scene = scene_of(rod(), place);
    add_region(scene, "in", BoxShape{{0, 0, 0}, {0.012, 0.012, 0.012}});
    EXPECT_NE(refusal(scene).find("of the balls around them, which are kept apart and of which they fill 0.056"),
              std::string::npos)
        << refusal(scene);
    scene.regions[0].shape = BoxShape{{0, 0, 0}, {0.009, 0.012, 0.012}};
    EXPECT_NE(
        refusal(scene).find("a grain of radius 0.005 m (of the ball around it) does not fit into the region 'in'"),
        std::string::npos)
        << refusal(scene);
}

TEST(shaped_placing, a_file_with_grains_of_another_shape_is_refused) {
    EXPECT_EQ(file_refusal("x,y,z,shape\n0,0,0,it\n"), "");
    EXPECT_EQ(file_refusal("x,y,z,shape\n0,0,0,it\n0,0,0.1,cube\n"),
              ":3:9: a grain of the shape 'cube' in a file for a group of the shape 'it': make a file and a group of "
              "each shape, or leave the column out to give all the group's");
    const CsvFile file("x,y,z,radius,shape\n0,0,0,1e-3,sphere\n0,0,0.1,1e-3,rod\n");
    Scene scene = empty(3);
    scene.grains = {group(scene, 0, PlaceFromFile{file.path()})};
    EXPECT_NE(refusal(scene).find(":3:14: a grain of the shape 'rod' in a file for a group of the shape 'sphere'"),
              std::string::npos)
        << refusal(scene);
}

TEST(shaped_placing, poured_shapes_need_a_period_of_four_radii_too) {
    for (const auto& [scale, fits] : {std::pair{1.0, true}, std::pair{1.01, false}}) {
        Scene scene = scene_of(rod(), PourOverTime{});
        add_region(scene, "inlet", BoxShape{{-0.01, -0.1, 0}, {0.01, 0.1, 0.2}});
        auto& pour = std::get<PourOverTime>(scene.grains[0].place);
        pour.region = "inlet";
        pour.rate = 100;
        scene.grains[0].scale = {};
        scene.grains[0].scale.first = scale;
        scene.periodic[0] = {-0.01, 0.0100001};
        EXPECT_EQ(refusal(scene).find("periodic.x is 0.0200001 m long") == std::string::npos, fits) << refusal(scene);
    }
}

}  // namespace
}  // namespace scree
