// The point of a simplex (1 to 4 vertices) closest to the origin, by signed volumes (Montanari 2017 section 3.1).
//
// Replace one vertex of a simplex by the origin's projection on its affine hull: the signed volume of this fictitious
// simplex over that of the whole is the barycentric coordinate of the vertex. A coordinate that is not positive sends
// the search to the face without that vertex; the shortest answer of all faces searched is the closest point. Montanari
// 2017 takes the volumes in the coordinate plane where the simplex is largest; here they are taken along the normal n
// of the simplex, where the ratio is the same and the area is largest of all: volume of {O, b, c} = n . (b x c).
// Vertices enter as differences from one of them, so a simplex far from the origin loses no digits.
//
// Two forms: stand-alone, which visits all faces, and `newest` for GJK, where the last vertex is known to support
// the solution and faces without it are left out (Montanari 2017 section 3.2.2, restricted to this case).
#pragma once

#include <cmath>
#include <span>

#include "math/vec.h"

namespace scree {

struct SimplexPoint {
    Vec3 point;        // closest to the origin
    double norm2 = 0;  // its squared distance
    int count = 0;     // vertices that support it, all with positive coordinates
    int vertex[4] = {0, 0, 0, 0};
    double lambda[4] = {1, 0, 0, 0};  // barycentric coordinates, in the order of `vertex`
};

enum class Signs {
    doubles,  // as computed: every face whose sign is in doubt is searched too
    exact,    // integers decide where doubles cannot: no face is searched in vain
};

// All faces. Degenerate simplices of every kind are allowed. `searched`, if given, counts the faces visited.
SimplexPoint signed_volumes(std::span<const Vec3> simplex, Signs signs = Signs::doubles, int* searched = nullptr);

// The search inside GJK: which vertices support the closest point, and in which direction it lies. Neither needs a
// division: the direction is left unscaled, and coordinates are only taken at the end. Written as a double cross
// product the direction is at a right angle to its face however close the origin is, where the point itself would lose
// digits.
struct Front {
    Vec3 direction;      // along the closest point; zero when the origin is inside
    double height = 0;   // direction . any supporting vertex, positive
    double length2 = 0;  // direction . direction
    double norm2 = 0;    // squared distance = height^2 / length2
    int count = 0;
    unsigned vertices =
        0;  // their numbers (0 to 3), a byte each, the newest last: no array, so that a front fits in registers

