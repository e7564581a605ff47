// The distance of a NURBS curve or surface from another one, or from any other body, with bounds.
//
// The control points of a Bezier piece hold it in their hull, and the hull is nearer to the piece than the square of
// the piece's size, times a constant. So the distance of hulls (GJK) bounds that of bodies from below, and the point of
// the piece that is nearest to where the hulls were nearest bounds it from above; both meet as pieces are halved. Pairs
// of pieces wait in a queue, the lowest bound first, until it is as high as the best pair of points. Newton's rule
// finds these early, but nothing depends on it. Where bodies run side by side, a whole line of points is the answer and
// the number of pieces would grow without end: after a fixed amount of work the bounds are returned as they are.
#pragma once

#include <functional>
#include <limits>

#include "geometry/any_convex.h"
#include "geometry/gjk.h"
#include "geometry/mesh/mesh_pose.h"
#include "geometry/nurbs/nurbs_distance.h"

namespace scree {

struct NurbsPairDistance {
    // touching: the bodies meet, as far as doubles tell. overlapping: a point of the NURBS body lies in the other one.
    Relation relation = Relation::separated;
    double distance = std::numeric_limits<double>::infinity();  // infinite: not below the largest asked for
    double error = 0;                                           // the bodies are nearer by this at most
    Vec3 point_a, point_b;
    Vec3 normal;                        // unit, from a to b; zero when they meet
    double u = 0, v = 0, s = 0, t = 0;  // parameters on a, and on b where it is a NURBS body
    int pieces = 0;                     // distances of hulls computed
};

NurbsPairDistance distance(const NurbsBody& a, const MeshPose& pose_a, const NurbsBody& b, const MeshPose& pose_b,
                           double longest = std::numeric_limits<double>::infinity());

// A body that can tell the distance of a convex one: of `longest` and above it need not.
struct HullDistance {
    Relation relation = Relation::separated;
    double distance = std::numeric_limits<double>::infinity(), error = 0;
    Vec3 point_hull, point_other;
};
using HullQuery = std::function<HullDistance(const AnyConvex& hull, double longest)>;

// `reach`: largest distance of a point of the other body from the position of a.
NurbsPairDistance distance(const NurbsBody& a, const MeshPose& pose_a, const HullQuery& other, double reach,
                           double longest = std::numeric_limits<double>::infinity());

}  // namespace scree
