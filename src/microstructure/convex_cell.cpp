#include "convex_cell.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::micro {

ConvexCell::ConvexCell(Vec3 low, Vec3 high) {
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            Vec3 normal;
            normal[axis] = side ? 1 : -1;
            planes_.push_back({-2 - (2 * axis + side), normal, side ? high[axis] : -low[axis]});
        }
    for (int c = 0; c < 8; ++c) {
        const bool x = c & 1, y = c & 2, z = c & 4;
        Corner corner;
        corner.plane = {x ? 1 : 0, y ? 3 : 2, z ? 5 : 4};
        corner.across = {c ^ 1, c ^ 2, c ^ 4};
        corner.at = {x ? high.x : low.x, y ? high.y : low.y, z ? high.z : low.z};
        if ((x + y + z) % 2 == 0) {  // three planes +++ are counter-clockwise, each reflection turns them round
            std::swap(corner.plane[1], corner.plane[2]);
            std::swap(corner.across[1], corner.across[2]);
        }
        corners_.push_back(corner);
    }
}

// The corners to be removed shall hang together, and those to be kept, too. In exact arithmetic they do.
void ConvexCell::settle_sides() {
    const std::size_t n = corners_.size();
    const auto reach = [&](std::size_t start, std::int8_t side) {
        part_.assign(n, 0);
        stack_.assign(1, static_cast<std::int32_t>(start));
        part_[start] = 1;
        while (!stack_.empty()) {
            const auto c = static_cast<std::size_t>(stack_.back());
            stack_.pop_back();
            for (const std::int32_t d : corners_[c].across)
                if (side_[static_cast<std::size_t>(d)] == side && !part_[static_cast<std::size_t>(d)]) {
                    part_[static_cast<std::size_t>(d)] = 1;
                    stack_.push_back(d);
                }
        }
    };
    const auto most = std::max_element(beyond_.begin(), beyond_.end()) - beyond_.begin();
    reach(static_cast<std::size_t>(most), 1);
    for (std::size_t c = 0; c < n; ++c)
        if (side_[c] == 1 && !part_[c]) side_[c] = 0;
    const auto least = std::min_element(beyond_.begin(), beyond_.end()) - beyond_.begin();
    reach(static_cast<std::size_t>(least), 0);
    for (std::size_t c = 0; c < n; ++c)
        if (side_[c] == 0 && !part_[c]) side_[c] = 1;
}

bool ConvexCell::cut(const CutPlane& plane) {
    const std::size_t n = corners_.size();
    if (n == 0) return false;
    beyond_.resize(n);
    side_.assign(n, 0);
    std::size_t removed = 0;
    for (std::size_t c = 0; c < n; ++c) {
        beyond_[c] = dot(plane.normal, corners_[c].at) - plane.offset;
        if (beyond_[c] > 0) {
            side_[c] = 1;
            ++removed;
        }
    }
    if (removed == 0) return false;
    if (removed == n) {
        corners_.clear();
        return true;
    }
    settle_sides();
    const auto added = static_cast<std::int32_t>(planes_.size());
    planes_.push_back(plane);

    renumber_.assign(n, -1);
    std::size_t kept = 0;
    for (std::size_t c = 0; c < n; ++c)
        if (!side_[c]) renumber_[c] = static_cast<std::int32_t>(kept++);
    at_plane_.assign(planes_.size(), -1);
    // New corners are appended behind the old ones, with numbers as they will be.
    for (std::size_t c = 0; c < n; ++c) {
        if (side_[c]) continue;
        for (std::size_t k = 0; k < 3; ++k) {
            const auto d = static_cast<std::size_t>(corners_[c].across[k]);
            if (!side_[d]) continue;
            const double inner = beyond_[c], outer = beyond_[d];
            const double t = outer > inner ? std::clamp(inner / (inner - outer), 0.0, 1.0) : 0;
            Corner corner;
            corner.plane = {added, corners_[c].plane[(k + 2) % 3], corners_[c].plane[(k + 1) % 3]};
            corner.across = {renumber_[c], -1, -1};
            corner.at = corners_[c].at + t * (corners_[d].at - corners_[c].at);
            const auto number = static_cast<std::int32_t>(kept + corners_.size() - n);
            at_plane_[static_cast<std::size_t>(corner.plane[1])] = static_cast<std::int32_t>(corners_.size());
            corners_[c].across[k] = -2 - number;  // so that it is not renumbered below
            corners_.push_back(corner);
        }
    }
    for (std::size_t c = n; c < corners_.size(); ++c) {
        const auto other = static_cast<std::size_t>(at_plane_[static_cast<std::size_t>(corners_[c].plane[2])]);
        corners_[c].across[1] = static_cast<std::int32_t>(kept + other - n);
        corners_[other].across[2] = static_cast<std::int32_t>(kept + c - n);
    }
    for (std::size_t c = 0; c < n; ++c) {
        if (side_[c]) continue;
        for (std::int32_t& d : corners_[c].across) d = d < -1 ? -2 - d : renumber_[static_cast<std::size_t>(d)];
        corners_[static_cast<std::size_t>(renumber_[c])] = corners_[c];
    }
    corners_.erase(corners_.begin() + static_cast<std::ptrdiff_t>(kept),
                   corners_.begin() + static_cast<std::ptrdiff_t>(n));
    return true;
}

double ConvexCell::reach2() const {
    double most = 0;
    for (const Corner& corner : corners_) most = std::max(most, norm2(corner.at));
    return most;
}

ConvexCell::Measures ConvexCell::measures() const {
    Measures sum;
    if (corners_.empty()) return sum;
    const Vec3 base = corners_[0].at;
    for_each_face([&](const CutPlane&, const std::vector<std::int32_t>& loop) {
        const Vec3 a = corners_[static_cast<std::size_t>(loop[0])].at - base;
        Vec3 twice_area;
        for (std::size_t k = 2; k < loop.size(); ++k) {
            const Vec3 b = corners_[static_cast<std::size_t>(loop[k - 1])].at - base,
                       c = corners_[static_cast<std::size_t>(loop[k])].at - base;
            twice_area += cross(b - a, c - a);
            const double six = dot(a, cross(b, c));
            sum.volume += six / 6;
            sum.moment += (six / 24) * (a + b + c);
            for (int axis = 0; axis < 3; ++axis)
                sum.second[axis] += six / 60 *
                                    (a[axis] * a[axis] + b[axis] * b[axis] + c[axis] * c[axis] + a[axis] * b[axis] +
                                     a[axis] * c[axis] + b[axis] * c[axis]);
        }
        sum.area += norm(twice_area) / 2;
    });
    for (int axis = 0; axis < 3; ++axis)
        sum.second[axis] += 2 * base[axis] * sum.moment[axis] + base[axis] * base[axis] * sum.volume;
    sum.moment += sum.volume * base;
    return sum;
}

}  // namespace scree::micro
