// Going on: from a checkpoint of the same scene, and from the grains of another run.
#include <gtest/gtest.h>

#include "engine/scenes.h"

namespace scree {
namespace {

using namespace scenes;

class restart_of : public testing::TestWithParam<LawKind> {};

Simulation::Restart state_of(Simulation& simulation) {
    return {simulation.synchronised_world(), simulation.contact_memory()};
}

Simulation::Inherited inherited_from(Simulation& simulation) {
    Simulation::Inherited from;
    static_cast<Simulation::Restart&>(from) = state_of(simulation);
    for (const Material& material : simulation.scene().materials) from.materials.push_back(material.name);
    from.groups = simulation.group_names();
    for (const Wall& wall : simulation.scene().walls) from.walls.push_back(wall.name);
    return from;
}

double fastest(Simulation& simulation) {
    double speed = 0;
    const Grains& grains = simulation.synchronised_world().grains;
    for (std::size_t k = 0; k < grains.size(); ++k) speed = std::max(speed, norm(grains.velocity(k)));
    return speed;
}

Scene settling(LawKind law) {
    Scene scene = empty(3, law);
    contact(scene).restitution = 0.2;
    contact(scene).tangential_restitution = 0.3;
    contact(scene).viscosity = 4e-4;
    contact(scene).rolling_friction = 0.05;
    add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}});
    add_wall(scene, "tube", CylinderWall{{0, 0, 0}, {0, 0, 60e-3}, 9e-3});
    add_region(scene, "inside", CylinderShape{{0, 0, 0}, {0, 0, 35e-3}, 9e-3});
    fill_region(scene, "inside", 60);
    scene.damping = 1e-3;
    return scene;
}

// An observer of a resumed run sees what the one before the stop saw.
TEST_P(restart_of, a_restored_state_looks_the_same) {
    Scene scene = several_materials(GetParam());
    Simulation first(scene);
    for (int k = 0; k < 1500; ++k) first.step();
    Simulation second(scene, state_of(first), first.group_names());
    EXPECT_EQ(second.time(), first.time());
    EXPECT_EQ(second.hash(), first.hash());
    EXPECT_EQ(second.contact_count(), first.contact_count());
    const EnergyReport a = first.energy(), b = second.energy();
    EXPECT_EQ(a.elastic, b.elastic);
    EXPECT_EQ(a.dissipated, b.dissipated);
    EXPECT_EQ(a.total(), b.total());
    const auto va = first.contacts(), vb = second.contacts();
    ASSERT_EQ(va.size(), vb.size());
    for (std::size_t k = 0; k < va.size(); ++k) {
        EXPECT_EQ(va[k].a, vb[k].a);
        EXPECT_EQ(va[k].force, vb[k].force);
    }
    for (std::size_t w = 0; w < scene.walls.size(); ++w) EXPECT_EQ(first.walls()[w].force, second.walls()[w].force);
}

// Memory belongs to the pair: it does not matter which of the two comes first in storage.
TEST_P(restart_of, memory_is_the_same_seen_from_either_grain) {
    const Scene scene = several_materials(GetParam());
    Simulation first(scene);
    run_until(first, 0.12);
    Simulation::Restart state = state_of(first);
    visit_fields(state.world.grains,
                 [](const char*, const char*, auto& values) { std::reverse(values.begin(), values.end()); });
    Simulation second(scene, state, first.group_names());
    const auto va = first.contacts(), vb = second.contacts();
    ASSERT_EQ(va.size(), vb.size());
    ASSERT_GT(va.size(), 15u);
    std::size_t swapped = 0;
    for (const ContactView& a : va)
        for (const ContactView& b : vb) {
            if (a.wall != b.wall || a.feature != b.feature) continue;
            const bool same = a.a == b.a && a.b == b.b, other = a.wall < 0 && a.a == b.b && a.b == b.a;
            if (!same && !other) continue;
            swapped += other;
            EXPECT_LT(norm(a.force - (other ? -1.0 : 1.0) * b.force), 1e-9 * norm(a.force) + 1e-15);
        }
    EXPECT_GT(swapped, 5u);
    for (int k = 0; k < 30; ++k) {
        first.step();
        second.step();
    }
    for (Index id = 0; id < 50; ++id) {
        const GrainState a = grain(first, id), b = grain(second, id);
        EXPECT_LT(norm(a.position - b.position), 1e-12) << id;
        EXPECT_LT(norm(a.spin - b.spin), 1e-6) << id;
    }
}

// Rolling springs of laws without a contact_time follow from the automatic step, which follows from the smallest grain:
// a resumed run has to remember it when that grain is gone.
TEST_P(restart_of, resume_after_the_smallest_grain_has_left) {
    Scene scene = settling(GetParam());
    add_region(scene, "here", BoxShape{{-1, -1, -1}, {1, 1, 0.1}});
    scene.outflow_region = "here";
    scene.damping = 0;
    contact(scene).viscosity = 5e-5;
    add_grain(scene, {0, 0, 0.095}, 0.5e-3, {0, 0, 2});
    scene.time_step = 0.7 * Simulation(scene).time_step().automatic;
    Simulation through(scene);
    run_until(through, 0.02);
    EXPECT_EQ(through.world().removed, 1);
    Simulation resumed(scene, state_of(through), through.group_names());
    for (int k = 0; k < 2000; ++k) {
        through.step();
        resumed.step();
    }
    EXPECT_EQ(through.hash(), resumed.hash());
}

