// What happens between steps, at fixed step numbers: grains are checked, removed, poured in and sorted.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "engine/parts.h"
#include "geometry/region.h"
#include "neighbor/grain_balls.h"
#include "neighbor/neighborhood.h"
#include "scree/error.h"
#include "setup/placing.h"

namespace scree {
namespace {

constexpr std::int64_t sort_interval = 2048;  // in steps

template <class T>
void keep_only(std::vector<T>& values, const std::vector<Index>& kept) {
    if (values.empty()) return;
    for (std::size_t k = 0; k < kept.size(); ++k) values[k] = values[kept[k]];
    values.resize(kept.size());
}

template <class T>
void permute(std::vector<T>& values, const std::vector<Index>& order) {
    std::vector<T> sorted(values.size());
    parallel_for(values.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) sorted[k] = values[order[k]];
    });
    values.swap(sorted);
}

}  // namespace

void Simulation::Parts::upkeep() {
    engine->synchronise();
    PhaseTimer timer(profile, Phase::refresh);
    // A position that is not a number is outside every region: look before the outflow takes it away.
    check_grains();
    engine->check_speeds();
    watch_account();
    remove_outflow();
    pour();
    if (world.step % sort_interval == 0) sort();
}

// Changes the order or number of rows of all grain fields; contacts follow by identity.
template <class Change>
void Simulation::Parts::rearrange(Change&& change) {
    const ContactMemory contacts = engine->detach();
    visit_fields(world.grains, [&](const char*, const char*, auto& values) { change(values); });
    change(world.last_collision);
    engine->attach(contacts);
}

// A step that is too long shows in the energy account before anything else, for what contacts book is then no longer
// what grains lose.
void Simulation::Parts::watch_account() {
    constexpr double may_open = 0.05;  // of the energy that has passed through
    if (!(time_step.value > time_step.stable)) return;
    const EnergyReport now = energy_report();
    if (!watched) watched = now;
    const EnergyReport& before = *watched;
    const double passed = std::max(before.kinetic, now.kinetic) + now.elastic +
                          std::fabs(now.potential - before.potential) + std::fabs(now.dissipated - before.dissipated) +
                          std::fabs(now.wall_work - before.wall_work) +
                          std::fabs(now.gravity_work - before.gravity_work) + std::fabs(now.poured - before.poured) +
                          std::fabs(now.removed - before.removed) + std::fabs(now.external_work - before.external_work);
    const double opened = std::fabs(now.total() - before.total());
    if (opened <= may_open * passed) return;
    throw Error(
        ErrorKind::invalid,
        fmt::format("at t = {:.6g} s the energy account is open by {:.2g} J, {:.2g} of what has passed through: "
                    "simulation.time_step = {:g} s is too long for the contacts that there are; a packing is "
                    "stable up to {:.4g} s, \"auto\" takes {:.4g} s",
                    world.time(), opened, opened / passed, time_step.value, time_step.stable, time_step.automatic));
}

void Simulation::Parts::remove_outflow() {
    if (!scene.outflow_region) return;
    const Region* region = find_region(scene, *scene.outflow_region);
    Grains& grains = world.grains;
    std::vector<Index> kept, leaving;  // the first by place, the second by identity
    for (std::size_t g = 0; g < grains.size(); ++g)
        if (region_contains(region->shape, grains.position(g), scene.dimension))
            kept.push_back(static_cast<Index>(g));
        else {
            world.energy.removed += energy_of_grain(g);
            leaving.push_back(grains.id[g]);
        }
    if (leaving.empty()) return;
    std::sort(leaving.begin(), leaving.end());
    const auto leaves = [&](Index id) { return std::binary_search(leaving.begin(), leaving.end(), id); };
    // What is stored in the contacts of those who leave goes with them; it is not dissipated.
    engine->each_contact([&](const ContactView& view) {
        if (!leaves(view.a) && (view.wall >= 0 || !leaves(view.b))) return;
        world.energy.removed += view.elastic_energy;
        if (shaped) world.energy.contact_work -= view.elastic_energy;
    });
    world.removed += static_cast<std::int64_t>(leaving.size());
    rearrange([&](auto& values) { keep_only(values, kept); });
}

// Pours in what falls due until the next upkeep.
void Simulation::Parts::pour() {
    const StandingWalls standing{walls.set, walls.placements};
    const double begin = world.time(),
                 end = static_cast<double>(world.step + engine->upkeep_interval()) * world.time_step;
    for (std::size_t group = 0; group < scene.grains.size(); ++group)
        for (const PlacedGrain& grain :
             pour_grains(placing_scene, group, begin, end, world.grains, standing, world.pours[group])) {
            const std::size_t first = add_body(group, grain.position, grain.radius, grain.velocity, grain.spin);
            engine->added(first);
            for (std::size_t g = first; g < world.grains.size(); ++g) world.energy.poured += energy_of_grain(g);
        }
}

// Puts the grains along a Hilbert curve, so that a sweep over pairs is a sweep over memory.
void Simulation::Parts::sort() {
    const std::vector<Index> order = hilbert_order(ball_rows(world.grains));
    rearrange([&](auto& values) { permute(values, order); });
}

}  // namespace scree
