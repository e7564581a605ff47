// The search for neighbors as a run sees it: whatever the method, the same contacts; every refresh accounted for; the
// audit finds what is wrong.
#include <gtest/gtest.h>

#include <numeric>

#include "core/parallel.h"
#include "engine/scenes.h"
#include "scree/error.h"

namespace scree {
namespace {

using namespace scenes;

struct Outcome {
    std::string hash;
    NeighborReport report;
};

Outcome run(Scene scene, NeighborMethod method, std::int64_t steps, int threads = 1, std::uint64_t disturbance = 0,
            bool audit = false) {
    set_thread_count(threads);
    scene.neighbors = method;
    Simulation simulation(std::move(scene), std::nullopt, {.audit = audit});
    simulation.disturb_search(disturbance);
    for (std::int64_t k = 0; k < steps; ++k) simulation.step();
    set_thread_count(1);
    Outcome outcome{simulation.hash(), simulation.neighbors()};
    const NeighborReport& r = outcome.report;
    EXPECT_EQ(r.certified + r.fallbacks, r.refreshes);
    EXPECT_EQ(std::accumulate(r.fallback_reasons.begin(), r.fallback_reasons.end(), std::int64_t{0},
                              [](std::int64_t sum, const auto& each) { return sum + each.second; }),
              r.fallbacks);
    return outcome;
}

// A flat layer: all centers in one plane, rolling about.
Scene layer() {
    Scene scene = empty(3, LawKind::linear);
    add_floor(scene);
    add_wall(scene, "sides", BoxWall{{0, 0, -1}, {40e-3, 40e-3, 1}});
    for (int k = 0; k < 36; ++k)
        add_grain(scene, {(3.0 + 6 * (k % 6)) * 1e-3, (3.0 + 6 * (k / 6)) * 1e-3, grain_radius}, grain_radius,
                  {0.1 * (k % 5 - 2), 0.07 * (k % 7 - 3), 0});
    return scene;
}

Scene lattice(int dimension) {
    Scene scene = empty(dimension, LawKind::linear);
    add_region(scene, "inside", BoxShape{{}, {20e-3, 20e-3, dimension == 3 ? 20e-3 : 0}});
    add_floor(scene);
    PlaceOnLattice place;
    place.lattice = dimension == 3 ? LatticeKind::sc : LatticeKind::square;
    place.spacing = 2 * grain_radius;
    place.region = "inside";
    scene.grains.push_back(group(scene, grain_radius, place));
    return scene;
}

Scene few(int count) {
    Scene scene = empty(3, LawKind::linear);
    add_floor(scene);
    for (int k = 0; k < count; ++k) add_grain(scene, {3.9e-3 * k, 0, 3e-3 + 4.5e-3 * k});
    return scene;
}

Scene mixed_discs(double ratio) {
    Scene scene = empty(2, LawKind::linear);
    scene.duration = 0.02;
    contact(scene).contact_time = 1e-3 / ratio;
    add_wall(scene, "box", BoxWall{{}, {60e-3, 60e-3, 0}});
    add_region(scene, "inside", BoxShape{{}, {60e-3, 60e-3, 0}});
    fill_region(scene, "inside", 8, 4e-3).velocity = {0.1, 0.05, 0};
    fill_region(scene, "inside", 200, 4e-3 / ratio).velocity = {-0.1, 0.1, 0};
    return scene;
}

// Flow across both borders of a periodic box without walls; elastic, so that it goes on.
Scene torus(int dimension) {
    Scene scene = empty(dimension, LawKind::linear);
    scene.gravity = {};
    contact(scene).restitution = 1;
    contact(scene).friction = 0;
    for (int axis = 0; axis < dimension; ++axis)
        scene.periodic[static_cast<std::size_t>(axis)] = std::pair{-5e-3, 15e-3};
    add_region(scene, "inside",
               BoxShape{{-5e-3, -5e-3, dimension == 3 ? -5e-3 : 0}, {15e-3, 15e-3, dimension == 3 ? 15e-3 : 0}});
    fill_region(scene, "inside", dimension == 3 ? 40 : 8).velocity = {0.6, 0.2, 0};
    fill_region(scene, "inside", dimension == 3 ? 40 : 8).velocity = {-0.4, 0.3, 0};
    return scene;
}

TEST(certified_search, all_methods_lead_to_the_same_state) {
    struct Case {
        const char* name;
        Scene scene;
        std::int64_t steps;
    };
    const LawKind law = LawKind::linear;
    std::int64_t certified = 0, refreshes = 0;
    for (const Case& each : std::vector<Case>{{"bed", box_of_grains(3, law), 800},
                                              {"discs", box_of_grains(2, law), 800},
                                              {"discs, ratio 10", mixed_discs(10), 600},
                                              {"discs, ratio 100", mixed_discs(100), 300},
                                              {"ratio 10", polydisperse(10), 600},
                                              {"ratio 100", polydisperse(100), 400},
                                              {"poured", poured_bed(law), 1500},
                                              {"poured, periodic", periodic_pour(law), 1500},
                                              {"vibrated", vibrated_box(law), 1000},
                                              {"drained", drained_box(law), 6500},
                                              {"rotated", rotating_drum(law), 1000},
                                              {"pouring and outflow", pouring_and_outflow(law), 3000},
                                              {"periodic", periodic_chute(law), 1500},
                                              {"torus", torus(3), 1500},
                                              {"torus of discs", torus(2), 1500},
                                              {"one grain", few(1), 500},
                                              {"two grains", few(2), 1500},
                                              {"layer", layer(), 1000},
                                              {"lattice", lattice(3), 300},
                                              {"lattice of discs", lattice(2), 300},
                                              {"materials", several_materials(law), 600}}) {
        const Outcome brute = run(each.scene, NeighborMethod::brute, each.steps);
        for (const int threads : {1, 2, 4}) {
            const Outcome triangulation = run(each.scene, NeighborMethod::triangulation, each.steps, threads);
            EXPECT_EQ(triangulation.hash, brute.hash) << each.name << ", " << threads << " threads";
            certified += triangulation.report.certified;
            refreshes += triangulation.report.refreshes;
            // The proof is the rule.
            EXPECT_GE(static_cast<double>(triangulation.report.certified),
                      0.9 * static_cast<double>(triangulation.report.refreshes))
                << each.name;
        }
        EXPECT_EQ(run(each.scene, NeighborMethod::grid, each.steps, 2).hash, brute.hash) << each.name;
        EXPECT_EQ(run(each.scene, NeighborMethod::automatic, each.steps).hash, brute.hash) << each.name;
        // Random skins, up to more than can be proved, at random moments.
        EXPECT_EQ(run(each.scene, NeighborMethod::triangulation, each.steps, 1, 99, true).hash, brute.hash)
            << each.name;
    }
    EXPECT_GT(refreshes, 1000);
    EXPECT_GT(static_cast<double>(certified), 0.98 * static_cast<double>(refreshes));
}

TEST(certified_search, triangulation_is_repaired_not_rebuilt) {
    const NeighborReport r = run(box_of_grains(3, LawKind::linear), NeighborMethod::triangulation, 2000).report;
    std::int64_t repaired = 0, built = 0;
    for (const auto& [rung, count] : r.repairs) (rung == "build" || rung == "rebuild" ? built : repaired) += count;
    EXPECT_GT(repaired, 4 * built);
    EXPECT_GT(r.flips, 0);
    EXPECT_GT(r.pairs_per_grain, r.contacts_per_grain / 2);
}

TEST(certified_search, every_method_passes_the_audit) {
    for (const NeighborMethod method : {NeighborMethod::triangulation, NeighborMethod::grid, NeighborMethod::automatic})
        for (const Scene& scene :
             {box_of_grains(2, LawKind::linear), periodic_chute(LawKind::linear), polydisperse(10)}) {
            const NeighborReport r = run(scene, method, 400, 2, 0, true).report;
            EXPECT_EQ(r.audited, r.refreshes);
            EXPECT_GT(r.audited, 0);
        }
}

TEST(certified_search, audit_names_a_pair_that_is_missing) {
    for (const NeighborMethod method : {NeighborMethod::triangulation, NeighborMethod::grid})
        for (const std::int64_t refresh : {1, 2}) {
            Scene scene = box_of_grains(3, LawKind::linear);
            scene.neighbors = method;
            try {
                Simulation simulation(scene, std::nullopt, {.audit = true, .drop_pair_at = refresh});
                for (int k = 0; k < 2000; ++k) simulation.step();
                FAIL() << "a pair was lost without notice";
            } catch (const Error& error) {
                EXPECT_EQ(error.kind(), ErrorKind::invalid);  // exit code 4
                EXPECT_NE(std::string(error.what()).find("is missing in the list"), std::string::npos) << error.what();
                EXPECT_NE(std::string(error.what()).find("audit of refresh " + std::to_string(refresh)),
                          std::string::npos)
                    << error.what();
            }
        }
}

// A loss without audit changes the motion: the hook of the test above is not idle.
TEST(certified_search, a_lost_pair_matters) {
    Scene scene = empty(3, LawKind::linear);
    scene.gravity = {};
    add_grain(scene, {0, 0, 0}, grain_radius, {0.1, 0, 0});
    add_grain(scene, {4.001e-3, 0, 0}, grain_radius, {-0.1, 0, 0});
    Simulation whole(scene),
        spoilt(scene, std::nullopt,
               {.audit = false, .drop_pair_at = 2});  // the second: grains are sorted before the first step
    for (int k = 0; k < 3; ++k) {
        whole.step();
        spoilt.step();
    }
    EXPECT_NE(whole.hash(), spoilt.hash());
}

// Grains that run into each other by tens of percent cannot be certified; the grid steps in and says why, and when they
// are apart again the triangulation is back.
TEST(certified_search, deep_overlaps_fall_back_to_the_grid) {
    Scene scene = empty(3, LawKind::linear);
    scene.overlap_limit = 0.95;
    scene.gravity = {};
    contact(scene).contact_time = 1e-2;
    contact(scene).restitution = 1;
    for (int k = 0; k < 6; ++k) add_grain(scene, {5e-3 * k, 20e-3, 0}, grain_radius, {0, 0.1, 0});
    add_grain(scene, {-4.5e-3, 0, 0}, grain_radius, {0.25, 0, 0});
    add_grain(scene, {0, 0, 0}, grain_radius, {-0.25, 0, 0});
    const Outcome outcome = run(scene, NeighborMethod::triangulation, 300);
    EXPECT_GT(outcome.report.fallbacks, 0);
    EXPECT_GT(outcome.report.certified, 0);
    ASSERT_FALSE(outcome.report.fallback_reasons.empty());
    EXPECT_EQ(outcome.report.fallback_reasons[0].first, "overlaps too deep");
    EXPECT_EQ(outcome.hash, run(scene, NeighborMethod::brute, 300).hash);
}

TEST(certified_search, auto_takes_the_triangulation_in_a_calm_bed_and_tells_why) {
    Scene scene = empty(3, LawKind::linear);
    scene.damping = 2e-3;
    add_wall(scene, "box", BoxWall{{}, {40e-3, 40e-3, 40e-3}});
    add_region(scene, "inside", BoxShape{{}, {40e-3, 40e-3, 40e-3}});
    fill_region(scene, "inside", 500);
    const NeighborReport r = run(scene, NeighborMethod::automatic, 14000).report;
    EXPECT_EQ(r.method, "triangulation") << r.reason;
    EXPECT_GE(r.changes, 1);
    EXPECT_GT(r.certified, 0);
    EXPECT_NE(r.reason.find("certificate"), std::string::npos) << r.reason;
    // Decided by counts, not by clocks or threads.
    const NeighborReport again = run(scene, NeighborMethod::automatic, 14000, 2).report;
    EXPECT_EQ(again.reason, r.reason);
    EXPECT_EQ(again.certified, r.certified);
    EXPECT_EQ(again.refreshes, r.refreshes);
}

}  // namespace
}  // namespace scree
