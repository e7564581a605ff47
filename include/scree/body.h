// Bodies of every kind, convex or not, and the distance of two of them.
//
// Lengths are in any one unit. A body is cheap to copy; copies share what was computed for it. Queries may be made by
// several threads at once, each with a memory of its own.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "scree/distance.h"
#include "scree/export.h"

namespace scree {

struct Compound;
struct CompoundStart;

// Rows of a matrix that turns, without stretching.
using Rotation3 = std::array<Point3, 3>;

// Parameters of a spline in one direction: as many knots as control points + degree + 1, never falling.
struct Knots {
    int degree = 0;
    std::vector<double> knots;
};

class Body {
  public:
    // All throw Error (bad_input) for what is not finite, negative or does not fit together.

    // The convex hull of a cloud; n log n time, mostly.
    SCREE_EXPORT static Body hull(std::span<const Point3> cloud);
    // A surface of triangles, by the numbers of their corners. Where each edge is run through as often one way as the
    // other it bounds a solid, concave or not; any other surface is a sheet. Builds a tree: some microseconds a
    // triangle.
    SCREE_EXPORT static Body mesh(std::span<const Point3> points, std::span<const std::array<int, 3>> triangles);
    SCREE_EXPORT static Body sphere(const Point3& center, double radius);
    SCREE_EXPORT static Body capsule(const Point3& from, const Point3& to, double radius);
    // Around the origin, its sides along the axes; half of each is told.
    SCREE_EXPORT static Body box(const Point3& half_sides);
    SCREE_EXPORT static Body ellipsoid(const Point3& half_axes);
    // |x/a|^p + |y/b|^p + |z/c|^p <= 1 with p >= 1.
    SCREE_EXPORT static Body superquadric(const Point3& half_axes, double power);
    // Along z, the middle of the height in the origin.
    SCREE_EXPORT static Body cylinder(double radius, double height);
    SCREE_EXPORT static Body cone(double radius, double height);
    // Rational splines (NURBS): a curve, or the skin of a surface, whose points come in rows of constant u. No weights:
    // all are one.
    SCREE_EXPORT static Body curve(const Knots& knots, std::span<const Point3> points,
                                   std::span<const double> weights = {});
    SCREE_EXPORT static Body surface(const Knots& u, const Knots& v, std::span<const Point3> points,
                                     std::span<const double> weights = {});
    // All of them together; none of the bodies is changed.
    SCREE_EXPORT static Body united(std::span<const Body> bodies);

    // The body turned about the origin, then moved.
    SCREE_EXPORT Body placed(const Rotation3& rotation, const Point3& position) const;
    // The body swept by a ball; radii add up.
    SCREE_EXPORT Body swept(double radius) const;

    const Compound& compound() const { return *compound_; }

  private:
    explicit Body(std::shared_ptr<const Compound> compound) : compound_(std::move(compound)) {}
    static Body of(Compound compound);

    std::shared_ptr<const Compound> compound_;
};

struct BodyDistance {
    double distance = 0;           // 0 when the bodies meet; infinite when it is not below the largest asked for
    double error = 0;              // the true distance differs by this at most
    bool overlap = false;          // they have a point in common
    bool touching = false;         // ... but none within both was found
    Point3 point_a{}, point_b{};   // closest points; a common point when the bodies meet
    std::optional<Point3> normal;  // unit, from a to b; none when no direction was found
    int part_a = 0, part_b = 0;    // of united bodies, counted as they were united
    int iterations = 0;            // rounds of searches, and pairs of triangles or hulls compared
};

// Of two bodies that move from query to query: what the last one leaves makes the next one faster, and never changes
// more of an answer than its last digits. One for each pair.
class PairMemory {
  public:
    SCREE_EXPORT PairMemory();
    SCREE_EXPORT ~PairMemory();
    PairMemory(const PairMemory&) = delete;
    PairMemory& operator=(const PairMemory&) = delete;
    CompoundStart& start() { return *start_; }

  private:
    std::unique_ptr<CompoundStart> start_;
};

// Convex bodies take about a microsecond, surfaces of 10^4 triangles some 10 to 100. Distances of `longest` and above
// need not be found, which is faster.
SCREE_EXPORT BodyDistance body_distance(const Body& a, const Body& b, PairMemory* memory = nullptr,
                                        double longest = std::numeric_limits<double>::infinity());

struct BodyDepth {
    double depth = 0;                // a shift by it separates the bodies
    double error = 0;                // the least shift is shorter by this at most
    std::vector<Point3> directions;  // unit: b moved along any of them by `depth` only touches a; the first belongs to
                                     // the points
    Point3 point_a{}, point_b{};     // the points that go deepest
};

// How deep two bodies are in each other. Nothing unless both are single convex bodies that overlap.
SCREE_EXPORT std::optional<BodyDepth> body_depth(const Body& a, const Body& b);

}  // namespace scree
