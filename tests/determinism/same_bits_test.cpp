// Same bits: the state after a number of steps does not depend on threads, on the search for neighbors, on the
// instruction set, nor on a stop and resume in between.
#include <gtest/gtest.h>

#include "engine/scenes.h"
#include "ways.h"

namespace scree {
namespace {

using namespace scenes;

std::vector<std::pair<std::string, Scene>> catalogue(LawKind law) {
    auto scenes = scenes::all(law);
    if (law == LawKind::linear) scenes.emplace_back("ratio_100", polydisperse(100));
    return scenes;
}

class same_bits : public testing::TestWithParam<LawKind> {
  protected:
    // Past the first sorting of grains for one law, which costs time at -O0.
    static std::int64_t steps() { return GetParam() == LawKind::linear ? 2300 : 700; }
    void every_scene_gives_the_same(const std::vector<Way>& ways) {
        for (const auto& [name, scene] : catalogue(GetParam())) {
            const Ending plain = run(scene, steps());
            for (const Way& way : ways) EXPECT_EQ(run(scene, steps(), way), plain) << name;
        }
    }
};

TEST_P(same_bits, grid_and_brute) {
    Way brute;
    brute.neighbors = NeighborMethod::brute;
    every_scene_gives_the_same({brute});
}

TEST_P(same_bits, triangulation) {
    Way plain, disturbed, chosen;
    plain.neighbors = disturbed.neighbors = NeighborMethod::triangulation;
    disturbed.disturbance = 77;
    disturbed.resumed_at = {100, 1000};
    chosen.neighbors = NeighborMethod::automatic;
    every_scene_gives_the_same({plain, disturbed, chosen});
}

TEST_P(same_bits, random_skins_and_refreshes) {
    Way a, b;
    a.disturbance = 1;
    b.disturbance = 20261;
    b.watched = true;
    every_scene_gives_the_same({a, b});
}

TEST_P(same_bits, stop_and_resume) {
    Way once, often;
    once.resumed_at = {steps() / 2};
    often.resumed_at = {0, 1, 63, 64, 65, 130, 300, 640, 2047, 2048, 2049};
    every_scene_gives_the_same({once, often});
}

INSTANTIATE_TEST_SUITE_P(laws, same_bits, testing::ValuesIn(all_laws),
                         [](const auto& each) { return name_of(each.param); });

// Enough grains for several chunks, so that contacts cross from one to another; two streams collide.
Scene several_chunks(LawKind law, bool periodic) {
    Scene scene = empty(3, law);
    const double side = 17 * 2.05 * grain_radius;
    if (periodic) scene.periodic[0] = scene.periodic[1] = std::pair{0.0, side};
    contact(scene).rolling_friction = periodic ? 0 : 0.05;
    add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}});
    if (!periodic) add_wall(scene, "sides", BoxWall{{}, {side, side, 2 * side}});
    add_region(scene, "inside", BoxShape{{}, {side, side, side}});
    for (const bool second : {false, true}) {
        PlaceOnLattice lattice;
        lattice.lattice = LatticeKind::sc;
        lattice.spacing = 2.05 * grain_radius;
        lattice.region = "inside";
        lattice.probability = second ? 1 : 0.5;
        scene.grains.push_back(group(scene, grain_radius, lattice));
        scene.grains.back().velocity = second ? Vec3{0.2, 0.1, -0.2} : Vec3{-0.2, 0.05, 0.1};
    }
    return scene;
}

TEST(same_bits_of_many, any_number_of_threads) {
    for (const bool periodic : {false, true})
        for (const LawKind law : {LawKind::linear, LawKind::pournin}) {
            const Scene scene = several_chunks(law, periodic);
            const Ending one = run(scene, 150);
            EXPECT_GT(one.grains, 2 * 2048u);
            EXPECT_GT(one.contacts, one.grains / 2);
            for (const int threads : {2, 3, 4}) {
                Way way;
                way.threads = threads;
                EXPECT_EQ(run(scene, 150, way), one) << threads << " threads";
            }
        }
}

TEST(same_bits_of_many, search_and_resume) {
    const Scene scene = several_chunks(LawKind::linear, true);
    const Ending plain = run(scene, 150);
    Way resumed, disturbed;
    resumed.threads = 2;
    resumed.resumed_at = {70};
    disturbed.threads = 3;
    disturbed.disturbance = 5;
    EXPECT_EQ(run(scene, 150, resumed), plain);
    EXPECT_EQ(run(scene, 150, disturbed), plain);
    for (const int threads : {1, 2, 4}) {
        Way triangulated;
        triangulated.neighbors = NeighborMethod::triangulation;
        triangulated.threads = threads;
        if (threads == 2) triangulated.resumed_at = {70};
        EXPECT_EQ(run(scene, 150, triangulated), plain) << "triangulation, " << threads << " threads";
    }
}

// ---- Instruction sets -------------------------------------------------------------------------------------------------

TEST(same_bits_of_processors, every_instruction_set) {
    for (const LawKind law : all_laws)
        for (const Scene& scene : {several_materials(law), periodic_chute(law), box_of_grains(2, law)}) {
            std::vector<Ending> endings;
            for (const std::string& set : instruction_sets()) {
                const UsingInstructionSet use(set);
                endings.push_back(run(scene, 400));
            }
            for (const Ending& each : endings) EXPECT_EQ(each, endings[0]) << name_of(law);
        }
}

}  // namespace
}  // namespace scree
