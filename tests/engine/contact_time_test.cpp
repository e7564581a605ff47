// contact_time = "auto": chosen so that overlaps stay small, whatever falls, presses or is poured.
#include <gtest/gtest.h>

#include "scenes.h"
#include "scree/error.h"

namespace scree {
namespace {

using namespace scenes;

Scene open_scene(int dimension = 3) {
    Scene scene = empty(dimension);
    contact(scene).contact_time.reset();
    return scene;
}

// Largest overlap of a run, of the smaller radius.
double deepest(Scene scene, double until) {
    scene.duration = until;
    Simulation simulation(scene);
    simulation.run();
    return simulation.synchronised_world().max_overlap;
}

// A grain of 1 mm that falls by 5 cm.
TEST(automatic_contact_time, stops_a_falling_grain_within_two_percent) {
    for (const double height : {0.005, 0.05, 0.5}) {
        Scene scene = open_scene();
        add_grain(scene, {0, 0, height}, 1e-3);
        add_floor(scene);
        EXPECT_LT(deepest(scene, 1.2 * std::sqrt(2 * height / g)), 0.021) << "from " << height;
    }
}

TEST(automatic_contact_time, is_twice_as_short_for_four_times_the_height) {
    const auto chosen = [](double height) {
        Scene scene = open_scene();
        add_grain(scene, {0, 0, height}, 1e-3);
        add_floor(scene);
        return Simulation(scene).contact_time().value;
    };
    EXPECT_NEAR(chosen(0.1) / chosen(0.4), 2, 0.05);
}

// Set down at rest, a ball of a thousand times their mass neither sinks into the grains nor ends the run.
TEST(automatic_contact_time, carries_a_large_ball_on_small_grains) {
    Scene scene = open_scene();
    add_wall(scene, "box", BoxWall{{-8e-3, -8e-3, 0}, {8e-3, 8e-3, 0.1}});
    add_region(scene, "bed", BoxShape{{-8e-3, -8e-3, 0}, {8e-3, 8e-3, 3e-3}});
    scene.grains.push_back(group(scene, 0.5e-3, PlaceOnLattice{LatticeKind::fcc, 1.42e-3, "bed"}));
    add_grain(scene, {0, 0, 3.2e-3 + 5e-3}, 5e-3);
    EXPECT_LT(deepest(scene, 0.03), 0.05);
}

TEST(automatic_contact_time, knows_of_walls_that_move_and_of_pouring) {
    const auto chosen = [](const auto& change) {
        Scene scene = open_scene();
        add_grain(scene, {0.02, 0.02, 0.002}, 1e-3);
        add_floor(scene);
        change(scene);
        return Simulation(scene).contact_time().value;
    };
    const double still = chosen([](Scene&) {});
    EXPECT_LT(chosen([](Scene& s) { s.walls[0].motion = Vibrate{{0, 0, 0.01}, 30}; }), 0.5 * still);
    EXPECT_LT(chosen([](Scene& s) {
                  add_region(s, "above", BoxShape{{0, 0, 1}, {0.1, 0.1, 1.1}});
                  pour_region(s, "above", 100, 10, {0, 0, -5});
              }),
              0.5 * still);
    EXPECT_LT(chosen([](Scene& s) {
                  add_wall(s, "lid", PlaneWall{{0, 0, 0.004}, {0, 0, -1}}).motion = FreePiston{0.1, {0, 0, 1}, -100, 0};
              }),
              0.5 * still);
    EXPECT_LT(chosen([](Scene& s) {
                  s.walls[0].shape = BoxWall{{0, 0, 0}, {0.1, 0.1, 1}};
                  s.gravity_turn = GravityTurn{{0, 1, 0}, pi, 0.1, 0.2};
              }),
              0.5 * still);
}

// What is given is taken: no choice, and the same bits as ever.
TEST(automatic_contact_time, leaves_alone_what_is_given) {
    Scene scene = empty();
    add_grain(scene, {0, 0, 0.1}, 1e-3);
    add_floor(scene);
    EXPECT_EQ(Simulation(scene).contact_time().value, 0);
    Scene elastic = open_scene();
    elastic.law = LawKind::hertz;
    add_grain(elastic, {0, 0, 0.1}, 1e-3);
    add_floor(elastic);
    EXPECT_EQ(Simulation(elastic).contact_time().value, 0);
}

}  // namespace
}  // namespace scree
