#include "geometry/polyhedron.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "math/infinite.h"

namespace scree {
// Cut the points in halves along the longest side of their box until eight are left, and number them in that order.
void Polyhedron::sort_in_space() {
    std::vector<int> order(hull_.points.size());
    std::iota(order.begin(), order.end(), 0);
    const auto at = [&](int k) { return hull_.points[static_cast<std::size_t>(k)]; };
    std::vector<std::pair<int, int>> ranges{{0, count_}};
    while (!ranges.empty()) {
        const auto [begin, end] = ranges.back();
        ranges.pop_back();
        if (end - begin <= scan_width) continue;
        Vec3 low = at(order[static_cast<std::size_t>(begin)]), high = low;
        for (int k = begin; k < end; ++k)
            for (int axis = 0; axis < 3; ++axis) {
                const double c = at(order[static_cast<std::size_t>(k)])[axis];
                low[axis] = std::min(low[axis], c);
                high[axis] = std::max(high[axis], c);
            }
        const Vec3 side = high - low;
        const int axis = side.x >= side.y && side.x >= side.z ? 0 : side.y >= side.z ? 1 : 2;
        const int middle =
            begin + (end - begin + 2 * scan_width - 1) / (2 * scan_width) * scan_width;  // whole blocks on the left
        std::nth_element(order.begin() + begin, order.begin() + middle, order.begin() + end,
                         [&](int a, int b) { return at(a)[axis] != at(b)[axis] ? at(a)[axis] < at(b)[axis] : a < b; });
        ranges.emplace_back(begin, middle);
        ranges.emplace_back(middle, end);
    }
    std::vector<int> place(order.size());
    ConvexHull sorted;
    sorted.dimension = hull_.dimension;
    sorted.facets = std::move(hull_.facets);
    for (std::size_t k = 0; k < order.size(); ++k) place[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
    for (std::vector<int>& facet : sorted.facets)
        for (int& v : facet) v = place[static_cast<std::size_t>(v)];
    sorted.first_neighbor.push_back(0);
    for (const int v : order) {
        const auto from = static_cast<std::size_t>(v);
        sorted.points.push_back(hull_.points[from]);
        sorted.sources.push_back(hull_.sources[from]);
        for (int k = hull_.first_neighbor[from]; k < hull_.first_neighbor[from + 1]; ++k)
            sorted.neighbors.push_back(place[static_cast<std::size_t>(hull_.neighbors[static_cast<std::size_t>(k)])]);
        sorted.first_neighbor.push_back(static_cast<int>(sorted.neighbors.size()));
    }
    hull_ = std::move(sorted);
}

void Polyhedron::bound_blocks() {
    struct Ball {
        Vec3 middle;
        double radius;
    };
    const auto ball = [&](int begin, int end) -> Ball {
        end = std::min(end, count_);
        // What does not exist reaches nowhere.
        if (begin >= end) return {{}, -std::numeric_limits<double>::infinity()};
        Vec3 middle;
        for (int k = begin; k < end; ++k) middle += vertex(k) / (end - begin);
        double radius = 0;
        for (int k = begin; k < end; ++k) radius = std::max(radius, norm(vertex(k) - middle));
        return {middle,
                radius * (1 + 1e-12) + 1e-14 * reach_};  // more than the rounding of any product with a direction
    };
    const int in_group = scan_width * scan_width, groups = (count_ + in_group - 1) / in_group;
    bounds_.resize(static_cast<std::size_t>(groups * 4 * scan_width));
    for (int g = 0; g < groups; ++g) {
        const Ball all = ball(g * in_group, (g + 1) * in_group);
        group_bounds_.insert(group_bounds_.end(), {all.middle.x, all.middle.y, all.middle.z, all.radius});
        for (int k = 0; k < scan_width; ++k) {
            const Ball part = ball(g * in_group + k * scan_width, g * in_group + (k + 1) * scan_width);
            double* to = bounds_.data() + g * 4 * scan_width + k;
            to[0] = part.middle.x;
            to[scan_width] = part.middle.y;
            to[2 * scan_width] = part.middle.z;
            to[3 * scan_width] = part.radius;
        }
    }
}

Polyhedron::Polyhedron(ConvexHull hull) : hull_(std::move(hull)), count_(static_cast<int>(hull_.points.size())) {
    if (count_ >= climb_from) sort_in_space();
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

    padded_ = (count_ + scan_width - 1) / scan_width * scan_width;
    lanes_.resize(static_cast<std::size_t>(3 * padded_));
    for (int k = 0; k < padded_; ++k) {
        const Vec3 p = points_[static_cast<std::size_t>(k < count_ ? k : 0)];
        const std::size_t at = static_cast<std::size_t>(k / scan_width * 3 * scan_width + k % scan_width);
        lanes_[at] = p.x;
        lanes_[at + scan_width] = p.y;
        lanes_[at + 2 * scan_width] = p.z;
    }
    if (count_ < climb_from) return;
    bound_blocks();
    for (int side = 0; side < 6; ++side)
        for (int iu = 0; iu < cells; ++iu)
            for (int iv = 0; iv < cells; ++iv) {
                const double major = side % 2 == 0 ? 1 : -1;
                const double u = (iu + 0.5) * 2 / cells - 1, v = (iv + 0.5) * 2 / cells - 1;
                const Vec3 d = side / 2 == 0   ? Vec3{major, u, v}
                               : side / 2 == 1 ? Vec3{u, major, v}
                                               : Vec3{u, v, major};
                starts_.push_back(scan(d).index);
            }
    climbs_ = true;
}

}  // namespace scree
