#include "geometry/nurbs/nurbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "scree/error.h"

namespace scree {
namespace {

constexpr int highest_degree = 15;

[[noreturn]] void refuse_nurbs(const std::string& why) { throw Error(ErrorKind::bad_input, "NURBS: " + why); }

void require_usable(const SplineBasis& basis, const char* name) {
    if (basis.degree < 0 || basis.degree > highest_degree)
        refuse_nurbs(
            fmt::format("the degree in {} is {}; it must be between 0 and {}", name, basis.degree, highest_degree));
    if (basis.count() < basis.degree + 1)
        refuse_nurbs(fmt::format("{} knots in {} are too few for degree {}; it takes {} at least", basis.knots.size(),
                                 name, basis.degree, 2 * (basis.degree + 1)));
    int same = 0;
    for (std::size_t k = 0; k < basis.knots.size(); ++k) {
        if (!std::isfinite(basis.knots[k])) refuse_nurbs(fmt::format("knot {} in {} is not finite", k, name));
        if (k > 0 && basis.knots[k] < basis.knots[k - 1])
            refuse_nurbs(fmt::format("knot {} in {} is {}, below the one before, {}", k, name, basis.knots[k],
                                     basis.knots[k - 1]));
        same = k > 0 && basis.knots[k] == basis.knots[k - 1] ? same + 1 : 1;
        if (same > basis.degree + 1)
            refuse_nurbs(fmt::format("the knot {} in {} comes {} times; more than degree + 1 = {} cut the body apart",
                                     basis.knots[k], name, same, basis.degree + 1));
    }
    if (!(basis.first() < basis.last())) refuse_nurbs(fmt::format("the domain in {} is empty", name));
}

// The span [knots[k], knots[k + 1]) with x in it; the last one for the end of the domain.
int span_of(const SplineBasis& basis, double x) {
    const auto begin = basis.knots.begin() + basis.degree, end = basis.knots.end() - basis.degree - 1;
    int k = static_cast<int>(std::upper_bound(begin, end, x) - basis.knots.begin()) - 1;
    while (k > basis.degree &&
           !(basis.knots[static_cast<std::size_t>(k)] < basis.knots[static_cast<std::size_t>(k + 1)]))
        --k;
    return k;
}

std::vector<Weighted> weighted(const Nurbs& nurbs) {
    std::vector<Weighted> net;
    for (std::size_t k = 0; k < nurbs.points.size(); ++k)
        net.push_back({nurbs.weights[k] * nurbs.points[k], nurbs.weights[k]});
    return net;
}

// Boehm's knot insertion along u or v, for all `others` rows across.

void insert(SplineBasis& basis, std::vector<Weighted>& net, bool along_u, int others, double knot) {
    const int n = basis.count(), p = basis.degree, k = span_of(basis, knot);
    std::vector<Weighted> out(static_cast<std::size_t>((n + 1) * others));
    const auto from = [&](int i, int o) -> const Weighted& {
        return net[static_cast<std::size_t>(along_u ? i * others + o : o * n + i)];
    };
    const auto to = [&](int i, int o) -> Weighted& {
        return out[static_cast<std::size_t>(along_u ? i * others + o : o * (n + 1) + i)];
    };
    for (int o = 0; o < others; ++o)
        for (int i = 0; i <= n; ++i) {
            if (i <= k - p) {
                to(i, o) = from(i, o);
            } else if (i > k) {
                to(i, o) = from(i - 1, o);
            } else {
                const double low = basis.knots[static_cast<std::size_t>(i)],
                             high = basis.knots[static_cast<std::size_t>(i + p)];
                const double part = high > low ? (knot - low) / (high - low) : 0;
                to(i, o) = part * from(i, o) + (1 - part) * from(i - 1, o);
            }
        }
    net = std::move(out);
    basis.knots.insert(basis.knots.begin() + k + 1, knot);
}

Nurbs with_knot(const Nurbs& nurbs, bool along_u, double knot) {
    Nurbs finer = nurbs;
    SplineBasis& basis = along_u ? finer.u : finer.v;
    if (!(knot >= basis.first() && knot <= basis.last()))
        refuse_nurbs(fmt::format("the new knot {} lies outside", knot));
    std::vector<Weighted> net = weighted(nurbs);
    insert(basis, net, along_u, along_u ? nurbs.v.count() : nurbs.u.count(), knot);
    finer.points.clear();
    finer.weights.clear();
    for (const Weighted& h : net) {
        finer.points.push_back((1 / h.w) * h.p);
        finer.weights.push_back(h.w);
    }
    require_usable(finer);
    return finer;
}

// Knots so often that each span is a Bezier piece, the ends of the domain included.
void saturate(SplineBasis& basis, std::vector<Weighted>& net, bool along_u, int others) {
    const double first = basis.first(), last = basis.last();
    std::vector<double> inner;
    for (const double knot : basis.knots)
        if (knot >= first && knot <= last && (inner.empty() || inner.back() != knot)) inner.push_back(knot);
    for (const double knot : inner)
        while (std::count(basis.knots.begin(), basis.knots.end(), knot) < basis.degree)
            insert(basis, net, along_u, others, knot);
}

// Quotient rule, from the homogeneous point and its derivatives.
NurbsPoint projected(const Weighted& a, const Weighted& au, const Weighted& av, const Weighted& auu,
                     const Weighted& auv, const Weighted& avv) {
    NurbsPoint x;
    const double s = 1 / a.w;
    x.at = s * a.p;
    x.u = s * (au.p - au.w * x.at);
    x.v = s * (av.p - av.w * x.at);
    x.uu = s * (auu.p - 2 * au.w * x.u - auu.w * x.at);
    x.uv = s * (auv.p - au.w * x.v - av.w * x.u - auv.w * x.at);
    x.vv = s * (avv.p - 2 * av.w * x.v - avv.w * x.at);
    return x;
}

// Value, first and second derivative of a Bezier curve of `degree` by de Casteljau's rule; the points are used up.
std::array<Weighted, 3> bezier(Weighted* p, int degree, double t) {
    for (int level = degree; level > 2; --level)
        for (int i = 0; i < level; ++i) p[i] = (1 - t) * p[i] + t * p[i + 1];
    std::array<Weighted, 3> x;
    if (degree >= 2) {
        x[2] = (static_cast<double>(degree) * (degree - 1)) * ((p[2] - p[1]) - (p[1] - p[0]));
        for (int i = 0; i < 2; ++i) p[i] = (1 - t) * p[i] + t * p[i + 1];
    }
    if (degree >= 1) {
        x[1] = static_cast<double>(degree) * (p[1] - p[0]);
        p[0] = (1 - t) * p[0] + t * p[1];
    }
    x[0] = p[0];
    return x;
}

}  // namespace

void require_usable(const Nurbs& nurbs) {
    require_usable(nurbs.u, "u");
    require_usable(nurbs.v, "v");
    const auto wanted = static_cast<std::size_t>(nurbs.u.count()) * static_cast<std::size_t>(nurbs.v.count());
    if (nurbs.points.size() != wanted)
        refuse_nurbs(fmt::format("{} control points where the knots want {}", nurbs.points.size(), wanted));
    if (nurbs.weights.size() != wanted)
        refuse_nurbs(fmt::format("{} weights for {} control points", nurbs.weights.size(), wanted));
    for (std::size_t k = 0; k < wanted; ++k) {
        if (!is_finite(nurbs.points[k])) refuse_nurbs(fmt::format("control point {} is not finite", k));
        if (!(nurbs.weights[k] > 0 && std::isfinite(nurbs.weights[k])))
            refuse_nurbs(fmt::format("weight {} is {}; it must be positive", k, nurbs.weights[k]));
    }
}

Nurbs nurbs_curve(int degree, std::vector<double> knots, std::vector<Vec3> points, std::vector<double> weights) {
    return nurbs_surface({degree, std::move(knots)}, {0, {0, 1}}, std::move(points), std::move(weights));
}

Nurbs nurbs_surface(SplineBasis u, SplineBasis v, std::vector<Vec3> points, std::vector<double> weights) {
    if (weights.empty()) weights.assign(points.size(), 1);
    Nurbs nurbs{std::move(u), std::move(v), std::move(points), std::move(weights)};
    require_usable(nurbs);
    return nurbs;
}

Nurbs with_knot_u(const Nurbs& nurbs, double knot) { return with_knot(nurbs, true, knot); }
Nurbs with_knot_v(const Nurbs& nurbs, double knot) { return with_knot(nurbs, false, knot); }

NurbsPoint evaluate(const BezierPatch& patch, double s, double t) {
    std::array<Weighted, highest_degree + 1> row, at, v, vv;
    if (patch.degree_v == 0) {
        std::copy(patch.net.begin(), patch.net.end(), at.begin());
        const auto a = bezier(at.data(), patch.degree_u, s);
        return projected(a[0], a[1], {}, a[2], {}, {});
    }
    for (int i = 0; i <= patch.degree_u; ++i) {
        const auto k = static_cast<std::size_t>(i);
        std::copy_n(patch.net.begin() + i * (patch.degree_v + 1), patch.degree_v + 1, row.begin());
        const auto x = bezier(row.data(), patch.degree_v, t);
        at[k] = x[0];
        v[k] = x[1];
        vv[k] = x[2];
    }
    const auto a = bezier(at.data(), patch.degree_u, s), av = bezier(v.data(), patch.degree_u, s),
               avv = bezier(vv.data(), patch.degree_u, s);
    return projected(a[0], a[1], av[0], a[2], av[1], avv[0]);
}

// De Casteljau at one half: sums of two, which round once.
BezierPatch split_u(BezierPatch& patch) {
    BezierPatch second = patch;
    patch.u1 = second.u0 = 0.5 * (patch.u0 + patch.u1);
    for (int j = 0; j <= patch.degree_v; ++j)
        for (int level = 1; level <= patch.degree_u; ++level) {
            for (int i = 0; i <= patch.degree_u - level; ++i)
                second.at(i, j) = 0.5 * (second.at(i, j) + second.at(i + 1, j));
            patch.at(level, j) = second.at(0, j);
        }
    return second;
}

BezierPatch split_v(BezierPatch& patch) {
    BezierPatch second = patch;
    patch.v1 = second.v0 = 0.5 * (patch.v0 + patch.v1);
    for (int i = 0; i <= patch.degree_u; ++i)
        for (int level = 1; level <= patch.degree_v; ++level) {
            for (int j = 0; j <= patch.degree_v - level; ++j)
                second.at(i, j) = 0.5 * (second.at(i, j) + second.at(i, j + 1));
            patch.at(i, level) = second.at(i, 0);
        }
    return second;
}

std::vector<BezierPatch> bezier_patches(const Nurbs& nurbs) {
    SplineBasis u = nurbs.u, v = nurbs.v;
    std::vector<Weighted> net = weighted(nurbs);
    saturate(u, net, true, v.count());
    saturate(v, net, false, u.count());
    const auto spans = [](const SplineBasis& basis) {
        std::vector<int> starts;  // k with knots[k] < knots[k + 1] in the domain
        for (int k = basis.degree; k + basis.degree + 1 < static_cast<int>(basis.knots.size()); ++k)
            if (basis.knots[static_cast<std::size_t>(k)] < basis.knots[static_cast<std::size_t>(k + 1)])
                starts.push_back(k);
        return starts;
    };
    std::vector<BezierPatch> patches;
    for (const int k : spans(u))
        for (const int l : spans(v)) {
            BezierPatch patch{u.degree, v.degree, {}, 0, 1, 0, 1};
            patch.u0 = u.knots[static_cast<std::size_t>(k)];
            patch.u1 = u.knots[static_cast<std::size_t>(k + 1)];
            patch.v0 = v.knots[static_cast<std::size_t>(l)];
            patch.v1 = v.knots[static_cast<std::size_t>(l + 1)];
            for (int i = k - u.degree; i <= k; ++i)
                for (int j = l - v.degree; j <= l; ++j)
                    patch.net.push_back(net[static_cast<std::size_t>(i * v.count() + j)]);
            patches.push_back(std::move(patch));
        }
    return patches;
}

NurbsPoint evaluate(std::span<const BezierPatch> patches, double u, double v) {
    // They come in rising order; the last one whose corner is not beyond.
    const BezierPatch* found = &patches.front();
    for (const BezierPatch& patch : patches)
        if (patch.u0 <= u && patch.v0 <= v && (patch.u0 >= found->u0 && patch.v0 >= found->v0)) found = &patch;
    const double wide = found->u1 - found->u0, high = found->v1 - found->v0;
    NurbsPoint x =
        evaluate(*found, std::clamp((u - found->u0) / wide, 0.0, 1.0), std::clamp((v - found->v0) / high, 0.0, 1.0));
    x.u *= 1 / wide;
    x.v *= 1 / high;
    x.uu *= 1 / (wide * wide);
    x.uv *= 1 / (wide * high);
    x.vv *= 1 / (high * high);
    return x;
}

}  // namespace scree
