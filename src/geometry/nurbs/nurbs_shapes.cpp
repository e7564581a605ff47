#include "geometry/nurbs/nurbs_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/elementary.h"
#include "scree/error.h"

namespace scree {
namespace {

constexpr double right_angle = 1.5707963267948966;
constexpr double same_knot = 1e-12;  // of the domain

// Bezier pieces in rows of constant u, put together again with full knots.
Nurbs joined(const std::vector<BezierPatch>& patches) {
    const int p = patches[0].degree_u, q = patches[0].degree_v;
    const auto spans_v = static_cast<std::size_t>(std::count_if(
        patches.begin(), patches.end(), [&](const BezierPatch& patch) { return patch.u0 == patches[0].u0; }));
    const std::size_t spans_u = patches.size() / spans_v;
    SplineBasis u{p, {}}, v{q, {}};
    u.knots.assign(static_cast<std::size_t>(p + 1), patches[0].u0);
    v.knots.assign(static_cast<std::size_t>(q + 1), patches[0].v0);
    for (std::size_t i = 0; i < spans_u; ++i)
        u.knots.insert(u.knots.end(), static_cast<std::size_t>(p + (i + 1 == spans_u)), patches[i * spans_v].u1);
    for (std::size_t j = 0; j < spans_v; ++j)
        v.knots.insert(v.knots.end(), static_cast<std::size_t>(q + (j + 1 == spans_v)), patches[j].v1);
    Nurbs whole{u, v, {}, {}};
    // A curve has one row, of a degree of zero.
    const auto piece = [](int index, int degree, std::size_t spans) {
        const auto k = degree == 0 ? std::size_t(0) : static_cast<std::size_t>(index / degree);
        return std::min(k, spans - 1);
    };
    for (int i = 0; i < u.count(); ++i)
        for (int j = 0; j < v.count(); ++j) {
            const std::size_t k = piece(i, p, spans_u), l = piece(j, q, spans_v);
            const Weighted& h = patches[k * spans_v + l].at(i - static_cast<int>(k) * p, j - static_cast<int>(l) * q);
            whole.points.push_back((1 / h.w) * h.p);
            whole.weights.push_back(h.w);
        }
    require_usable(whole);
    return whole;
}

// The domain in u moved to [0, 1].
Nurbs on_unit_domain(Nurbs curve) {
    const double first = curve.u.first(), length = curve.u.last() - first;
    for (double& knot : curve.u.knots) knot = (knot - first) / length;
    return curve;
}

std::vector<double> inner_knots(const Nurbs& curve) {
    std::vector<double> inner;
    for (const double knot : curve.u.knots)
        if (knot > curve.u.first() && knot < curve.u.last() && (inner.empty() || inner.back() != knot))
            inner.push_back(knot);
    return inner;
}

// Gives a curve the knots of another one; those that are nearly there are moved.
Nurbs with_knots_of(Nurbs curve, const Nurbs& other) {
    for (const double knot : inner_knots(other)) {
        bool known = false;
        for (double& own : curve.u.knots)
            if (std::fabs(own - knot) < same_knot) {
                own = knot;
                known = true;
            }
        if (!known) curve = with_knot_u(curve, knot);
    }
    return curve;
}

void elevate_u(BezierPatch& curve, int degree) {
    while (curve.degree_u < degree) {
        const int n = ++curve.degree_u;
        std::vector<Weighted> net{curve.net.front()};
        for (int i = 1; i < n; ++i) {
            const double part = static_cast<double>(i) / n;
            net.push_back(part * curve.net[static_cast<std::size_t>(i - 1)] +
                          (1 - part) * curve.net[static_cast<std::size_t>(i)]);
        }
        net.push_back(curve.net.back());
        curve.net = std::move(net);
    }
}

// Of each point of a curve a row of points across, with weights to multiply its own with.
template <class Row>
Nurbs swept_across(const Nurbs& curve, const SplineBasis& v, Row&& row) {
    std::vector<Vec3> points;
    std::vector<double> weights;
    for (std::size_t k = 0; k < curve.points.size(); ++k)
        for (const auto& [point, weight] : row(curve.points[k])) {
            points.push_back(point);
            weights.push_back(weight * curve.weights[k]);
        }
    return nurbs_surface(curve.u, v, std::move(points), std::move(weights));
}

}  // namespace

Nurbs nurbs_polyline(std::vector<Vec3> corners) {
    std::vector<double> knots{0};
    for (std::size_t k = 0; k < corners.size(); ++k) knots.push_back(static_cast<double>(k));
    knots.push_back(knots.back());
    return nurbs_curve(1, std::move(knots), std::move(corners));
}

// Quadratic pieces of a right angle at most; the tip of a piece is where the tangents at its ends cross.
Nurbs nurbs_arc(Vec3 center, Vec3 x, Vec3 y, double from, double to) {
    const int pieces = std::max(1, static_cast<int>(std::ceil((to - from) / right_angle - 1e-9)));
    const double step = (to - from) / pieces, half_cos = same_cos(0.5 * step);
    const auto at = [&](double angle, double reach) {
        const SinCos turn = same_sincos(angle);
        return center + reach * (turn.cos * x + turn.sin * y);
    };
    std::vector<Vec3> points{at(from, 1)};
    std::vector<double> weights{1}, knots{0, 0, 0};
    for (int k = 0; k < pieces; ++k) {
        points.push_back(at(from + (k + 0.5) * step, 1 / half_cos));
        points.push_back(at(from + (k + 1) * step, 1));
        weights.insert(weights.end(), {half_cos, 1});
        knots.insert(knots.end(), k + 1 < pieces ? 2 : 3, k + 1.0);
    }
    return nurbs_curve(2, std::move(knots), std::move(points), std::move(weights));
}

Nurbs nurbs_conic(Vec3 a, Vec3 tip, Vec3 b, double weight) {
    return nurbs_curve(2, {0, 0, 0, 1, 1, 1}, {a, tip, b}, {1, weight, 1});
}

Nurbs nurbs_extruded(const Nurbs& curve, Vec3 along) {
    return swept_across(curve, {1, {0, 0, 1, 1}}, [&](Vec3 p) {
        return std::vector<std::pair<Vec3, double>>{{p, 1}, {p + along, 1}};
    });
}

Nurbs nurbs_revolved(const Nurbs& curve, Vec3 point, Vec3 axis, double from, double to) {
    const Nurbs unit = nurbs_arc({}, {1, 0, 0}, {0, 1, 0}, from, to);
    return swept_across(curve, unit.u, [&](Vec3 p) {
        const Vec3 foot = point + dot(p - point, axis) * axis, x = p - foot, y = cross(axis, x);
        std::vector<std::pair<Vec3, double>> row;
        for (std::size_t k = 0; k < unit.points.size(); ++k)
            row.emplace_back(foot + unit.points[k].x * x + unit.points[k].y * y, unit.weights[k]);
        return row;
    });
}

Nurbs nurbs_ruled(const Nurbs& first, const Nurbs& second) {
    const Nurbs a = with_knots_of(on_unit_domain(first), on_unit_domain(second)),
                b = with_knots_of(on_unit_domain(second), a);
    std::vector<BezierPatch> pieces_a = bezier_patches(a), pieces_b = bezier_patches(b);
    const int degree = std::max(a.u.degree, b.u.degree);
    for (std::vector<BezierPatch>* pieces : {&pieces_a, &pieces_b})
        for (BezierPatch& piece : *pieces) elevate_u(piece, degree);
    const Nurbs even_a = joined(pieces_a), even_b = joined(pieces_b);
    std::vector<Vec3> points;
    std::vector<double> weights;
    for (std::size_t k = 0; k < even_a.points.size(); ++k) {
        points.insert(points.end(), {even_a.points[k], even_b.points[k]});
        weights.insert(weights.end(), {even_a.weights[k], even_b.weights[k]});
    }
    return nurbs_surface(even_a.u, {1, {0, 0, 1, 1}}, std::move(points), std::move(weights));
}

Nurbs nurbs_part(const Nurbs& nurbs, double u0, double u1, double v0, double v1) {
    const auto has = [](const SplineBasis& basis, double knot) {
        return std::find(basis.knots.begin(), basis.knots.end(), knot) != basis.knots.end();
    };
    if (!(u0 < u1 && v0 < v1))
        throw Error(ErrorKind::bad_input, fmt::format("NURBS: the part [{}, {}] x [{}, {}] is empty", u0, u1, v0, v1));
    Nurbs finer = nurbs;
    for (const double knot : {u0, u1})
        if (!has(finer.u, knot)) finer = with_knot_u(finer, knot);
    for (const double knot : {v0, v1})
        if (!nurbs.is_curve() && !has(finer.v, knot)) finer = with_knot_v(finer, knot);
    std::vector<BezierPatch> pieces = bezier_patches(finer);
    std::erase_if(pieces, [&](const BezierPatch& piece) {
        const bool outside_v = !nurbs.is_curve() && (piece.v0 < v0 || piece.v1 > v1);
        return piece.u0 < u0 || piece.u1 > u1 || outside_v;
    });
    return joined(pieces);
}

Nurbs nurbs_moved(Nurbs nurbs, const MeshPose& pose) {
    for (Vec3& p : nurbs.points) p = pose.rotation * p + pose.position;
    return nurbs;
}

}  // namespace scree
