// Pairs of materials with laws of their own: each pair moves to the bit as where all pairs have that law.
#include <gtest/gtest.h>

#include "scenes.h"
#include "scree/error.h"

namespace scree {
namespace {

using namespace scenes;

// Two grains of each of several materials meet obliquely, far from the others.
Scene meetings(const std::vector<LawKind>& laws, LawKind everywhere, bool rods) {
    Scene scene = empty(3, everywhere);
    scene.gravity = {};
    scene.overlap_limit = 1;
    Material& first = scene.materials[0];
    first.contact.rolling_friction = 0.1;
    first.contact.rolling_stiffness = 200;  // or else it follows from the automatic step of the scene
    first.contact.cohesion = 1e-3;
    if (rods) {
        GrainShape rod;
        rod.name = "rod";
        rod.kind = ShapeKind::spherocylinder;
        rod.radius = grain_radius;
        rod.length = 2 * grain_radius;
        scene.shapes.push_back(rod);
    }
    for (std::size_t k = 0; k < laws.size(); ++k) {
        Material material = scene.materials[0];
        material.name = "stuff" + std::to_string(k);
        if (laws[k] == LawKind::hooke) material.contact.linear.stiffness = 1e3;
        scene.materials.push_back(material);
        for (const int side : {-1, 1}) {
            GrainGroup& grain = add_grain(scene, {side * 1.01 * grain_radius, 0.1 * static_cast<double>(k), 0},
                                          grain_radius, {-0.2 * side, 0.05, 0.02 * side});
            grain.material = material.name;
            if (rods) {
                grain.radius.first = 0;
                grain.shape = "rod";
            }
        }
    }
    scene.time_step = 2e-6;
    return scene;
}

Scene with_laws_of_pairs(const std::vector<LawKind>& laws, bool rods) {
    Scene scene = meetings(laws, LawKind::linear, rods);
    for (std::size_t k = 0; k < laws.size(); ++k) {
        Interaction pair;
        pair.first = pair.second = "stuff" + std::to_string(k);
        pair.law = laws[k];
        scene.interactions.push_back(pair);
    }
    return scene;
}

std::vector<Vec3> velocities(const Scene& scene) {
    Simulation simulation(scene);
    for (int k = 0; k < 1500; ++k) simulation.step();
    std::vector<Vec3> out(scene.grains.size());
    const World& world = simulation.synchronised_world();
    for (std::size_t g = 0; g < world.grains.size(); ++g) out[world.grains.id[g]] = world.grains.velocity(g);
    return out;
}

void expect_laws_of_their_own(bool rods) {
    const std::vector<LawKind> laws(all_laws.begin(), all_laws.end());
    const std::vector<Vec3> mixed = velocities(with_laws_of_pairs(laws, rods));
    for (std::size_t k = 0; k < laws.size(); ++k) {
        SCOPED_TRACE(entry_of(laws[k]).name);
        const std::vector<Vec3> alone = velocities(meetings(laws, laws[k], rods));
        EXPECT_NE(mixed[2 * k].x, 0.2) << "they have not met";
        EXPECT_EQ(mixed[2 * k], alone[2 * k]);
        EXPECT_EQ(mixed[2 * k + 1], alone[2 * k + 1]);
    }
}
TEST(law_of_a_pair, moves_spheres_as_where_all_have_it) { expect_laws_of_their_own(false); }
TEST(law_of_a_pair, moves_bodies_as_where_all_have_it) { expect_laws_of_their_own(true); }

// Bodies of several pieces and flat faces on walls go other ways to the law (families/piece_pairs, flat_points).
Scene dice(LawKind law, bool by_pairs) {
    Scene scene = empty(3, by_pairs ? LawKind::walton : law);
    GrainShape cube;
    cube.name = "cube";
    cube.kind = ShapeKind::spheropolyhedron;
    cube.solid = Solid::cube;
    cube.length = 6e-3;
    cube.radius = 6e-4;
    scene.shapes.push_back(cube);
    if (law == LawKind::hooke) contact(scene).linear.stiffness = 2e3;
    for (int k = 0; k < 4; ++k) {
        GrainGroup& grain = add_grain(scene, {1e-3 * k, 5e-4 * k, 6e-3 + 1.05e-2 * k}, 0);
        grain.shape = "cube";
        grain.orientation.quaternion = {1, 0.1 * k, 0.05, 0};
    }
    add_floor(scene);
    if (by_pairs) {
        Interaction pair;
        pair.first = pair.second = "stuff";
        pair.law = law;
        scene.interactions.push_back(pair);
        // A material that is there, and reaches farther, makes it a scene of several laws.
        Material sticky = scene.materials[0];
        sticky.name = "sticky";
        sticky.contact.cohesion = 1e-3;
        scene.materials.push_back(sticky);
        GrainGroup& grain = add_grain(scene, {0.1, 0, 0.1}, 0);
        grain.shape = "cube";
        grain.material = "sticky";
        pair.first = pair.second = "sticky";
        pair.law = LawKind::cohesive;
        scene.interactions.push_back(pair);
    }
    scene.time_step = 2e-6;
    return scene;
}

TEST(law_of_a_pair, moves_dice_as_where_all_have_it) {
    for (const LawKind law : {LawKind::linear, LawKind::hertz, LawKind::hooke}) {
        SCOPED_TRACE(entry_of(law).name);
        const std::vector<Vec3> mixed = velocities(dice(law, true)), alone = velocities(dice(law, false));
        for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(mixed[k], alone[k]) << "cube " << k;
    }
}

TEST(law_of_a_pair, that_lacks_its_coefficients_is_refused) {
    Scene scene = meetings({LawKind::linear}, LawKind::linear, false);
    Interaction pair;
    pair.first = pair.second = "stuff0";
    pair.law = LawKind::hooke;
    scene.interactions.push_back(pair);
    try {
        Simulation simulation(scene);
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
        EXPECT_NE(std::string(error.what()).find("stiffness"), std::string::npos) << error.what();
    }
    scene.interactions[0].law = LawKind::walton;
    scene.materials[1].contact.tangential_restitution = 0;
    EXPECT_THROW(Simulation{scene}, Error);
}

}  // namespace
}  // namespace scree
