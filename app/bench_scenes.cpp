// Beds for measuring. A settled bed of a million grains would take minutes to pour, so a block of 2500 is settled under
// gravity in a box periodic in x and y, and copies of it, with the memory of all contacts, are laid side by side. The
// copies fit without a seam: the bed is at rest from the first step, and its coordination is that of the block. For the
// machine it is a bed like any other, as nothing in the program knows of the repetition.
#include "bench_scenes.h"

#include <fmt/format.h>

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <fstream>
#include <memory>

#include "core/hash.h"
#include "core/random.h"
#include "engine/simulation.h"
#include "io/run_machine.h"
#include "io/scene_file.h"
#include "io/start.h"
#include "neighbor/neighborhood.h"
#include "report.h"
#include "templates.h"

namespace scree::app {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Forgets the highest mark of resident memory, so that it tells of what follows (Linux, proc(5)).
void reset_peak_memory() { std::ofstream("/proc/self/clear_refs") << "5"; }

// ---- Stepping -------------------------------------------------------------------------------------------------------

constexpr std::int64_t warm_up = 128;

// Enough steps for about a second; whole rounds of what happens at fixed steps.
std::int64_t measured_steps(std::size_t grains) {
    const auto rounds = static_cast<std::int64_t>(2e7 / static_cast<double>(std::max<std::size_t>(grains, 1)) / 64);
    return 64 * std::clamp<std::int64_t>(rounds, 1, 64);
}

BenchResult measure(const std::string& name, Simulation& simulation, std::size_t resident_before,
                    const BenchSteps& steps) {
    reset_peak_memory();
    for (std::int64_t k = 0; k < steps.warm_up.value_or(warm_up); ++k) simulation.step();
    BenchResult result;
    for (std::int64_t stretch = 0; stretch < steps.repeat; ++stretch) {
        BenchResult now;
        now.steps = steps.measured.value_or(measured_steps(simulation.world().grains.size()));
        const NeighborReport before = simulation.neighbors();
        simulation.profile() = {};
        const auto start = Clock::now();
        const std::clock_t processor_start = std::clock();
        for (std::int64_t k = 0; k < now.steps; ++k) {
            simulation.step();
            now.grain_steps += static_cast<std::int64_t>(simulation.world().grains.size());
        }
        now.seconds = seconds_since(start);
        now.processor_seconds = static_cast<double>(std::clock() - processor_start) / CLOCKS_PER_SEC;
        now.profile = simulation.profile();
        const NeighborReport after = simulation.neighbors();
        now.refreshes = after.refreshes - before.refreshes;
        now.certified = after.certified - before.certified;
        now.flips = after.flips - before.flips;
        now.neighbors = after.method;
        now.pairs_per_grain = after.pairs_per_grain;
        if (stretch == 0 || now.per_grain_step(now.seconds) < result.per_grain_step(result.seconds)) result = now;
    }
    result.name = name;
    const std::size_t peak = peak_resident_bytes();
    result.grains = simulation.world().grains.size();
    const auto grains = static_cast<double>(std::max<std::size_t>(result.grains, 1));
    result.bytes_per_grain = peak > resident_before ? static_cast<double>(peak - resident_before) / grains : 0;
    result.contacts_per_grain = static_cast<double>(simulation.contact_count()) / grains;
    result.state_hash = simulation.hash();
    return result;
}

BenchResult run_scene(const BenchScene& scene, const BenchSteps& steps) {
    const std::size_t resident_before = resident_bytes();
    Scene parsed = parse_scene(scene.text, scene.name);
    if (steps.neighbors) parsed.neighbors = *steps.neighbors;
    // Versions are compared on the same motion: how stiff grains are is not left to the program.
    for (Material& material : parsed.materials)
        if (!material.contact.contact_time && !material.contact.linear.stiffness) material.contact.contact_time = 1e-3;
    Simulation simulation(std::move(parsed));
    return measure(scene.name, simulation, resident_before, steps);
}

// ---- Settled beds ---------------------------------------------------------------------------------------------------

// 2500 grains of 4 mm, about 20 diameters deep on 10.5 x 10.5 diameters.
constexpr const char* block_text = R"(
[simulation]
duration = 1.0
damping = 8e-3
[materials.glass]
density = 2500
restitution = 0.6
friction = 0.4
contact_time = 4e-4
young = 1e7
poisson = 0.25
[contact]
law = "{}"
[[regions]]
name = "above"
box = [[0, 0, 0], [0.042, 0.042, 0.086]]
[[grains]]
name = "grains"
material = "glass"
radius = 2e-3
place = {{ random = "above", count = 2500 }}
[[walls]]
name = "floor"
kind = "plane"
material = "glass"
point = [0, 0, 0]
normal = [0, 0, 1]
[periodic]
x = [0, 0.042]
y = [0, 0.042]
)";
constexpr std::size_t block_grains = 2500;
constexpr double settling_time = 0.2;

