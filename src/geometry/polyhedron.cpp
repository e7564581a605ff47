#include "geometry/polyhedron.h"

#include <algorithm>
#include <limits>

namespace scree {
Polyhedron::Polyhedron(ConvexHull hull) : hull_(std::move(hull)), count_(static_cast<int>(hull_.points.size())) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    Vec3 low{infinite, infinite, infinite}, high{-infinite, -infinite, -infinite};
    for (const Vec3& p : hull_.points)
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], p[axis]);
            high[axis] = std::max(high[axis], p[axis]);
        }
    for (int axis = 0; axis < 3; ++axis) origin_[axis] = exact_shift(low[axis], high[axis]);
    center_ = (0.5 * low - origin_) + 0.5 * high;
    for (const Vec3& p : hull_.points) {
        points_.push_back(p - origin_);
        reach_ = std::max(reach_, norm(points_.back()));
    }
    reach_ *= 1 + 4 * std::numeric_limits<double>::epsilon();

    padded_ = (count_ + lanes - 1) / lanes * lanes;
    lanes_.resize(static_cast<std::size_t>(3 * padded_));
    for (int k = 0; k < padded_; ++k) {
        const Vec3 p = points_[static_cast<std::size_t>(k < count_ ? k : 0)];
        const std::size_t at = static_cast<std::size_t>(k / lanes * 3 * lanes + k % lanes);
        lanes_[at] = p.x, lanes_[at + lanes] = p.y, lanes_[at + 2 * lanes] = p.z;
    }
    if (count_ < climb_from || hull_.dimension < 2) return;
    for (int side = 0; side < 6; ++side)
        for (int iu = 0; iu < cells; ++iu)
            for (int iv = 0; iv < cells; ++iv) {
                const double major = side % 2 == 0 ? 1 : -1;
                const double u = (iu + 0.5) * 2 / cells - 1, v = (iv + 0.5) * 2 / cells - 1;
                const Vec3 d = side / 2 == 0 ? Vec3{major, u, v} : side / 2 == 1 ? Vec3{u, major, v} : Vec3{u, v, major};
                starts_.push_back(scan(d).index);
            }
    climbs_ = true;
}

}  // namespace scree
