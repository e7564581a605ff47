// What happens between steps, at fixed step numbers: grains are checked, removed, poured in and sorted.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "engine/parts.h"
#include "geometry/region.h"
#include "math/elementary.h"
#include "scree/error.h"
#include "setup/placing.h"
#include "setup/placing_radius.h"

namespace scree {

void Simulation::Parts::upkeep() {
    synchronise();
    PhaseTimer timer(profile, Phase::refresh);
    // A position that is not a number is outside every region: look before the outflow takes it away.
    check_grains();
    remove_outflow();
    pour();
    if (world.step % sort_interval == 0) sort();
}

// ---- Lost grains ----------------------------------------------------------------------------------------------------

// A grain is lost when it is not a number, is too fast for its contacts to be seen, or has gone where nothing can stop
// it. With gravity: when it has fallen past the lowest point of all walls and regions by the size of the scene, and no
// plane lies below it. Without: when it has left a container by as much and flies on, away from it and onto no plane.
// While gravity turns it may come back, and in a scene without walls nothing says where grains should be: then none is
// lost.
void Simulation::Parts::check_grains() const {
    const Grains& grains = world.grains;
    double largest = 0;
    for (std::size_t g = 0; g < grains.size(); ++g) {
        if (!is_finite(grains.position(g)) || !is_finite(grains.velocity(g)))
            throw Error(ErrorKind::invalid, fmt::format("at t = {:.6g} s the position or velocity of grain {} is not a "
                                                        "number; a smaller time step may help",
                                                        world.time(), grains.id[g]));
        largest = std::max(largest, grains.row[g].radius);
        // Contact is felt as deep as the rounding of a body goes.
        const double deep = shapes ? shapes->least_radius(grains.shape[g]) * grains.scale[g] : grains.row[g].radius;
        if (!hard && norm(grains.velocity(g)) * world.time_step > deep && (walls.size() > 0 || grains.size() > 1))
            throw Error(ErrorKind::invalid,
                        fmt::format("at t = {:.6g} s grain {} moves by more than its {}radius in one step ({:.4g} m/s) "
                                    "and would jump over walls and grains; "
                                    "choose a smaller simulation.time_step or a shorter contact_time",
                                    world.time(), grains.id[g], deep < grains.row[g].radius ? "rounding " : "",
                                    norm(grains.velocity(g))));
    }
    if (walls.size() == 0 || scene.outflow_region || (scene.gravity_turn && world.time() < scene.gravity_turn->until))
        return;

    Extent extent;
    bool container = false;
    for (std::size_t w = 0; w < walls.size(); ++w) {
        const WallShape& shape = scene.walls[w].shape;
        const bool holds = std::holds_alternative<BoxWall>(shape) || std::holds_alternative<SphereWall>(shape) ||
                           std::holds_alternative<CylinderWall>(shape) || std::holds_alternative<ConeWall>(shape) ||
                           std::holds_alternative<MeshWall>(shape);
        container = container || (holds && !scene.walls[w].outside);
        const Extent bounds = walls.set.bounds(w, walls.placements[w]);
        if (is_finite(bounds.low) && is_finite(bounds.high))
            extent.include(bounds);
        else
            extent.include(walls.placements[w].to_world(walls.set.surface(w).center()));
    }
    for (const auto& region : scene.regions)
        if (const Extent e = region_extent(region.shape, scene.dimension); is_finite(e.low) && is_finite(e.high))
            extent.include(e);
    const double size = std::max(norm(extent.high - extent.low), 20 * largest);

    const auto plane_ahead = [&](Vec3 x, Vec3 direction) {
        for (std::size_t w = 0; w < walls.size(); ++w) {
            const auto* plane = std::get_if<PlaneWall>(&scene.walls[w].shape);
            if (!plane || walls.placements[w].open) continue;
            const Vec3 normal =
                walls.placements[w].direction_to_world((scene.walls[w].outside ? -1.0 : 1.0) * plane->normal);
            if (dot(normal, direction) < 0 && dot(normal, x - walls.placements[w].to_world(plane->point)) > 0)
                return true;
        }
        return false;
    };
    const bool weightless = motion.gravity == Vec3{};
    const Vec3 down = weightless ? Vec3{} : normalized(motion.gravity);
    double lowest = size;
    for (int axis = 0; axis < 3; ++axis)
        lowest += std::max(down[axis] * extent.low[axis], down[axis] * extent.high[axis]);
    const auto is_lost = [&](std::size_t g) {
        const Vec3 x = grains.position(g), v = grains.velocity(g);
        if (!weightless) return dot(x, down) > lowest && !plane_ahead(x, down);
        double beyond = 0;
        for (int axis = 0; axis < 3; ++axis)
            beyond = std::max({beyond, x[axis] - extent.high[axis], extent.low[axis] - x[axis]});
        return container && beyond > size && dot(v, x - 0.5 * (extent.low + extent.high)) > 0 && !plane_ahead(x, v);
    };
    for (std::size_t g = 0; g < grains.size(); ++g)
        if (is_lost(g)) {
            const Vec3 x = grains.position(g);
            throw Error(ErrorKind::invalid,
                        fmt::format("at t = {:.6g} s grain {} at ({:.4g}, {:.4g}, {:.4g}) has gone past all walls and "
                                    "nothing can stop it. "
                                    "Close the gap, or declare [outflow] region = ... to let grains leave",
                                    world.time(), grains.id[g], x.x, x.y, x.z));
        }
}

// Looks at the last forces computed.
void Simulation::Parts::check_overlap() {
    if (shaped && (!shaped->sunk().empty() || shaped->passing().wall >= 0)) refuse_sunk_shapes();
    const double overlap = shaped ? shaped->max_overlap() : contacts->max_overlap();
    if (overlap <= scene.overlap_limit) return;
    if (shaped) refuse_sunk_shapes();
    const ContactView* worst = nullptr;
    double largest = 0;
    const std::vector<ContactView> all = contacts->views(world.grains);
    std::vector<double> radius(static_cast<std::size_t>(world.next_id), 0);
    for (std::size_t g = 0; g < world.grains.size(); ++g) radius[world.grains.id[g]] = world.grains.row[g].radius;
    for (const ContactView& view : all) {
        const double smaller = view.wall >= 0 ? radius[view.a] : std::min(radius[view.a], radius[view.b]);
        if (view.overlap / smaller > largest) {
            largest = view.overlap / smaller;
            worst = &view;
        }
    }
    const std::string who = !worst             ? "two bodies"
                            : worst->wall >= 0 ? fmt::format("grain {} and wall \"{}\"", worst->a,
                                                             scene.walls[static_cast<std::size_t>(worst->wall)].name)
                                               : fmt::format("grains {} and {}", worst->a, worst->b);
    if (world.step == 0)
        throw Error(ErrorKind::bad_input,
                    fmt::format("{}: {} overlap by {:.3g} of the smaller radius at the start; the limit is {:.3g} "
                                "(simulation.overlap_limit). "
                                "Grains taken over by start.from must fit the walls and grains of this scene",
                                scene.file, who, overlap, scene.overlap_limit));
    const bool elastic = inputs_of(scene.law).elastic;
    throw Error(
        ErrorKind::invalid,
        fmt::format("at t = {:.6g} s {} overlap by {:.3g} of the smaller radius; the limit is {:.3g} "
                    "(simulation.overlap_limit). "
                    "Grains are too soft for what presses on them: choose a {}, or check the walls' motion",
                    world.time(), who, overlap, scene.overlap_limit,
                    elastic ? "larger young" : "shorter contact_time (half of it halves the overlap of an impact)"));
}

// ---- Grains that leave and come -------------------------------------------------------------------------------------

namespace {

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

// Changes the order or number of rows of all grain fields; contacts follow by identity.
template <class Change>
void Simulation::Parts::rearrange(Change&& change) {
    const ContactMemory memory = contacts ? detach_contacts() : ContactMemory{};
    visit_fields(world.grains, [&](const char*, const char*, auto& values) { change(values); });
    if (hard) change(world.last_collision);
    if (contacts) attach_contacts(memory);
}

void Simulation::Parts::remove_outflow() {
    if (!scene.outflow_region) return;
    const Region* region = find_region(scene, *scene.outflow_region);
    Grains& grains = world.grains;
    std::vector<Index> kept;
    std::vector<bool> leaves(world.next_id, false);
    for (std::size_t g = 0; g < grains.size(); ++g)
        if (region_contains(region->shape, grains.position(g), scene.dimension))
            kept.push_back(static_cast<Index>(g));
        else {
            world.energy.removed += energy_of_grain(g);
            leaves[grains.id[g]] = true;
        }
    if (kept.size() == grains.size()) return;
    // What is stored in the contacts of those who leave goes with them; it is not dissipated.
    if (contacts) {
        const auto take_along = [&](const ContactView& view) {
            if (leaves[view.a] || (view.wall < 0 && leaves[view.b])) {
                world.energy.removed += view.elastic_energy;
                world.energy.contact_work -= view.elastic_energy;
            }
        };
        if (shaped)
            shaped->each_view(grains, walls, take_along);
        else
            contacts->each_view(grains, take_along);
    }
    world.removed += static_cast<std::int64_t>(grains.size() - kept.size());
    rearrange([&](auto& values) { keep_only(values, kept); });
}

std::size_t Simulation::Parts::add_grain(std::size_t group, Vec3 position, double radius, Vec3 velocity, Vec3 spin,
                                         std::optional<Quaternion> orientation) {
    const GrainGroup& from = scene.grains[group];
    std::size_t material = 0;
    for (std::size_t m = 0; m < scene.materials.size(); ++m)
        if (scene.materials[m].name == from.material) material = m;
    const double density = from.density.value_or(scene.materials[material].density);
    double volume = scene.dimension == 3 ? 4 * pi / 3 * radius * radius * radius : pi * radius * radius;
    double scale = radius;
    const std::uint16_t shape = shapes ? ShapeTable::number_of(scene, from) : std::uint16_t{0};
    if (shape > 0) {
        scale = radius / (*shapes)[shape].reach;
        volume = (*shapes)[shape].volume * scale * scale * (scene.dimension == 3 ? scale : 1.0);
    }
    if (from.fixed) velocity = spin = {};
    position = wrapped(position);
    Grains& grains = world.grains;
    const std::size_t g = grains.size();
    grains.row.push_back({position.x, position.y, position.z, radius, velocity.x, velocity.y, velocity.z,
                          from.fixed ? 0.0 : 1 / (density * volume)});
    grains.spin.push_back({radius * spin.x, radius * spin.y, radius * spin.z, 1 / radius});
    const Vec3 falling = from.fixed ? Vec3{} : motion.gravity;
    grains.acceleration.push_back({falling.x, falling.y, falling.z, 0, 0, 0});
    grains.id.push_back(world.next_id++);
    grains.material.push_back(static_cast<std::uint8_t>(material));
    grains.group.push_back(static_cast<std::uint16_t>(group));
    grains.images.push_back({});
    if (!shapes) return g;
    const Shape& body = (*shapes)[shape];
    const Quaternion q =
        normalized(as_principal(body, orientation.value_or(orientation_at_start(group, grains.id.back()))));
    const double per = from.fixed ? 0 : density * volume * scale * scale / body.volume;
    grains.orientation.push_back(q);
    grains.momentum.push_back(angular_momentum(matrix_of(q), spin, per * body.inertia));
    grains.scale.push_back(scale);
    grains.shape.push_back(shape);
    return g;
}

Quaternion Simulation::Parts::orientation_at_start(std::size_t group, Index id) const {
    const Orientation& about = scene.grains[group].orientation;
    const auto& q = about.quaternion;
    if (!about.random) return normalized(Quaternion{q[0], q[1], q[2], q[3]});
    Random random = random_stream(scene, group, Draw::orientation, 4 * static_cast<std::uint64_t>(id));
    if (scene.dimension == 2) return turn_about({0, 0, 1}, 2 * pi * random.uniform());
    const double u1 = random.uniform(), u2 = random.uniform(), u3 = random.uniform();
    return uniform_rotation(u1, u2, u3);
}

std::size_t Simulation::Parts::add_body(std::size_t group, Vec3 position, double radius, Vec3 velocity, Vec3 spin,
                                        std::optional<Quaternion> orientation) {
    const std::uint16_t number = shapes ? ShapeTable::number_of(scene, scene.grains[group]) : std::uint16_t{0};
    const GluedCluster* cluster = shapes ? shapes->glued(number) : nullptr;
    if (!cluster) return add_grain(group, position, radius, velocity, spin, orientation);
    // The number of a grain tells which sphere of its cluster it is.
    const auto size = static_cast<Index>(cluster->size());
    world.next_id = (world.next_id + size - 1) / size * size;
    const Mat3 turn = matrix_of(orientation.value_or(orientation_at_start(group, world.next_id)));
    const double scale = radius / cluster->reach;
    const std::size_t first = world.grains.size();
    for (std::uint32_t m = 0; m < size; ++m) {
        const Vec3 arm = turn * (scale * cluster->at[m]);
        add_grain(group, position + arm, scale * cluster->radius[m], velocity + cross(spin, arm), spin, Quaternion{});
    }
    return first;
}

// Pours in what falls due until the next upkeep.
void Simulation::Parts::pour() {
    const StandingWalls standing{walls.set, walls.placements};
    const std::int64_t until = world.step + (hard ? 1 : upkeep_interval);
    const double begin = world.time(), end = static_cast<double>(until) * world.time_step;
    for (std::size_t group = 0; group < scene.grains.size(); ++group) {
        for (const PlacedGrain& grain : pour_grains(shapes ? placing_scene : scene, group, begin, end, world.grains,
                                                    standing, world.pours[group])) {
            const std::size_t first = add_body(group, grain.position, grain.radius, grain.velocity, grain.spin);
            if (shaped) shaped->turn(world.grains, first);
            for (std::size_t g = first; g < world.grains.size(); ++g) world.energy.poured += energy_of_grain(g);
            if (hard)
                world.last_collision.push_back(-forever);
            else
                require_refresh();
        }
    }
}

// Puts the grains along a Hilbert curve, so that a sweep over pairs is a sweep over memory.
void Simulation::Parts::sort() {
    Grains& grains = world.grains;
    const std::vector<Index> order = hilbert_order(ball_rows(grains));
    rearrange([&](auto& values) { permute(values, order); });
}

}  // namespace scree