// How many copies of the block along x and y give a bed of so many grains.
struct Tiling {
    std::size_t x, y;
};
Tiling tiling(std::size_t grains) {
    const std::size_t copies = grains / block_grains;
    Tiling best{1, copies};
    for (std::size_t x = 1; x * x <= copies; ++x)
        if (copies % x == 0) best = {x, copies / x};
    return best;
}

Simulation::Inherited copies_of(const Grains& block, const ContactMemory& memory, Tiling tiles, double period) {
    const std::size_t n = block.size(), copies = tiles.x * tiles.y;
    std::vector<Vec3> position(n);
    for (std::size_t g = 0; g < n; ++g) position[block.id[g]] = block.position(g);

    Simulation::Inherited out;
    out.materials = {"glass"};
    out.groups = {"grains"};
    out.walls = {"floor"};
    out.world.next_id = static_cast<Index>(n * copies);
    Grains& grains = out.world.grains;
    grains = block;
    visit_fields(grains, [&](const char*, const char*, auto& values) {
        values.reserve(n * copies);
        for (std::size_t c = 1; c < copies; ++c)
            values.insert(values.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n));
    });
    for (std::size_t g = 0; g < grains.size(); ++g) {
        const std::size_t copy = g / n;
        grains.row[g].x += static_cast<double>(copy % tiles.x) * period;
        grains.row[g].y += static_cast<double>(copy / tiles.x) * period;
        grains.id[g] += static_cast<Index>(copy * n);
    }
    // The partner of a contact across a border of the block lies in the next copy.
    const auto partner = [period](std::size_t copy, double difference, std::size_t count) {
        return static_cast<std::size_t>(static_cast<long>(copy + count) + std::lround(difference / period)) % count;
    };
    ContactMemory& to = out.contacts;
    to.width = memory.width;
    for (std::size_t c = 0; c < copies; ++c) {
        const std::size_t cx = c % tiles.x, cy = c / tiles.x;
        for (std::size_t k = 0; k < memory.a.size(); ++k) {
            const Vec3 d = position[memory.a[k]] - position[memory.b[k]];
            const std::size_t other = partner(cy, d.y, tiles.y) * tiles.x + partner(cx, d.x, tiles.x);
            to.a.push_back(memory.a[k] + static_cast<Index>(c * n));
            to.b.push_back(memory.b[k] + static_cast<Index>(other * n));
        }
        for (const Index grain : memory.wall_grain) to.wall_grain.push_back(grain + static_cast<Index>(c * n));
        to.memory.insert(to.memory.end(), memory.memory.begin(), memory.memory.end());
        to.wall.insert(to.wall.end(), memory.wall.begin(), memory.wall.end());
        to.feature.insert(to.feature.end(), memory.feature.begin(), memory.feature.end());
        to.wall_memory.insert(to.wall_memory.end(), memory.wall_memory.begin(), memory.wall_memory.end());
    }
    return out;
}

BenchResult run_bed(const BenchScene& bed, const BenchSteps& steps) {
    Scene scene = parse_scene(bed.text, bed.name);
    if (steps.neighbors) scene.neighbors = *steps.neighbors;
    const double period = scene.periodic[0]->second;
    const Tiling tiles = tiling(bed.grains);
    auto block = std::make_unique<Simulation>(scene);
    const std::int64_t settling_steps = block->steps_until(settling_time);
    for (std::int64_t k = 0; k < settling_steps; ++k) block->step();
    const Grains grains = block->synchronised_world().grains;
    const ContactMemory memory = block->contact_memory();
    block.reset();
    malloc_trim(0);
    const std::size_t resident_before = resident_bytes();

    scene.grains.clear();
    scene.damping = 0;
    scene.periodic[0]->second = period * static_cast<double>(tiles.x);
    scene.periodic[1]->second = period * static_cast<double>(tiles.y);
    Simulation simulation(std::move(scene), copies_of(grains, memory, tiles, period));
    return measure(bed.name, simulation, resident_before, steps);
}

// ---- Mixtures -------------------------------------------------------------------------------------------------------

