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
    world.next_id = from.world.next_id;
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
    ContactMemory memory = std::move(from.contacts);
    for (std::int32_t& wall : memory.wall) {
        const std::string& name = from.walls[static_cast<std::size_t>(wall)];
        wall = -1;
        for (std::size_t w = 0; w < scene.walls.size(); ++w)
            if (scene.walls[w].name == name) wall = static_cast<std::int32_t>(w);
    }
    return memory;
}

// Shapes of inherited grains are those of this scene, by their order; spheres get what spheres among shapes have.
void Simulation::Parts::take_over_shapes() {
    Grains& grains = world.grains;
    const auto refuse = [&](const std::string& why) {
        refuse_at(scene, scene.start_where, "the run started from has grains that are not spheres; " + why);
    };
    if (grains.shaped()) {
        if (!shapes) refuse("give this scene the same [shapes]");
        for (std::size_t g = 0; g < grains.size(); ++g) {
            const bool known = grains.shape[g] < shapes->size();
            if (!known ||
                std::fabs((*shapes)[grains.shape[g]].reach * grains.scale[g] / grains.row[g].radius - 1) > 1e-9)
                refuse("its [shapes] differ from those of this scene: write the same ones in the same order");
        }
    } else if (shapes) {
        for (std::size_t g = 0; g < grains.size(); ++g) {
            const double r = grains.row[g].radius,
                         mass = grains.row[g].inverse_mass > 0 ? 1 / grains.row[g].inverse_mass : 0;
            grains.orientation.push_back({});
            grains.momentum.push_back((mass * motion.inertia_factor * r * r) * grains.angular_velocity(g));
            grains.scale.push_back(r);
            grains.shape.push_back(0);
        }
    }
}

void Simulation::Parts::place_grains() {
    Occupied occupied(scene);
    for (std::size_t g = 0; g < world.grains.size(); ++g)
        occupied.add(world.grains.position(g), world.grains.row[g].radius, world.grains.id[g]);
    const StandingWalls standing{walls.set, walls.placements};
    for (std::size_t group = 0; group < scene.grains.size(); ++group) {
        const bool exactly = std::holds_alternative<PlaceAt>(scene.grains[group].place) ||
                             std::holds_alternative<PlaceFromFile>(scene.grains[group].place);
        if (shapes && exactly) {
            place_shapes_exactly(group);
            for (std::size_t g = occupied.balls().size(); g < world.grains.size(); ++g)
                occupied.add(world.grains.position(g), world.grains.row[g].radius, world.grains.id[g]);
            continue;
        }
        const double share =
            shapes ? share_of_ball(*shapes, ShapeTable::number_of(scene, scene.grains[group]), scene.dimension) : 1;
        const std::vector<PlacedGrain> placed =
            place_group(shapes ? placing_scene : scene, group, occupied, standing, world.next_id, share);
        visit_fields(world.grains,
                     [&](const char*, const char*, auto& values) { values.reserve(values.size() + placed.size()); });
        for (const PlacedGrain& grain : placed)
            add_body(group, grain.position, grain.radius, grain.velocity, grain.spin);
    }
}

}  // namespace scree
