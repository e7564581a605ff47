#include "nurbs_occt.h"

#include <GeomAPI_ProjectPointOnCurve.hxx>
#include <GeomAPI_ProjectPointOnSurf.hxx>
#include <Geom_BSplineCurve.hxx>
#include <Geom_BSplineSurface.hxx>
#include <algorithm>

namespace scree::bench {
namespace {

// Knots each once, and how often.
struct Knots {
    explicit Knots(const SplineBasis& basis) : count(1 + distinct(basis)), value(1, count), multiplicity(1, count) {
        int at = 0;
        for (std::size_t k = 0; k < basis.knots.size(); ++k) {
            if (k == 0 || basis.knots[k] != basis.knots[k - 1]) {
                value.SetValue(++at, basis.knots[k]);
                multiplicity.SetValue(at, 0);
            }
            multiplicity.ChangeValue(at) += 1;
        }
    }
    static int distinct(const SplineBasis& basis) {
        int steps = 0;
        for (std::size_t k = 1; k < basis.knots.size(); ++k) steps += basis.knots[k] != basis.knots[k - 1];
        return steps;
    }
    int count;
    TColStd_Array1OfReal value;
    TColStd_Array1OfInteger multiplicity;
};

gp_Pnt point_of(Vec3 p) { return {p.x, p.y, p.z}; }

}  // namespace

struct OcctProjection::Inside {
    Handle(Geom_BSplineCurve) curve;
    Handle(Geom_BSplineSurface) surface;
    GeomAPI_ProjectPointOnCurve on_curve;
    GeomAPI_ProjectPointOnSurf on_surface;
};

OcctProjection::OcctProjection(const Nurbs& nurbs) : inside_(std::make_unique<Inside>()) {
    const Knots u(nurbs.u), v(nurbs.v);
    const int n = nurbs.u.count(), m = nurbs.v.count();
    if (nurbs.is_curve()) {
        TColgp_Array1OfPnt points(1, n);
        TColStd_Array1OfReal weights(1, n);
        for (int k = 0; k < n; ++k) {
            points.SetValue(k + 1, point_of(nurbs.points[static_cast<std::size_t>(k)]));
            weights.SetValue(k + 1, nurbs.weights[static_cast<std::size_t>(k)]);
        }
        inside_->curve = new Geom_BSplineCurve(points, weights, u.value, u.multiplicity, nurbs.u.degree);
        inside_->on_curve.Init(inside_->curve, nurbs.u.first(), nurbs.u.last());
        return;
    }
    TColgp_Array2OfPnt points(1, n, 1, m);
    TColStd_Array2OfReal weights(1, n, 1, m);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) {
            points.SetValue(i + 1, j + 1, point_of(nurbs.points[static_cast<std::size_t>(i * m + j)]));
            weights.SetValue(i + 1, j + 1, nurbs.weights[static_cast<std::size_t>(i * m + j)]);
        }
    inside_->surface = new Geom_BSplineSurface(points, weights, u.value, v.value, u.multiplicity, v.multiplicity,
                                               nurbs.u.degree, nurbs.v.degree);
    inside_->on_surface.Init(inside_->surface, nurbs.u.first(), nurbs.u.last(), nurbs.v.first(), nurbs.v.last(), 1e-12);
}

OcctProjection::~OcctProjection() = default;

double OcctProjection::distance(Vec3 q) {
    if (!inside_->curve.IsNull()) {
        inside_->on_curve.Perform(point_of(q));
        return inside_->on_curve.NbPoints() > 0 ? inside_->on_curve.LowerDistance() : -1;
    }
    inside_->on_surface.Perform(point_of(q));
    return inside_->on_surface.NbPoints() > 0 ? inside_->on_surface.LowerDistance() : -1;
}

}  // namespace scree::bench