TEST_P(restart_of, a_settled_pile_stays_settled_under_another_scene) {
    Simulation poured(settling(GetParam()));
    run_until(poured, 0.6);
    ASSERT_LT(fastest(poured), 2e-3);

    // The tube stays, gravity leans a little, a lid is added far away, the grains' scene is gone.
    Scene next = settling(GetParam());
    next.grains.clear();
    add_wall(next, "lid", PlaneWall{{0, 0, 0.1}, {0, 0, -1}});
    std::swap(next.walls[0], next.walls[1]);
    Simulation same(next, inherited_from(poured));
    EXPECT_EQ(same.time(), 0);
    EXPECT_EQ(same.world().grains.size(), 60u);
    // No force has jumped: friction is remembered.
    const Vec3 floor_before = poured.walls()[0].force, floor_after = same.walls()[1].force;
    EXPECT_LT(norm(floor_before - floor_after), 1e-3 * norm(floor_before));
    run_until(same, 0.02);
    EXPECT_LT(fastest(same), 2e-3);
    const Grains& grains = same.synchronised_world().grains;
    for (std::size_t k = 0; k < grains.size(); ++k)
        EXPECT_LT(norm(grains.position(k) - grain(poured, grains.id[k]).position), 2e-2 * grain_radius);

    // Without the memory of its contacts it would have been shaken.
    Simulation::Inherited forgetful = inherited_from(poured);
    forgetful.contacts.a.clear();
    forgetful.contacts.b.clear();
    forgetful.contacts.memory.clear();
    forgetful.contacts.wall_grain.clear();
    forgetful.contacts.wall.clear();
    forgetful.contacts.feature.clear();
    forgetful.contacts.wall_memory.clear();
    Simulation shaken(next, forgetful);
    EXPECT_GT(norm(floor_before - shaken.walls()[1].force), 3 * norm(floor_before - floor_after));
    EXPECT_LT(audited_run(shaken, 0.03).error(), 1e-3);
}

TEST_P(restart_of, pour_once_then_open_tilt_and_shake) {
    Simulation poured(settling(GetParam()));
    run_until(poured, 0.4);
    Scene base = settling(GetParam());
    base.grains.clear();
    base.damping = 0;

    Scene opened = base;
    opened.walls[0].open_at = 0.01;
    add_region(opened, "here", BoxShape{{-1, -1, -0.02}, {1, 1, 1}});
    opened.outflow_region = "here";
    Simulation drained(opened, inherited_from(poured));
    const EnergyAudit drained_audit = audited_run(drained, 0.15);
    EXPECT_GT(drained.world().removed, 30);
    EXPECT_LT(drained_audit.error(), 1e-3);

    Scene tilted = base;
    tilted.gravity = {0.5 * g, 0, -0.866 * g};
    Simulation leaning(tilted, inherited_from(poured));
    EXPECT_LT(audited_run(leaning, 0.1).error(), 1e-3);
    EXPECT_GT(leaning.walls()[1].force.x, 0.1 * g * total_mass(leaning));

    Scene shaken = base;
    shaken.walls[0].motion = Vibrate{{0, 0, 5e-4}, 40};
    Simulation dancing(shaken, inherited_from(poured));
    EXPECT_LT(audited_run(dancing, 0.1).error(), 1e-3);
    EXPECT_GT(fastest(dancing), 1e-2);
}

// Grains of a material of their own poured onto inherited ones meet them as that pair of materials, not as the first.
TEST(restart, poured_grains_keep_their_material) {
    Scene below = empty(3);
    below.gravity = {};
    add_grain(below, {});
    Simulation first(below);
    first.step();

    Scene above = below;
    above.grains.clear();
    Material bouncy = above.materials[0];
    bouncy.name = "bouncy";
    above.materials.push_back(bouncy);
    Interaction both;
    both.first = "stuff";
    both.second = "bouncy";
    both.restitution = 1;
    above.interactions.push_back(both);
    add_region(above, "inlet",
               BoxShape{{-grain_radius, -grain_radius, 6e-3}, {grain_radius, grain_radius, 6e-3 + 2 * grain_radius}});
    pour_region(above, "inlet", 1e4, 1, {0, 0, -0.3}).material = "bouncy";
    Simulation second(above, inherited_from(first));
    run_until(second, 0.05);
    ASSERT_EQ(second.world().grains.size(), 2u);
    EXPECT_NEAR(grain(second, 0).velocity.z, -0.3, 1e-3);
    EXPECT_NEAR(grain(second, 1).velocity.z, 0, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(laws, restart_of, testing::ValuesIn(all_laws),
                         [](const auto& each) { return name_of(each.param); });

}  // namespace
}  // namespace scree
