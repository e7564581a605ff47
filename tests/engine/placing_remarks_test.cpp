// What is told of grains that nothing holds.
#include <gtest/gtest.h>

#include <fstream>

#include "engine/placing_remarks.h"
#include "engine/simulation.h"
#include "scenes.h"

namespace scree {
namespace {

using namespace scenes;

Scene ball_above(std::vector<Vec3> places) {
    Scene scene = empty(3, LawKind::linear);
    scene.gravity = {0, 0, -9.81};
    scene.grains.push_back(group(scene, 1e-3, PlaceAt{std::move(places)}));
    return scene;
}

std::string said_of(const Scene& scene) {
    std::vector<std::string> said;
    tell_of_places(Simulation(scene), said);
    std::string all;
    for (const std::string& remark : said) all += remark + "\n";
    return all;
}

TEST(placing_remarks, a_scene_without_walls_is_told_of_unless_it_is_weightless) {
    Scene scene = ball_above({{0, 0, 0.02}});
    EXPECT_NE(said_of(scene).find("the scene has no walls"), std::string::npos);
    Scene turning = scene;
    turning.periodic[2] = {0, 0.1};
    EXPECT_NE(said_of(turning).find("round and round"), std::string::npos);
    scene.gravity = {};
    EXPECT_EQ(said_of(scene), "");
}

TEST(placing_remarks, grains_that_miss_the_floor_are_told_of) {
    Scene scene = ball_above({{0, 0, 0.02}, {0.03, 0, 0.05}});
    add_wall(scene, "table", DiscWall{{0, 0, 0}, {0, 0, 1}, 0.025, 0});
    const std::string said = said_of(scene);
    EXPECT_NE(said.find("below 1 of 2 grains there is no wall, grain 1 at (0.03, 0, 0.05)"), std::string::npos) << said;

    Scene caught = scene;
    add_wall(caught, "ground", PlaneWall{{0, 0, -0.1}, {0, 0, 1}});
    EXPECT_EQ(said_of(caught), "");
    Scene leaving = scene;
    leaving.regions.push_back({"all", BoxShape{{-1, -1, -1}, {1, 1, 1}}, {}});
    leaving.outflow_region = "all";
    EXPECT_EQ(said_of(leaving), "");
    Scene through = scene;  // a hole below the grain that was held
    std::get<DiscWall>(through.walls[0].shape).hole = 5e-3;
    EXPECT_NE(said_of(through).find("below 2 of 2 grains"), std::string::npos);
}

// A cube of triangles [-s, s]^3, without its lid if open.
MeshWall cube_of_triangles(double s, bool open) {
    MeshWall mesh;
    mesh.file = testing::TempDir() + (open ? "remarks_open.obj" : "remarks_closed.obj");
    std::ofstream file(mesh.file);
    for (int k = 0; k < 8; ++k)
        file << "v " << (k & 1 ? s : -s) << ' ' << (k & 2 ? s : -s) << ' ' << (k & 4 ? s : -s) << '\n';
    const int faces[6][4] = {{0, 2, 3, 1}, {0, 1, 5, 4}, {1, 3, 7, 5}, {3, 2, 6, 7}, {2, 0, 4, 6}, {4, 5, 7, 6}};
    for (int f = 0; f < (open ? 5 : 6); ++f)
        for (const int* corner : {faces[f] + 1, faces[f] + 2})
            file << "f " << faces[f][0] + 1 << ' ' << corner[0] + 1 << ' ' << corner[1] + 1 << '\n';
    return mesh;
}

TEST(placing_remarks, a_closed_mesh_with_grains_on_both_sides_is_told_of) {
    const std::vector<Vec3> inside{{0, 0, 0}, {0.01, 0.01, -0.01}}, outside{{0.05, 0, 0}, {0, -0.03, 0.01}};
    const auto said_with = [&](std::vector<Vec3> places, bool open) {
        Scene scene = ball_above(std::move(places));
        add_wall(scene, "ground", PlaneWall{{0, 0, -0.1}, {0, 0, 1}});
        add_wall(scene, "stone", cube_of_triangles(0.02, open));
        return said_of(scene);
    };
    std::vector<Vec3> both = inside;
    both.insert(both.end(), outside.begin(), outside.end());
    EXPECT_NE(said_with(both, false).find("wall 'stone' is a closed mesh with 2 of 4 grains inside"), std::string::npos)
        << said_with(both, false);
    EXPECT_EQ(said_with(inside, false), "");
    EXPECT_EQ(said_with(outside, false), "");
    EXPECT_EQ(said_with(both, true), "");
}

TEST(placing_remarks, grains_on_both_sides_of_a_tube_are_told_of) {
    Scene scene = ball_above({{0, 0, 0.02}, {0.03, 0, 0.05}});
    add_wall(scene, "ground", PlaneWall{{0, 0, 0}, {0, 0, 1}});
    add_wall(scene, "tube", CylinderWall{{0, 0, 0}, {0, 0, 0.1}, 0.02});
    EXPECT_NE(said_of(scene).find("wall 'tube': 1 grains have been placed inside it and 1 beside it"),
              std::string::npos);
    std::get<CylinderWall>(scene.walls[1].shape).radius = 0.04;
    EXPECT_EQ(said_of(scene), "");
}

}  // namespace
}  // namespace scree