constexpr double melting_work = 4e7;  // grains times steps, up to the number of steps below
constexpr double melting_steps = 2500;
constexpr double calm_speed = 0.02;  // of that of the fluid

// What is in the box before the scene's own grains.
std::optional<Simulation::Inherited> corner_ball(const BenchScene& mixture, const Scene& scene) {
    std::optional<Simulation::Inherited> corner;
    if (mixture.corner_ball > 0) {
        // Walls would not let a scene place it.
        Grains& ball = corner.emplace().world.grains;
        visit_fields(ball, [](const char*, const char*, auto& values) { values.resize(1); });
        ball.row[0] = {0, 0, 0, mixture.corner_ball, 0, 0, 0, 0};
        ball.spin[0] = {0, 0, 0, 1 / mixture.corner_ball};
        corner->world.next_id = 1;
        for (const Material& material : scene.materials) corner->materials.push_back(material.name);
        corner->groups = {scene.grains[0].name};
    }
    return corner;
}

BenchResult run_mixture(const BenchScene& mixture, const BenchSteps& steps) {
    Scene scene = parse_scene(mixture.text, mixture.name);
    scene.neighbors = NeighborMethod::grid;
    auto melt = std::make_unique<Simulation>(scene, corner_ball(mixture, scene));
    const auto steps_to_melt = static_cast<std::int64_t>(
        std::min(melting_steps, melting_work / static_cast<double>(melt->world().grains.size())));
    for (std::int64_t k = 0; k < steps_to_melt; ++k) melt->step();
    Simulation::Inherited state;
    state.world = melt->synchronised_world();
    state.contacts = melt->contact_memory();
    for (const Material& material : scene.materials) state.materials.push_back(material.name);
    for (const Wall& wall : scene.walls) state.walls.push_back(wall.name);
    state.groups = melt->group_names();
    melt.reset();
    malloc_trim(0);
    const std::size_t resident_before = resident_bytes();
    if (mixture.name.find("calm") != std::string::npos)
        for (GrainRow& row : state.world.grains.row) {
            row.vx *= calm_speed;
            row.vy *= calm_speed;
            row.vz *= calm_speed;
        }
    scene.grains.clear();
    if (steps.neighbors) scene.neighbors = *steps.neighbors;
    Simulation simulation(std::move(scene), std::move(state));
    return measure(mixture.name, simulation, resident_before, steps);
}

// ---- Lists ----------------------------------------------------------------------------------------------------------

BenchResult measure_lists(const std::string& name, const std::vector<GrainRow>& rows, double reach,
                          const BenchSteps& steps, std::size_t resident_before) {
    const BallRows balls{&rows[0].x, 8, rows.size()};
    BenchResult result;
    result.name = name;
    result.grains = rows.size();
    result.steps = steps.measured.value_or(
        std::clamp<std::int64_t>(static_cast<std::int64_t>(4e6 / static_cast<double>(rows.size())), 4, 1000));
    result.grain_steps = static_cast<std::int64_t>(rows.size()) * result.steps;
    PairList pairs;
    reset_peak_memory();
    grid_pairs(balls, {}, reach, pairs);
    double& build = result.profile.seconds[static_cast<std::size_t>(Phase::refresh)];
    double& walk = result.profile.seconds[static_cast<std::size_t>(Phase::collide_kick_move)];
    double gaps = 0;
    const std::clock_t processor_start = std::clock();
    for (std::int64_t k = 0; k < result.steps; ++k) {
        const auto start = Clock::now();
        grid_pairs(balls, {}, reach, pairs);
        const auto built = Clock::now();
        build += std::chrono::duration<double>(built - start).count();
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (const std::uint32_t j : pairs.of(i)) {
                const double x = rows[i].x - rows[j].x, y = rows[i].y - rows[j].y, z = rows[i].z - rows[j].z;
                gaps += std::sqrt(x * x + y * y + z * z) - rows[i].radius - rows[j].radius;
            }
        walk += seconds_since(built);
    }
    result.seconds = build + walk;
    result.processor_seconds = static_cast<double>(std::clock() - processor_start) / CLOCKS_PER_SEC;
    result.refreshes = result.steps;
    const std::size_t peak = peak_resident_bytes();
    result.bytes_per_grain =
        peak > resident_before ? static_cast<double>(peak - resident_before) / static_cast<double>(rows.size()) : 0;
    result.pairs_per_grain = static_cast<double>(pairs.size()) / static_cast<double>(rows.size());
    Hash hash;
    hash.add(gaps);
    for (const std::uint32_t partner : pairs.partners) hash.add(static_cast<std::uint64_t>(partner));
    result.state_hash = hash.hex();
    return result;
}

