// The event engine as a simulation: scenes, beats, restart, account of energy, and the soft engine as its limit.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "core/random.h"
#include "engine/simulation.h"
#include "scree/error.h"

namespace scree {
namespace {

bool long_tests() { return std::getenv("SCREE_LONG") != nullptr; }

Wall plane(const char* name, Vec3 point, Vec3 normal, Motion motion = {}) {
    Wall wall;
    wall.name = name;
    wall.material = "m";
    wall.shape = PlaneWall{point, normal};
    wall.motion = motion;
    return wall;
}

// A box 0.2 m wide whose floor vibrates, side walls shearing in opposition, filled with discs of two sizes.
Scene shaken_scene(int count) {
    Scene scene;
    scene.dimension = 2;
    scene.engine = "events";
    scene.gravity = {0, -9.81, 0};
    scene.duration = 1;
    scene.frame_interval = scene.series_interval = 0;
    scene.time_step = 0.02;
    scene.checkpoint_interval = 0;
    Material material;
    material.name = "m";
    material.density = 1000;
    material.contact.restitution = 0.8;
    material.contact.friction = 0.3;
    material.contact.tangential_restitution = 0.5;
    scene.materials = {material};
    scene.regions = {{"space", BoxShape{{0, 0.01, 0}, {0.2, 0.2, 0}}, {}}};
    GrainGroup large, small;
    large.name = "large";
    large.material = "m";
    large.radius.first = 0.02;
    large.place = PlaceAt{{{0.1, 0.05, 0}}};
    small.name = "small";
    small.material = "m";
    small.radius = {RadiusDistribution::Kind::uniform, 0.004, 0.006, {}, {}};
    small.place = PlaceAtRandom{"space", count, {}};
    scene.grains = {large, small};
    const Motion up = Vibrate{{0, 0.004, 0}, 20, Wave::sine, 0.1, forever},
                 down = Vibrate{{0, -0.004, 0}, 20, Wave::sine, 0.1, forever};
    scene.walls = {plane("floor", {}, {0, 1, 0}, up), plane("left", {}, {1, 0, 0}, up),
                   plane("right", {0.2, 0, 0}, {-1, 0, 0}, down)};
    return scene;
}

void step(Simulation& simulation, int beats) {
    for (int k = 0; k < beats; ++k) simulation.step();
}

TEST(event_simulation, goes_on_from_a_checkpoint_bit_for_bit) {
    Simulation whole(shaken_scene(60));
    step(whole, 40);
    Simulation first(shaken_scene(60));
    step(first, 17);
    Simulation second(shaken_scene(60), Simulation::Restart{first.synchronised_world(), first.contact_memory()},
                      first.group_names());
    EXPECT_EQ(second.hash(), first.hash());
    step(second, 23);
    EXPECT_EQ(second.hash(), whole.hash());
    EXPECT_EQ(second.time(), whole.time());
    EXPECT_EQ(second.energy().total(), whole.energy().total());
}

TEST(event_simulation, neighborhood_does_not_reach_the_result) {
    std::vector<std::string> hashes;
    for (const NeighborMethod method :
         {NeighborMethod::automatic, NeighborMethod::grid, NeighborMethod::triangulation, NeighborMethod::brute}) {
        Scene scene = shaken_scene(60);
        scene.neighbors = method;
        Simulation simulation(scene);
        step(simulation, 30);
        hashes.push_back(simulation.hash());
        if (method == NeighborMethod::triangulation) {
            EXPECT_GT(simulation.neighbors().flips, 0);
        }
    }
    for (const std::string& hash : hashes) EXPECT_EQ(hash, hashes[0]);
}

// At the start all grains collide at one time; how far ahead certificates look must recover from that.
TEST(event_simulation, touching_lattice_between_shearing_walls_goes_on) {
    Scene scene = shaken_scene(0);
    scene.regions.clear();
    GrainGroup grains;
    grains.name = "lattice";
    grains.material = "m";
    grains.radius.first = 0.005;
    PlaceAt at;
    for (int i = 0; i < 10; ++i)
        for (int j = 0; j < 10; ++j) at.points.push_back({0.01 * i + 0.005, 0.01 * j + 0.005, 0});
    grains.place = at;
    scene.grains = {grains};
    scene.materials[0].contact.restitution_speed = 0.5;
    const Motion up = Vibrate{{0, 0.02, 0}, 10, Wave::sine, 0, forever},
                 down = Vibrate{{0, -0.02, 0}, 10, Wave::sine, 0, forever};
    scene.walls = {plane("floor", {}, {0, 1, 0}, up), plane("left", {}, {1, 0, 0}, up),
                   plane("right", {0.1, 0, 0}, {-1, 0, 0}, down)};
    std::vector<std::string> hashes;
    for (const NeighborMethod method : {NeighborMethod::grid, NeighborMethod::triangulation}) {
        scene.neighbors = method;
        Simulation simulation(scene);
        step(simulation, 20);
        hashes.push_back(simulation.hash());
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(event_simulation, energy_account_closes_with_shaking_shearing_and_friction) {
    Simulation simulation(shaken_scene(60));
    const double start = simulation.energy().total();
    step(simulation, 50);
    const EnergyReport energy = simulation.energy();
    EXPECT_GT(energy.wall_work, 0);
    EXPECT_GT(energy.dissipated_sliding, 0);
    EXPECT_GT(energy.dissipated, energy.dissipated_sliding);
    EXPECT_NEAR(energy.total(), start, 1e-11 * (energy.dissipated + std::fabs(start)));
    EXPECT_LT(simulation.world().max_overlap, 1e-10);
    EXPECT_EQ(simulation.contact_count(), 0u);
    EXPECT_GT(simulation.events()->collisions, 1000);
}

// Beats round; who looks more often, or never, must not see another motion.
TEST(event_simulation, observing_does_not_change_the_motion) {
    std::string unobserved;
    for (const double interval : {0.0, 1e-3, 0.017, 0.02, 0.3})
        for (double Scene::*observer : {&Scene::series_interval, &Scene::frame_interval, &Scene::checkpoint_interval}) {
            Scene scene = shaken_scene(40);
            scene.time_step.reset();
            scene.*observer = interval;
            Simulation simulation(scene);
            while (simulation.time() < 0.5) simulation.step();
            EXPECT_GT(simulation.events()->collisions, 200);
            if (unobserved.empty()) unobserved = simulation.hash();
            EXPECT_EQ(simulation.hash(), unobserved) << interval;
        }
}

TEST(event_simulation, every_refresh_is_certified_or_has_a_reason) {
    Simulation simulation(shaken_scene(20));
    step(simulation, 7);
    const NeighborReport report = simulation.neighbors();
    EXPECT_EQ(report.refreshes, 7);
    EXPECT_EQ(report.certified + report.fallbacks, report.refreshes);
    std::int64_t reasons = 0;
    for (const auto& [reason, count] : report.fallback_reasons) reasons += count;
    EXPECT_EQ(reasons, report.fallbacks);
}

// Intervals of outputs are mostly whole numbers of beats.
TEST(event_simulation, automatic_beats_are_round_numbers) {
    for (const double size : {0.3, 1.0, 2.1, 7.0}) {
        Scene scene = shaken_scene(10);
        scene.time_step.reset();
        scene.gravity = (1 / size) * scene.gravity;
        const double beat = Simulation(scene).time_step().value;
        double mantissa = beat;
        while (mantissa < 0.999) mantissa *= 10;
        EXPECT_LT(std::fmin(std::fmin(std::fabs(mantissa - 1), std::fabs(mantissa - 2)), std::fabs(mantissa - 5)), 1e-9)
            << beat;
    }
}

TEST(event_simulation, overlap_stays_below_rounding_over_an_hour) {
    Scene scene = shaken_scene(20);
    scene.duration = 3600;
    scene.time_step.reset();
    for (Material& m : scene.materials) m.contact.restitution = 0.9;
    Simulation simulation(scene);
    // An hour of time without an hour of work: the clock is set forward to where it has a large number to carry.
    World world = simulation.synchronised_world();
    world.step = simulation.steps_until(3590);
    Simulation late(scene, Simulation::Restart{world, {}}, simulation.group_names());
    const double begin = late.energy().total();
    while (late.time() < 3600) late.step();
    EXPECT_LT(late.world().max_overlap, 1e-10);
    EXPECT_NEAR(late.energy().total(), begin, 1e-10 * late.energy().dissipated);
    EXPECT_GT(late.events()->collisions, 1000);
    if (!long_tests()) return;
    while (simulation.time() < 3600) simulation.step();
    EXPECT_LT(simulation.world().max_overlap, 1e-10);
}

TEST(event_simulation, grains_are_poured_in_and_flow_out) {
    Scene scene = shaken_scene(1);
    scene.walls.erase(scene.walls.begin());  // no floor
    scene.grains.resize(2);
    GrainGroup rain = scene.grains[1];
    rain.name = "rain";
    rain.place = PourOverTime{"space", 200, 0, 0.5, {}, {0, -0.5, 0}};
    scene.grains[1] = rain;
    scene.regions.push_back({"all", BoxShape{{-1, -0.5, 0}, {1, 1, 0}}, {}});
    scene.outflow_region = "all";
    Simulation simulation(scene);
    while (simulation.time() < 1) simulation.step();
    EXPECT_EQ(simulation.world().removed, 101);  // the large one, too
    EXPECT_EQ(simulation.world().grains.size(), 0u);
    const EnergyReport energy = simulation.energy();
    EXPECT_NEAR(energy.total(), 1000 * 3.14159265358979 * 0.02 * 0.02 * 9.81 * 0.05,
                1e-9);  // of the large disc at the start
}

TEST(event_simulation, walls_that_tap_translate_and_open) {
    Scene scene = shaken_scene(20);
    scene.walls[0].motion = Vibrate{{0, 0.005, 0}, 7, Wave::tap, 0.05, 0.7};
    scene.walls[2].motion = MotionTable{{{0.2, 0, 0, 0}, {0.4, 0.03, 0, 0}, {0.6, -0.01, 0, 0}}};
    scene.walls.push_back(plane("lid", {0, 0.5, 0}, {0, -1, 0}, Translate{{0, -0.3, 0}, 0.1, 0.6}));
    Simulation simulation(scene);
    const double start = simulation.energy().total();
    while (simulation.time() < 1) simulation.step();
    EXPECT_LT(simulation.world().max_overlap, 1e-10);
    EXPECT_NEAR(simulation.energy().total(), start, 1e-10 * simulation.energy().dissipated);
    scene.walls[0].open_at = 0.5;
    scene.regions.push_back({"all", BoxShape{{-1, -0.5, 0}, {1, 2, 0}}, {}});
    scene.outflow_region = "all";
    Simulation opened(scene);
    while (opened.time() < 1.2) opened.step();
    EXPECT_GT(opened.world().removed, 0);
}

TEST(event_simulation, a_beat_may_be_many_times_the_flight_through_a_period) {
    std::vector<std::string> hashes;
    for (const NeighborMethod method : {NeighborMethod::grid, NeighborMethod::brute}) {
        Scene scene = shaken_scene(12);
        scene.neighbors = method;
        scene.gravity = {};
        scene.walls.clear();
        scene.duration = 4;
        scene.time_step = 2;
        scene.periodic[0] = scene.periodic[1] = {0.0, 0.2};
        scene.materials[0].contact.restitution = 1;
        scene.materials[0].contact.friction = 0;
        for (std::size_t k = 0; k < scene.grains.size(); ++k)
            scene.grains[k].velocity = {k == 0 ? 8.0 : -3.0, 1, 0};  // 80 periods in a beat
        Simulation simulation(scene);
        step(simulation, 2);
        EXPECT_GT(simulation.events()->collisions, 100);
        EXPECT_LT(simulation.world().max_overlap, 1e-10);
        hashes.push_back(simulation.hash());
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(event_simulation, refuses_what_hard_grains_cannot_be) {
    const auto refused = [](const Scene& scene) {
        try {
            Simulation simulation(scene);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    Scene round = shaken_scene(5);
    round.walls[0].shape = SphereWall{{0.1, 0.1, 0}, 0.3};
    EXPECT_NE(refused(round).find("planes and boxes only"), std::string::npos);
    Scene turning = shaken_scene(5);
    turning.walls[0].motion = Rotate{};
    EXPECT_NE(refused(turning).find("engine = \"soft\""), std::string::npos);
}

// ---- The soft engine as contacts get shorter --------------------------------------------------------------------------

struct Statistics {
    double height = 0, temperature = 0, pressure = 0;  // means over time
    std::vector<double> profile = std::vector<double>(4, 0.0);
};

Statistics measured(Simulation& simulation, double from, double until) {
    Statistics s;
    double samples = 0;
    while (simulation.time() < until) {
        simulation.step();
        if (simulation.time() < from) continue;
        const Grains& grains = simulation.synchronised_world().grains;
        double energy = 0, height = 0;
        for (std::size_t g = 0; g < grains.size(); ++g) {
            energy += 0.5 * norm2(grains.velocity(g));
            height += grains.row[g].y;
            s.profile[std::min<std::size_t>(3, static_cast<std::size_t>(std::max(0.0, grains.row[g].y) / 0.04))] += 1;
        }
        s.temperature += energy / static_cast<double>(grains.size());
        s.height += height / static_cast<double>(grains.size());
        s.pressure += std::fabs(simulation.walls()[1].force.x);
        ++samples;
    }
    for (double& p : s.profile) p /= samples * static_cast<double>(simulation.world().grains.size());
    s.temperature /= samples;
    s.height /= samples;
    s.pressure /= samples;
    return s;
}

TEST(event_simulation, soft_grains_that_are_shaken_are_like_hard_ones) {
    // Strongly shaken, so that few contacts last: the state is a gas whose means settle quickly.
    Scene scene = shaken_scene(30);
    scene.grains.erase(scene.grains.begin());
    scene.walls[0].motion = Vibrate{{0, 0.01, 0}, 20, Wave::sine, 0, forever};
    scene.walls[1].motion = scene.walls[2].motion = {};
    scene.materials[0].contact.friction = 0.1;
    scene.materials[0].contact.tangential_restitution = 1;
    const double until = long_tests() ? 60 : 6;
    scene.duration = until;
    // Runs from several starts. The two engines must agree within four standard errors of the difference of their means
    // (as seen from the scatter of the runs), those must be small enough to tell, and the difference small in itself.
    constexpr int runs = 4;
    const auto all = [&](const char* engine) {
        std::vector<Statistics> result;
        for (int seed = 1; seed <= runs; ++seed) {
            Scene copy = scene;
            copy.engine = engine;
            copy.time_step.reset();
            if (copy.engine == "events") copy.time_step = 0.005;
            copy.overlap_limit = 1;
            copy.seed = static_cast<std::uint64_t>(seed);
            copy.materials[0].contact.contact_time = 4e-4;
            Simulation simulation(copy);
            result.push_back(measured(simulation, 1, until));
        }
        return result;
    };
    const std::vector<Statistics> hard = all("events"), soft = all("soft");
    const auto compare = [&](const char* what, auto&& value, double telling, double most) {
        double mean[2] = {}, square[2] = {};
        for (int k = 0; k < runs; ++k)
            for (const int engine : {0, 1})
                mean[engine] += value((engine ? soft : hard)[static_cast<std::size_t>(k)]) / runs;
        for (int k = 0; k < runs; ++k)
            for (const int engine : {0, 1})
                square[engine] +=
                    std::pow(value((engine ? soft : hard)[static_cast<std::size_t>(k)]) - mean[engine], 2) / (runs - 1);
        const double error = std::sqrt((square[0] + square[1]) / runs);
        EXPECT_LT(std::fabs(mean[1] - mean[0]), 4 * error) << what << ": hard " << mean[0] << ", soft " << mean[1];
        EXPECT_LT(error, telling) << what << ": " << mean[0];
        EXPECT_LT(std::fabs(mean[1] - mean[0]), most) << what << ": hard " << mean[0] << ", soft " << mean[1];
        RecordProperty(what, std::to_string(mean[0]) + " " + std::to_string(mean[1]) + " +- " + std::to_string(error));
        return mean[0];
    };
    const auto relative = [&](const char* what, auto&& value, double most) {
        double mean = 0;
        for (const Statistics& s : hard) mean += value(s) / runs;
        compare(what, value, 0.05 * mean, most * mean);
    };
    relative(
        "height", [](const Statistics& s) { return s.height; }, 0.12);
    relative(
        "temperature", [](const Statistics& s) { return s.temperature; }, 0.15);
    relative(
        "pressure", [](const Statistics& s) { return s.pressure; }, 0.2);
    for (std::size_t k = 0; k < 4; ++k)
        compare(("layer " + std::to_string(k)).c_str(), [k](const Statistics& s) { return s.profile[k]; }, 0.03, 0.06);
}

// An elastic gas under some weight keeps its energy, so its means can be known to a percent: temperature (energy stored
// in contacts is missing there), pressure on a side wall, profile. All must approach those of hard grains.
Simulation warm_gas(const char* engine, double contact_time, std::uint64_t seed) {
    Scene scene = shaken_scene(45);
    scene.engine = engine;
    scene.seed = seed;
    scene.gravity = {0, -3, 0};
    scene.duration = 100;
    scene.overlap_limit = 2;
    scene.grains.erase(scene.grains.begin());
    scene.regions = {{"space", BoxShape{{0, 0, 0}, {0.1, 0.1, 0}}, {}}};
    scene.walls = {plane("floor", {}, {0, 1, 0}), plane("left", {}, {1, 0, 0}), plane("right", {0.1, 0, 0}, {-1, 0, 0}),
                   plane("lid", {0, 0.1, 0}, {0, -1, 0})};
    ContactValues& contact = scene.materials[0].contact;
    contact.restitution = 1;
    contact.friction = 0;
    contact.contact_time = contact_time;
    scene.time_step.reset();
    if (scene.engine == "events") scene.time_step = 1e-3;
    Simulation cold(scene);
    World world = cold.synchronised_world();
    Random random(seed, 3);
    for (GrainRow& row : world.grains.row) {
        row.vx = random.uniform(-1, 1);
        row.vy = random.uniform(-1, 1);
    }
    // The same energy for every start.
    double mass = 0, height = 0, kinetic = 0;
    for (const GrainRow& row : world.grains.row) {
        mass += 1 / row.inverse_mass;
        height += 3 * row.y / row.inverse_mass;
        kinetic += 0.5 * (row.vx * row.vx + row.vy * row.vy) / row.inverse_mass;
    }
    const double scale = std::sqrt((0.5 * mass - height) / kinetic);
    for (GrainRow& row : world.grains.row) {
        row.vx *= scale;
        row.vy *= scale;
    }
    return Simulation(scene, Simulation::Restart{world, {}}, cold.group_names());
}

Statistics warm_means(const char* engine, double contact_time, double until) {
    Statistics s;
    double samples = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        Simulation simulation = warm_gas(engine, contact_time, seed);
        double due = 0.3;
        while (simulation.time() < until) {
            simulation.step();
            if (simulation.time() < due) continue;
            due += 0.2 * contact_time;
            const Grains& grains = simulation.synchronised_world().grains;
            double kinetic = 0, mass = 0;
            for (std::size_t g = 0; g < grains.size(); ++g) {
                kinetic += 0.5 * norm2(grains.velocity(g)) / grains.row[g].inverse_mass;
                mass += 1 / grains.row[g].inverse_mass;
                s.height += grains.row[g].y / static_cast<double>(grains.size());
                s.profile[std::min<std::size_t>(3, static_cast<std::size_t>(std::max(0.0, grains.row[g].y) / 0.025))] +=
                    1 / static_cast<double>(grains.size());
            }
            s.temperature += kinetic / mass;
            s.pressure += std::fabs(simulation.walls()[1].force.x) / mass;
            ++samples;
        }
    }
    for (double& p : s.profile) p /= samples;
    s.temperature /= samples;
    s.height /= samples;
    s.pressure /= samples;
    return s;
}

TEST(event_simulation, soft_grains_become_hard_ones_as_contacts_get_shorter) {
    const double longer = long_tests() ? 4 : 1;
    const Statistics hard = warm_means("events", 1e-3, 15 * longer);
    const double contact_times[] = {1.6e-3, 4e-4, 1e-4};
    std::array<double, 3> temperature{}, pressure{}, profile{};  // deviations, by contact time
    for (std::size_t k = 0; k < 3; ++k) {
        const Statistics soft = warm_means("soft", contact_times[k], (k == 2 ? 1.5 : 3) * longer);
        temperature[k] = std::fabs(soft.temperature / hard.temperature - 1);
        pressure[k] = std::fabs(soft.pressure / hard.pressure - 1);
        for (std::size_t layer = 0; layer < 4; ++layer)
            profile[k] += std::fabs(soft.profile[layer] - hard.profile[layer]);
        RecordProperty(
            "deviation_" + std::to_string(k),
            std::to_string(temperature[k]) + " " + std::to_string(pressure[k]) + " " + std::to_string(profile[k]));
    }
    // Proportional to the contact time, which is a quarter each time, up to the scatter of the means.
    for (std::size_t k = 1; k < 3; ++k) {
        EXPECT_LT(temperature[k], 0.5 * temperature[k - 1]) << "contact time " << contact_times[k];
        EXPECT_LT(pressure[k], 0.5 * pressure[k - 1]) << "contact time " << contact_times[k];
    }
    EXPECT_LT(temperature[2], 0.015);
    EXPECT_LT(pressure[2], 0.03);
    EXPECT_LT(profile[2], 0.03);
}

}  // namespace
}  // namespace scree
