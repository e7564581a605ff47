// What scree/law_list.h says that a law reads of a material is what changes its forces, and nothing else is advised.
#include <gtest/gtest.h>

#include "engine/remarks.h"
#include "scenes.h"

namespace scree {
namespace {

using namespace scenes;

// Two grains that meet obliquely.
Scene meeting(LawKind law, double speed) {
    Scene scene = empty(3, law);
    scene.gravity = {};
    scene.materials[0].contact.friction = 1;
    add_grain(scene, {0, 0, 0}, grain_radius);
    add_grain(scene, {2.01 * grain_radius, 0, 0}, grain_radius, {-speed, 0.5 * speed, 0});
    return scene;
}

std::string state_after(Scene scene) {
    scene.time_step = 2e-6;
    Simulation simulation(scene);
    for (int k = 0; k < 1500; ++k) simulation.step();
    EXPECT_GT(simulation.energy().dissipated, 0) << "they have not met";
    return simulation.hash();
}

TEST(law_inputs, are_what_changes_the_force) {
    for (const LawEntry& law : law_list) {
        const Scene scene = meeting(law.kind, 0.05);
        const std::string state = state_after(scene);
        const auto check = [&](const char* key, bool taken, auto change) {
            Scene other = scene;
            change(other.materials[0]);
            EXPECT_EQ(state_after(other) != state, taken) << law.name << ", " << key;
        };
        check("contact_time", law.takes.contact_time, [](Material& m) { *m.contact.contact_time *= 0.9; });
        check("young", law.takes.elastic, [](Material& m) { m.young *= 1.1; });
        check("poisson", law.takes.elastic, [](Material& m) { m.poisson *= 0.9; });
        check("viscosity", law.takes.viscosity, [](Material& m) { m.contact.viscosity *= 1.1; });
        // A stiffness would make "linear" another law.
        if (law.kind != LawKind::linear)
            check("stiffness", law.takes.coefficients, [](Material& m) { m.contact.linear.stiffness = 500; });
        check("cohesion", law.takes.cohesion, [](Material& m) { m.contact.cohesion += 1e-3; });
    }
}

TEST(remarks, a_shorter_contact_time_is_advised_only_where_it_would_help) {
    for (const LawEntry& law : law_list) {
        std::string all;
        for (const std::string& remark : remarks(Simulation(meeting(law.kind, 20)))) all += remark + "\n";
        EXPECT_EQ(all.find("contact_time = ") != std::string::npos, law.takes.contact_time) << law.name << ": " << all;
    }
}

}  // namespace
}  // namespace scree
