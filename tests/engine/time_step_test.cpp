// A time step of one's own: refused where no contact that can be is stable, watched past the cautious limit.
#include <gtest/gtest.h>

#include "engine/remarks.h"
#include "scenes.h"
#include "scree/error.h"

namespace scree {
namespace {

using namespace scenes;

std::string error_of(const Scene& scene, ErrorKind kind) {
    try {
        Simulation simulation(scene);
        simulation.run();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), kind) << error.what();
        return error.what();
    }
    return {};
}

bool warned(const Scene& scene) {
    for (const std::string& remark : remarks(Simulation(scene)))
        if (remark.find("cautious limit") != std::string::npos) return true;
    return false;
}

// Beads of 2 mm of the stiffness of glass, a bed that falls by some millimetres: overlaps of a thousandth of the
// radius.
Scene glass_bed() {
    Scene scene = empty(3, LawKind::hertz);
    scene.materials[0].young = 5e10;
    scene.materials[0].poisson = 0.2;
    add_wall(scene, "box", BoxWall{{0, 0, 0}, {0.012, 0.012, 0.05}});
    add_region(scene, "bed", BoxShape{{0, 0, 0}, {0.012, 0.012, 0.012}});
    fill_region(scene, "bed", 60, 1e-3);
    scene.duration = 0.02;
    return scene;
}

// The energies of a run with a step past the cautious limit are those of a run with a short one.
TEST(time_step, past_the_cautious_limit_runs_where_overlaps_are_small) {
    Scene scene = glass_bed();
    const TimeStepChoice automatic = Simulation(scene).time_step();
    EXPECT_FALSE(warned(scene));
    scene.time_step = 1.5 * automatic.stable;
    const TimeStepChoice choice = Simulation(scene).time_step();
    EXPECT_LT(choice.value, choice.possible);
    EXPECT_TRUE(warned(scene));
    EXPECT_EQ(error_of(scene, ErrorKind::invalid), "");
}

TEST(time_step, of_a_single_falling_grain_may_be_long) {
    Scene scene = empty(3, LawKind::hertz);
    scene.materials[0].young = 5e10;
    add_grain(scene, {0, 0, 2e-3}, 1e-3);
    add_floor(scene);
    scene.duration = 0.05;
    scene.time_step = 1.5 * Simulation(scene).time_step().stable;
    EXPECT_EQ(error_of(scene, ErrorKind::invalid), "");
}

// Dosta et al. (2024), penetration: a steel ball of 20 mm meets beads at 5 m/s, in steps of 5e-7 s. Here the beads are
// few.
TEST(time_step, of_published_simulations_is_accepted) {
    Scene scene = empty(3, LawKind::hertz);
    Material& bead = scene.materials[0];
    bead.young = 1e9;
    bead.poisson = 0.2;
    bead.contact.restitution = 0.5;
    Material steel = bead;
    steel.name = "steel";
    steel.young = 2.1e11;
    steel.density = 7200;
    steel.contact.restitution = 0.32;  // 0.4 with beads
    scene.materials.push_back(steel);
    add_wall(scene, "box", BoxWall{{-0.012, -0.012, 0}, {0.012, 0.012, 0.1}}).material = "steel";
    add_region(scene, "bed", BoxShape{{-0.012, -0.012, 0}, {0.012, 0.012, 0.008}});
    scene.grains.push_back(group(scene, 1e-3, PlaceOnLattice{LatticeKind::fcc, 2.85e-3, "bed"}));
    add_grain(scene, {0, 0, 0.0185}, 0.01, {0, 0, -5}).material = "steel";
    scene.duration = 1e-3;
    scene.time_step = 5e-7;
    EXPECT_LT(Simulation(scene).time_step().stable, 5e-7) << "the cautious limit allows it";
    EXPECT_EQ(error_of(scene, ErrorKind::invalid), "");
}

TEST(time_step, that_no_contact_stands_is_refused_with_the_limit) {
    for (const LawKind law : {LawKind::linear, LawKind::hertz, LawKind::hooke}) {
        Scene scene = empty(3, law);
        add_grain(scene, {0, 0, 0.01}, grain_radius);
        add_grain(scene, {0, 0, 0.02}, grain_radius);
        add_floor(scene);
        scene.time_step = 1e-9;  // the limit is that of a step given
        scene.time_step = 1.01 * Simulation(scene).time_step().possible;
        EXPECT_NE(error_of(scene, ErrorKind::bad_input).find("past stability"), std::string::npos) << name_of(law);
    }
}

// Between the two limits a packing may blow up. It does here, and the run says so.
TEST(time_step, under_which_a_packing_blows_up_ends_the_run_by_its_energy_account) {
    Scene scene = empty(3, LawKind::linear);
    contact(scene).restitution = 1;
    contact(scene).friction = 0;
    scene.overlap_limit = 1;
    add_wall(scene, "box", BoxWall{{0, 0, 0}, {0.02, 0.02, 0.02}});
    add_region(scene, "bed", BoxShape{{0, 0, 0}, {0.02, 0.02, 0.02}});
    scene.grains.push_back(group(scene, grain_radius, PlaceOnLattice{LatticeKind::fcc, 5.6e-3, "bed"}));
    scene.grains.back().velocity = {0.01, 0.02, 0.03};
    scene.time_step = 1e-9;
    scene.time_step = 0.99 * Simulation(scene).time_step().possible;
    const std::string said = error_of(scene, ErrorKind::invalid);
    EXPECT_NE(said.find("the energy account is open"), std::string::npos) << said;
}

}  // namespace
}  // namespace scree