// A disturbed fcc lattice of equal balls at a density of 0.6, along the Hilbert curve; the list is built, then walked.
BenchResult run_lists(const BenchScene& scene, const BenchSteps& steps) {
    const std::size_t resident_before = resident_bytes();
    const auto side = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(scene.grains) / 4)));
    const double radius = 1, edge = std::cbrt(4 * 4.18879 / 0.6), reach = 0.2 * radius;
    std::vector<GrainRow> lattice;
    Random random(1, 0);
    for (std::size_t cell = 0; lattice.size() < scene.grains; ++cell) {
        const double corner[3] = {static_cast<double>(cell % side), static_cast<double>(cell / side % side),
                                  static_cast<double>(cell / side / side)};
        for (int site = 0; site < 4 && lattice.size() < scene.grains; ++site) {
            double x[3];
            for (int axis = 0; axis < 3; ++axis) {
                const double half = site == 0 || axis == site - 1 ? 0 : 0.5;
                x[axis] = edge * (corner[axis] + half) + random.uniform(-0.25, 0.25);
            }
            lattice.push_back({x[0], x[1], x[2], radius, 0, 0, 0, 1});
        }
    }
    const auto balls_of = [](const std::vector<GrainRow>& rows) { return BallRows{&rows[0].x, 8, rows.size()}; };
    std::vector<GrainRow> rows;
    for (const std::uint32_t k : hilbert_order(balls_of(lattice))) rows.push_back(lattice[k]);
    lattice = {};

    return measure_lists(scene.name, rows, reach, steps, resident_before);
}

// The mixtures of sizes as they are placed.
BenchResult run_mixture_lists(const BenchScene& mixture, const BenchSteps& steps) {
    const Scene scene = parse_scene(mixture.text, mixture.name);
    Simulation simulation(scene, corner_ball(mixture, scene));
    const std::vector<GrainRow> rows = simulation.world().grains.row;
    double smallest = rows[0].radius;
    for (const GrainRow& row : rows) smallest = std::min(smallest, row.radius);
    return measure_lists(mixture.name, rows, 0.5 * smallest, steps, resident_bytes());
}

}  // namespace

BenchResult bench_scene_file(const std::string& path, const std::vector<std::string>& overrides,
                             const BenchSteps& steps) {
    Scene scene = read_scene(path, {overrides});
    if (steps.neighbors) scene.neighbors = *steps.neighbors;
    const std::size_t resident_before = resident_bytes();
    std::optional<Simulation::Inherited> inherited = inherited_state(scene, {}, warn);
    Simulation simulation(std::move(scene), std::move(inherited));
    return measure(path, simulation, resident_before, steps);
}

std::vector<BenchScene> bench_scenes() {
    std::vector<BenchScene> scenes;
    struct Size {
        const char* name;
        std::size_t grains;
    };
    constexpr Size sizes[] = {{"1e3", 1000}, {"1e4", 10'000}, {"1e5", 100'000}, {"1e6", 1'000'000}};
    for (const char* law : {"linear", "hertz"})
        for (const Size& size : sizes)
            if (size.grains % block_grains == 0)
                scenes.push_back(
                    {fmt::format("bed-{}-{}", law, size.name),
                     fmt::format("settled bed of {} equal spheres, law {} with friction history", size.grains, law),
                     run_bed, size.grains, fmt::format(block_text, law)});
    for (const Size& size : sizes)
        scenes.push_back(
            {fmt::format("lists-{}", size.name),
             fmt::format("the list of pairs of {} balls, built (refresh) and walked (collide+...)", size.grains),
             run_lists,
             size.grains,
             {}});
    for (const BenchScene& scene : bench_mixtures(run_mixture)) {
        scenes.push_back(scene);
        if (const std::size_t end = scene.name.find("-calm"); end != std::string::npos)
            scenes.push_back(
                {"lists-" + scene.name.substr(0, end),
                 fmt::format("the list of pairs of the {}", scene.summary.substr(0, scene.summary.find(','))),
                 run_mixture_lists, 0, scene.text, scene.corner_ball});
    }
    for (const Template& entry : templates())
        scenes.push_back(
            {entry.name, fmt::format("the first steps of `scree new {}`", entry.name), run_scene, 0, entry.text});
    return scenes;
}

}  // namespace scree::app
