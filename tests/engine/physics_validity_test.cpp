// Grains that leave, get lost, overlap too much or do not move: what a run must notice, count and refuse.
#include <gtest/gtest.h>

#include <limits>

#include "engine/scenes.h"
#include "scree/error.h"

namespace scree {
namespace {

using namespace scenes;

// The message with which a run ends as invalid, or nothing.
std::string end_of(Simulation& simulation, double time, bool watched = false) {
    try {
        const std::int64_t steps = simulation.steps_until(time);
        while (simulation.step_count() < steps) {
            simulation.step();
            if (watched) simulation.energy();
        }
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::invalid);
        return error.what();
    }
    return "";
}
std::string end_of(const Scene& scene, double time, bool watched = false) {
    Simulation simulation(scene);
    return end_of(simulation, time, watched);
}

template <class F>
std::string refusal(F&& f) {
    try {
        f();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
        return error.what();
    }
    return "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(validity, outflow_is_counted_and_takes_its_energy_along) {
    Scene scene = empty(3);
    add_region(scene, "here", BoxShape{{-1, -1, 0}, {1, 1, 1}});
    scene.outflow_region = "here";
    for (int k = 0; k < 5; ++k) add_grain(scene, {0.01 * k, 0, 0.01 + 0.02 * k});
    Simulation simulation(scene);
    const double before = simulation.energy().total();
    run_until(simulation, 0.1);  // falls by 49 mm
    EXPECT_EQ(simulation.world().removed, 2);
    EXPECT_EQ(simulation.world().grains.size(), 3u);
    EXPECT_NEAR(simulation.energy().removed, grain(simulation, 2).mass * g * (0.01 + 0.03), 1e-12);
    run_until(simulation, 0.3);
    EXPECT_EQ(simulation.world().removed, 5);
    EXPECT_EQ(simulation.world().grains.size(), 0u);
    EXPECT_NEAR(simulation.energy().total(), before, 1e-9 * before);
    run_until(simulation, 0.31);
}

// Grains pressed together leave: the energy stored between them is not dissipated, it leaves.
TEST(validity, stored_energy_leaves_with_the_grains) {
    Scene scene = empty(3);
    scene.gravity = {};
    contact(scene).restitution = 1;
    contact(scene).friction = 0;
    add_region(scene, "here", BoxShape{{-1, -1, -1}, {6.05e-3, 1, 1}});
    scene.outflow_region = "here";
    add_grain(scene, {0, 0, 0}, grain_radius, {0.6, 0, 0});
    add_grain(scene, {4.5e-3, 0, 0}, grain_radius, {0.3, 0, 0});
    Simulation simulation(scene);
    const EnergyAudit audit = audited_run(simulation, 0.02, 1);
    EXPECT_EQ(simulation.world().removed, 2);
    const EnergyReport end = simulation.energy();
    EXPECT_LT(std::fabs(end.dissipated), 2e-3 * end.removed);
    EXPECT_LT(audit.error(), 1e-3);
}

TEST(validity, an_escaped_grain_ends_the_run_with_its_id) {
    // Past the rim of a plate; out of a plane floor that opens; between planes that do not hold.
    Scene plate = empty(3);
    add_wall(plate, "plate", DiscWall{{}, {0, 0, 1}, 10e-3, 0});
    add_grain(plate, {0, 0, 5e-3});
    add_grain(plate, {9e-3, 0, 5e-3}, grain_radius, {0.3, 0, 0});
    EXPECT_TRUE(has(end_of(plate, 0.5), "grain 1 "));

    Scene opened = empty(3);
    add_floor(opened).open_at = 0.05;
    add_grain(opened, {0, 0, 5e-3});
    EXPECT_TRUE(has(end_of(opened, 1), "grain 0 "));

    Scene slot = empty(2);
    add_wall(slot, "left", PlaneWall{{-1e-2, 0, 0}, {1, 0, 0}});
    add_wall(slot, "right", PlaneWall{{1e-2, 0, 0}, {-1, 0, 0}});
    add_grain(slot, {0, 0, 0});
    EXPECT_TRUE(has(end_of(slot, 1), "grain 0 "));

    Scene leak = empty(3);
    leak.gravity = {};
    add_wall(leak, "tube", CylinderWall{{0, 0, 0}, {0, 0, 20e-3}, 10e-3});
    add_grain(leak, {0, 0, 10e-3}, grain_radius, {0, 0.1, 0.5});
    EXPECT_TRUE(has(end_of(leak, 1), "grain 0 "));
}

TEST(validity, a_grain_that_can_still_be_stopped_is_not_lost) {
    // Far below a plate, on its way to a plane.
    Scene deep = empty(3);
    add_wall(deep, "plate", DiscWall{{}, {0, 0, 1}, 10e-3, 0});
    add_wall(deep, "ground", PlaneWall{{0, 0, -0.3}, {0.1, 0, 1}});
    contact(deep).contact_time = 2e-4;
    add_grain(deep, {20e-3, 0, 0});
    EXPECT_EQ(end_of(deep, 0.4), "");
    // Gravity that will turn back; space without walls; a gas between two plates.
    Scene turning = empty(3);
    add_wall(turning, "plate", DiscWall{{}, {0, 0, 1}, 10e-3, 0});
    turning.gravity_turn = GravityTurn{{0, 1, 0}, pi, 0.2, 0.3};
    add_grain(turning, {20e-3, 0, 0});
    EXPECT_EQ(end_of(turning, 0.3), "");
    Scene free = empty(3);
    add_grain(free, {});
    EXPECT_EQ(end_of(free, 1), "");
    Scene bounced = empty(3);
    bounced.gravity = {};
    add_wall(bounced, "plate", PlaneWall{{}, {0, 0, 1}});
    add_grain(bounced, {0, 0, 3e-3}, grain_radius, {0, 0, -0.3});
    EXPECT_EQ(end_of(bounced, 1), "");
}

// Whatever breaks, a number that is none is found, outflow or not, seen or not.
TEST(validity, not_a_number_ends_the_run) {
    for (const bool outflow : {false, true}) {
        Scene scene = box_of_grains(3, LawKind::linear, 20);
        if (outflow) scene.outflow_region = "inside";
        Simulation simulation(scene);
        Simulation::Restart state{simulation.synchronised_world(), simulation.contact_memory()};
        state.world.grains.row[7].vx = std::numeric_limits<double>::quiet_NaN();
        const Index id = state.world.grains.id[7];
        state.world.step = 64;
        Simulation broken(scene, state, simulation.group_names());
        const std::string message = end_of(broken, 0.01);
        EXPECT_TRUE(has(message, "not a number")) << message;
        EXPECT_TRUE(has(message, "grain " + std::to_string(id) + " ")) << message;
        // Arisen between two checks, so that the search for neighbors or the force meets it first.
        for (const double bad :
             {std::numeric_limits<double>::quiet_NaN(), 1e300, std::numeric_limits<double>::infinity()})
            for (const std::size_t which : {0u, 7u}) {
                state.world = simulation.synchronised_world();
                state.world.grains.row[which].vx = bad;
                state.world.step = 65;
                Simulation later(scene, state, simulation.group_names());
                later.disturb_search(3);
                EXPECT_NE(end_of(later, 0.002), "") << bad;
            }
    }
}

TEST(validity, overlap_past_the_limit_ends_the_run_whether_watched_or_not) {
    Scene scene = empty(3);
    add_floor(scene);
    add_grain(scene, {0, 0, 1.1 * grain_radius}, grain_radius, {0, 0, -5});
    add_grain(scene, {1, 0, 1.1 * grain_radius});
    for (const bool watched : {false, true}) {
        const std::string message = end_of(scene, 0.05, watched);
        EXPECT_TRUE(has(message, "grain 0 and wall \"floor\"")) << message;
        EXPECT_TRUE(has(message, "0.3")) << message;
    }
    scene.overlap_limit = 0.9;
    contact(scene).contact_time = 3e-4;
    EXPECT_EQ(end_of(scene, 0.05), "");
    // Two grains.
    Scene pair = empty(3);
    pair.gravity = {};
    add_grain(pair, {}, grain_radius, {4, 0, 0});
    add_grain(pair, {4.1e-3, 0, 0});
    EXPECT_TRUE(has(end_of(pair, 0.01), "overlap by"));
}

// A thin wall must not be jumped over unseen.
TEST(validity, a_grain_too_fast_for_the_step_ends_the_run) {
    Scene scene = empty(3);
    add_wall(scene, "sheet", DiscWall{{}, {0, 0, 1}, 20e-3, 0});
    add_wall(scene, "ground", PlaneWall{{0, 0, -10}, {0, 0, 1}});
    add_grain(scene, {0, 0, 10e-3}, grain_radius, {0, 0, -300});
    EXPECT_TRUE(has(end_of(scene, 0.01), "grain 0 "));
}

TEST(validity, a_wall_that_opens_lets_go) {
    Scene scene = empty(3);
    contact(scene).restitution = 0.1;
    add_floor(scene).open_at = 0.1;
    add_grain(scene, {0, 0, grain_radius});
    add_region(scene, "size", BoxShape{{-1, -1, -1}, {1, 1, 1}});
    Simulation simulation(scene);
    run_until(simulation, 0.0999);
    EXPECT_NEAR(grain(simulation, 0).position.z, grain_radius, 1e-2 * grain_radius);
    EXPECT_FALSE(simulation.walls()[0].open);
    run_until(simulation, 0.2);
    EXPECT_TRUE(simulation.walls()[0].open);
    EXPECT_EQ(simulation.walls()[0].force, Vec3{});
    EXPECT_NEAR(grain(simulation, 0).velocity.z, -g * 0.1, 1e-3);
    EXPECT_EQ(simulation.contact_count(), 0u);
}

TEST(validity, fixed_grains_do_not_move_and_do_no_work) {
    Scene scene = empty(3);
    GrainGroup& fixed = add_grain(scene, {}, 5e-3, {0.1, 0.2, 0}, {0, 50, 0});
    fixed.fixed = true;
    add_grain(scene, {9.9e-3, 0, 0}, 4.9e-3).fixed = true;  // touches the first one
    add_grain(scene, {4.4e-3, 0, 12e-3});
    add_wall(scene, "floor", PlaneWall{{0, 0, -4e-3}, {0, 0, 1}});  // cuts through the fixed ones
    scene.walls.back().shape = PlaneWall{{0, 0, -6e-3}, {0, 0, 1}};
    Simulation simulation(scene);
    const EnergyAudit audit = audited_run(simulation, 0.2);
    EXPECT_EQ(grain(simulation, 0).position, Vec3{});
    EXPECT_EQ(grain(simulation, 0).velocity, Vec3{});
    EXPECT_EQ(grain(simulation, 0).spin, Vec3{});
    EXPECT_EQ(grain(simulation, 1).position, (Vec3{9.9e-3, 0, 0}));
    EXPECT_LT(audit.error(), 1e-3);
    EXPECT_EQ(simulation.energy().wall_work, 0);
}

// Damping that would stop a grain within a step is refused, or takes a finer step by itself.
TEST(validity, strong_damping_is_stable) {
    Scene scene = box_of_grains(3, LawKind::linear, 20);
    scene.damping = 20;
    Simulation simulation(scene);
    EXPECT_LT(simulation.time_step().value, 2e-5);
    EXPECT_TRUE(has(simulation.time_step().reason, "damping"));
    for (int k = 0; k < 2000; ++k) simulation.step();
    EXPECT_LT(norm(grain(simulation, 0).velocity), 0.2);
    scene.time_step = 2e-5;
    EXPECT_TRUE(has(refusal([&] { Simulation refused(scene); }), "past stability"));
}

TEST(validity, a_period_shorter_than_two_grains_is_refused) {
    Scene scene = empty(3);
    scene.periodic[1] = std::pair{0.0, 3.9 * grain_radius};
    add_grain(scene, {});
    EXPECT_TRUE(has(refusal([&] { Simulation refused(scene); }), "periodic.y"));
}

// Grains may be given anywhere: periodic space brings them in.
TEST(validity, grains_given_outside_the_period_are_brought_in) {
    const auto fall = [](double shift) {
        Scene scene = empty(3);
        scene.periodic[0] = std::pair{0.0, 20e-3};
        add_floor(scene);
        add_grain(scene, {1e-3 + shift, 0, 3e-3});
        add_grain(scene, {18.5e-3 + 2 * shift, 0, 7e-3});
        Simulation simulation(scene);
        run_until(simulation, 0.05);
        EXPECT_GE(grain(simulation, 1).position.x, 0);
        EXPECT_LT(grain(simulation, 1).position.x, 20e-3);
        return grain(simulation, 1).position;
    };
    const Vec3 near = fall(0), far = fall(-60e-3);
    EXPECT_LT(norm(near - far), 1e-9);
}

}  // namespace
}  // namespace scree