    int vertex(int k) const { return static_cast<int>(vertices >> 8 * k & 3); }
    void name(int first) {
        count = 1;
        vertices = static_cast<unsigned>(first);
    }
    void name(int first, int second) {
        count = 2;
        vertices = static_cast<unsigned>(first | second << 8);
    }
    void name(int first, int second, int third) {
        count = 3;
        vertices = static_cast<unsigned>(first | second << 8 | third << 16);
    }
    void name(int first, int second, int third, int fourth) {
        count = 4;
        vertices = static_cast<unsigned>(first | second << 8 | third << 16 | fourth << 24);
    }
};

namespace newest {

// The routines keep their answer only if it is nearer than `best`; vertices are numbered as the caller says.

inline void point(Vec3 a, int ka, Front& best) {
    const double aa = norm2(a);
    if (!(aa < best.norm2)) return;
    best.direction = a;
    best.height = best.length2 = best.norm2 = aa;
    best.name(ka);
}

inline void segment(Vec3 a, int ka, Vec3 b, int kb, Front& best) {
    const Vec3 t = b - a;
    const double along = -dot(a, t), length2 = norm2(t);
    if (!(along > 0)) return point(a, ka, best);
    if (!(along < length2)) return point(b, kb, best);
    const Vec3 m = cross(a, t);
    const double mm = norm2(m), pp = mm / length2;
    if (!(pp < best.norm2)) return;
    best.direction = cross(t, m);
    best.height = mm;
    best.length2 = mm * length2;
    best.norm2 = pp;
    best.name(kb, ka);
}

// n = (b - a) x (c - a), from the caller who may have it.
inline void triangle(Vec3 a, int ka, Vec3 b, int kb, Vec3 c, int kc, Vec3 n, Front& best) {
    const Vec3 ab = b - a, ac = c - a;
    const double whole = norm2(n);
    const double volume_b = dot(n, cross(ac, a)), volume_c = dot(n, cross(a, ab));
    const double volume_a = whole - volume_b - volume_c;
    if (volume_a > 0 && volume_b > 0 && volume_c > 0) {
        const double height = dot(n, a), pp = height * height / whole;
        if (!(pp < best.norm2)) return;
        best.direction = height > 0 ? n : -n;
        best.height = std::fabs(height);
        best.length2 = whole;
        best.norm2 = pp;
        best.name(kc, kb, ka);
        return;
    }
    // Without a bad sign at b or c rounding speaks: search both edges.
    const bool both = volume_b > 0 && volume_c > 0;
    if (both || !(volume_c > 0)) segment(a, ka, b, kb, best);
    if (both || !(volume_b > 0)) segment(a, ka, c, kc, best);
}

inline void triangle(Vec3 a, int ka, Vec3 b, int kb, Vec3 c, int kc, Front& best) {
    triangle(a, ka, b, kb, c, kc, cross(b - a, c - a), best);
}

inline void tetrahedron(Vec3 a, int ka, Vec3 b, int kb, Vec3 c, int kc, Vec3 d, int kd, Front& best) {
    const Vec3 ab = b - a, ac = c - a, ad = d - a;
    const Vec3 over_b = cross(ac, ad), over_c = cross(ad, ab), over_d = cross(ab, ac);
    const double whole = dot(ab, over_b);
    double volume_b = -dot(a, over_b), volume_c = -dot(a, over_c), volume_d = -dot(a, over_d);
    // A flat tetrahedron has no sign to compare with: search all facets of a.
    const bool flat = !(whole * whole > 1e-26 * norm2(ab) * norm2(over_b));
    if (whole < 0) {
        volume_b = -volume_b;
        volume_c = -volume_c;
        volume_d = -volume_d;
    }
    const bool in_b = volume_b > 0, in_c = volume_c > 0, in_d = volume_d > 0;
    if (!flat && in_b && in_c && in_d && std::fabs(whole) - volume_b - volume_c - volume_d > 0) {
        best.direction = {};
        best.height = best.length2 = best.norm2 = 0;
        best.name(kd, kc, kb, ka);
        return;
    }
    const bool all = flat || (in_b && in_c && in_d);
    if (all || !in_b) triangle(a, ka, c, kc, d, kd, over_b, best);
    if (all || !in_c) triangle(a, ka, d, kd, b, kb, over_c, best);
    if (all || !in_d) triangle(a, ka, b, kb, c, kc, over_d, best);
}

}  // namespace newest

// Barycentric coordinates of the closest point, in the order of the front, refined until the point stands on its face
// at a right angle to double precision. w are the vertices by number.
inline void front_weights(const Vec3* w, const Front& front, double* lambda) {
    const int n = front.count;
    const auto corner = [&](int k) {
        const Vec3& v = w[front.vertex(k)];
        return Vec3{v.x, v.y, v.z};
    };
    const Vec3 a = corner(n - 1);
    lambda[n - 1] = 1;
    if (n == 1) return;
    const Vec3 e = corner(0) - a;
    if (n == 2) {
        lambda[0] = -dot(a, e) / norm2(e);
        lambda[1] = 1 - lambda[0];
        return;
    }
    const Vec3 f = corner(1) - a;
    if (n == 3) {
        const Vec3 nn = cross(e, f);
        const double scale = 1 / norm2(nn);
        lambda[0] = dot(nn, cross(f, a)) * scale;
        lambda[1] = dot(nn, cross(a, e)) * scale;
        // Seen from nearer than it is wide, a triangle's normal is the better direction and the combination of the
        // corners may have slid along the face: put it back by the coordinates of the slip, as in iterative refinement.
        if (front.norm2 * (norm2(e) > norm2(f) ? norm2(e) : norm2(f)) * scale < 1) {
            const Vec3 slip = (front.height / front.length2) * front.direction - (a + lambda[0] * e + lambda[1] * f);
            lambda[0] += dot(nn, cross(slip, f)) * scale;
            lambda[1] += dot(nn, cross(e, slip)) * scale;
        }
    } else {
        const Vec3 g = corner(2) - a;
        const Vec3 over_e = cross(f, g), over_f = cross(g, e), over_g = cross(e, f);
        const double scale = 1 / dot(e, over_e);
        Vec3 rest = -a;
        lambda[0] = lambda[1] = lambda[2] = 0;
        for (int round = 0; round < 2; ++round) {
            lambda[0] += dot(rest, over_e) * scale;
            lambda[1] += dot(rest, over_f) * scale;
            lambda[2] += dot(rest, over_g) * scale;
            rest = -(a + lambda[0] * e + lambda[1] * f + lambda[2] * g);
        }
    }
    // Rounding may leave a weight a little below zero: the point stays in the simplex.
    double sum = 0;
    for (int k = 0; k < n - 1; ++k) sum += lambda[k] = lambda[k] > 0 ? lambda[k] : 0;
    if (sum > 1)
        for (int k = 0; k < n - 1; ++k) lambda[k] /= sum;
    lambda[n - 1] = sum < 1 ? 1 - sum : 0;
}

}  // namespace scree
