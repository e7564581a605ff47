// Two simulations in two threads of a host program, each with threads of its own: they end as they do alone.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "core/parallel.h"
#include "engine/scenes.h"

namespace scree {
namespace {

using namespace scenes;

// Some chunks of spheres that fall together in a box.
Scene many_spheres() {
    Scene scene = empty(3, LawKind::linear);
    const Vec3 high{96e-3, 96e-3, 96e-3};
    add_wall(scene, "box", BoxWall{{}, high});
    add_region(scene, "inside", BoxShape{{}, high});
    scene.grains.push_back(group(scene, grain_radius, PlaceOnLattice{LatticeKind::sc, 4.2e-3, "inside", 1, 0}));
    scene.grains.back().velocity = {0.2, 0.1, -0.4};
    return scene;
}

Scene rods() {
    Scene scene = box_of_grains(3, LawKind::hertz, 150);
    GrainShape rod;
    rod.name = "rod";
    rod.kind = ShapeKind::spherocylinder;
    rod.radius = 0.5e-3;
    rod.length = 2e-3;
    scene.shapes.push_back(rod);
    scene.grains[0].shape = "rod";
    scene.grains[0].radius = {};
    scene.grains[0].orientation.random = true;
    return scene;
}

std::string ending(const Scene& scene, int steps) {
    Simulation simulation(scene);
    for (int k = 0; k < steps; ++k) {
        simulation.step();
        if (k % 16 == 0) simulation.energy();
    }
    return simulation.hash();
}

TEST(host_threads, two_simulations_at_once_end_as_alone) {
    for (const auto& [scene, steps] : {std::pair(many_spheres(), 60), std::pair(rods(), 300)}) {
        set_thread_count(1);
        const std::string alone = ending(scene, steps);
        set_thread_count(3);
        std::string first, second;
        std::thread host([&] { first = ending(scene, steps); });
        second = ending(scene, steps);
        host.join();
        EXPECT_EQ(first, alone);
        EXPECT_EQ(second, alone);
        set_thread_count(1);
    }
}

TEST(host_threads, a_simulation_keeps_the_threads_it_was_made_with) {
    set_thread_count(3);
    Simulation three(box_of_grains(3, LawKind::linear, 20));
    set_thread_count(2);
    Simulation two(box_of_grains(3, LawKind::linear, 20));
    set_thread_count(1);
    EXPECT_EQ(three.workers().count(), 3);
    EXPECT_EQ(two.workers().count(), 2);
    EXPECT_EQ(thread_count(), 1);
}

// Under the sanitizers a forked child cannot start threads: one refuses, the other's allocator may be locked for good.
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
TEST(host_threads, a_simulation_goes_on_in_a_forked_child) {
    set_thread_count(3);
    const Scene scene = many_spheres();
    const std::string expected = ending(scene, 40);
    Simulation simulation(scene);
    for (int k = 0; k < 20; ++k) simulation.step();
    const auto finish = [&] {
        for (int k = 20; k < 40; ++k) simulation.step();
        return simulation.hash();
    };
    const pid_t child = fork();
    if (child == 0) {
        alarm(120);
        _exit(finish() == expected ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(finish(), expected);
    set_thread_count(1);
}
#endif

}  // namespace
}  // namespace scree
