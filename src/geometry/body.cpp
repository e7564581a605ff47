#include "geometry/body.h"

#include <fmt/format.h>

#include <algorithm>

#include "scree/error.h"

namespace scree {
namespace {

// Squares of squares of lengths stay far from the ends of the range of doubles.
constexpr double smallest_size = 1e-40, largest_size = 1e40;

void require_length(double value, const char* what) {
    if (!(value >= 0 && value <= largest_size))
        throw Error(ErrorKind::bad_input,
                    fmt::format("{} of a body is {}: it must be a length between 0 and {}", what, value, largest_size));
    if (value > 0 && value < smallest_size)
        throw Error(ErrorKind::bad_input,
                    fmt::format("{} of a body is {}: use 0 or at least {}", what, value, smallest_size));
}

}  // namespace

Ellipsoid::Ellipsoid(Vec3 half_axes) : half_(half_axes) {
    for (int axis = 0; axis < 3; ++axis) require_length(half_axes[axis], "a half axis");
    reach_ = std::max({half_.x, half_.y, half_.z});
}

Support Ellipsoid::support(Vec3 d, int) const {
    // The gradient condition: p = H^2 d / |H d| with H the diagonal of half axes.
    const Vec3 scaled{half_.x * d.x, half_.y * d.y, half_.z * d.z};
    const double length = norm(scaled);
    if (!(length > 0)) return {{}, -1};
    return {Vec3{half_.x * (scaled.x / length), half_.y * (scaled.y / length), half_.z * (scaled.z / length)}, -1};
}

Cylinder::Cylinder(double radius, double half_height) : radius_(radius), half_height_(half_height) {
    require_length(radius, "the radius");
    require_length(half_height, "half the height");
    reach_ = std::sqrt(radius * radius + half_height * half_height) * (1 + 1e-15);
}

Support Cylinder::support(Vec3 d, int) const {
    const double across = std::sqrt(d.x * d.x + d.y * d.y);
    const double scale = across > 0 ? radius_ / across : 0;
    return {{d.x * scale, d.y * scale, d.z < 0 ? -half_height_ : half_height_}, -1};
}

Cone::Cone(double radius, double half_height) : radius_(radius), half_height_(half_height) {
    require_length(radius, "the radius");
    require_length(half_height, "half the height");
    reach_ = std::sqrt(radius * radius + half_height * half_height) * (1 + 1e-15);
}

Support Cone::support(Vec3 d, int) const {
    const double across = std::sqrt(d.x * d.x + d.y * d.y);
    if (d.z * half_height_ >= across * radius_ - d.z * half_height_) return {{0, 0, half_height_}, -1};
    const double scale = across > 0 ? radius_ / across : 0;
    return {{d.x * scale, d.y * scale, -half_height_}, -1};
}

}  // namespace scree
