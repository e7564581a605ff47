// Distance of convex bodies given as clouds of points.
//
// Lengths are in any one unit (scree itself uses meters). Answers are exact to a few units in the last place of the
// bodies' size, and the verdict (separated, touching, overlapping) is exact for the coordinates given, at every scale.
// A query takes 0.2 to 2 microseconds for 8 to 512 vertices; bodies closer than rounding errors some 10 to 100.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "scree/export.h"

namespace scree {

class Polyhedron;

using Point3 = std::array<double, 3>;

// The convex hull of a cloud. Flat, collinear and single-point clouds are bodies too. Cheap to copy.
class ConvexShape {
  public:
    // Throws Error (bad_input) when the cloud is empty or a coordinate is not finite. Takes n log n time, mostly.
    SCREE_EXPORT explicit ConvexShape(std::span<const Point3> cloud);

    SCREE_EXPORT int vertex_count() const;  // extreme points only
    SCREE_EXPORT int dimension() const;     // 0 a point, 1 a segment, 2 a polygon, 3 a solid
    const Polyhedron& body() const { return *body_; }

  private:
    std::shared_ptr<const Polyhedron> body_;
};

struct ShapeDistance {
    double distance = 0;           // 0 when the bodies meet
    bool overlap = false;          // they have a point in common
    bool touching = false;         // ... but an arbitrarily small shift separates them
    Point3 point_a{}, point_b{};   // closest points; a common point when the bodies meet
    std::optional<Point3> normal;  // unit, from a to b; none when no plane separates the bodies
    int iterations = 0;
};

// Takes no memory beyond the two bodies, and may be called by several threads at once.
SCREE_EXPORT ShapeDistance shape_distance(const ConvexShape& a, const ConvexShape& b);

// The distance in decimal, correctly rounded to the number of significant digits; "0" when the bodies meet.
SCREE_EXPORT std::string exact_shape_distance(const ConvexShape& a, const ConvexShape& b, int digits = 25);

}  // namespace scree
