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

// Nothing is lost where nothing can be: e = 1 and no friction.
Scene without_losses(Scene scene) {
    for (Material& material : scene.materials) {
        material.contact.restitution = material.contact.tangential_restitution = 1;
        material.contact.friction = material.contact.viscosity = 0;
    }
    return scene;
}

// Largest part of the energy at the start (kinetic, and potential over the lowest point) that ever counts as
// dissipated.
double largest_false_loss(const Scene& scene, double time) {
    Simulation simulation(scene);
    const double whole = simulation.energy().kinetic + simulation.energy().potential;
    double worst = 0;
    for (std::int64_t k = 0; k < simulation.steps_until(time); k = simulation.step_count()) {
        for (int each = 0; each < 10; ++each) simulation.step();
        worst = std::fmax(worst, std::fabs(simulation.energy().dissipated) / whole);
    }
    return worst;
}

class account_of_law_without_pull : public testing::TestWithParam<LawKind> {};

TEST_P(account_of_law_without_pull, nothing_is_lost_where_nothing_dissipates) {
    EXPECT_LT(largest_false_loss(without_losses(box_of_grains(3, GetParam(), 150)), 0.5), 1e-6);
    EXPECT_LT(largest_false_loss(without_losses(box_of_grains(2, GetParam(), 80)), 0.3), 1e-6);

    Scene pressed = without_losses(empty(3, GetParam()));
    add_floor(pressed);
    for (int k = 0; k < 2; ++k) add_grain(pressed, {0, 0, (1 + 2 * k) * grain_radius});
    EXPECT_LT(largest_false_loss(pressed, 0.2), 1e-6);
}

// A pull is lost by design.
std::vector<LawKind> laws_without_pull() {
    std::vector<LawKind> laws(all_laws.begin(), all_laws.end());
    std::erase(laws, LawKind::cohesive);
    return laws;
}

INSTANTIATE_TEST_SUITE_P(laws, energy_account, testing::ValuesIn(all_laws),
                         [](const auto& each) { return name_of(each.param); });
INSTANTIATE_TEST_SUITE_P(laws, account_of_law_without_pull, testing::ValuesIn(laws_without_pull()),
                         [](const auto& each) { return name_of(each.param); });

}  // namespace
}  // namespace scree
