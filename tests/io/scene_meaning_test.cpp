// What a scene file means: the reference scene of the interface, field by field, and the defaults.
#include <gtest/gtest.h>

#include "io/scene_file.h"
#include "scree/error.h"
#include "wall/wall.h"

namespace scree {
namespace {

Scene parse(const char* text) { return parse_scene(text, "folder/scene.toml", {{}, false}); }

TEST(scene_meaning, a_full_scene_in_3d) {
    const Scene scene = parse(R"(
title = "Hourglass"
[simulation]
dimension = 3
engine = "soft"
gravity = { vector = [0, 0, -9.81], turn = { axis = [1, 0, 0], angle = 3.14159, from = 4, until = 5 } }
overlap_limit = 0.2
duration = 2.0
time_step = 1e-5
seed = 7
neighbors = "brute"
integrator = "taylor"
damping = 0.1
rotation_damping = 0.2
[materials.glass]
density = 2600
restitution = 0.7
friction = 0.4
contact_time = 2e-3
tangential_restitution = 0.9
rolling_friction = 0.01
cohesion = 0.5
viscosity = 1e-6
young = 1e9
poisson = 0.2
[materials.steel]
young = 2e11
[[interactions]]
between = ["glass", "steel"]
friction = 0.2
[contact]
law = "kuwabara-kono"
[shapes.ball]
kind = "sphere"
[[grains]]
name = "sand"
shape = "ball"
material = "glass"
radius = { lognormal = [2e-3, 0.1] }
place = { lattice = "sc", spacing = 4.2e-3, region = "upper", probability = 0.9, jitter = 1e-4 }
velocity = [1, 2, 3]
spin = [4, 5, 6]
density_of = 1000
fixed = true
[[grains]]
name = "rain"
material = "glass"
radius = { table = [[1e-3, 0.3], [2e-3, 0.7]] }
pour = { region = "upper", rate = 2000, from = 0.5, until = 1.5, count = 99, velocity = [0, 0, -0.5] }
[[grains]]
name = "bed"
material = "glass"
place = { file = "bed.csv" }
[[grains]]
name = "gas"
material = "glass"
radius = 1e-3
place = { random = "upper", density = 0.1 }
[[regions]]
name = "upper"
box = [[-0.05, -0.04, 0.06], [0.05, 0.04, 0.1]]
[[walls]]
name = "funnel"
kind = "cone"
material = "steel"
from = [0, 0, 0]
to = [0, 0, 0.1]
radius_from = 0.01
radius_to = 0.05
side = "outside"
motion = { vibrate = { amplitude = [0, 0, 1.5e-3], frequency = 4, wave = "tap", from = 1, until = 10 } }
open_at = 1.5
[[walls]]
name = "rough"
kind = "balls"
material = "steel"
like = { kind = "disc", center = [0, 0, 0], normal = [0, 0, 1], radius = 0.1, hole = 0.01 }
radius = 1e-3
spacing = 2e-3
seed = 5
[[walls]]
name = "lid"
kind = "plane"
material = "steel"
point = [0, 0, 1]
normal = [0, 0, -1]
motion = { free = { mass = 0.1, along = [0, 1, 0], force = -20, from = 0.2 } }
[[walls]]
name = "lift"
kind = "sphere"
material = "steel"
center = [0, 0, 1]
radius = 2
motion = { table = [[0, 0, 0, 0], [1, 0, 0, 0.5]] }
[periodic]
y = [0, 0.1]
[outflow]
region = "upper"
[output]
frames = 0.02
series = 0.001
checkpoint = 0.5
measures = ["energy", "density", { layers = { axis = "z", count = 20 } }]
measure_every = 0.25
)");
    EXPECT_EQ(scene.title, "Hourglass");
    EXPECT_EQ(scene.measures,
              (std::vector<MeasureRequest>{
                  {"energy", {}}, {"density", {}}, {"layers", {{"axis", std::string("z")}, {"count", 20.0}}}}));
    EXPECT_EQ(scene.measure_interval, 0.25);
    EXPECT_EQ(scene.file, "folder/scene.toml");
    EXPECT_EQ(scene.gravity, (Vec3{0, 0, -9.81}));
    ASSERT_TRUE(scene.gravity_turn);
    EXPECT_EQ(*scene.gravity_turn, (GravityTurn{{1, 0, 0}, 3.14159, 4, 5}));
    EXPECT_EQ(scene.overlap_limit, 0.2);
    EXPECT_EQ(scene.duration, 2);
    EXPECT_EQ(scene.time_step, 1e-5);
    EXPECT_EQ(scene.seed, 7u);
    EXPECT_EQ(scene.neighbors, NeighborMethod::brute);
    EXPECT_EQ(scene.integrator, Integrator::taylor);
    EXPECT_EQ(scene.damping, 0.1);
    EXPECT_EQ(scene.rotation_damping, 0.2);
    EXPECT_EQ(scene.law, LawKind::kuwabara_kono);

    ASSERT_EQ(scene.materials.size(), 2u);
    EXPECT_EQ(scene.materials[0], (Material{"glass", 2600, 1e9, 0.2, {0.7, 0.9, 0.4, 2e-3, 0.01, 0.5, 1e-6}, {}}));
    EXPECT_EQ(scene.materials[0].where.line, 15);
    ASSERT_EQ(scene.interactions.size(), 1u);
    EXPECT_EQ(scene.interactions[0].first, "glass");
    EXPECT_EQ(scene.interactions[0].second, "steel");
    EXPECT_EQ(scene.interactions[0].friction, 0.2);
    EXPECT_FALSE(scene.interactions[0].restitution);

    ASSERT_EQ(scene.grains.size(), 4u);
    const GrainGroup& sand = scene.grains[0];
    EXPECT_EQ(sand.radius.kind, RadiusDistribution::Kind::lognormal);
    EXPECT_EQ(sand.radius.second, 0.1);
    EXPECT_EQ(sand.radius.where.line, 39);
    EXPECT_EQ(std::get<PlaceOnLattice>(sand.place), (PlaceOnLattice{LatticeKind::sc, 4.2e-3, "upper", 0.9, 1e-4}));
    EXPECT_EQ(sand.velocity, (Vec3{1, 2, 3}));
    EXPECT_EQ(sand.spin, (Vec3{4, 5, 6}));
    EXPECT_EQ(sand.density, 1000);
    EXPECT_TRUE(sand.fixed);
    EXPECT_EQ(std::get<PourOverTime>(scene.grains[1].place), (PourOverTime{"upper", 2000, 0.5, 1.5, 99, {0, 0, -0.5}}));
    EXPECT_EQ(scene.grains[1].radius.table, (std::vector<std::pair<double, double>>{{1e-3, 0.3}, {2e-3, 0.7}}));
    EXPECT_TRUE(std::get<PlaceFromFile>(scene.grains[2].place).file.ends_with("/folder/bed.csv"));
    EXPECT_EQ(std::get<PlaceAtRandom>(scene.grains[3].place).density, 0.1);
    EXPECT_EQ(std::get<BoxShape>(scene.regions[0].shape), (BoxShape{{-0.05, -0.04, 0.06}, {0.05, 0.04, 0.1}}));

    ASSERT_EQ(scene.walls.size(), 4u);
    EXPECT_EQ(std::get<ConeWall>(scene.walls[0].shape), (ConeWall{{0, 0, 0}, {0, 0, 0.1}, 0.01, 0.05}));
    EXPECT_TRUE(scene.walls[0].outside);
    EXPECT_EQ(scene.walls[0].open_at, 1.5);
    EXPECT_EQ(std::get<Vibrate>(scene.walls[0].motion), (Vibrate{{0, 0, 1.5e-3}, 4, Wave::tap, 1, 10}));
    EXPECT_EQ(std::get<BallsWall>(scene.walls[1].shape),
              (BallsWall{DiscWall{{0, 0, 0}, {0, 0, 1}, 0.1, 0.01}, 1e-3, 2e-3, 5}));
    EXPECT_EQ(std::get<FreePiston>(scene.walls[2].motion), (FreePiston{0.1, {0, 1, 0}, -20, 0.2}));
    EXPECT_EQ(std::get<MotionTable>(scene.walls[3].motion).rows[1], (std::array<double, 4>{1, 0, 0, 0.5}));
    EXPECT_FALSE(scene.walls[1].open_at);
    EXPECT_FALSE(scene.periodic[0]);
    EXPECT_EQ(scene.periodic[1], (std::pair{0.0, 0.1}));
    EXPECT_EQ(scene.outflow_region, "upper");
    EXPECT_EQ(scene.frame_interval, 0.02);
    EXPECT_EQ(scene.series_interval, 0.001);
    EXPECT_EQ(scene.checkpoint_interval, 0.5);
}

TEST(scene_meaning, defaults_of_the_shortest_scene) {
    const Scene scene = parse(
        "[simulation]\nduration = 3\n[materials.glass]\n[[grains]]\nradius = 1e-3\nplace = { at = [[0, 0, 0]] "
        "}\n[[walls]]\nkind = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n");
    EXPECT_EQ(scene.gravity, (Vec3{0, 0, -9.81}));
    EXPECT_EQ(scene.grains[0].name, "grains1");
    EXPECT_EQ(scene.grains[0].material, "glass");
    EXPECT_EQ(scene.walls[0].name, "wall1");
    EXPECT_EQ(scene.walls[0].material, "glass");
    EXPECT_FALSE(scene.time_step);
    EXPECT_EQ(scene.frame_interval, 0.03);
    EXPECT_EQ(scene.series_interval, 0.003);
    EXPECT_EQ(scene.checkpoint_interval, 0.3);
}

TEST(scene_meaning, balls_lie_over_planes_between_periodic_borders) {
    const std::string text = R"(
[materials.glass]
[periodic]
x = [0, 0.02]
y = [0, 0.02]
[[grains]]
radius = 1e-3
place = { at = [[0.01, 0.01, 0.01]] }
[[walls]]
kind = "balls"
like = { kind = "plane", point = [0, 0, 0], normal = [0, 0, 1] }
radius = 1e-3
spacing = 2e-3
)";
    const Scene scene = parse(text.c_str());
    EXPECT_EQ(std::get<PlaneWall>(std::get<BallsWall>(scene.walls[0].shape).like), (PlaneWall{{}, {0, 0, 1}}));
    EXPECT_EQ(WallSet(scene).surface(0).feature_count(), 100);
    for (const char* normal : {"[1, 0, 0]", "[0, 1, 1]"}) {
        std::string other = text;
        other.replace(other.find("[0, 0, 1]"), 9, normal);
        EXPECT_THROW(parse(other.c_str()), Error) << normal;
    }
}

TEST(scene_meaning, a_time_of_opening_may_be_never) {
    const Scene scene = parse(R"(
[materials.glass]
[[grains]]
radius = 1e-3
place = { at = [[0, 0, 0.01]] }
[[walls]]
kind = "disc"
center = [0, 0, 0]
normal = [0, 0, 1]
radius = 0.01
hole = 0.002
open_at = inf
)");
    EXPECT_EQ(scene.walls[0].open_at, forever);
}

TEST(scene_meaning, vectors_of_2d_have_two_components) {
    const Scene scene = parse(R"(
[simulation]
dimension = 2
[materials.glass]
[[grains]]
radius = 1e-3
velocity = [1, 2]
spin = 3
place = { at = [[4, 5]] }
[[walls]]
kind = "polyline"
points = [[0, 0], [1, 0]]
motion = { free = { mass = 1 } }
[[walls]]
kind = "box"
min = [0, 0]
max = [1, 1]
motion = { rotate = { point = [6, 7], rate = 8 } }
)");
    EXPECT_EQ(scene.gravity, (Vec3{0, -9.81, 0}));
    EXPECT_EQ(scene.grains[0].velocity, (Vec3{1, 2, 0}));
    EXPECT_EQ(scene.grains[0].spin, (Vec3{0, 0, 3}));
    EXPECT_EQ(std::get<PlaceAt>(scene.grains[0].place).points[0], (Vec3{4, 5, 0}));
    EXPECT_EQ(std::get<PolylineWall>(scene.walls[0].shape).points[1], (Vec3{1, 0, 0}));
    EXPECT_EQ(std::get<FreePiston>(scene.walls[0].motion).along, (Vec3{0, 1, 0}));
    EXPECT_EQ(std::get<Rotate>(scene.walls[1].motion).axis, (Vec3{0, 0, 1}));
    EXPECT_EQ(std::get<Rotate>(scene.walls[1].motion).point, (Vec3{6, 7, 0}));
}

}  // namespace
}  // namespace scree
