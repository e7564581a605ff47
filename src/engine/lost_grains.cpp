#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/setting.h"
#include "geometry/region.h"
#include "scree/error.h"

namespace scree {

// A grain is lost when it is not a number, is too fast for its contacts to be seen, or has gone where nothing can stop
// it. With gravity: when it has fallen past the lowest point of all walls and regions by the size of the scene, and no
// plane lies below it. Without: when it has left a container by as much and flies on, away from it and onto no plane.
// While gravity turns it may come back, and in a scene without walls nothing says where grains should be: then none is
// lost.
void Setting::check_grains() const {
    const Grains& grains = world.grains;
    double largest = 0;
    for (std::size_t g = 0; g < grains.size(); ++g) {
        if (!is_finite(grains.position(g)) || !is_finite(grains.velocity(g)))
            throw Error(ErrorKind::invalid, fmt::format("at t = {:.6g} s the position or velocity of grain {} is not a "
                                                        "number; a smaller time step may help",
                                                        world.time(), grains.id[g]));
        largest = std::max(largest, grains.row[g].radius);
    }
    if (walls.size() == 0 || scene.outflow_region || (scene.gravity_turn && world.time() < scene.gravity_turn->until))
        return;

    Extent extent;
    bool container = false;
    for (std::size_t w = 0; w < walls.size(); ++w) {
        container = container || walls.set.surface(w).holds_grains();
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

}  // namespace scree
