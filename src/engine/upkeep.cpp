// What happens between steps, at fixed step numbers: grains are checked, removed, poured in and sorted.
#include <algorithm>

#include "core/parallel.h"
#include "engine/parts.h"
#include "geometry/region.h"
#include "neighbor/grain_balls.h"
#include "neighbor/neighborhood.h"
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
