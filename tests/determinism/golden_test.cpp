// State hashes of short scenes as they must come out of every build: -O0 and -O2, any compiler, any processor.
//
// After a change that is meant to change results, write the table anew and look at the difference:
//   SCREE_GOLDEN=write build/release/bin/determinism_tests --gtest_filter='golden.*'
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include "engine/scenes.h"

namespace scree {
namespace {

using namespace scenes;

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
    return simulation.state_hash();
}

TEST(golden, state_hashes) {
    const std::string path = SCREE_SOURCE_DIR "/tests/determinism/golden_hashes.txt";
    std::map<std::string, std::string> hashes;
    for (const auto& [name, scene] : golden_scenes()) hashes[name] = hash_after(scene, 600);
    if (const char* mode = std::getenv("SCREE_GOLDEN"); mode && std::string(mode) == "write") {
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

}  // namespace
}  // namespace scree
