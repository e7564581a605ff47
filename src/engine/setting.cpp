#include "engine/setting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/located.h"
#include "scree/error.h"
#include "setup/periodic_walls.h"

namespace scree {
namespace {

// Copies of walls beyond periodic borders belong to the scene that is computed, whoever made it.
Scene continued(Scene scene) {
    continue_walls(scene);
    return scene;
}

}  // namespace

Setting::Setting(Scene given) : scene(continued(std::move(given))), materials(scene), walls(scene) {
    for (const GrainGroup& group : scene.grains) group_names.push_back(group.name);
    motion.gravity = gravity_at(scene, 0);
    motion.inertia_factor = scene.dimension == 3 ? 0.4 : 0.5;
    motion.damping = scene.damping;
    motion.rotation_damping = scene.rotation_damping;
    motion.integrator = scene.integrator;
    motion.periodicity = scene.periodic;
    world.walls.resize(scene.walls.size());
    world.pours.resize(scene.grains.size());
    walls.set.place(world.walls, 0, walls.placements);
}

void Setting::prepare_shapes(bool wanted) {
    shaped = (wanted && !scene.shapes.empty()) ||
             std::any_of(scene.grains.begin(), scene.grains.end(),
                         [&](const GrainGroup& group) { return ShapeTable::number_of(scene, group) > 0; });
    shapes = shaped ? std::make_shared<ShapeTable>(scene) : std::make_shared<ShapeTable>(scene.dimension);
    placing_scene = scene;
    for (GrainGroup& group : placing_scene.grains) {
        const std::uint16_t number = ShapeTable::number_of(scene, group);
        if (number == 0) continue;
        const double reach = shapes->reach(number);
        group.radius = group.scale;
        group.radius.first *= reach;
        if (group.scale.kind != RadiusDistribution::Kind::lognormal) group.radius.second *= reach;
        for (auto& [size, part] : group.radius.table) size *= reach;
    }
}

Vec3 Setting::unwrapped(std::size_t g) const {
    Vec3 x = world.grains.position(g);
    for (int axis = 0; axis < 3; ++axis)
        x[axis] += world.grains.images[g].count[static_cast<std::size_t>(axis)] * motion.periodicity.length[axis];
    return x;
}

Vec3 Setting::wrapped(Vec3 x) const {
    for (int axis = 0; axis < 3; ++axis) {
        const double length = motion.periodicity.length[axis], low = motion.periodicity.low[axis];
        if (length > 0 && !(x[axis] >= low && x[axis] < low + length))
            x[axis] -= length * std::floor((x[axis] - low) / length);
    }
    return x;
}

void Setting::check_period(double radius) const {
    for (int axis = 0; axis < 3; ++axis)
        if (const double length = motion.periodicity.length[axis]; length > 0 && length < 4 * radius)
            throw Error(ErrorKind::bad_input,
                        fmt::format("{}periodic.{} is {:g} m long: a grain of radius {:g} m meets its own images; at "
                                    "least four radii are needed",
                                    place_of(scene, scene.periodic_where[static_cast<std::size_t>(axis)]), "xyz"[axis],
                                    length, radius));
}

}  // namespace scree
