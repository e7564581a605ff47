// Grains at the start: those inherited from another run, and those the scene places.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/located.h"
#include "engine/parts.h"
#include "math/elementary.h"
#include "scree/error.h"
#include "setup/placing.h"

namespace scree {
namespace {

// The part of the ball around what a group places that its matter fills: of rods little, of spheres all.
double share_of_ball(const ShapeTable& shapes, std::uint16_t number, int dimension) {
    if (number == 0) return 1;
    const auto ball = [&](double r) { return dimension == 2 ? pi * r * r : 4 * pi / 3 * r * r * r; };
    double volume = shapes[number].volume;
    if (const GluedCluster* cluster = shapes.glued(number)) {
        volume = 0;
        for (const double r : cluster->radius) volume += ball(r);
    }
    return std::min(1.0, volume / ball(shapes.reach(number)));
}

}  // namespace

// Takes over the grains of another run under this scene's indices of materials, groups and walls. Returns the memory of
// their contacts, of walls that still exist (by name) only.
ContactMemory Simulation::Parts::inherit(Inherited&& from) {
    std::vector<std::uint8_t> material_of;
    for (const std::string& name : from.materials) {
        std::size_t m = 0;
        while (m < scene.materials.size() && scene.materials[m].name != name) ++m;
        material_of.push_back(m < scene.materials.size() ? static_cast<std::uint8_t>(m) : std::uint8_t{255});
    }
    std::vector<std::uint16_t> group_of;
    for (const std::string& name : from.groups) {
        const auto at = std::find(group_names.begin(), group_names.end(), name);
        group_of.push_back(static_cast<std::uint16_t>(at - group_names.begin()));
        if (at == group_names.end()) group_names.push_back(name);
    }
    world.grains = std::move(from.world.grains);
    world.grains.outer_force.clear();  // of the program that drove the other run
    world.grains.outer_torque.clear();
    world.next_id = from.world.next_id;
    inherited_contact_time = from.world.contact_time;
    for (std::size_t g = 0; g < world.grains.size(); ++g) {
        const std::uint8_t old = world.grains.material[g], now = material_of[old];
        if (now == 255)
            refuse_at(scene, scene.start_where,
                      fmt::format("grains of the run started from are of material \"{}\", which this scene does not "
                                  "have; add [materials.{}]",
                                  from.materials[old], from.materials[old]));
        world.grains.material[g] = now;
        world.grains.group[g] = group_of[world.grains.group[g]];
        world.grains.images[g] = {};
        const Vec3 x = wrapped(world.grains.position(g));
        world.grains.row[g].x = x.x;
        world.grains.row[g].y = x.y;
        world.grains.row[g].z = x.z;
    }
    take_over_shapes();
    std::vector<std::int32_t> wall_of;
    for (const std::string& name : from.walls) {
        wall_of.push_back(-1);
        for (std::size_t w = 0; w < scene.walls.size(); ++w)
            if (scene.walls[w].name == name) wall_of.back() = static_cast<std::int32_t>(w);
    }
    for (std::size_t old = 0; old < from.world.walls.size(); ++old)
        if (wall_of[old] >= 0) {
            const WallState& was = from.world.walls[old];
            world.walls[static_cast<std::size_t>(wall_of[old])] = {
                was.displacement, was.speed, was.acceleration, {}, {}};
        }
    walls.set.place(world.walls, 0, walls.placements);
    ContactMemory memory = std::move(from.contacts);
    for (std::int32_t& wall : memory.wall) wall = wall_of[static_cast<std::size_t>(wall)];
    return memory;
}

void Simulation::Parts::place_grains() {
    Occupied occupied(scene);
    for (std::size_t g = 0; g < world.grains.size(); ++g)
        occupied.add(world.grains.position(g), world.grains.row[g].radius, world.grains.id[g]);
    const StandingWalls standing{walls.set, walls.placements};
    if (scene.start_from && scene.start_grains == StartGrains::replace) return;
    for (std::size_t group = 0; group < scene.grains.size(); ++group) {
        const bool exactly = std::holds_alternative<PlaceAt>(scene.grains[group].place) ||
                             std::holds_alternative<PlaceFromFile>(scene.grains[group].place);
        if (shaped && exactly) {
            place_shapes_exactly(group);
            for (std::size_t g = occupied.balls().size(); g < world.grains.size(); ++g)
                occupied.add(world.grains.position(g), world.grains.row[g].radius, world.grains.id[g]);
            continue;
        }
        const double share = share_of_ball(*shapes, ShapeTable::number_of(scene, scene.grains[group]), scene.dimension);
        const std::vector<PlacedGrain> placed =
            place_group(placing_scene, group, occupied, standing, world.next_id, share);
        visit_fields(world.grains,
                     [&](const char*, const char*, auto& values) { values.reserve(values.size() + placed.size()); });
        for (const PlacedGrain& grain : placed)
            add_body(group, grain.position, grain.radius, grain.velocity, grain.spin);
    }
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
    const std::uint16_t shape = ShapeTable::number_of(scene, from);
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
    if (grains.driven()) {
        grains.outer_force.emplace_back();
        grains.outer_torque.emplace_back();
    }
    if (shaped) add_pose(group, shape, scale, from.fixed ? 0 : density * volume, spin, orientation);
    return g;
}

std::size_t Simulation::Parts::add_body(std::size_t group, Vec3 position, double radius, Vec3 velocity, Vec3 spin,
                                        std::optional<Quaternion> orientation) {
    const GluedCluster* cluster = shapes->glued(ShapeTable::number_of(scene, scene.grains[group]));
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

}  // namespace scree
