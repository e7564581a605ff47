// Spheres on a grid, as the exact predicates need them.
//
// A list of all pairs of spheres with a gap up to 2s comes from the regular triangulation of (x_i, R_i²), R_i = r_i + s
// (docs/triangulation.md). Centers are snapped to the grid, and are then off by at most δ = √D/2 units; the weight is
// snapped up from (r + s + δ)², so that the snapped sphere reaches at least r + s + δ. Two spheres with a gap up to 2s
// have snapped centers within r_i + r_j + 2s + 2δ, so their snapped spheres meet: the list is complete up to the full
// gap 2s.
#pragma once

#include <span>

#include "math/vec.h"
#include "triangulation/predicates.h"

namespace scree::tri {

// The grid of snapped sites. The unit is a power of two; coordinates stay below 2^48 units.
struct Snap {
    double unit;
    int dimension;
    // Half the diagonal of a grid cell: how far a center may be moved.
    double length() const { return unit * (dimension == 3 ? 0.8661 : 0.7072); }
};

// The largest power of two not above smallest_radius / 2^12, so that all centers stay in range; throws Error (invalid)
// if the extent is too large for that by more than the range can take.
Snap choose_snap(std::span<const Vec3> centers, double smallest_radius, int dimension);

// The row of a sphere that reaches `reach` from `center`; the snapped sphere covers the true one.
Row snapped_row(const Snap& snap, Vec3 center, double reach);

}  // namespace scree::tri
