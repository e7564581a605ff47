// Shapes in scene files: every kind is read, written and read again as the same.
#include <gtest/gtest.h>

#include "io/scene_file.h"
#include "scree/error.h"

namespace scree {
namespace {

constexpr const char* every_kind = R"(
[materials.m]
[shapes.ball]
kind = "sphere"
radius = 0.5
[shapes.rod]
kind = "spherocylinder"
length = 2
radius = 0.25
[shapes.chip]
kind = "spherotriangle"
vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
radius = 0.1
[shapes.tetra]
kind = "spherotetrahedron"
length = 1
radius = 0.1
[shapes.die]
kind = "spheropolyhedron"
solid = "dodecahedron"
length = 0.5
radius = 0.05
erode = true
[shapes.block]
kind = "spheropolyhedron"
vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]
radius = 0.05
[shapes.clump]
kind = "cluster"
spheres = [[0, 0, 0, 0.5], [0.6, 0, 0, 0.4]]
[shapes.soft]
kind = "cluster"
spheres = [[0, 0, 0, 0.5], [1, 0, 0, 0.5]]
glue = { law = "power", strength = 3, alpha = 1.5, damping = 0.2 }
[shapes.hammer]
kind = "union"
parts = [{ shape = "rod" }, { shape = "die", at = [0, 0, 1], orientation = [0.6, 0, 0.8, 0] }]
[[regions]]
name = "all"
box = [[0, 0, 0], [100, 100, 100]]
[[grains]]
name = "hammers"
shape = "hammer"
scale = { uniform = [0.5, 1.5] }
orientation = { random = true }
place = { random = "all", count = 3 }
[[grains]]
name = "rods"
shape = "rod"
scale = 2
orientation = { axis = [0, 1, 0], angle = 0.5 }
place = { at = [[200, 0, 0]] }
[[grains]]
name = "balls"
shape = "ball"
radius = 1
place = { at = [[300, 0, 0]] }
)";

TEST(scene_shapes, every_kind_is_read_and_written_back) {
    const Scene scene = parse_scene(every_kind, "kinds.toml");
    ASSERT_EQ(scene.shapes.size(), 9u);
    EXPECT_EQ(scene.shapes[1].kind, ShapeKind::spherocylinder);
    EXPECT_EQ(scene.shapes[4].solid, Solid::dodecahedron);
    EXPECT_TRUE(scene.shapes[4].erode);
    EXPECT_EQ(scene.shapes[6].spheres[1], (std::array<double, 4>{0.6, 0, 0, 0.4}));
    EXPECT_EQ(scene.shapes[6].glue.law, Glue::Law::none);
    EXPECT_EQ(scene.shapes[7].glue, (Glue{Glue::Law::power, 3, 1.5, 2, 0.2}));
    EXPECT_EQ(scene.shapes[8].parts[1].at, (Vec3{0, 0, 1}));
    EXPECT_TRUE(scene.grains[0].orientation.random);
    EXPECT_NEAR(scene.grains[1].orientation.quaternion[2], 0.24740395925452294, 1e-15);
    EXPECT_EQ(parse_scene(write_scene(scene), scene.file, {{}, false}), scene) << write_scene(scene);
}

TEST(scene_shapes, polygons_exist_in_2d_and_solids_do_not) {
    const char* flat =
        "[simulation]\ndimension = 2\n[materials.m]\n[shapes.s]\nkind = \"spheropolyhedron\"\nradius = 0.1\nvertices = "
        "[[0, 0], [1, 0], [0, 1]]\n"
        "[[grains]]\nshape = \"s\"\norientation = { angle = 1 }\nplace = { at = [[0, 0]] }\n";
    const Scene scene = parse_scene(flat, "flat.toml");
    EXPECT_EQ(scene.shapes[0].vertices.size(), 3u);
    EXPECT_EQ(parse_scene(write_scene(scene), scene.file, {{}, false}), scene);
    std::string solid = flat;
    solid.replace(solid.find("spheropolyhedron"), 16, "spherotetrahedron");
    EXPECT_THROW(parse_scene(solid, "flat.toml"), Error);
}

}  // namespace
}  // namespace scree
