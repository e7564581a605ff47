// Neighbors of grains that are not spheres: whatever finds them, the same motion; every refresh accounted for.
#include <gtest/gtest.h>

#include <numeric>

#include "core/parallel.h"
#include "scenes.h"
#include "scree/error.h"

namespace scree {
namespace {

using namespace scenes;

GrainShape round_shape(const char* name, ShapeKind kind, Solid solid, double length, double radius) {
    GrainShape shape;
    shape.name = name;
    shape.kind = kind;
    shape.solid = solid;
    shape.length = length;
    shape.radius = radius;
    return shape;
}
GrainShape rod(double length = 8e-3) {
    return round_shape("rod", ShapeKind::spherocylinder, Solid::none, length, 2e-3);
}
GrainShape die() { return round_shape("die", ShapeKind::spheropolyhedron, Solid::cube, 3e-3, 2e-3); }
GrainShape sharp() { return round_shape("sharp", ShapeKind::spheropolyhedron, Solid::cube, 8e-3, 4e-4); }
GrainShape tetrahedron(double edge) {
    return round_shape("tetrahedron", ShapeKind::spheropolyhedron, Solid::tetrahedron, edge, 2e-3);
}
GrainShape plate() { return round_shape("plate", ShapeKind::spherotriangle, Solid::none, 4e-3, 2e-3); }
GrainShape clump() {
    GrainShape shape;
    shape.name = "clump";
    shape.kind = ShapeKind::cluster;
    shape.spheres = {{0, 0, 0, 2e-3}, {3e-3, 0, 0, 1.5e-3}, {0, 2.5e-3, 1e-3, 2e-3}};
    return shape;
}

void fill(Scene& scene, const GrainShape* shape, std::int64_t count, Vec3 velocity) {
    GrainGroup& group = fill_region(scene, "inside", count);
    if (shape) {
        group.shape = shape->name;
        group.orientation.random = true;
    }
    group.velocity = velocity;
    group.spin = {20, -10, 5};
}

Scene crowd(std::vector<GrainShape> shapes, bool spheres, bool periodic, double size, std::int64_t count) {
    Scene scene = empty(3, LawKind::linear);
    contact(scene).contact_time = 4e-4;
    add_region(scene, "inside", BoxShape{{}, {size, size, size}});
    if (periodic) {
        scene.gravity = {};
        for (auto& axis : scene.periodic) axis = std::pair{0.0, size};
    } else {
        add_wall(scene, "box", BoxWall{{}, {size, size, size}});
        scene.gravity = {0, 25, -60};
    }
    double sign = 1;
    for (const GrainShape& shape : shapes) {
        scene.shapes.push_back(shape);
        for (int k = 0; k < 2; ++k) {
            fill(scene, &shape, count / 2, {0.7 * sign, 0.4 * sign, -0.6});
            sign = -sign;
        }
    }
    if (spheres) fill(scene, nullptr, count, {-0.7, 0.4, 0.7});
    return scene;
}

struct Outcome {
    std::string hash;
    NeighborReport report;
    double contacts;  // on the mean of all steps
};

Outcome run(Scene scene, NeighborMethod method, std::int64_t steps, int threads = 1, std::uint64_t disturbance = 0,
            bool audit = false) {
    set_thread_count(threads);
    scene.neighbors = method;
    Simulation simulation(std::move(scene), std::nullopt, {.audit = audit});
    simulation.disturb_search(disturbance);
    double contacts = 0;
    for (std::int64_t k = 0; k < steps; ++k) {
        simulation.step();
        contacts += static_cast<double>(simulation.contact_count()) / static_cast<double>(steps);
    }
    set_thread_count(1);
    Outcome outcome{simulation.hash(), simulation.neighbors(), contacts};
    const NeighborReport& r = outcome.report;
    EXPECT_EQ(r.certified + r.fallbacks, r.refreshes);
    EXPECT_EQ(std::accumulate(r.fallback_reasons.begin(), r.fallback_reasons.end(), std::int64_t{0},
                              [](std::int64_t sum, const auto& each) { return sum + each.second; }),
              r.fallbacks);
    if (audit) {
        EXPECT_EQ(r.audited, r.refreshes);
    }
    return outcome;
}

struct Case {
    const char* name;
    std::vector<GrainShape> shapes;
    bool spheres;
    double box;
};

TEST(shaped_search, all_methods_lead_to_the_same_state) {
    int threads = 1;
    for (const bool periodic : {false, true})
        for (const Case& each :
             {Case{"rods", {rod()}, false, 44e-3}, Case{"short rods", {rod(1e-3)}, false, 22e-3},
              Case{"rods and spheres", {rod()}, true, 44e-3}, Case{"dice", {die()}, false, 33e-3},
              Case{"tetrahedra", {tetrahedron(1.9e-3)}, false, 23e-3},
              Case{"larger tetrahedra", {tetrahedron(4e-3)}, true, 34e-3}, Case{"plates", {plate()}, false, 30e-3},
              Case{"clumps", {clump()}, true, 34e-3}, Case{"three shapes", {rod(4e-3), clump(), die()}, true, 39e-3}}) {
            const std::string name = std::string(each.name) + (periodic ? ", periodic" : "");
            const Scene scene = crowd(each.shapes, each.spheres, periodic, each.box, each.shapes.size() > 1 ? 12 : 24);
            const std::int64_t steps = periodic ? 1000 : 2000;
            const Outcome brute = run(scene, NeighborMethod::brute, steps);
            EXPECT_EQ(run(scene, NeighborMethod::grid, steps).hash, brute.hash) << name;
            const Outcome covered = run(scene, NeighborMethod::triangulation, steps, threads);
            EXPECT_EQ(covered.hash, brute.hash) << name << ", " << threads << " threads";
            EXPECT_EQ(covered.report.method, "triangulation") << name;
            // The proof is the rule.
            EXPECT_GE(static_cast<double>(covered.report.certified),
                      0.95 * static_cast<double>(covered.report.refreshes))
                << name;
            // Random skins at random moments, each list compared with the true distances of all.
            EXPECT_EQ(run(scene, NeighborMethod::triangulation, 120, 1, 99, true).hash,
                      run(scene, NeighborMethod::brute, 120).hash)
                << name;
            EXPECT_GT(brute.report.refreshes, 5) << name;
            EXPECT_GT(brute.contacts, 0.05) << name;
            threads = threads == 4 ? 1 : 2 * threads;
        }
}

// A lid that lies on rods: whether one is listed as near the lid alone or as near the cylinder too depends on when
// lists are renewed. The load must not.
TEST(shaped_search, a_free_lid_moves_the_same_however_lists_are_made) {
    Scene scene = empty(3, LawKind::linear);
    contact(scene).contact_time = 5e-4;
    scene.overlap_limit = 0.95;
    scene.shapes = {rod(6e-3)};
    add_region(scene, "inside", CylinderShape{{0, 0, 1e-3}, {0, 0, 50e-3}, 15e-3});
    fill(scene, &scene.shapes[0], 30, {0, 0, -1});
    add_wall(scene, "side", CylinderWall{{0, 0, -10e-3}, {0, 0, 0.2}, 15e-3});
    add_wall(scene, "floor", PlaneWall{{0, 0, 0}, {0, 0, 1}});
    add_wall(scene, "lid", PlaneWall{{0, 0, 52e-3}, {0, 0, -1}}).motion = FreePiston{0.05, {0, 0, 1}, 0, 0};
    constexpr std::int64_t steps = 20000;
    const Outcome brute = run(scene, NeighborMethod::brute, steps);
    EXPECT_GT(brute.contacts, 10);
    EXPECT_EQ(run(scene, NeighborMethod::grid, steps, 2).hash, brute.hash);
    for (const std::uint64_t seed : {1u, 2u, 3u})
        EXPECT_EQ(run(scene, NeighborMethod::grid, steps, 1, seed).hash, brute.hash) << seed;
}

TEST(shaped_search, rods_triangles_and_discs_in_the_plane) {
    for (const bool periodic : {false, true}) {
        Scene scene = empty(2, LawKind::linear);
        contact(scene).contact_time = 4e-4;
        scene.gravity = {0, periodic ? 0 : -60.0, 0};
        add_region(scene, "inside", BoxShape{{}, {70e-3, 70e-3, 0}});
        if (periodic)
            scene.periodic[0] = scene.periodic[1] = std::pair{0.0, 70e-3};
        else
            add_wall(scene, "box", BoxWall{{}, {70e-3, 70e-3, 0}});
        GrainShape polygon = round_shape("triangle", ShapeKind::spheropolyhedron, Solid::none, 0, 2e-3);
        polygon.vertices = {{0, 0, 0}, {4e-3, 0, 0}, {1e-3, 4e-3, 0}};
        scene.shapes = {rod(6e-3), polygon};
        const GrainShape* const shapes[] = {&scene.shapes[0], &scene.shapes[1], nullptr};
        for (int k = 0; k < 3; ++k) fill(scene, shapes[k], 12, {0.5 - 0.5 * k, 0.4 * k - 0.3, 0});
        for (GrainGroup& group : scene.grains) group.spin = {0, 0, 20};
        const Outcome brute = run(scene, NeighborMethod::brute, 3000),
                      covered = run(scene, NeighborMethod::triangulation, 3000, 2, 0, true);
        EXPECT_EQ(covered.hash, brute.hash) << periodic;
        EXPECT_GT(covered.contacts, 0.3);
        EXPECT_GE(static_cast<double>(covered.report.certified), 0.95 * static_cast<double>(covered.report.refreshes));
    }
}

// Rods of many lengths and widths that come and go: others need other spheres.
TEST(shaped_search, poured_grains_of_many_sizes) {
    Scene scene = empty(3, LawKind::linear);
    contact(scene).contact_time = 4e-4;
    scene.gravity = {0, 0, -60};
    add_region(scene, "above", BoxShape{{0, 0, 0}, {40e-3, 40e-3, 25e-3}});
    add_region(scene, "here", BoxShape{{-1, -1, -10e-3}, {1, 1, 1}});
    scene.outflow_region = "here";
    add_wall(scene, "sides", BoxWall{{0, 0, -1}, {40e-3, 40e-3, 1}});
    add_wall(scene, "floor", DiscWall{{20e-3, 20e-3, 0}, {0, 0, 1}, 60e-3, 9e-3});
    scene.shapes.push_back(rod());
    PourOverTime pour;
    pour.region = "above";
    pour.rate = 4000;
    pour.until = 0.02;
    GrainGroup rods = group(scene, 0, pour);
    rods.shape = "rod";
    rods.orientation.random = true;
    rods.scale = {RadiusDistribution::Kind::uniform, 0.5, 1, {}, {}};
    scene.grains.push_back(rods);
    const Outcome grid = run(scene, NeighborMethod::grid, 8000),
                  covered = run(scene, NeighborMethod::triangulation, 8000, 2, 0, true);
    EXPECT_EQ(covered.hash, grid.hash);
    EXPECT_GT(covered.contacts, 1);
    EXPECT_GT(static_cast<double>(covered.report.certified), 0.8 * static_cast<double>(covered.report.refreshes));
}

TEST(shaped_search, sharp_grains_go_by_the_grid_and_the_report_says_why) {
    const Scene scene = crowd({sharp()}, false, false, 50e-3, 8);
    for (const NeighborMethod method : {NeighborMethod::triangulation, NeighborMethod::automatic}) {
        const NeighborReport report = run(scene, method, 200).report;
        EXPECT_EQ(report.method, "grid");
        EXPECT_NE(report.reason.find("'sharp' would need more than 32 covering spheres"), std::string::npos)
            << report.reason;
        EXPECT_EQ(report.certified, 0);
        ASSERT_EQ(report.fallback_reasons.size(), 1u);
        EXPECT_EQ(report.fallback_reasons[0].first, "covering spheres");
    }
}

TEST(shaped_search, audit_names_a_pair_of_bodies_that_is_missing) {
    Scene scene = empty(3, LawKind::linear);
    scene.gravity = {};
    scene.shapes.push_back(rod());
    scene.grains.push_back(group(scene, 0, PlaceAt{{{0, 0, 0}, {4e-3 + 1e-9, 0, 1e-3}, {20e-3, 0, 0}}}));
    scene.grains[0].shape = "rod";
    scene.neighbors = NeighborMethod::triangulation;
    EXPECT_NO_THROW(Simulation(scene, std::nullopt, {.audit = true}));
    try {
        Simulation(scene, std::nullopt, {.audit = true, .drop_pair_at = 1});
        FAIL() << "a missing pair went unnoticed";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("grains 0 and 1"), std::string::npos) << error.what();
    }
}

// Rods that lie still: proof costs next to nothing, so `auto` takes it.
TEST(shaped_search, auto_takes_covering_spheres_in_a_calm_bed) {
    Scene scene = empty(3, LawKind::linear);
    add_floor(scene);
    scene.shapes.push_back(rod());
    std::vector<Vec3> at;
    for (int k = 0; k < 60; ++k) at.push_back({13e-3 * (k % 4), 4.5e-3 * (k / 4 % 5), 2.001e-3 + 4.001e-3 * (k / 20)});
    scene.grains.push_back(group(scene, 0, PlaceAt{at}));
    scene.grains[0].shape = "rod";
    scene.grains[0].orientation.quaternion = {std::sqrt(0.5), 0, std::sqrt(0.5), 0};
    const NeighborReport report = run(scene, NeighborMethod::automatic, 6000).report;
    EXPECT_EQ(report.method, "triangulation") << report.reason;
    EXPECT_NE(report.reason.find("certificate"), std::string::npos);
    EXPECT_GT(report.certified, 0);
    // The same rods thrown about.
    scene.gravity = {};
    scene.grains[0].spin = {300, 200, 400};
    EXPECT_EQ(run(scene, NeighborMethod::automatic, 2000).report.method, "grid");
}

}  // namespace
}  // namespace scree
