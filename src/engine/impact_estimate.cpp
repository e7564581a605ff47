// Speeds come from what the scene gives grains and walls, and from falling. A bed that is placed loosely collapses: its
// top falls by the room that is left when everything lies at the density of a random packing. What is poured falls from
// its region to the lowest wall. Walls in between (funnels) are not looked at, so a fall may be shorter in truth. Where
// gravity turns, what lies at one end of the walls falls to the other. A piston runs through the room that is left.
#include "engine/impact_estimate.h"

#include <algorithm>
#include <cmath>

#include "geometry/region.h"
#include "geometry/surface.h"
#include "math/elementary.h"
#include "setup/placing_radius.h"

namespace scree {
namespace {

// The least of p along `up` over a box; of an unbounded one minus infinity.
double lowest(const Extent& box, Vec3 up) {
    double sum = 0;
    for (int k = 0; k < 3; ++k)
        if (up[k] != 0) sum += up[k] * (up[k] > 0 ? box.low[k] : box.high[k]);
    return sum;
}

double largest_speed(const Wall& wall, const Extent& bounds) {
    if (const auto* vibrate = std::get_if<Vibrate>(&wall.motion))
        return 2 * pi * vibrate->frequency * norm(vibrate->amplitude);
    if (const auto* translate = std::get_if<Translate>(&wall.motion)) return norm(translate->velocity);
    if (const auto* rotate = std::get_if<Rotate>(&wall.motion)) {
        const Vec3 axis = (1 / norm(rotate->axis)) * rotate->axis;
        double arm = 0;
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3 p = Vec3{corner & 1 ? bounds.high.x : bounds.low.x, corner & 2 ? bounds.high.y : bounds.low.y,
                                corner & 4 ? bounds.high.z : bounds.low.z} -
                           rotate->point;
            arm = std::max(arm, norm(p - dot(p, axis) * axis));
        }
        return std::isfinite(arm) ? std::fabs(rotate->rate) * arm : 0;
    }
    double speed = 0;
    if (const auto* table = std::get_if<MotionTable>(&wall.motion))
        for (std::size_t k = 1; k < table->rows.size(); ++k) {
            const auto &a = table->rows[k - 1], &b = table->rows[k];
            if (b[0] > a[0]) speed = std::max(speed, norm(Vec3{b[1] - a[1], b[2] - a[2], b[3] - a[3]}) / (b[0] - a[0]));
        }
    return speed;
}

// Height of the lowest wall along `up`; of a plane where it lies under `at`.
double floor_height(const Scene& scene, const std::vector<Extent>& bounds, Vec3 up, Vec3 at) {
    double lowest_wall = Extent::unbounded;
    for (std::size_t w = 0; w < scene.walls.size(); ++w) {
        const Wall& wall = scene.walls[w];
        double height = Extent::unbounded;
        if (const auto* plane = std::get_if<PlaneWall>(&wall.shape)) {
            const double slope = (wall.outside ? -1 : 1) * dot(plane->normal, up) / norm(plane->normal);
            if (slope < 0.3) continue;  // a side
            height = dot(at, up) - dot(at - plane->point, plane->normal) / dot(plane->normal, up);
        } else {
            height = lowest(bounds[w], up);
        }
        if (std::isfinite(height)) lowest_wall = std::min(lowest_wall, height);
    }
    return lowest_wall;
}

// What the estimate is made of.
struct Survey {
    const Scene& scene;
    const ShapeTable* shapes;
    std::vector<Extent> walls;
    Extent placed;  // of the grains there are
    Extent filled;  // and of the regions that are poured into
    double volume = 0, mass = 0, heaviest = 0, radius = Extent::unbounded;
    double speed = 0;  // that is given to grains

    Survey(const Scene& of, const ShapeTable* table) : scene(of), shapes(table) {
        for (const Wall& wall : scene.walls)
            walls.push_back(Surface(wall.shape, wall.outside, scene.dimension, scene.periodic).bounds());
    }

