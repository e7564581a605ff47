// Space that repeats along some axes: the one type for it, whoever asks.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "math/vec.h"

namespace scree {

// Length of each periodic axis, 0 for the others. Coordinates of periodic axes lie in [low, low + length).
struct Periodicity {
    Vec3 low, length;

    Periodicity() = default;
    Periodicity(Vec3 low_end, Vec3 lengths) : low(low_end), length(lengths) {}
    // As scenes give it: an interval for each axis that repeats.
    Periodicity(const std::array<std::optional<std::pair<double, double>>, 3>& intervals) {
        for (int axis = 0; axis < 3; ++axis)
            if (const auto& interval = intervals[static_cast<std::size_t>(axis)]) {
                low[axis] = interval->first;
                length[axis] = interval->second - interval->first;
            }
    }

    bool along(int axis) const { return length[axis] > 0; }
    bool any() const { return along(0) || along(1) || along(2); }
    // The representative nearest to zero of a difference of two positions within the intervals.
    Vec3 nearest(Vec3 d) const {
        for (int axis = 0; axis < 3; ++axis) {
            const double l = length[axis];
            if (l > 0) d[axis] = d[axis] > 0.5 * l ? d[axis] - l : d[axis] < -0.5 * l ? d[axis] + l : d[axis];
        }
        return d;
    }
    // The same of any difference, however many periods long.
    Vec3 nearest_of_any(Vec3 d) const {
        for (int axis = 0; axis < 3; ++axis)
            if (along(axis)) d[axis] -= length[axis] * std::floor(d[axis] / length[axis] + 0.5);
        return d;
    }
    // A position brought into the intervals.
    Vec3 wrapped(Vec3 x) const {
        for (int axis = 0; axis < 3; ++axis) {
            if (!along(axis)) continue;
            const double turns = std::floor((x[axis] - low[axis]) / length[axis]);
            if (turns != 0) x[axis] -= turns * length[axis];
        }
        return x;
    }
};

}  // namespace scree
