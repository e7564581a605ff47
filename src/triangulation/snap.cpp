#include "triangulation/snap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/error.h"

namespace scree::tri {

Snap choose_snap(std::span<const Vec3> centers, double smallest_radius, int dimension) {
    double farthest = 0;
    for (const Vec3& x : centers) farthest = std::max({farthest, std::fabs(x.x), std::fabs(x.y), std::fabs(x.z)});
    int exponent = std::ilogb(smallest_radius) - 12;
    // Far from the origin the grid must be coarser; past r/16 the skin would be spent on it.
    const int needed = farthest > 0 ? std::ilogb(farthest) - 46 : exponent;
    if (needed > exponent + 8)
        throw Error(ErrorKind::invalid,
                    fmt::format("a center lies {} from the origin, too far to distinguish spheres of radius {}",
                                farthest, smallest_radius));
    exponent = std::max(exponent, needed);
    return {std::ldexp(1.0, exponent), dimension};
}

Row snapped_row(const Snap& snap, Vec3 center, double reach) {
    const double scale = 1 / snap.unit, radius = (reach + snap.length()) * scale;
    return {{std::nearbyint(center.x * scale), std::nearbyint(center.y * scale),
             snap.dimension == 3 ? std::nearbyint(center.z * scale) : 0, std::ceil(radius * radius * (1 + 0x1p-50))}};
}

}  // namespace scree::tri
