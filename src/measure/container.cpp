#include "measure/container.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "measure/grain_parts.h"
#include "scree/error.h"
#include "wall/motion.h"

namespace scree {
namespace {

void raise(std::optional<double>& low, double value) { low = low ? std::max(*low, value) : value; }
void lower(std::optional<double>& high, double value) { high = high ? std::min(*high, value) : value; }

// The axis a vector points along, to rounding; -1 for none.
int axis_along(Vec3 v) {
    for (int axis = 0; axis < 3; ++axis)
        if (std::abs(v[axis]) >= (1 - 1e-12) * norm(v) && norm(v) > 0) return axis;
    return -1;
}

Vec3 unit_along(int axis) {
    Vec3 unit;
    unit[axis] = 1;
    return unit;
}

void bound_by_plane(Container& c, Vec3 point, Vec3 normal, bool outside) {
    const int axis = axis_along(normal);
    if (axis < 0) return;
    auto& bounds = c.bounds[static_cast<std::size_t>(axis)];
    if ((normal[axis] > 0) != outside)
        raise(bounds.low, point[axis]);
    else
        lower(bounds.high, point[axis]);
}

}  // namespace

Container container_of(const Snapshot& snapshot) {
    const Scene& scene = *snapshot.scene;
    Container c;
    for (std::size_t w = 0; w < scene.walls.size(); ++w) {
        const Wall& wall = scene.walls[w];
        const WallPlacement now =
            placement(wall, snapshot.walls.empty() ? WallState{} : snapshot.walls[w], snapshot.time);
        const auto bound = [&](Vec3 point, Vec3 normal) {
            bound_by_plane(c, now.to_world(point), now.direction_to_world(normal), wall.outside);
        };
        if (const auto* box = std::get_if<BoxWall>(&wall.shape); box && !wall.outside) {
            for (int axis = 0; axis < scene.dimension; ++axis) {
                bound(box->min, unit_along(axis));
                bound(box->max, -unit_along(axis));
            }
        } else if (const auto* plane = std::get_if<PlaneWall>(&wall.shape)) {
            bound(plane->point, plane->normal);
        } else if (const auto* disc = std::get_if<DiscWall>(&wall.shape)) {
            bound(disc->center, disc->normal);
        } else if (const auto* cylinder = std::get_if<CylinderWall>(&wall.shape); cylinder && !wall.outside) {
            const Vec3 from = now.to_world(cylinder->from);
            const int axis = axis_along(now.direction_to_world(cylinder->to - cylinder->from));
            if (axis < 0) continue;
            if (scene.dimension == 2) {  // two parallel lines
                auto& bounds = c.bounds[static_cast<std::size_t>(1 - axis)];
                raise(bounds.low, from[1 - axis] - cylinder->radius);
                lower(bounds.high, from[1 - axis] + cylinder->radius);
            } else if (!c.round || cylinder->radius < c.round->radius) {
                c.round = {axis, from, cylinder->radius};
            }
        }
    }
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (const auto& interval = scene.periodic[axis]) c.bounds[axis] = {interval->first, interval->second};
    return c;
}

Up up_of(const Scene& scene) {
    const Vec3 g = scene.gravity;
    int axis = scene.dimension - 1;
    for (int k = 0; k < scene.dimension; ++k)
        if (std::abs(g[k]) > std::abs(g[axis])) axis = k;
    return {axis, g[axis] > 0 ? -1.0 : 1.0};
}

double height_of(const Up& up, Vec3 x) { return up.sign * x[up.axis]; }

Vec3 direction_of(const Up& up) {
    Vec3 direction;
    direction[up.axis] = up.sign;
    return direction;
}

bool is_periodic(const Scene& scene, int axis) { return scene.periodic[static_cast<std::size_t>(axis)].has_value(); }

double cross_section(const Snapshot& snapshot, const MeasureOptions& options, int axis) {
    if (const auto area = options.number("area")) return *area;
    const Container c = container_of(snapshot);
    if (c.round && c.round->axis == axis) return std::numbers::pi * c.round->radius * c.round->radius;
    double area = 1;
    for (int other = 0; other < snapshot.dimension(); ++other) {
        if (other == axis) continue;
        const auto& bounds = c.bounds[static_cast<std::size_t>(other)];
        if (!bounds.low || !bounds.high)
            throw Error(ErrorKind::bad_input,
                        fmt::format("{}: the walls of this scene do not determine the cross-section "
                                    "along {}; give it as the option area, e.g. {}",
                                    options.measure(), "xyz"[axis], options.with("area = 0.01")));
        area *= *bounds.high - *bounds.low;
    }
    return area;
}

Ends extent_of(const Snapshot& snapshot, const MeasureOptions& options, int axis) {
    const Container c = container_of(snapshot);
    const auto& bounds = c.bounds[static_cast<std::size_t>(axis)];
    double low = forever, high = -forever;
    const Vec3 along = direction_of({axis, 1});
    for (std::size_t k = 0; k < snapshot.size(); ++k) {
        const double x = snapshot.position[k][axis], r = snapshot.radius[k];
        if (x - r < low) low = std::min(low, x - reach_along(snapshot, k, -along));
        if (x + r > high) high = std::max(high, x + reach_along(snapshot, k, along));
    }
    if (snapshot.size() == 0) {
        low = 0;
        high = 1;
    }
    double from = options.number("from").value_or(bounds.low.value_or(low));
    double to = options.number("to").value_or(bounds.high.value_or(high));
    // Grains may not reach yet to where is measured; a run must not end for that.
    if (!(from < to) && !options.number("to"))
        to = from + 1;
    else if (!(from < to) && !options.number("from"))
        from = to - 1;
    if (!(from < to))
        throw Error(ErrorKind::bad_input,
                    fmt::format("{}: from ({:g}) must be below to ({:g})", options.measure(), from, to));
    return {from, to};
}

BoxExtent box_of(const Snapshot& snapshot, const MeasureOptions& options) {
    const auto from = options.vector("from"), to = options.vector("to");
    BoxExtent box{{0, 0, -0.5}, {0, 0, 0.5}};
    MeasureRequest bare{options.measure(), {}};
    const Container c = container_of(snapshot);
    for (int axis = 0; axis < snapshot.dimension(); ++axis) {
        Ends extent = extent_of(snapshot, MeasureOptions(bare), axis);
        if (c.round && c.round->axis != axis && !is_periodic(*snapshot.scene, axis))
            extent = {c.round->center[axis] - c.round->radius, c.round->center[axis] + c.round->radius};
        if (from) extent.low = (*from)[axis];
        if (to) extent.high = (*to)[axis];
        if (!(extent.low < extent.high))
            throw Error(ErrorKind::bad_input,
                        fmt::format("{}: from must be below to along {}", options.measure(), "xyz"[axis]));
        box.low[axis] = extent.low;
        box.high[axis] = extent.high;
    }
    return box;
}

double floor_of(const Snapshot& snapshot, const MeasureOptions& options) {
    if (const auto floor = options.number("floor")) return *floor;
    const Up up = up_of(*snapshot.scene);
    const Container c = container_of(snapshot);
    const auto& bounds = c.bounds[static_cast<std::size_t>(up.axis)];
    if (const auto& end = up.sign > 0 ? bounds.low : bounds.high; end && !is_periodic(*snapshot.scene, up.axis))
        return up.sign * *end;
    double floor = forever;
    const Vec3 down = -direction_of(up);
    for (std::size_t k = 0; k < snapshot.size(); ++k)
        if (const double height = height_of(up, snapshot.position[k]); height - snapshot.radius[k] < floor)
            floor = std::min(floor, height - reach_along(snapshot, k, down));
    return floor;
}

}  // namespace scree
