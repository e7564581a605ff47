#include "engine/grain_sizes.h"

#include <algorithm>

#include "math/elementary.h"
#include "setup/placing_radius.h"

namespace scree {
namespace {

void meet(GrainSizes& sizes, std::size_t material, const GrainSize& size) {
    const auto [at, fresh] = sizes.try_emplace(material, SizeRange{size, size});
    if (fresh) return;
    if (size.mass < at->second.smallest.mass) at->second.smallest = size;
    if (size.mass > at->second.largest.mass) at->second.largest = size;
}

// A grain of a group that pours, its radius or scale given.
GrainSize poured_size(const Scene& scene, const ShapeTable* shapes, const GrainGroup& group, double density,
                      double size) {
    const std::uint16_t shape = ShapeTable::number_of(scene, group);
    const bool glued = shape && shapes->glued(shape);
    const double r = glued ? size * *std::min_element(shapes->glued(shape)->radius.begin(),
                                                      shapes->glued(shape)->radius.end())
                           : size,
                 part = shape ? (*shapes)[shape].volume / (scene.dimension == 3 ? 4 * pi / 3 : pi) : 1;
    return {shape ? r * (*shapes)[shape].least_radius : r,
            density * part * (scene.dimension == 3 ? 4 * pi / 3 * r * r * r : pi * r * r)};
}

}  // namespace

GrainSizes grain_sizes(const Scene& scene, const Grains& grains, const ShapeTable* shapes) {
    GrainSizes sizes;
    for (std::size_t g = 0; g < grains.size(); ++g)
        if (grains.row[g].inverse_mass > 0)
            meet(sizes, grains.material[g],
                 {grains.shaped() ? (*shapes)[grains.shape[g]].least_radius * grains.scale[g] : grains.row[g].radius,
                  1 / grains.row[g].inverse_mass});
    for (const GrainGroup& group : scene.grains) {
        if (!std::holds_alternative<PourOverTime>(group.place)) continue;
        const RadiusDistribution& size = ShapeTable::number_of(scene, group) ? group.scale : group.radius;
        for (std::size_t m = 0; m < scene.materials.size(); ++m) {
            if (scene.materials[m].name != group.material) continue;
            const double density = group.density.value_or(scene.materials[m].density);
            meet(sizes, m, poured_size(scene, shapes, group, density, smallest_radius(size)));
            meet(sizes, m, poured_size(scene, shapes, group, density, largest_radius(size)));
        }
    }
    return sizes;
}

}  // namespace scree
