// Rotations about an axis.
#pragma once

#include "math/elementary.h"
#include "math/vec.h"

namespace scree {

// Turns by `angle` about the direction `axis` (Rodrigues).
inline Mat3 rotation_about(Vec3 axis, double angle) {
    const Vec3 u = normalized(axis);
    const SinCos turn = same_sincos(angle);
    const double c = turn.cos, s = turn.sin, d = 1 - c;
    Mat3 m;
    m.row[0] = {c + d * u.x * u.x, d * u.x * u.y - s * u.z, d * u.x * u.z + s * u.y};
    m.row[1] = {d * u.y * u.x + s * u.z, c + d * u.y * u.y, d * u.y * u.z - s * u.x};
    m.row[2] = {d * u.z * u.x - s * u.y, d * u.z * u.y + s * u.x, c + d * u.z * u.z};
    return m;
}

}  // namespace scree
