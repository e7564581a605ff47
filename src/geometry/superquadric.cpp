#include "geometry/superquadric.h"

#include <fmt/format.h>

#include "math/elementary.h"
#include "scree/error.h"

namespace scree {
namespace {

constexpr double largest_half_axis = 1e40;  // fourth powers of lengths stay within doubles

}  // namespace

Superquadric::Superquadric(Vec3 half_axes, double power) : half_(half_axes), power_(power) {
    for (int axis = 0; axis < 3; ++axis)
        if (!(half_axes[axis] >= 0 && half_axes[axis] <= largest_half_axis))
            throw Error(ErrorKind::bad_input, fmt::format("a half axis of a superquadric is {}: it must be a length "
                                                          "between 0 and {}",
                                                          half_axes[axis], largest_half_axis));
    if (!(power >= 1 && power <= 1000))
        throw Error(ErrorKind::bad_input,
                    fmt::format("the power of a superquadric is {}: it must be between 1 (below it is not convex) and "
                                "1000",
                                power));
    reach_ = norm(half_);
}

// With s_i = |a_i d_i| the gradient condition gives (x_i / a_i)^p proportional to s_i^q, 1/p + 1/q = 1.
Support Superquadric::support(Vec3 d, int) const {
    Vec3 s;
    double largest_half_axis = 0;
    for (int axis = 0; axis < 3; ++axis) {
        s[axis] = std::fabs(half_[axis] * d[axis]);
        largest_half_axis = std::fmax(largest_half_axis, s[axis]);
    }
    if (!(largest_half_axis > 0)) return {{}, -1};
    Vec3 x;
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double part = s[axis] / largest_half_axis;
        // An octahedron has its support in a corner.
        if (power_ == 1)
            x[axis] = part == 1 && sum == 0 ? 1 : 0;
        else
            x[axis] = part > 0 ? same_pow(part, 1 / (power_ - 1)) : 0;
        sum += x[axis] > 0 ? same_pow(x[axis], power_) : 0;
    }
    const double scale = 1 / same_pow(sum, 1 / power_);
    for (int axis = 0; axis < 3; ++axis) x[axis] *= scale * (d[axis] < 0 ? -half_[axis] : half_[axis]);
    return {x, -1};
}

}  // namespace scree
