// Notation: the first body is p + span of edges u, the second q + span of edges v, and r = p - q. A trial is a pair of
// points, its difference d = a - b; the bodies' corners reach to d.r + min(0, d.u...) - max(0, d.v...) along it.
#include "geometry/closed_forms.h"

namespace scree {
namespace {

constexpr double close_enough = 16 * gjk::epsilon;
constexpr double smallest2 = gjk::smallest_scale * gjk::smallest_scale,
                 largest2 = gjk::largest_scale * gjk::largest_scale;

inline double clamped(double x) {
    const double low = x > 0 ? x : 0;
    return low < 1 ? low : 1;
}
inline double lesser(double a, double b) { return a < b ? a : b; }
inline double larger(double a, double b) { return a > b ? a : b; }

// Does d separate the corners by its own length? `lower` is their least extent along d, `scale2` the squared size of
// all.
inline bool certain(Vec3 d, double lower, double scale2) {
    const double dd = norm2(d), slack = dd - lower, unit2 = scale2 * dd;
    return lower > 0 && lower * lower > gjk::certain * gjk::certain * unit2 &&
           slack * slack <= close_enough * close_enough * unit2 && scale2 > smallest2 && scale2 < largest2;
}

struct Parameters {
    double s, t;
};

// Closest points p + s u, q + t v of two segments. Lengths may be zero: 0 / tiny is 0.
inline Parameters on_segments(Vec3 r, Vec3 u, double uu, Vec3 v, double vv) {
    const double uv = dot(u, v), ur = dot(u, r), vr = dot(v, r);
    const double determinant = uu * vv - uv * uv;
    double s = determinant > 0 ? clamped((uv * vr - ur * vv) / determinant) : 0;
    const double along = uv * s + vr;
    if (along > 0 && along < vv) return {s, along / vv};
    // An end of the second segment; the first follows it.
    const double t = along > 0 ? 1 : 0;
    s = uu > 0 ? clamped((uv * t - ur) / uu) : 0;
    return {s, t};
}

// The foot of x (relative to a corner) on the plane of edges e, f, if it is inside the triangle.
struct PlaneFoot {
    double e, f;
    bool inside;
};

inline PlaneFoot foot_on(Vec3 x, Vec3 e, Vec3 f, double ee, double ff, double ef) {
    const double xe = dot(x, e), xf = dot(x, f), determinant = ee * ff - ef * ef;
    const double we = xe * ff - xf * ef, wf = xf * ee - xe * ef;
    if (!(we > 0 && wf > 0 && we + wf < determinant)) return {0, 0, false};
    const double scale = 1 / determinant;
    return {we * scale, wf * scale, true};
}

inline ClosestPoints found(Vec3 point_a, Vec3 point_b, Vec3 d) { return {true, norm(d), point_a, point_b}; }

Distance described(const ClosestPoints& c, double size) {
    Distance d;
    d.distance = d.gap = c.distance;
    d.point_a = c.point_a;
    d.point_b = c.point_b;
    d.normal = normalized(c.point_b - c.point_a);
    d.error = 2 * close_enough * (size + c.distance);
    return d;
}

double extent(Vec3 a, Vec3 b) { return std::fabs(a.x - b.x) + std::fabs(a.y - b.y) + std::fabs(a.z - b.z); }

}  // namespace

ClosestPoints closest_points(Vec3 p, const Segment& s) {
    const Vec3 r = p - s.a, v = s.b - s.a;
    const double vv = norm2(v), t = vv > 0 ? clamped(dot(r, v) / vv) : 0;
    const Vec3 d = r - t * v;
    if (!certain(d, dot(d, r) - larger(0, dot(d, v)), norm2(r) + vv)) return {};
    return found(p, s.a + t * v, d);
}

ClosestPoints closest_points(Vec3 p, const Triangle& t) {
    const Vec3 r = p - t.a, e = t.b - t.a, f = t.c - t.a;
    const double ee = norm2(e), ff = norm2(f), ef = dot(e, f), scale2 = norm2(r) + ee + ff;
    const auto holds = [&](Vec3 d) { return certain(d, dot(d, r) - larger(larger(0, dot(d, e)), dot(d, f)), scale2); };
    const PlaneFoot foot = foot_on(r, e, f, ee, ff, ef);
    if (foot.inside) {
        const Vec3 on = foot.e * e + foot.f * f;
        return holds(r - on) ? found(p, t.a + on, r - on) : ClosestPoints{};
    }
    const double on_e = ee > 0 ? clamped(dot(r, e) / ee) : 0, on_f = ff > 0 ? clamped(dot(r, f) / ff) : 0;
    const Vec3 g = f - e;
    const double gg = norm2(g), on_g = gg > 0 ? clamped(dot(r - e, g) / gg) : 0;
    const Vec3 point[3] = {on_e * e, on_f * f, e + on_g * g};
    int best = norm2(r - point[1]) < norm2(r - point[0]) ? 1 : 0;
    best = norm2(r - point[2]) < norm2(r - point[best]) ? 2 : best;
    return holds(r - point[best]) ? found(p, t.a + point[best], r - point[best]) : ClosestPoints{};
}

ClosestPoints closest_points(const Segment& s, const Segment& t) {
    const Vec3 r = s.a - t.a, u = s.b - s.a, v = t.b - t.a;
    const double uu = norm2(u), vv = norm2(v);
    const Parameters at = on_segments(r, u, uu, v, vv);
    const Vec3 on_s = at.s * u, on_t = at.t * v, d = (r + on_s) - on_t;
    const double lower = dot(d, r) + lesser(0, dot(d, u)) - larger(0, dot(d, v));
    if (!certain(d, lower, norm2(r) + uu + vv)) return {};
    return found(s.a + on_s, t.a + on_t, d);
}

ClosestPoints closest_points(const Segment& s, const Triangle& t) {
    const Vec3 r = s.a - t.a, u = s.b - s.a, e = t.b - t.a, f = t.c - t.a;
    const double uu = norm2(u), ee = norm2(e), ff = norm2(f), scale2 = norm2(r) + uu + ee + ff;
    const auto holds = [&](Vec3 d) {
        return certain(d, dot(d, r) + lesser(0, dot(d, u)) - larger(larger(0, dot(d, e)), dot(d, f)), scale2);
    };
    const Vec3 start[3] = {{}, {}, e}, edge[3] = {e, f, f - e};
    const double length2[3] = {ee, ff, norm2(f - e)};
    for (int k = 0; k < 3; ++k) {
        const Parameters at = on_segments(r - start[k], u, uu, edge[k], length2[k]);
        const Vec3 on_s = at.s * u, on_t = start[k] + at.t * edge[k], d = (r + on_s) - on_t;
        if (holds(d)) return found(s.a + on_s, t.a + on_t, d);
    }
    const double ef = dot(e, f);
    for (const Vec3& end : {Vec3{}, u}) {
        const PlaneFoot foot = foot_on(r + end, e, f, ee, ff, ef);
        if (!foot.inside) continue;
        const Vec3 on = foot.e * e + foot.f * f, d = (r + end) - on;
        if (holds(d)) return found(s.a + end, t.a + on, d);
    }
    return {};
}

ClosestPoints closest_points(const Triangle& s, const Triangle& t) {
    const Vec3 r = s.a - t.a, u = s.b - s.a, w = s.c - s.a, e = t.b - t.a, f = t.c - t.a;
    const double uu = norm2(u), ww = norm2(w), ee = norm2(e), ff = norm2(f), scale2 = norm2(r) + uu + ww + ee + ff;
    const auto holds = [&](Vec3 d) {
        const double lower =
            dot(d, r) + lesser(lesser(0, dot(d, u)), dot(d, w)) - larger(larger(0, dot(d, e)), dot(d, f));
        return certain(d, lower, scale2);
    };
    // Begin at the nearest corners: opposite[k] is the edge without corner k, the other two meet there.
    const Vec3 corner_s[3] = {{}, u, w}, corner_t[3] = {{}, e, f};
    int near_s = 0, near_t = 0;
    double nearest = norm2(r);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const double apart = norm2(r + corner_s[i] - corner_t[j]);
            const bool better = apart < nearest;
            nearest = better ? apart : nearest;
            near_s = better ? i : near_s;
            near_t = better ? j : near_t;
        }
    const auto next = [](int k) { return k == 2 ? 0 : k + 1; };
    const auto try_edges = [&](int i, int j, ClosestPoints& answer) {
        const Vec3 p = corner_s[i], q = corner_t[j], along_s = corner_s[next(i)] - p, along_t = corner_t[next(j)] - q;
        const Parameters at = on_segments((r + p) - q, along_s, norm2(along_s), along_t, norm2(along_t));
        const Vec3 on_s = p + at.s * along_s, on_t = q + at.t * along_t, d = (r + on_s) - on_t;
        if (!holds(d)) return false;
        answer = found(s.a + on_s, t.a + on_t, d);
        return true;
    };
    const auto try_corner_of_s = [&](int i, ClosestPoints& answer) {
        const PlaneFoot foot = foot_on(r + corner_s[i], e, f, ee, ff, dot(e, f));
        if (!foot.inside) return false;
        const Vec3 on = foot.e * e + foot.f * f, d = (r + corner_s[i]) - on;
        if (!holds(d)) return false;
        answer = found(s.a + corner_s[i], t.a + on, d);
        return true;
    };
    const auto try_corner_of_t = [&](int j, ClosestPoints& answer) {
        const PlaneFoot foot = foot_on(corner_t[j] - r, u, w, uu, ww, dot(u, w));
        if (!foot.inside) return false;
        const Vec3 on = foot.e * u + foot.f * w, d = (r + on) - corner_t[j];
        if (!holds(d)) return false;
        answer = found(s.a + on, t.a + corner_t[j], d);
        return true;
    };
    ClosestPoints answer;
    // Edge k runs from corner k to the next; at corner k meet edges k and k - 1.
    const int before_s = next(next(near_s)), before_t = next(next(near_t));
    if (try_edges(near_s, near_t, answer) || try_edges(before_s, near_t, answer) ||
        try_edges(near_s, before_t, answer) || try_edges(before_s, before_t, answer) ||
        try_corner_of_s(near_s, answer) || try_corner_of_t(near_t, answer))
        return answer;
    const int far_s = next(near_s), far_t = next(near_t);
    if (try_corner_of_s(far_s, answer) || try_corner_of_s(before_s, answer) || try_corner_of_t(far_t, answer) ||
        try_corner_of_t(before_t, answer) || try_edges(far_s, near_t, answer) || try_edges(far_s, before_t, answer) ||
        try_edges(near_s, far_t, answer) || try_edges(before_s, far_t, answer) || try_edges(far_s, far_t, answer))
        return answer;
    return {};
}

