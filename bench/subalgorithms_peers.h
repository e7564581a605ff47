// The point of a simplex nearest to the origin, by the algorithms that GJK has been used with before Signed Volumes.
#pragma once

#include <span>

#include "geometry/signed_volumes.h"

namespace scree::bench {

// Gilbert et al. 1988: the sub-simplices with the newest corner (the last one) in turn, until the signs
// of their cofactors say that the nearest point is inside. Count 0 when rounding lets none of them say so.
SimplexPoint johnson(std::span<const Vec3> simplex);
// With the backup procedure of the same paper: of all sub-simplices whose nearest point is inside the nearest one.
SimplexPoint johnson_with_backup(std::span<const Vec3> simplex);
SimplexPoint backup(std::span<const Vec3> simplex);
// Ericson 2005, section 5.1: by the Voronoi region of a corner, an edge or a side in which the origin is.
SimplexPoint voronoi_regions(std::span<const Vec3> simplex);

}  // namespace scree::bench
