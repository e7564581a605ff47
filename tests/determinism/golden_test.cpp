// What short scenes end in, as it must come out of every build: -O0 and -O2, any compiler, any processor. Of spheres
// the state hash; of shapes and hard grains the numbers of contacts, energies by mechanism and loads of walls as well.
//
// After a change that is meant to change results, write the tables anew and look at the difference:
//   SCREE_GOLDEN=write build/release/bin/determinism_tests --gtest_filter='golden.*'
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "engine/scenes.h"
#include "golden_scenes.h"
#include "ways.h"

namespace scree {
namespace {

using namespace scenes;

bool writing() {
    const char* mode = std::getenv("SCREE_GOLDEN");
    return mode && std::string(mode) == "write";
}

std::map<std::string, Scene> golden_scenes() {
    Scene taylor = box_of_grains(2, LawKind::linear, 40);
    taylor.integrator = Integrator::taylor;
    Scene lognormal = box_of_grains(3, LawKind::linear, 40);
    lognormal.grains[0].radius.kind = RadiusDistribution::Kind::lognormal;
    lognormal.grains[0].radius.first = grain_radius;
    lognormal.grains[0].radius.second = 0.2;
    return {{"linear_poured", poured_bed(LawKind::linear)},
            {"linear_taylor_2d", taylor},
            {"linear_lognormal", lognormal},
            {"linear_pistons", pistons(LawKind::linear)},
            {"walton_vibrated", vibrated_box(LawKind::walton, Wave::tap)},
            {"hertz_materials_rolling", several_materials(LawKind::hertz)},
            {"hertz_slip_vibrated", vibrated_box(LawKind::hertz_slip, Wave::sine)},
            {"kuwabara_kono_drum", rotating_drum(LawKind::kuwabara_kono)},
            {"pournin_hourglass", turning_gravity(LawKind::pournin)},
            {"cohesive_chute", periodic_chute(LawKind::cohesive)},
            {"linear_ratio_100", polydisperse(100)}};
}

std::string hash_after(const Scene& scene, int steps) {
    Simulation simulation(scene);
    for (int k = 0; k < steps; ++k) simulation.step();
    return simulation.hash();
}

TEST(golden, state_hashes) {
    const std::string path = SCREE_SOURCE_DIR "/tests/determinism/golden_hashes.txt";
    std::map<std::string, std::string> hashes;
    for (const auto& [name, scene] : golden_scenes()) hashes[name] = hash_after(scene, 600);
    if (writing()) {
        std::ofstream out(path);
        for (const auto& [name, hash] : hashes) out << name << ' ' << hash << '\n';
        ASSERT_TRUE(out.good()) << path;
        return;
    }
    std::map<std::string, std::string> committed;
    std::ifstream in(path);
    for (std::string name, hash; in >> name >> hash;) committed[name] = hash;
    EXPECT_EQ(hashes, committed);
}

// ---- Endings of shapes and hard grains --------------------------------------------------------------------------------

const std::string endings_path = SCREE_SOURCE_DIR "/tests/determinism/golden_endings.txt";

using Table = std::vector<std::pair<std::string, std::string>>;

std::map<std::string, Table> committed_endings() {
    std::map<std::string, Table> endings;
    std::ifstream in(endings_path);
    for (std::string scene, name, value; in >> scene >> name >> value;) endings[scene].emplace_back(name, value);
    return endings;
}

class golden_endings : public testing::TestWithParam<GoldenScene> {
  protected:
    void expect_golden(const std::vector<Way>& ways) {
        if (writing()) GTEST_SKIP() << "the table is being written";
        const Table committed = committed_endings()[GetParam().name];
        for (const Way& way : ways) EXPECT_EQ(run(GetParam().make(), GetParam().steps, way).values, committed);
    }
};

TEST_P(golden_endings, as_committed) { expect_golden({{}}); }

TEST_P(golden_endings, of_several_threads) {
    Way two, three;
    two.threads = 2;
    three.threads = 3;
    expect_golden({two, three});
}

TEST_P(golden_endings, of_every_instruction_set) {
    for (const std::string& set : instruction_sets()) {
        SCOPED_TRACE(set);
        const UsingInstructionSet use(set);
        expect_golden({{}});
    }
}

TEST_P(golden_endings, of_every_neighborhood) {
    std::vector<Way> ways(3);
    ways[0].neighbors = NeighborMethod::brute;
    ways[1].neighbors = NeighborMethod::triangulation;
    ways[2].disturbance = 4711;
    expect_golden(ways);
}

TEST_P(golden_endings, of_a_run_that_was_stopped_and_watched) {
    Way stopped, watched;
    stopped.resumed_at = {1, 13, 700};
    watched.watched = true;
    expect_golden({stopped, watched});
}

INSTANTIATE_TEST_SUITE_P(scenes, golden_endings, testing::ValuesIn(golden_shapes_and_events()),
                         [](const auto& each) { return each.param.name; });

TEST(golden, table_of_endings) {
    std::ostringstream text;
    if (!writing()) {
        EXPECT_EQ(committed_endings().size(), golden_shapes_and_events().size());
        return;
    }
    for (const GoldenScene& golden : golden_shapes_and_events())
        for (const auto& [name, value] : run(golden.make(), golden.steps).values)
            text << golden.name << ' ' << name << ' ' << value << '\n';
    std::ofstream out(endings_path);
    out << text.str();
    ASSERT_TRUE(out.flush().good()) << endings_path;
}

}  // namespace
}  // namespace scree