    bool flat() const { return scene.dimension == 2; }
    double unit_volume(std::uint16_t shape) const {
        return shape != 0 ? (*shapes)[shape].volume : flat() ? pi : 4 * pi / 3;
    }
    double volume_of(std::uint16_t shape, double size) const {
        return unit_volume(shape) * (flat() ? size * size : size * size * size);
    }
    double rounding(std::uint16_t shape, double size) const {
        return shape ? shapes->least_radius(shape) * size : size;
    }

    void see(const Grains& grains, std::size_t g) {
        if (grains.row[g].inverse_mass == 0) return;
        const std::uint16_t shape = grains.shaped() ? grains.shape[g] : std::uint16_t{0};
        const double r = grains.row[g].radius, size = shape ? grains.scale[g] : r;
        radius = std::min(radius, rounding(shape, size));
        heaviest = std::max(heaviest, 1 / grains.row[g].inverse_mass);
        volume += volume_of(shape, size);
        mass += 1 / grains.row[g].inverse_mass;
        speed = std::max(speed, norm(grains.velocity(g)));
        placed.include(grains.position(g) + Vec3{r, r, flat() ? 0 : r});
        placed.include(grains.position(g) - Vec3{r, r, flat() ? 0 : r});
    }

    void see(const GrainGroup& group) {
        const auto* pour = std::get_if<PourOverTime>(&group.place);
        const Region* region = pour ? find_region(scene, pour->region) : nullptr;
        if (!region) return;
        const std::uint16_t shape = ShapeTable::number_of(scene, group);
        const RadiusDistribution& size = shape ? group.scale : group.radius;
        radius = std::min(radius, rounding(shape, smallest_radius(size)));
        speed = std::max(speed, norm(pour->velocity));
        double density = 0;
        for (const Material& material : scene.materials)
            if (material.name == group.material) density = group.density.value_or(material.density);
        const double most = pour->rate * (std::min(pour->until, scene.duration) - pour->from),
                     count = pour->count ? std::min(most, static_cast<double>(*pour->count)) : most,
                     each = volume_of(shape, 0.5 * (smallest_radius(size) + largest_radius(size)));
        volume += count * each;
        mass += count * each * density;
        heaviest = std::max(heaviest, density * volume_of(shape, largest_radius(size)));
        filled.include(region_extent(region->shape, scene.dimension));
    }
};

// The axis along which a direction mostly points.
int main_axis(Vec3 direction, int dimension) {
    int axis = 0;
    for (int k = 1; k < dimension; ++k)
        if (std::fabs(direction[k]) > std::fabs(direction[axis])) axis = k;
    return axis;
}

double area_across(const Extent& box, int axis, int dimension) {
    double area = 1;
    for (int k = 0; k < dimension; ++k)
        if (k != axis) area *= box.high[k] - box.low[k];
    return area;
}

// Height of the bed when all lies at the density of a random packing.
double settled_height(const Survey& s, const Extent& box, int axis) {
    return s.volume / ((s.flat() ? 0.8 : 0.6) * area_across(box, axis, s.scene.dimension));
}

// How far what is at one end of the walls may fall when gravity turns.
double fall_of_turn(const Survey& s) {
    Extent room = s.filled;
    for (const Extent& wall : s.walls)
        for (int k = 0; k < s.scene.dimension; ++k) {
            if (std::isfinite(wall.low[k])) room.low[k] = std::min(room.low[k], wall.low[k]);
            if (std::isfinite(wall.high[k])) room.high[k] = std::max(room.high[k], wall.high[k]);
        }
    double longest = 0;
    for (int k = 0; k < s.scene.dimension; ++k) longest = std::max(longest, room.high[k] - room.low[k]);
    return longest;
}

double deepest_fall(const Survey& s, Vec3 up) {
    if (s.scene.gravity_turn && !s.filled.empty()) return fall_of_turn(s);
    double fall = 0;
    if (!s.placed.empty()) {
        const Vec3 middle = 0.5 * (s.placed.low + s.placed.high);
        fall = -lowest(s.placed, -up) - floor_height(s.scene, s.walls, up, middle) -
               settled_height(s, s.placed, main_axis(up, s.scene.dimension));
    }
    for (const GrainGroup& group : s.scene.grains)
        if (const auto* pour = std::get_if<PourOverTime>(&group.place))
            if (const Region* region = find_region(s.scene, pour->region)) {
                const Extent box = region_extent(region->shape, s.scene.dimension);
                const Vec3 middle = 0.5 * (box.low + box.high);
                fall = std::max(fall, dot(middle, up) - floor_height(s.scene, s.walls, up, middle));
            }
    return std::isfinite(fall) ? std::max(0.0, fall) : 0;
}

// A piston falls on the bed through the room between them, and presses it. The speed is that at which grains would have
// to meet for the same overlap: the energy of the piston goes into all contacts of the bed, which is a spring of k n/N
// for N layers of n grains.
struct PistonPush {
    double speed = 0, pressure = 0;
};
PistonPush push_of_pistons(const Survey& s, double weight) {
    PistonPush push;
    for (std::size_t w = 0; w < s.scene.walls.size() && !s.filled.empty(); ++w) {
        const auto* piston = std::get_if<FreePiston>(&s.scene.walls[w].motion);
        if (!piston) continue;
        const int axis = main_axis(piston->along, s.scene.dimension);
        const double force = std::fabs(piston->force) + piston->mass * weight;
        push.pressure = std::max(push.pressure, force / area_across(s.filled, axis, s.scene.dimension));
        const double at = std::isfinite(s.walls[w].low[axis])    ? s.walls[w].low[axis]
                          : std::isfinite(s.walls[w].high[axis]) ? s.walls[w].high[axis]
                                                                 : s.filled.high[axis];
        const double room = std::max(std::fabs(at - s.filled.low[axis]), std::fabs(at - s.filled.high[axis])) -
                            settled_height(s, s.filled, axis);
        const double speed = std::sqrt(2 * force / piston->mass * std::max(0.0, room)),
                     heavier = std::sqrt(std::max(1.0, 2 * piston->mass / s.mass));
        push.speed = std::max(push.speed, heavier * speed);
    }
    return push;
}

}  // namespace

