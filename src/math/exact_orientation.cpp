#include "math/exact_orientation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/exact_integer.h"

namespace scree {
namespace {

// Below this a product of three differences may have lost bits to underflow, above it may overflow: no filter then.
constexpr double smallest_product = 1e-250, largest_product = 1e250;

}  // namespace

int orientation_exact(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    const std::array points{a, b, c, d};
    const int exponent = common_exponent(points);
    const ExactVec3 origin = exact_vector(a, exponent);
    return dot(cross(exact_vector(b, exponent) - origin, exact_vector(c, exponent) - origin),
               exact_vector(d, exponent) - origin)
        .sign();
}

int orientation(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    const Vec3 p = b - a, q = c - a, r = d - a;
    const double yz = p.y * q.z, zy = p.z * q.y, zx = p.z * q.x, xz = p.x * q.z, xy = p.x * q.y, yx = p.y * q.x;
    const double value = (yz - zy) * r.x + (zx - xz) * r.y + (xy - yx) * r.z;
    const double size = (std::fabs(yz) + std::fabs(zy)) * std::fabs(r.x) +
                        (std::fabs(zx) + std::fabs(xz)) * std::fabs(r.y) +
                        (std::fabs(xy) + std::fabs(yx)) * std::fabs(r.z);
    // Each difference, product and sum adds at most 2^-53 of `size`, ten of them in sequence: 2^-49 is safe.
    if (size > smallest_product && size < largest_product && std::fabs(value) > 0x1p-49 * size)
        return value > 0 ? 1 : -1;
    return orientation_exact(a, b, c, d);
}

bool collinear(Vec3 a, Vec3 b, Vec3 c) {
    const Vec3 p = b - a, q = c - a, n = cross(p, q);
    const Vec3 size{std::fabs(p.y * q.z) + std::fabs(p.z * q.y), std::fabs(p.z * q.x) + std::fabs(p.x * q.z),
                    std::fabs(p.x * q.y) + std::fabs(p.y * q.x)};
    for (int axis = 0; axis < 3; ++axis)
        if (size[axis] > smallest_product && size[axis] < largest_product && std::fabs(n[axis]) > 0x1p-49 * size[axis])
            return false;
    const std::array points{a, b, c};
    const int exponent = common_exponent(points);
    const ExactVec3 origin = exact_vector(a, exponent);
    return cross(exact_vector(b, exponent) - origin, exact_vector(c, exponent) - origin).is_zero();
}

int orientation_dropping(int axis, Vec3 a, Vec3 b, Vec3 c) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double left = (b[u] - a[u]) * (c[v] - a[v]), right = (b[v] - a[v]) * (c[u] - a[u]);
    const double value = left - right, size = std::fabs(left) + std::fabs(right);
    if (size > smallest_product && size < largest_product && std::fabs(value) > 0x1p-49 * size)
        return value > 0 ? 1 : -1;
    const std::array points{a, b, c};
    const int exponent = common_exponent(points);
    const ExactVec3 origin = exact_vector(a, exponent);
    const ExactVec3 n = cross(exact_vector(b, exponent) - origin, exact_vector(c, exponent) - origin);
    return (axis == 0 ? n.x : axis == 1 ? n.y : n.z).sign();
}

}  // namespace scree
