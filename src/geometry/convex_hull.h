// The convex hull of a cloud of points in space, for any cloud: coincident, collinear and coplanar points are ordinary.
#pragma once

#include <span>
#include <vector>

#include "math/vec.h"

namespace scree {

struct ConvexHull {
    int dimension = -1;                    // of the affine hull: 0 a point, 1 a segment, 2 a polygon, 3 a polyhedron
    std::vector<Vec3> points;              // the extreme points, each once
    std::vector<int> sources;              // their rows in the cloud (the first row among equal points), increasing
    std::vector<std::vector<int>> facets;  // polygons of indices into points, counterclockwise seen from outside;
                                           // a flat hull has its polygon once, a segment or point has none
    std::vector<int>
        first_neighbor;  // the edges of the hull by vertex: neighbors[first_neighbor[i] .. first_neighbor[i+1])
    std::vector<int> neighbors;
};

// Throws Error (bad_input) when the cloud is empty or holds a coordinate that is not finite.
ConvexHull convex_hull(std::span<const Vec3> cloud);

}  // namespace scree
