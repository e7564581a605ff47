// Rational B-spline curves and surfaces (NURBS), and the Bezier patches they are made of.
#pragma once

#include <span>
#include <vector>

#include "math/vec.h"

namespace scree {

// One direction of parameters: the basis functions of a degree on a row of knots.
struct SplineBasis {
    int degree = 0;
    std::vector<double> knots;  // never falling; as many as control points + degree + 1
    int count() const { return static_cast<int>(knots.size()) - degree - 1; }
    double first() const { return knots[static_cast<std::size_t>(degree)]; }
    double last() const { return knots[knots.size() - static_cast<std::size_t>(degree) - 1]; }
};

// Points with weights: sum N_i w_i P_i / sum N_i w_i. A curve is a surface with the basis of degree 0 on {0, 1} in v.
// Control point (i, j) is number i * v.count() + j.
struct Nurbs {
    SplineBasis u, v;
    std::vector<Vec3> points;
    std::vector<double> weights;
    bool is_curve() const { return v.degree == 0 && v.count() == 1; }
};

Nurbs nurbs_curve(int degree, std::vector<double> knots, std::vector<Vec3> points, std::vector<double> weights = {});
Nurbs nurbs_surface(SplineBasis u, SplineBasis v, std::vector<Vec3> points, std::vector<double> weights = {});

// Throws Error (bad_input): knots that fall or that are too many in one place, counts that do not fit, weights that are
// not positive, values that are not finite, degrees above 15. The functions above call it.
void require_usable(const Nurbs& nurbs);

// Homogeneous coordinates: weight times point, and weight.
struct Weighted {
    Vec3 p;
    double w = 0;
};
inline Weighted operator+(Weighted a, Weighted b) { return {a.p + b.p, a.w + b.w}; }
inline Weighted operator-(Weighted a, Weighted b) { return {a.p - b.p, a.w - b.w}; }
inline Weighted operator*(double s, Weighted a) { return {s * a.p, s * a.w}; }

// A point and its derivatives with respect to the parameters.
struct NurbsPoint {
    Vec3 at, u, v, uu, uv, vv;
};

// The same body with one more knot, which must lie in the domain.
Nurbs with_knot_u(const Nurbs& nurbs, double knot);
Nurbs with_knot_v(const Nurbs& nurbs, double knot);

// A rational Bezier patch: degree_v + 1 control points for each of the degree_u + 1 rows.
struct BezierPatch {
    int degree_u = 0, degree_v = 0;
    std::vector<Weighted> net;
    double u0 = 0, u1 = 1, v0 = 0, v1 = 1;  // its part of the domain
    Weighted& at(int i, int j) { return net[static_cast<std::size_t>(i * (degree_v + 1) + j)]; }
    const Weighted& at(int i, int j) const { return net[static_cast<std::size_t>(i * (degree_v + 1) + j)]; }
};
// At s, t in [0, 1]; derivatives with respect to these.
NurbsPoint evaluate(const BezierPatch& patch, double s, double t);
// The first half goes into `patch`.
BezierPatch split_u(BezierPatch& patch);
BezierPatch split_v(BezierPatch& patch);

std::vector<BezierPatch> bezier_patches(const Nurbs& nurbs);
// At parameters of the whole body; what lies outside of the domain is moved to its border.
NurbsPoint evaluate(std::span<const BezierPatch> patches, double u, double v = 0);

}  // namespace scree
