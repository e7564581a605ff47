// The point of a simplex (1 to 4 vertices) closest to the origin, by signed volumes (002 section 3.1).
//
// Replace one vertex of a simplex by the origin's projection on its affine hull: the signed volume of this fictitious
// simplex over that of the whole is the barycentric coordinate of the vertex. A coordinate that is not positive sends the
// search to the face without that vertex; the shortest answer of all faces searched is the closest point. 002 takes the
// volumes in the coordinate plane where the simplex is largest; here they are taken along the normal n of the simplex,
// where the ratio is the same and the area is largest of all: volume of {O, b, c} = n . (b x c). Vertices enter as
// differences from one of them, so a simplex far from the origin loses no digits.
//
// Two forms: stand-alone, which visits all faces, and `newest_...` for GJK, where the last vertex is known to support
// the solution and faces without it are left out (002 section 3.2.2 with the ERRATA).
#pragma once

#include <span>

#include "math/vec.h"

namespace scree {

struct SimplexPoint {
    Vec3 point;                  // closest to the origin
    double norm2 = 0;            // its squared distance
    int count = 0;               // vertices that support it, all with positive coordinates
    int vertex[4] = {0, 0, 0, 0};
    double lambda[4] = {1, 0, 0, 0};  // barycentric coordinates, in the order of `vertex`
};

enum class Signs {
    doubles,  // as computed: every face whose sign is in doubt is searched too
    exact,    // integers decide where doubles cannot: no face is searched in vain
};

// All faces. Degenerate simplices of every kind are allowed. `searched`, if given, counts the faces visited.
SimplexPoint signed_volumes(std::span<const Vec3> simplex, Signs signs = Signs::doubles, int* searched = nullptr);

namespace newest {

// The routines below keep their answer only if it is shorter than `best`; vertices are numbered as the caller says.

inline void point(Vec3 a, int ka, SimplexPoint& best) {
    const double aa = norm2(a);
    if (!(aa < best.norm2)) return;
    best.point = a;
    best.norm2 = aa;
    best.count = 1;
    best.vertex[0] = ka;
    best.lambda[0] = 1;
}

inline void segment(Vec3 a, int ka, Vec3 b, int kb, SimplexPoint& best) {
    const Vec3 t = b - a;
    const double along = -dot(a, t);
    if (!(along > 0)) return point(a, ka, best);
    const double length2 = norm2(t);
    if (!(along < length2)) return point(b, kb, best);
    const double s = along / length2;
    Vec3 p = a + s * t;
    double pp = norm2(p);
    // Close to the origin cancellation tilts p; it must stand on the segment at a right angle to be a direction.
    if (pp < 0.01 * length2) {
        p -= (dot(p, t) / length2) * t;
        pp = norm2(p);
    }
    if (!(pp < best.norm2)) return;
    best.point = p;
    best.norm2 = pp;
    best.count = 2;
    best.vertex[0] = kb, best.vertex[1] = ka;
    best.lambda[0] = s, best.lambda[1] = 1 - s;
}

// n = (b - a) x (c - a), from the caller who may have it.
inline void triangle(Vec3 a, int ka, Vec3 b, int kb, Vec3 c, int kc, Vec3 n, SimplexPoint& best) {
    const Vec3 ab = b - a, ac = c - a;
    const double whole = norm2(n);
    const double volume_b = dot(n, cross(ac, a)), volume_c = dot(n, cross(a, ab));
    const double volume_a = whole - volume_b - volume_c;
    if (volume_a > 0 && volume_b > 0 && volume_c > 0) {
        const double height = dot(n, a), scale = 1 / whole;
        const double pp = height * height * scale;
        if (!(pp < best.norm2)) return;
        best.point = (height * scale) * n;
        best.norm2 = pp;
        best.count = 3;
        best.vertex[0] = kc, best.vertex[1] = kb, best.vertex[2] = ka;
        best.lambda[0] = volume_c * scale, best.lambda[1] = volume_b * scale;
        best.lambda[2] = 1 - best.lambda[0] - best.lambda[1];
        return;
    }
    // Without a bad sign at b or c rounding speaks: search both edges.
    const bool both = volume_b > 0 && volume_c > 0;
    if (both || !(volume_c > 0)) segment(a, ka, b, kb, best);
    if (both || !(volume_b > 0)) segment(a, ka, c, kc, best);
}

inline void triangle(Vec3 a, int ka, Vec3 b, int kb, Vec3 c, int kc, SimplexPoint& best) {
    triangle(a, ka, b, kb, c, kc, cross(b - a, c - a), best);
}

inline void tetrahedron(Vec3 a, int ka, Vec3 b, int kb, Vec3 c, int kc, Vec3 d, int kd, SimplexPoint& best) {
    const Vec3 ab = b - a, ac = c - a, ad = d - a;
    const Vec3 over_b = cross(ac, ad), over_c = cross(ad, ab), over_d = cross(ab, ac);
    const double whole = dot(ab, over_b);
    double volume_b = -dot(a, over_b), volume_c = -dot(a, over_c), volume_d = -dot(a, over_d);
    // A flat tetrahedron has no sign to compare with: search all facets of a.
    const bool flat = !(whole * whole > 1e-26 * norm2(ab) * norm2(over_b));
    if (whole < 0) volume_b = -volume_b, volume_c = -volume_c, volume_d = -volume_d;
    const bool in_b = volume_b > 0, in_c = volume_c > 0, in_d = volume_d > 0;
    if (!flat && in_b && in_c && in_d) {
        const double size = whole < 0 ? -whole : whole;
        const double volume_a = size - volume_b - volume_c - volume_d;
        if (volume_a > 0) {
            best.point = {};
            best.norm2 = 0;
            best.count = 4;
            best.vertex[0] = kd, best.vertex[1] = kc, best.vertex[2] = kb, best.vertex[3] = ka;
            best.lambda[0] = volume_d / size, best.lambda[1] = volume_c / size, best.lambda[2] = volume_b / size;
            best.lambda[3] = volume_a / size;
            return;
        }
    }
    const bool all = flat || (in_b && in_c && in_d);
    if (all || !in_b) triangle(a, ka, c, kc, d, kd, over_b, best);
    if (all || !in_c) triangle(a, ka, d, kd, b, kb, over_c, best);
    if (all || !in_d) triangle(a, ka, b, kb, c, kc, over_d, best);
}

}  // namespace newest
}  // namespace scree
