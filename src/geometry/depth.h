// How deep two overlapping convex bodies are in each other: the least translation that separates them.
//
// The difference {a - b} of the bodies holds the origin; the depth is the origin's distance from its border. The border
// is found from inside: the hull of some of its points (computed exactly) gets a further point beyond each facet that
// may be the nearest, until the nearest facet is known to lie on the border. So the answer comes with two bounds, and
// all directions that are as good are found. Rejected: the usual expanding polytope, which mends its surface facet by
// facet in doubles and breaks where facets are nearly flat.
#pragma once

#include <vector>

#include "geometry/any_convex.h"

namespace scree {

struct Depth {
    double depth = 0;              // of the bodies, swept radii included; a shift by it separates them
    double error = 0;              // the least shift is shorter by at most this
    std::vector<Vec3> directions;  // unit: b moved along any of them by `depth` touches a; the first belongs to the
                                   // points
    Vec3 point_a, point_b;         // the points that go deepest: point_a - point_b = depth * direction
    int supports = 0;              // support points asked of each body
};

// The bodies' skeletons must overlap (gjk.h); the depth of skeletons that only touch is 0.
Depth depth(const AnyConvex& a, const AnyConvex& b);

}  // namespace scree