std::optional<ImpactEstimate> estimate_impact(const Scene& scene, const Grains& grains, const ShapeTable* shapes) {
    Survey s(scene, shapes);
    for (std::size_t g = 0; g < grains.size(); ++g) s.see(grains, g);
    s.filled = s.placed;
    for (const GrainGroup& group : scene.grains) s.see(group);
    if (!std::isfinite(s.radius)) return {};

    const double weight = norm(scene.gravity);
    ImpactEstimate out;
    out.radius = s.radius;
    double wall_speed = 0, shaking = 0;
    for (std::size_t w = 0; w < scene.walls.size(); ++w) {
        wall_speed = std::max(wall_speed, largest_speed(scene.walls[w], s.walls[w]));
        if (const auto* vibrate = std::get_if<Vibrate>(&scene.walls[w].motion)) {
            const double rate = 2 * pi * vibrate->frequency;
            shaking = std::max(shaking, rate * rate * norm(vibrate->amplitude));
        }
    }
    double falling = 0;
    if (weight > 0) {
        const Vec3 up = (-1 / weight) * scene.gravity;
        out.fall = deepest_fall(s, up);
        falling = std::sqrt(2 * weight * out.fall);
        // Linear damping lets a grain fall no faster than m g / c.
        if (scene.damping > 0 && s.heaviest > 0) falling = std::min(falling, s.heaviest * weight / scene.damping);
        out.pressure =
            s.mass * (weight + shaking) / area_across(s.filled, main_axis(up, scene.dimension), scene.dimension);
    }
    const PistonPush push = push_of_pistons(s, weight);
    out.pressure += push.pressure;
    // Without weight two grains may meet head on.
    out.speed = weight > 0 ? std::sqrt(s.speed * s.speed + falling * falling) : 2 * s.speed;
    out.speed += std::max(wall_speed, push.speed);
    return out;
}

double impact_overlap(const ImpactEstimate& impact, double contact_time) {
    return impact.speed * contact_time / (pi * impact.radius);
}

}  // namespace scree
