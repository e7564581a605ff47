// Speeds come from what the scene gives grains and walls, and from falling. A bed that is placed loosely collapses: its
// top falls by the room that is left when everything lies at the density of a random packing. What is poured falls from
// its region to the lowest wall. Walls in between (funnels) are not looked at, so a fall may be shorter in truth.
//
// A collision of duration t_c at speed v presses an undamped linear contact in by v t_c / pi (Ferrez 2001 eq. 3.13).
#include "engine/impact_estimate.h"

#include <cmath>

#include "engine/simulation.h"
#include "geometry/region.h"
#include "geometry/surface.h"
#include "math/elementary.h"
#include "setup/placing_radius.h"
#include "shape/shape.h"

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

}  // namespace

std::optional<ImpactEstimate> estimate_impact(const Simulation& simulation) {
    const Scene& scene = simulation.scene();
    if (scene.engine != "soft" || !inputs_of(scene.law).contact_time) return {};
    const Grains& grains = simulation.world().grains;
    const std::vector<const Shape*> shapes = simulation.shapes();
    const int dimension = scene.dimension;

    std::vector<Extent> bounds;
    for (const Wall& wall : scene.walls)
        bounds.push_back(Surface(wall.shape, wall.outside, dimension, scene.periodic).bounds());

    ImpactEstimate out;
    out.radius = Extent::unbounded;
    Extent placed;
    double volume = 0, speed = 0, heaviest = 0;
    for (std::size_t i = 0; i < grains.size(); ++i) {
        if (grains.row[i].inverse_mass == 0) continue;
        const bool shaped = grains.shaped() && grains.shape[i] != 0;
        const double r = grains.row[i].radius,
                     rounding = shaped ? shapes[grains.shape[i]]->least_radius * grains.scale[i] : r;
        const double unit = shaped           ? shapes[grains.shape[i]]->volume
                            : dimension == 2 ? pi
                                             : 4 * pi / 3,
                     size = shaped ? grains.scale[i] : r;
        out.radius = std::min(out.radius, rounding);
        heaviest = std::max(heaviest, 1 / grains.row[i].inverse_mass);
        volume += unit * (dimension == 2 ? size * size : size * size * size);
        speed = std::max(speed, norm(grains.velocity(i)));
        placed.include(grains.position(i) + Vec3{r, r, dimension == 2 ? 0 : r});
        placed.include(grains.position(i) - Vec3{r, r, dimension == 2 ? 0 : r});
    }
    const double weight = norm(scene.gravity);
    const Vec3 up = weight > 0 ? (-1 / weight) * scene.gravity : Vec3{};
    if (!placed.empty() && weight > 0) {
        int axis = 0;
        for (int k = 1; k < dimension; ++k)
            if (std::fabs(up[k]) > std::fabs(up[axis])) axis = k;
        double area = 1;
        for (int k = 0; k < dimension; ++k)
            if (k != axis) area *= placed.high[k] - placed.low[k];
        const Vec3 middle = 0.5 * (placed.low + placed.high);
        const double top = -lowest(placed, -up), settled = volume / ((dimension == 2 ? 0.8 : 0.6) * area);
        out.fall = std::max(0.0, top - floor_height(scene, bounds, up, middle) - settled);
    }
    for (const GrainGroup& group : scene.grains) {
        const auto* pour = std::get_if<PourOverTime>(&group.place);
        const Region* region = pour ? find_region(scene, pour->region) : nullptr;
        if (!region) continue;
        speed = std::max(speed, norm(pour->velocity));
        double rounding = group.shape.empty() ? smallest_radius(group.radius) : Extent::unbounded;
        for (std::size_t k = 0; k < scene.shapes.size(); ++k)
            if (!group.shape.empty() && scene.shapes[k].name == group.shape)
                rounding = shapes[k + 1]->least_radius * smallest_radius(group.scale);
        out.radius = std::min(out.radius, rounding);
        const Extent box = region_extent(region->shape, dimension);
        const Vec3 middle = 0.5 * (box.low + box.high);
        if (weight > 0) out.fall = std::max(out.fall, dot(middle, up) - floor_height(scene, bounds, up, middle));
    }
    if (!std::isfinite(out.radius)) return {};

    // Linear damping lets a grain fall no faster than m g / c.
    const double falling = scene.damping > 0 && heaviest > 0
                               ? std::min(std::sqrt(2 * weight * out.fall), heaviest * weight / scene.damping)
                               : std::sqrt(2 * weight * out.fall);
    // Without weight two grains may meet head on.
    out.speed = weight > 0 ? std::sqrt(speed * speed + falling * falling) : 2 * speed;
    double wall_speed = 0;
    for (std::size_t w = 0; w < scene.walls.size(); ++w)
        wall_speed = std::max(wall_speed, largest_speed(scene.walls[w], bounds[w]));
    out.speed += wall_speed;
    for (const Material& material : scene.materials)
        out.contact_time = std::max(out.contact_time, material.contact.contact_time);
    out.overlap = out.speed * out.contact_time / (pi * out.radius);
    return out;
}

}  // namespace scree
