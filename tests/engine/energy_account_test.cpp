// The account of energies closes: kinetic + potential + elastic + dissipated less the work of walls, of turning gravity
// and of grains poured in, plus that of grains removed, is constant to 1e-3 of the energy that has passed through.
#include <gtest/gtest.h>

#include "engine/scenes.h"

namespace scree {
namespace {

using namespace scenes;

class energy_account : public testing::TestWithParam<LawKind> {};

TEST_P(energy_account, closes_in_every_scene) {
    for (const auto& [name, scene] : scenes::all(GetParam())) {
        Simulation simulation(scene);
        const EnergyAudit audit =
            audited_run(simulation, (GetParam() == LawKind::linear ? 1 : 0.6) * scene.duration, 10);
        EXPECT_GT(audit.passed(), 1e-6) << name;
        EXPECT_LT(audit.error(), 1e-3) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(laws, energy_account, testing::ValuesIn(all_laws),
                         [](const auto& each) { return name_of(each.param); });

}  // namespace
}  // namespace scree
