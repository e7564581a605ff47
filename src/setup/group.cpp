#include "setup/group.h"

#include <fmt/format.h>

#include <cmath>

#include "core/located.h"
#include "geometry/region.h"

namespace scree {

void refuse_group(const Scene& scene, std::size_t group, const std::string& message) {
    const GrainGroup& about = scene.grains[group];
    refuse_at(scene, about.where, fmt::format("grains '{}': {}", about.name, message));
}

const RegionShape& region_of_group(const Scene& scene, std::size_t group, const std::string& name) {
    if (const Region* region = find_region(scene, name)) return region->shape;
    std::string known;
    for (const Region& region : scene.regions) known += (known.empty() ? "" : ", ") + region.name;
    refuse_group(scene, group,
                 fmt::format("there is no region '{}'; the scene has {}", name, known.empty() ? "none" : known));
}

RegionShape region_for_grain(const Scene& scene, const RegionShape& region, double radius) {
    RegionShape seen = region;
    for (int axis = 0; axis < scene.dimension; ++axis) {
        if (!scene.periodic[static_cast<std::size_t>(axis)]) continue;
        const auto [low, high] = *scene.periodic[static_cast<std::size_t>(axis)];
        const double rounding = 1e-12 * (high - low);
        if (auto* box = std::get_if<BoxShape>(&seen)) {
            if (box->min[axis] <= low + rounding && box->max[axis] >= high - rounding) {
                box->min[axis] = low - radius;
                box->max[axis] = high + radius;
            }
        } else if (auto* cylinder = std::get_if<CylinderShape>(&seen)) {
            const Vec3 d = cylinder->to - cylinder->from;
            if (std::fabs(d[axis]) != norm(d)) continue;
            double &bottom = d[axis] > 0 ? cylinder->from[axis] : cylinder->to[axis],
                   &top = d[axis] > 0 ? cylinder->to[axis] : cylinder->from[axis];
            if (bottom <= low + rounding && top >= high - rounding) {
                bottom = low - radius;
                top = high + radius;
            }
        }
    }
    return seen;
}

}  // namespace scree
