#include "measure/snapshot.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "math/periodicity.h"
#include "shape/shape_table.h"

namespace scree {
namespace {

template <class T>
void reorder(std::vector<T>& values, const std::vector<std::uint32_t>& order) {
    if (values.empty()) return;
    std::vector<T> sorted;
    sorted.reserve(values.size());
    for (const std::uint32_t k : order) sorted.push_back(values[k]);
    values = std::move(sorted);
}

const GrainGroup* group_named(const Scene& scene, const std::string& name) {
    for (const GrainGroup& group : scene.grains)
        if (group.name == name) return &group;
    return nullptr;
}

}  // namespace

bool Snapshot::is_fixed(std::size_t k) const {
    const GrainGroup* found = group_named(*scene, group_names[group[k]]);
    return found && found->fixed;
}

bool Snapshot::is_round(std::size_t k) const { return !has_shape(k) || (*shapes)[shape[k]].is_sphere(); }

bool is_bond(const Snapshot& s, const SnapshotContact& c) {
    if (c.is_wall() || !s.has_shape(c.a) || s.shape[c.a] != s.shape[c.b] || !s.shapes) return false;
    const GluedCluster* cluster = s.shapes->glued(s.shape[c.a]);
    if (!cluster) return false;
    // The number of a grain tells which sphere of its cluster it is.
    const std::uint32_t size = cluster->size();
    return s.id[c.a] / size == s.id[c.b] / size && cluster->bonded(s.id[c.a] % size, s.id[c.b] % size);
}

Vec3 nearest_image(const Scene& scene, Vec3 d) { return Periodicity(scene.periodic).nearest_of_any(d); }

void complete(Snapshot& s) {
    std::vector<std::uint32_t> order(s.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return s.id[a] < s.id[b]; });
    reorder(s.id, order);
    reorder(s.position, order);
    reorder(s.velocity, order);
    reorder(s.spin, order);
    reorder(s.radius, order);
    reorder(s.group, order);
    reorder(s.material, order);
    reorder(s.shaft, order);
    reorder(s.volume, order);
    reorder(s.shape, order);
    reorder(s.orientation, order);
    reorder(s.scale, order);
    reorder(s.inertia, order);

    std::vector<const GrainGroup*> groups;
    for (const std::string& name : s.group_names) groups.push_back(group_named(*s.scene, name));
    const bool volumes_known = s.volume.size() == s.size();
    s.volume.resize(s.size());
    s.mass.resize(s.size());
    for (std::size_t k = 0; k < s.size(); ++k) {
        const double r = s.radius[k];
        if (!volumes_known)
            s.volume[k] = s.dimension() == 2 ? std::numbers::pi * r * r : 4.0 / 3.0 * std::numbers::pi * r * r * r;
        const GrainGroup* group = groups[s.group[k]];
        s.mass[k] =
            s.volume[k] * (group && group->density ? *group->density : s.scene->materials[s.material[k]].density);
    }
}

void add_shapes(Snapshot& s, std::shared_ptr<const ShapeTable> shapes, std::span<const std::uint16_t> shape,
                std::span<const Quaternion> orientation, std::span<const double> scale) {
    s.shapes = std::move(shapes);
    s.shape.assign(shape.begin(), shape.end());
    s.orientation.assign(orientation.begin(), orientation.end());
    s.scale.assign(scale.begin(), scale.end());
    s.shaft.resize(s.size());
    s.volume.resize(s.size());
    for (std::size_t k = 0; k < s.size(); ++k) {
        const double size = scale[k];
        const Shape& body = (*s.shapes)[shape[k]];
        s.volume[k] = body.volume * (s.dimension() == 2 ? size * size : size * size * size);
        s.inertia.push_back((size * size / body.volume) * body.inertia);
        s.shaft[k] = body.longest == Vec3{} ? Vec3{} : matrix_of(orientation[k]) * body.longest;
    }
}

Snapshot snapshot_of(Simulation& simulation, bool with_contacts) {
    const World& world = simulation.synchronised_world();
    const Grains& grains = world.grains;
    Snapshot s;
    s.time = simulation.time();
    s.step = simulation.step_count();
    s.scene = &simulation.scene();
    s.group_names = simulation.group_names();
    s.id = grains.id;
    s.group = grains.group;
    s.material = grains.material;
    for (std::size_t k = 0; k < grains.size(); ++k) {
        s.position.push_back(grains.position(k));
        s.velocity.push_back(grains.velocity(k));
        s.spin.push_back(grains.angular_velocity(k));
        s.radius.push_back(grains.row[k].radius);
    }
    s.shapes = simulation.shape_table();
    if (grains.shaped()) add_shapes(s, s.shapes, grains.shape, grains.orientation, grains.scale);
    complete(s);
    s.walls = world.walls;
    s.energy = simulation.energy();
    if (!with_contacts) return s;
    const auto row_of = [&](std::uint32_t id) {
        return static_cast<std::uint32_t>(std::lower_bound(s.id.begin(), s.id.end(), id) - s.id.begin());
    };
    simulation.each_contact([&](const ContactView& contact) {
        const std::uint32_t a = row_of(contact.a), b = contact.wall < 0 ? row_of(contact.b) : a;
        const Vec3 branch = contact.wall < 0 ? nearest_image(*s.scene, s.position[a] - s.position[b])
                                             : nearest_image(*s.scene, s.position[a] - contact.point);
        s.contacts.push_back(
            {a, b, contact.wall, contact.overlap, contact.normal, branch, contact.point, contact.force});
    });
    return s;
}

}  // namespace scree
