// Orientations as unit quaternions, and the free motion of a rigid body. What moves bodies runs inside the loops over
// lanes of engine/kernels/body_kernel.cpp.
#pragma once

#include <cmath>

#include "core/inline.h"
#include "math/elementary.h"
#include "math/vec.h"

namespace scree {

struct Quaternion {  // turns the body's axes into the world's
    double w = 1, x = 0, y = 0, z = 0;
    friend bool operator==(const Quaternion&, const Quaternion&) = default;
};

constexpr Quaternion operator*(Quaternion a, Quaternion b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
constexpr Quaternion conjugate(Quaternion q) { return {q.w, -q.x, -q.y, -q.z}; }
SCREE_INLINE Quaternion normalized(Quaternion q) {
    const double s = 1 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return {s * q.w, s * q.x, s * q.y, s * q.z};
}
// Whether normalized() makes a rotation of it: not of zero, nor of what is too large or too small to be squared.
inline bool is_rotation(Quaternion q) {
    const double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    return square > 0 && std::isfinite(1 / square) && std::isfinite(square);
}
inline Quaternion turn_about(Vec3 axis, double angle) {
    const SinCos half = same_sincos(0.5 * angle);
    const Vec3 u = (half.sin / norm(axis)) * axis;
    return {half.cos, u.x, u.y, u.z};
}
__attribute__((always_inline)) constexpr Mat3 matrix_of(Quaternion q) {
    const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return {{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
             {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
             {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
}
// The rotation of a matrix with orthonormal rows (Shepperd's choice of the largest component).
inline Quaternion quaternion_of(const Mat3& m) {
    const double t[4] = {m.row[0].x + m.row[1].y + m.row[2].z, m.row[0].x, m.row[1].y, m.row[2].z};
    int largest = 0;
    for (int k = 1; k < 4; ++k) largest = t[k] > t[largest] ? k : largest;
    Quaternion q;
    switch (largest) {
        case 0:
            q = {1 + t[0], m.row[2].y - m.row[1].z, m.row[0].z - m.row[2].x, m.row[1].x - m.row[0].y};
            break;
        case 1:
            q = {m.row[2].y - m.row[1].z, 1 + t[1] - t[2] - t[3], m.row[0].y + m.row[1].x, m.row[0].z + m.row[2].x};
            break;
        case 2:
            q = {m.row[0].z - m.row[2].x, m.row[0].y + m.row[1].x, 1 - t[1] + t[2] - t[3], m.row[1].z + m.row[2].y};
            break;
        default:
            q = {m.row[1].x - m.row[0].y, m.row[0].z + m.row[2].x, m.row[1].z + m.row[2].y, 1 - t[1] - t[2] + t[3]};
    }
    return normalized(q);
}

// One step of a rigid body free of torque, its angular momentum in the world's axes and its inverse principal moments
// in the body's. The kinetic energy is split into that of the three axes, each of which turns the body about that axis
// at a rate known from the momentum along it, in the symmetric order 1 2 3 2 1. The momentum is kept to rounding, the
// energy to a bounded error of second order, whatever the number of steps (the map is symplectic: each part is the flow
// of a function of one component). Angles are turned by rational rotations, tan(a/2) = (a/2)(1 + a^2/12): exact
// rotations, by an angle right to fifth order, of the same bits everywhere, and cheaper than sines.
SCREE_INLINE Quaternion turned_freely(Quaternion q, Vec3 momentum, Vec3 inverse_inertia, double dt) {
    Vec3 l = matrix_of(q).transposed_times(momentum);
    // The momentum, seen from the body, as it turns about one axis: the component along it stays, the two others turn.
    // Returns the tangent of half the angle.
    const auto turn = [](double time, double own, double inverse, double& lj, double& lk) {
        const double angle = time * own * inverse;
        const double t = 0.5 * angle * (1 + angle * angle * (1.0 / 12));
        const double scale = 1 / (1 + t * t), c = (1 - t * t) * scale, s = 2 * t * scale;
        const double j = lj, k = lk;
        lj = c * j + s * k;
        lk = c * k - s * j;
        return t;
    };
    const auto about_x = [](Quaternion p, double t) {
        return Quaternion{p.w - t * p.x, p.x + t * p.w, p.y + t * p.z, p.z - t * p.y};
    };
    const auto about_y = [](Quaternion p, double t) {
        return Quaternion{p.w - t * p.y, p.x - t * p.z, p.y + t * p.w, p.z + t * p.x};
    };
    const auto about_z = [](Quaternion p, double t) {
        return Quaternion{p.w - t * p.z, p.x + t * p.y, p.y - t * p.x, p.z + t * p.w};
    };
    q = about_x(q, turn(0.5 * dt, l.x, inverse_inertia.x, l.y, l.z));
    q = about_y(q, turn(0.5 * dt, l.y, inverse_inertia.y, l.z, l.x));
    q = about_z(q, turn(dt, l.z, inverse_inertia.z, l.x, l.y));
    q = about_y(q, turn(0.5 * dt, l.y, inverse_inertia.y, l.z, l.x));
    q = about_x(q, turn(0.5 * dt, l.x, inverse_inertia.x, l.y, l.z));
    return normalized(q);
}

// The same of a body whose three moments are equal: it turns about its momentum, whichever way its axes lie, and there
// is nothing to split. The way it turns, as the axis times the tangent of half the angle; and the body after it.
SCREE_INLINE Vec3 even_turn(Vec3 momentum, double inverse_moment, double dt) {
    const Vec3 angle = dt * (inverse_moment * momentum);
    return (0.5 * (1 + norm2(angle) * (1.0 / 12))) * angle;
}
SCREE_INLINE Quaternion turned_by(Vec3 turn, Quaternion q) {
    const Vec3 t = turn;
    return normalized({q.w - t.x * q.x - t.y * q.y - t.z * q.z, q.x + t.x * q.w + t.y * q.z - t.z * q.y,
                       q.y - t.x * q.z + t.y * q.w + t.z * q.x, q.z + t.x * q.y - t.y * q.x + t.z * q.w});
}

// Angular velocity in the world's axes.
SCREE_INLINE Vec3 angular_velocity(const Mat3& rotation, Vec3 momentum, Vec3 inverse_inertia) {
    const Vec3 l = rotation.transposed_times(momentum);
    return rotation * Vec3{l.x * inverse_inertia.x, l.y * inverse_inertia.y, l.z * inverse_inertia.z};
}
// The inverse of the inertia tensor in the world's axes, as xx, yy, zz, xy, xz, yz.
struct SymmetricSix {
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
};
SCREE_INLINE SymmetricSix turned_inverse_inertia(const Mat3& m, Vec3 inverse) {
    const auto entry = [&](Vec3 a, Vec3 b) {
        return a.x * b.x * inverse.x + a.y * b.y * inverse.y + a.z * b.z * inverse.z;
    };
    const Vec3* const r = m.row;
    return {entry(r[0], r[0]), entry(r[1], r[1]), entry(r[2], r[2]),
            entry(r[0], r[1]), entry(r[0], r[2]), entry(r[1], r[2])};
}
inline Vec3 angular_momentum(const Mat3& rotation, Vec3 velocity, Vec3 inertia) {
    const Vec3 w = rotation.transposed_times(velocity);
    return rotation * Vec3{w.x * inertia.x, w.y * inertia.y, w.z * inertia.z};
}

}  // namespace scree
