// The point of a NURBS curve or surface nearest to a given one, with a proof.
//
// With d the distance of the best point so far, phi = |W (S - q)|^2 - d^2 W^2 is a polynomial on each Bezier patch (W
// the weights' denominator), and a better point exists only where it is negative. Its Bernstein coefficients bound it
// from below, ever closer as patches are halved. A patch is done when no coefficient is negative, or when phi is convex
// on it (by its second differences, which bound it from below by a paraboloid at Newton's answer) and that is nowhere
// negative. What is left is
// halved, so the search ends with the nearest point and not with a near one; there is no count of samples and no
// tolerance to choose. Rejected: Newton from a guess (the usual way, and that of Montanari 2017 section 4.7.3), which
// finds *a* foot of a perpendicular and cannot tell whether it is the nearest.
#pragma once

#include "geometry/nurbs/nurbs.h"

namespace scree {

class NurbsBody {
  public:
    explicit NurbsBody(const Nurbs& nurbs);

    bool is_curve() const { return is_curve_; }
    const std::vector<BezierPatch>& patches() const { return patches_; }
    NurbsPoint evaluate(double u, double v = 0) const { return scree::evaluate(patches_, u, v); }

    // Of a patch, a ball around its control points.
    struct Ball {
        Vec3 middle;
        double radius;
    };
    const Ball& ball(std::size_t patch) const { return balls_[patch]; }
    double size() const { return size_; }    // largest distance of a control point from their box's middle
    double reach() const { return reach_; }  // and from the origin of coordinates

  private:
    std::vector<BezierPatch> patches_;
    std::vector<Ball> balls_;
    bool is_curve_;
    double size_ = 0, reach_ = 0;
};

struct NurbsClosest {
    double distance = 0;
    double error = 0;  // no point is nearer by more than this
    Vec3 point;
    double u = 0, v = 0;
    int patches = 0;  // looked at
};

// What a query leaves for the next one near it.
struct NurbsStart {
    bool known = false;
    double u = 0, v = 0;
};

NurbsClosest closest_point(const NurbsBody& body, Vec3 q, NurbsStart* start = nullptr);

struct NurbsMinima {
    std::vector<NurbsClosest> points;  // the nearest first; `error` and `patches` are not told
    // No minimum is missing. False where the search was given up: all points of a line are as near, as on a circle seen
    // from its middle. Then some of them are told.
    bool complete = true;
};
// All points nearer than the radius whose neighbors are farther away: where a ball of this radius around q would be
// met.
NurbsMinima local_minima(const NurbsBody& body, Vec3 q, double radius);

}  // namespace scree
