// Bringing a scene to life: grains, walls, time step, first forces.
#include "engine/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/parallel.h"
#include "engine/parts.h"
#include "math/elementary.h"
#include "scree/error.h"
#include "setup/periodic_walls.h"
#include "setup/placing_radius.h"

namespace scree {
namespace {

std::string place_of(const Scene& scene, Where where) {
    return where.line           ? fmt::format("{}:{}:{}: ", scene.file, where.line, where.column)
           : scene.file.empty() ? std::string()
                                : scene.file + ": ";
}

Periodicity periodicity_of(const Scene& scene) {
    Periodicity p;
    for (int axis = 0; axis < 3; ++axis)
        if (const auto& interval = scene.periodic[static_cast<std::size_t>(axis)]) {
            p.low[axis] = interval->first;
            p.length[axis] = interval->second - interval->first;
        }
    return p;
}

// Copies of walls beyond periodic borders belong to the scene that is computed, whoever made it.
Scene continued(Scene scene) {
    continue_walls(scene);
    return scene;
}

std::optional<Simulation::Inherited> start_of(const Scene& scene) {
    if (!scene.start_from) return {};
    if (!read_start) throw Error(ErrorKind::run_time, "this program has no reader of checkpoints to start from");
    return read_start(scene);
}

}  // namespace

Simulation::Parts::Parts(Scene given) : scene(continued(std::move(given))), materials(scene), walls(scene) {
    for (const GrainGroup& group : scene.grains) group_names.push_back(group.name);
    motion.gravity = gravity_at(scene, 0);
    motion.inertia_factor = scene.dimension == 3 ? 0.4 : 0.5;
    motion.damping = scene.damping;
    motion.rotation_damping = scene.rotation_damping;
    motion.integrator = scene.integrator;
    motion.periodicity = periodicity_of(scene);
    world.walls.resize(scene.walls.size());
    world.pours.resize(scene.grains.size());
    walls.set.place(world.walls, 0, walls.placements);
}

// ---- Time step ------------------------------------------------------------------------------------------------------

void Simulation::Parts::choose_time_step() {
    // The smallest grain of each material, of those that are there and those that will be poured in.
    std::map<std::size_t, GrainSize> smallest;
    const auto meet = [&](std::size_t material, double radius, double mass) {
        const auto [at, fresh] = smallest.try_emplace(material, GrainSize{radius, mass});
        if (!fresh && mass < at->second.mass) at->second = {radius, mass};
    };
    for (std::size_t g = 0; g < world.grains.size(); ++g)
        if (world.grains.row[g].inverse_mass > 0)
            meet(world.grains.material[g],
                 shapes ? (*shapes)[world.grains.shape[g]].least_radius * world.grains.scale[g]
                        : world.grains.row[g].radius,
                 1 / world.grains.row[g].inverse_mass);
    for (const GrainGroup& group : scene.grains) {
        if (!std::holds_alternative<PourOverTime>(group.place)) continue;
        for (std::size_t m = 0; m < scene.materials.size(); ++m) {
            if (scene.materials[m].name != group.material) continue;
            const double density = group.density.value_or(scene.materials[m].density);
            const std::uint16_t shape = shapes ? ShapeTable::number_of(scene, group) : std::uint16_t{0};
            const double r = smallest_radius(shape ? group.scale : group.radius) *
                             (shape && shapes->glued(shape) ? *std::min_element(shapes->glued(shape)->radius.begin(),
                                                                                shapes->glued(shape)->radius.end())
                                                            : 1.0),
                         area = shape ? (*shapes)[shape].volume / (scene.dimension == 3 ? 4 * pi / 3 : pi) : 1;
            meet(m, shape ? r * (*shapes)[shape].least_radius : r,
                 density * area * (scene.dimension == 3 ? 4 * pi / 3 * r * r * r : pi * r * r));
        }
    }
    time_step.automatic = time_step.stable = forever;
    std::vector<bool> is_wall(scene.materials.size(), false);
    for (const std::uint8_t m : walls.materials) is_wall[m] = true;
    double lightest = forever, least_inertia = forever;
    for (const auto& [a, size] : smallest) {
        lightest = std::min(lightest, size.mass);
        least_inertia = std::min(least_inertia, motion.inertia_factor * size.mass * size.radius * size.radius);
        for (std::size_t b = 0; b < scene.materials.size(); ++b) {
            const auto other = smallest.find(b);
            if (!is_wall[b] && other == smallest.end()) continue;
            const TimeStepLimit limit = materials.time_step(
                a, b, other != smallest.end() && other->second.mass < size.mass ? other->second : size);
            time_step.stable = std::min(time_step.stable, limit.stable);
            if (limit.automatic < time_step.automatic) {
                time_step.automatic = limit.automatic;
                time_step.reason = limit.reason;
            }
        }
    }
    // A push at a corner meets less than the whole mass: contacts there are shorter.
    double share = 1;
    for (std::size_t k = 0; shapes && k < shapes->size(); ++k) share = std::min(share, shapes->least_share(k));
    if (share < 1 && time_step.automatic < forever) {
        time_step.automatic *= std::sqrt(share);
        time_step.stable *= std::sqrt(share);
        time_step.reason +=
            fmt::format("; shortened by {:.3g} for pushes at the corners of the shapes", std::sqrt(share));
    }
    // A lattice of bonds swings faster than any two of its spheres.
    for (const GrainGroup& group : scene.grains) {
        const GluedCluster* cluster = shapes ? shapes->glued(ShapeTable::number_of(scene, group)) : nullptr;
        for (const Material& material : scene.materials) {
            if (!cluster || material.name != group.material) continue;
            const double density = group.density.value_or(material.density);
            for (const double scale : {smallest_radius(group.scale), largest_radius(group.scale)}) {
                const BondRates rates = highest_rates(*cluster, scale, density, scene.dimension);
                time_step.stable = std::min(time_step.stable, 1 / (rates.swing / 1.6 + rates.damping / 0.9));
                if (0.2 / rates.swing < time_step.automatic) {
                    time_step.automatic = 0.2 / rates.swing;
                    time_step.reason = fmt::format("the glued shape \"{}\" swings with up to {:.3g} radians per second",
                                                   group.shape, rates.swing);
                }
                if (0.25 < time_step.automatic * rates.damping) {
                    time_step.automatic = 0.25 / rates.damping;
                    time_step.reason = fmt::format("damping of the glued shape \"{}\" stops motions within {:.3g} s",
                                                   group.shape, 1 / rates.damping);
                }
            }
        }
    }
    // Linear damping -c v on a mass m is stable below dt = m/c in this scheme, and accurate well below.
    const auto damp = [&](double coefficient, double inertia, const char* key) {
        if (!(coefficient > 0) || inertia == forever) return;
        time_step.stable = std::min(time_step.stable, 0.9 * inertia / coefficient);
        if (0.1 * inertia / coefficient >= time_step.automatic) return;
        time_step.automatic = 0.1 * inertia / coefficient;
        time_step.reason = fmt::format("simulation.{} = {:g} stops the lightest grain within {:.3g} s", key,
                                       coefficient, inertia / coefficient);
    };
    damp(scene.damping, lightest, "damping");
    damp(scene.rotation_damping, least_inertia, "rotation_damping");
    if (time_step.automatic == forever) {  // nothing can touch
        time_step.automatic = time_step.stable = scene.duration / 1000;
        time_step.reason = "no grain can touch anything: a thousandth of the duration";
    }
    // A resumed run may have lost the grains that set the step.
    if (world.automatic_step > 0) time_step.automatic = world.automatic_step;
    world.automatic_step = time_step.automatic;
    materials.set_automatic_step(time_step.automatic);
    // The law reaches farthest for the lightest pair.
    walls.law_reach = lightest < forever ? materials.reach(2 / lightest) : 0;
    time_step.value = scene.time_step.value_or(time_step.automatic);
    if (time_step.value > time_step.stable)
        throw Error(ErrorKind::bad_input, fmt::format("{}simulation.time_step = {:g} s is past stability: at most "
                                                      "{:.4g} s here, \"auto\" takes {:.4g} s ({})",
                                                      place_of(scene, scene.time_step_where), time_step.value,
                                                      time_step.stable, time_step.automatic, time_step.reason));
    if (time_step.value != time_step.automatic)
        time_step.reason = fmt::format("as given; \"auto\" takes {:.4g} s: {}", time_step.automatic, time_step.reason);
    world.time_step = motion.time_step = time_step.value;
}

// A duration of no steps, or of more than can be counted, is a slip of the pen in one of the two.
static void check_duration(const Scene& scene, const TimeStepChoice& time_step) {
    const double steps = scene.duration / time_step.value;
    const auto refuse = [&](const std::string& what) {
        throw Error(
            ErrorKind::bad_input,
            fmt::format("{}simulation.duration = {:g} s {} (time step {:.4g} s: {})",
                        place_of(scene, scene.time_step_where.line ? scene.time_step_where : scene.simulation_where),
                        scene.duration, what, time_step.value, time_step.reason));
    };
    constexpr double most = 1e15;
    if (!(steps <= most)) refuse(fmt::format("takes {:.1e} steps; at most {:.0e} are possible", steps, most));
    if (steps < 1e-6) refuse("is no more than a millionth of a time step");
}

// ---- Beginning ------------------------------------------------------------------------------------------------------

void Simulation::Parts::check_period(double radius) const {
    for (int axis = 0; axis < 3; ++axis)
        if (const double length = motion.periodicity.length[axis]; length > 0 && length < 4 * radius)
            throw Error(ErrorKind::bad_input,
                        fmt::format("{}periodic.{} is {:g} m long: a grain of radius {:g} m meets its own images; at "
                                    "least four radii are needed",
                                    place_of(scene, scene.periodic_where[static_cast<std::size_t>(axis)]), "xyz"[axis],
                                    length, radius));
}

void Simulation::Parts::begin() {
    std::vector<bool> present(scene.materials.size(), false);
    for (const std::uint8_t m : world.grains.material) present[m] = true;
    for (const GrainGroup& group : scene.grains)
        for (std::size_t m = 0; m < scene.materials.size(); ++m)
            present[m] = present[m] || scene.materials[m].name == group.material;
    if (std::count(present.begin(), present.end(), true) > 1) materials.expect_several_materials();
    for (const GrainRow& row : world.grains.row) check_period(row.radius);
    // Shapes yet to be poured; spheres have been looked at when the scene was read.
    for (std::size_t g = 0; shapes && g < scene.grains.size(); ++g) {
        const std::uint16_t number = ShapeTable::number_of(scene, scene.grains[g]);
        if (number > 0 && !shapes->glued(number) && std::holds_alternative<PourOverTime>(scene.grains[g].place))
            check_period(largest_radius(placing_scene.grains[g].radius));
    }
    contacts.emplace(materials, walls, motion.periodicity, motion.time_step);
    refresh.emplace(scene.neighbors, scene.dimension, motion.periodicity, walls.law_reach, search);
    if (shapes) {
        shaped.emplace(*shapes, materials, walls, motion.periodicity, scene.neighbors, scene.dimension,
                       motion.time_step, search);
        shaped->turn(world.grains);
    }
}

// Forces at time 0. No time has passed: velocities stay, and what is stored in contacts counts as put in at the start.
void Simulation::Parts::first_forces() {
    MotionParameters still = motion;
    still.integrator = Integrator::taylor;
    if (shaped) {
        shaped->update(world.grains, walls);
        shaped->set_time_step(0);
        shaped->collide(world.grains, walls);
        const KickPowers powers = shaped->kick(world.grains, still);
        shaped->spin(world.grains);
        world.max_overlap = shaped->max_overlap();
        check_overlap();
        world.energy = {};
        world.energy.contact_work = shaped->elastic_energy(world.grains, walls);
        world.energy.contact_power = powers.contact;
        world.energy.sliding_power = powers.sliding;
        world.energy.damping_power = powers.damping;
        shaped->set_time_step(motion.time_step);
        first_wall_loads();
        return;
    }
    refresh->update(world.grains, walls, *contacts);
    contacts->set_time_step(0);
    std::vector<KickPowers> powers(chunk_count(world.grains.size(), grain_chunk));
    contacts->collide(world.grains, walls,
                      [&](std::size_t chunk, int) { powers[chunk] = kick(world.grains, *contacts, still, chunk); });
    world.max_overlap = contacts->max_overlap();
    check_overlap();
    world.energy = {};
    world.energy.contact_work = contacts->elastic_energy(world.grains);
    for (const KickPowers& part : powers) {
        world.energy.contact_power += part.contact;
        world.energy.sliding_power += part.sliding;
        world.energy.damping_power += part.damping;
    }
    contacts->set_time_step(motion.time_step);
    first_wall_loads();
}

void Simulation::Parts::first_wall_loads() {
    for (std::size_t w = 0; w < walls.size(); ++w) {
        const WallLoad& load = shaped ? shaped->wall_loads()[w] : contacts->wall_loads()[w];
        world.walls[w].force = load.force;
        world.walls[w].torque = load.torque;
        world.energy.wall_power += load.power;
        if (const auto* piston = std::get_if<FreePiston>(&scene.walls[w].motion))
            kick_piston(*piston, world.walls[w], load.force, motion.gravity, 0, 0);
    }
}

Simulation::Simulation(Scene scene) : Simulation(scene, start_of(scene)) {}

Simulation::Simulation(Scene scene, std::optional<Inherited> inherited)
    : Simulation(std::move(scene), std::move(inherited), SearchOptions{}) {}

Simulation::Simulation(Scene scene, Restart state, std::vector<std::string> groups)
    : Simulation(std::move(scene), std::move(state), std::move(groups), SearchOptions{}) {}

Simulation::Simulation(Scene scene, std::optional<Inherited> inherited, const SearchOptions& search)
    : parts_(std::make_unique<Parts>(std::move(scene))) {
    Parts& s = *parts_;
    const WorkersScope scope(s.workers);
    s.search = search;
    ContactMemory memory;
    s.prepare_shapes(inherited && inherited->world.grains.shaped());
    if (inherited) memory = s.inherit(std::move(*inherited));
    s.place_grains();
    if (s.scene.engine == "events") {
        s.begin_hard();
        check_duration(s.scene, s.time_step);
        s.sort();
        return;
    }
    s.choose_time_step();
    check_duration(s.scene, s.time_step);
    s.begin();
    if (s.shaped && memory.key.size() == memory.a.size()) s.shaped->attach(s.world.grains, memory);
    if (!s.shaped && memory.width == law_memory_width(s.scene.law, s.materials.rolling()))
        s.contacts->attach(s.world.grains, memory);
    s.sort();
    s.first_forces();
}

Simulation::Simulation(Scene scene, Restart state, std::vector<std::string> groups, const SearchOptions& search)
    : parts_(std::make_unique<Parts>(std::move(scene))) {
    Parts& s = *parts_;
    const WorkersScope scope(s.workers);
    s.search = search;
    const double time_step = state.world.time_step;
    s.world = std::move(state.world);
    s.group_names = std::move(groups);
    s.scene.time_step = time_step;
    s.prepare_shapes(s.world.grains.shaped());
    if (s.scene.engine == "events") {
        s.begin_hard();
        return;
    }
    s.choose_time_step();
    s.begin();
    s.walls.set.place(s.world.walls, s.world.time(), s.walls.placements);
    s.motion.gravity = gravity_at(s.scene, s.world.time());
    if (s.shaped) {
        s.shaped->attach(s.world.grains, state.contacts);
        s.shaped->update(s.world.grains, s.walls);
        s.shaped->look(s.world.grains);
        return;
    }
    s.contacts->attach(s.world.grains, state.contacts);
    s.refresh->update(s.world.grains, s.walls, *s.contacts);
    s.contacts->look(s.world.grains, s.walls);
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

}  // namespace scree
