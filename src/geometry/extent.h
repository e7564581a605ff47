// An axis-parallel box: how far something extends.
#pragma once

#include <algorithm>
#include <limits>

#include "math/vec.h"

namespace scree {

struct Extent {
    static constexpr double unbounded = std::numeric_limits<double>::infinity();
    Vec3 low{unbounded, unbounded, unbounded}, high{-unbounded, -unbounded, -unbounded};  // empty

    void include(Vec3 p) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    void include(const Extent& other) {
        if (other.empty()) return;
        include(other.low);
        include(other.high);
    }
    bool empty() const { return low.x > high.x; }
    bool contains(Vec3 p) const {
        return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z && p.z <= high.z;
    }
};

}  // namespace scree
