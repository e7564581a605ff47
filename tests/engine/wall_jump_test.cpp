// No wall passes over a grain unseen: it meets the grain, or the run ends with the wall's name, however fast it moves.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/scenes.h"
#include "scree/error.h"

namespace scree {
namespace {

using namespace scenes;

constexpr double R = grain_radius;

struct ThinWall {
    std::string name;
    int dimension;
    WallShape shape;  // at x = -6 R, facing the grain at the origin
};

std::vector<ThinWall> thin_walls() {
    MeshWall mesh;
    mesh.file = (std::filesystem::path(testing::TempDir()) / "wall_jump_sheet.obj").string();
    std::ofstream(mesh.file) << "v -6 -9 -9\nv -6 9 -9\nv -6 9 9\nv -6 -9 9\nf 1 2 3\nf 1 3 4\n";
    mesh.scale = R;
    return {{"disc", 3, DiscWall{{-6 * R, 0, 0}, {1, 0, 0}, 8 * R, 0}},
            {"ring", 3, DiscWall{{-6 * R, 4 * R, 0}, {1, 0, 0}, 12 * R, 1.5 * R}},
            {"mesh", 3, mesh},
            {"polyline", 2, PolylineWall{{{-6 * R, -8 * R, 0}, {-6 * R, 8 * R, 0}}}}};
}

struct MotionOf {
    std::string name;
    std::function<Motion(double way, double dt)> make;  // about `way` per step at the fastest
};

// All of them come past the grain, which is 6 R away.
std::vector<MotionOf> motions() {
    return {{"translate",
             [](double way, double dt) -> Motion {
                 return Translate{{way / dt, 0, 0}, 0, 20 * R * dt / way};
             }},
            {"table",
             [](double way, double dt) -> Motion {
                 return MotionTable{{{0, 0, 0, 0}, {dt, 0, 0, 0}, {dt + 12 * R * dt / way, 12 * R, 0, 0}}};
             }},
            {"there and back within a step",
             [](double way, double dt) -> Motion {
                 return MotionTable{
                     {{0, 0, 0, 0}, {3.1 * dt, 0, 0, 0}, {3.5 * dt, (8 + way / R) * R, 0, 0}, {3.9 * dt, 0, 0, 0}}};
             }},
            {"vibrate",
             [](double way, double dt) -> Motion {
                 return Vibrate{{12 * R, 0, 0}, way / (12 * R * 2 * pi * dt), Wave::sine};
             }},
            {"vibrate once a step",
             [](double way, double dt) -> Motion {
                 return Vibrate{{6 * R + way, 0, 0}, 1 / dt, Wave::sine};
             }},
            {"rotate",
             [](double way, double dt) -> Motion {
                 return Rotate{{0, 0, 1}, {-6 * R, -7 * R, 0}, -way / (10 * R * dt)};
             }},
            {"piston", [](double way, double dt) -> Motion {
                 FreePiston piston;
                 piston.mass = 1;
                 piston.along = {1, 0, 0};
                 piston.force = way * way / (12 * R * dt * dt);
                 return piston;
             }}};
}

enum class Outcome { met, refused, nothing };

Outcome outcome(Scene scene) {
    try {
        Simulation simulation(scene);
        for (int k = 0; k < 4000; ++k) {
            simulation.step();
            if (simulation.world().max_overlap > 0) return Outcome::met;
        }
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::invalid);
        EXPECT_NE(std::string(error.what()).find("\"thin\""), std::string::npos) << error.what();
        return Outcome::refused;
    }
    return Outcome::nothing;
}

Scene one_grain_before(const ThinWall& thin, const MotionOf& motion, double way) {
    Scene scene = empty(thin.dimension, LawKind::linear);
    scene.gravity = {};
    scene.time_step = 2e-5;
    add_grain(scene, {});
    add_wall(scene, "thin", thin.shape).motion = motion.make(way, 2e-5);
    return scene;
}

TEST(wall_jump, thin_walls_meet_the_grain_or_end_the_run_at_any_speed) {
    int met = 0, refused = 0;
    for (const ThinWall& thin : thin_walls())
        for (const MotionOf& motion : motions())
            for (const double way : {0.05, 0.2, 0.45, 0.55, 0.9, 1.7, 2.1, 3.9, 4.3, 11.0, 37.0, 300.0}) {
                const Outcome out = outcome(one_grain_before(thin, motion, way * R));
                EXPECT_NE(out, Outcome::nothing) << thin.name << ", " << motion.name << ", " << way << " radii a step";
                met += out == Outcome::met;
                refused += out == Outcome::refused;
            }
    EXPECT_GT(met, 40);
    EXPECT_GT(refused, 40);
}

// What passes beside a grain may be as fast as it likes, and so may what goes away from it.
TEST(wall_jump, fast_walls_that_pass_beside_a_grain_are_no_error) {
    for (const ThinWall& thin : thin_walls()) {
        Scene beside = empty(thin.dimension, LawKind::linear);
        beside.gravity = {};
        beside.time_step = 2e-5;
        add_grain(beside, {0, 30 * R, 0});
        add_wall(beside, "thin", thin.shape).motion = Translate{{9 * R / 2e-5, 0, 0}, 0, 1e-3};
        EXPECT_EQ(outcome(beside), Outcome::nothing) << thin.name;

        Scene away = empty(thin.dimension, LawKind::linear);
        away.gravity = {};
        away.time_step = 2e-5;
        add_grain(away, {});
        add_wall(away, "thin", thin.shape).motion = Translate{{-9 * R / 2e-5, 0, 0}, 0, 1e-3};
        EXPECT_EQ(outcome(away), Outcome::nothing) << thin.name;
    }
}

// A grain that moves with a fast wall is not crossed by it.
TEST(wall_jump, a_grain_that_goes_with_a_fast_wall_is_not_crossed) {
    for (const double sign : {-1.0, 1.0}) {
        Scene scene = empty(3, LawKind::linear);
        scene.gravity = {};
        scene.time_step = 2e-5;
        const Vec3 velocity{0, 0, sign * 0.9 * R / 2e-5};
        add_grain(scene, {0, 0, 1.001 * R}, R, velocity);
        add_wall(scene, "lift", DiscWall{{}, {0, 0, 1}, 8 * R, 0}).motion = Translate{velocity};
        Simulation simulation(scene);
        for (int k = 0; k < 200; ++k) simulation.step();
        EXPECT_EQ(simulation.world().max_overlap, 0);
    }
}

// Bodies: a sheet that comes past their center or their corners.
TEST(wall_jump, thin_walls_do_not_pass_over_bodies) {
    GrainShape rod;
    rod.name = "rod";
    rod.kind = ShapeKind::spherocylinder;
    rod.radius = 0.3 * R;
    rod.length = 2 * R;
    const ThinWall thin = thin_walls()[0];
    for (const MotionOf& motion : motions())
        for (const double way : {0.02, 0.1, 0.3, 0.8, 1.3, 2.7, 9.0}) {
            Scene scene = one_grain_before(thin, motion, way * R);
            scene.shapes.push_back(rod);
            scene.grains[0].shape = "rod";
            scene.grains[0].radius.first = 0;
            EXPECT_NE(outcome(scene), Outcome::nothing) << motion.name << ", " << way;
        }
}

TEST(wall_jump, the_audit_names_a_wall_that_is_missing) {
    Scene scene = box_of_grains(3, LawKind::linear);
    for (const NeighborMethod method : {NeighborMethod::grid, NeighborMethod::triangulation}) {
        scene.neighbors = method;
        try {
            Simulation simulation(scene, std::nullopt, {.audit = true, .drop_wall_at = 3});
            for (int k = 0; k < 4000; ++k) simulation.step();
            FAIL() << "a wall was lost without notice";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::invalid);
            EXPECT_NE(std::string(error.what()).find("wall \"box\""), std::string::npos) << error.what();
        }
    }
}

TEST(wall_jump, the_audit_finds_nothing_where_nothing_is_missing) {
    for (const auto& [name, scene] : scenes::all(LawKind::linear)) {
        Simulation simulation(scene, std::nullopt, {.audit = true});
        EXPECT_NO_THROW(run_until(simulation, 0.3 * scene.duration)) << name;
    }
}

}  // namespace
}  // namespace scree