Distance distance(Vec3 p, Vec3 q) { return distance(PointBody(p), PointBody(q)); }

Distance distance(Vec3 p, const Segment& s) {
    const ClosestPoints c = closest_points(p, s);
    return c.certain ? described(c, extent(s.a, s.b)) : distance(PointBody(p), SegmentBody(s.a, s.b));
}

Distance distance(Vec3 p, const Triangle& t) {
    const ClosestPoints c = closest_points(p, t);
    return c.certain ? described(c, extent(t.a, t.b) + extent(t.a, t.c))
                     : distance(PointBody(p), TriangleBody(t.a, t.b, t.c));
}

Distance distance(const Segment& s, const Segment& t) {
    const ClosestPoints c = closest_points(s, t);
    return c.certain ? described(c, extent(s.a, s.b) + extent(t.a, t.b))
                     : distance(SegmentBody(s.a, s.b), SegmentBody(t.a, t.b));
}

Distance distance(const Segment& s, const Triangle& t) {
    const ClosestPoints c = closest_points(s, t);
    return c.certain ? described(c, extent(s.a, s.b) + extent(t.a, t.b) + extent(t.a, t.c))
                     : distance(SegmentBody(s.a, s.b), TriangleBody(t.a, t.b, t.c));
}

Distance distance(const Triangle& s, const Triangle& t) {
    const ClosestPoints c = closest_points(s, t);
    return c.certain ? described(c, extent(s.a, s.b) + extent(s.a, s.c) + extent(t.a, t.b) + extent(t.a, t.c))
                     : distance(TriangleBody(s.a, s.b, s.c), TriangleBody(t.a, t.b, t.c));
}

}  // namespace scree
