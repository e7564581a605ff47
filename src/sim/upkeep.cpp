// What happens between steps, at fixed step numbers: grains are checked, removed, poured in and sorted.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "geometry/region.h"
#include "math/elementary.h"
#include "scree/error.h"
#include "sim/parts.h"
#include "sim/placing.h"

namespace scree {

void Simulation::Parts::upkeep() {
    synchronise();
    PhaseTimer timer(profile, Phase::refresh);
    remove_outflow();
    check_grains();
    pour();
    if (world.step % sort_interval == 0) sort();
}

// ---- Lost grains ----------------------------------------------------------------------------------------------------

// A grain is lost when it is not a number, or has fallen below everything that could stop it: below all walls (by the
// size of the scene) in the direction of gravity, with no plane in front of it that gravity presses it onto. Without
// gravity or without walls nothing says where grains should be, and none is lost.
void Simulation::Parts::check_grains() {
    const Grains& grains = world.grains;
    Extent walls_extent;
    bool all_known = walls.size() > 0;
    for (std::size_t w = 0; w < walls.size(); ++w) {
        if (walls.placements[w].open) continue;
        const Extent bounds = walls.set.bounds(w, walls.placements[w]);
        if (is_finite(bounds.low) && is_finite(bounds.high)) walls_extent.include(bounds);
    }
    for (const auto& region : scene.regions)
        if (const Extent e = region_extent(region.shape, scene.dimension); is_finite(e.low)) walls_extent.include(e);
    const double size = walls_extent.empty() ? 0 : norm(walls_extent.high - walls_extent.low);
    const Vec3 gravity = motion.gravity;
    all_known = all_known && !scene.outflow_region && !scene.gravity_turn && !(gravity == Vec3{});

    const auto held_by_plane = [&](Vec3 x) {
        for (std::size_t w = 0; w < walls.size(); ++w) {
            const auto* plane = std::get_if<PlaneWall>(&scene.walls[w].shape);
            if (!plane || walls.placements[w].open) continue;
            const Vec3 normal = walls.placements[w].direction_to_world((scene.walls[w].outside ? -1.0 : 1.0) * plane->normal);
            if (dot(normal, gravity) < 0 && dot(normal, x - walls.placements[w].to_world(plane->point)) > 0) return true;
        }
        return false;
    };
    // Heights against gravity of the lowest corner of all walls.
    double lowest = 0;
    if (!walls_extent.empty() && !(gravity == Vec3{})) {
        const Vec3 down = normalized(gravity);
        for (int axis = 0; axis < 3; ++axis) lowest += std::max(down[axis] * walls_extent.low[axis], down[axis] * walls_extent.high[axis]);
        lowest += size;
    }
    for (std::size_t g = 0; g < grains.size(); ++g) {
        const Vec3 x = grains.position(g);
        if (!is_finite(x) || !is_finite(grains.velocity(g)))
            throw Error(ErrorKind::invalid, fmt::format("at t = {:.6g} s the position or velocity of grain {} is not a number; a smaller time step may help", world.time(), grains.id[g]));
        if (!all_known || walls_extent.empty()) {
            // Only planes: a grain behind all of them by far is found by the overlap limit.
            continue;
        }
        if (dot(x, normalized(gravity)) > lowest && !held_by_plane(x))
            throw Error(ErrorKind::invalid, fmt::format("at t = {:.6g} s grain {} at ({:.4g}, {:.4g}, {:.4g}) has fallen past all walls and nothing can stop it. "
                                                        "Close the gap, or declare [outflow] region = ... to let grains leave", world.time(), grains.id[g], x.x, x.y, x.z));
    }
}

// Looks at the last forces computed.
void Simulation::Parts::check_overlap() {
    const double overlap = contacts->max_overlap();
    if (overlap <= scene.overlap_limit) return;
    const ContactView* worst = nullptr;
    double largest = 0;
    const std::vector<ContactView> all = contacts->views(world.grains);
    std::vector<double> radius(static_cast<std::size_t>(world.next_id), 0);
    for (std::size_t g = 0; g < world.grains.size(); ++g) radius[world.grains.id[g]] = world.grains.row[g].radius;
    for (const ContactView& view : all) {
        const double smaller = view.wall >= 0 ? radius[view.a] : std::min(radius[view.a], radius[view.b]);
        if (view.overlap / smaller > largest) largest = view.overlap / smaller, worst = &view;
    }
    const std::string who = !worst               ? "two bodies"
                            : worst->wall >= 0 ? fmt::format("grain {} and wall \"{}\"", worst->a, scene.walls[static_cast<std::size_t>(worst->wall)].name)
                                               : fmt::format("grains {} and {}", worst->a, worst->b);
    throw Error(ErrorKind::invalid,
                fmt::format("at t = {:.6g} s {} overlap by {:.3g} of the smaller radius; the limit is {:.3g} (simulation.overlap_limit). "
                            "Grains are too soft for what presses on them: choose a shorter contact_time or a larger young's modulus, or check the walls' motion",
                            world.time(), who, overlap, scene.overlap_limit));
}


// ---- Grains that leave and come -------------------------------------------------------------------------------------

namespace {

template <class T>
void keep_only(std::vector<T>& values, const std::vector<Index>& kept) {
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

void Simulation::Parts::remove_outflow() {
    if (!scene.outflow_region) return;
    const Region* region = find_region(scene, *scene.outflow_region);
    Grains& grains = world.grains;
    std::vector<Index> kept;
    for (std::size_t g = 0; g < grains.size(); ++g)
        if (region_contains(region->shape, grains.position(g), scene.dimension)) kept.push_back(static_cast<Index>(g));
        else world.energy.removed += energy_of_grain(g);
    if (kept.size() == grains.size()) return;
    world.removed += static_cast<std::int64_t>(grains.size() - kept.size());
    const ContactMemory memory = contacts->detach(grains);
    visit_fields(grains, [&](const char*, const char*, auto& values) { keep_only(values, kept); });
    contacts->attach(grains, memory);
    refresh->require();
}

std::size_t Simulation::Parts::add_grain(std::size_t group, Vec3 position, double radius, Vec3 velocity, Vec3 spin) {
    const GrainGroup& from = scene.grains[group];
    std::size_t material = 0;
    for (std::size_t m = 0; m < scene.materials.size(); ++m)
        if (scene.materials[m].name == from.material) material = m;
    const double density = from.density.value_or(scene.materials[material].density);
    const double volume = scene.dimension == 3 ? 4 * pi / 3 * radius * radius * radius : pi * radius * radius;
    Grains& grains = world.grains;
    const std::size_t g = grains.size();
    grains.row.push_back({position.x, position.y, position.z, radius, velocity.x, velocity.y, velocity.z, from.fixed ? 0.0 : 1 / (density * volume)});
    grains.spin.push_back({radius * spin.x, radius * spin.y, radius * spin.z, 1 / radius});
    grains.force.push_back({});
    grains.acceleration.push_back(from.fixed ? Vec3{} : motion.gravity);
    grains.rim_acceleration.push_back({});
    grains.id.push_back(world.next_id++);
    grains.material.push_back(static_cast<std::uint8_t>(material));
    grains.group.push_back(static_cast<std::uint16_t>(group));
    grains.images.push_back({});
    return g;
}

// Pours in what falls due until the next upkeep.
void Simulation::Parts::pour() {
    const StandingWalls standing{walls.set, walls.placements};
    const double begin = world.time(), end = static_cast<double>(world.step + upkeep_interval) * world.time_step;
    for (std::size_t group = 0; group < scene.grains.size(); ++group) {
        for (const PlacedGrain& grain : pour_grains(scene, group, begin, end, world.grains, standing, world.pours[group])) {
            const std::size_t g = add_grain(group, grain.position, grain.radius, grain.velocity, grain.spin);
            world.energy.poured += energy_of_grain(g);
            refresh->require();
        }
    }
}

// Puts the grains along a Hilbert curve, so that a sweep over pairs is a sweep over memory.
void Simulation::Parts::sort() {
    Grains& grains = world.grains;
    const std::vector<Index> order = hilbert_order(ball_rows(grains));
    const ContactMemory memory = contacts->detach(grains);
    visit_fields(grains, [&](const char*, const char*, auto& values) { permute(values, order); });
    contacts->attach(grains, memory);
    refresh->require();
}

}  // namespace scree
