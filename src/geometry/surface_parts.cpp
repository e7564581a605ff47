// The convex parts of surfaces. A corner of a body finds everything there is on a wall; the middle of its edge or side
// only what sticks out: the rest is touched by a corner as well or earlier.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "geometry/surface.h"

namespace scree {
namespace {

constexpr double one_plane = 1e-3;  // rad: triangles that bend less are of one plane; files have seven digits
constexpr double blunt_tip = 0.25;  // of the radius of the other end: cones that end thinner have a tip

}  // namespace

// Edges at which the surface ends or bends, either way: sheets have two sides.
void Surface::find_sharp_edges() {
    std::map<std::pair<int, int>, std::vector<int>> sides;
    const auto& triangles = triangles_.triangles();
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const int p = triangles[t][k], q = triangles[t][(k + 1) % 3];
            sides[{std::min(p, q), std::max(p, q)}].push_back(static_cast<int>(t));
        }
    // The third corner of the other triangle lies in the plane of the first, beyond the edge.
    const auto goes_on = [&](int t, int other, std::pair<int, int> edge) {
        for (int k = 0; k < 3; ++k) {
            const int corner = triangles[static_cast<std::size_t>(other)][static_cast<std::size_t>(k)];
            if (corner == edge.first || corner == edge.second) continue;
            const Vec3 p = triangles_.points()[static_cast<std::size_t>(edge.first)],
                       q = triangles_.points()[static_cast<std::size_t>(edge.second)];
            Vec3 third;
            for (const int c : triangles[static_cast<std::size_t>(t)])
                if (c != edge.first && c != edge.second) third = triangles_.points()[static_cast<std::size_t>(c)];
            const Vec3 along = normalized(q - p), d = triangles_.corner(other, k) - p, own = third - p;
            const Vec3 inward = normalized(own - dot(own, along) * along);
            const double beyond = -dot(d, inward);
            return beyond > 0 && std::fabs(dot(d, triangles_.normal(t))) < one_plane * beyond;
        }
        return false;
    };
    sharp_.assign(triangles.size(), 0);
    std::map<int, bool> taken;
    for (const auto& [edge, at] : sides) {
        if (at.size() == 2 && goes_on(at[0], at[1], edge)) continue;
        const auto& t = triangles[static_cast<std::size_t>(at[0])];
        for (std::size_t k = 0; k < 3; ++k) {
            const int p = t[k], q = t[(k + 1) % 3];
            if (std::min(p, q) == edge.first && std::max(p, q) == edge.second)
                sharp_[static_cast<std::size_t>(at[0])] |= static_cast<std::uint8_t>(1u << k);
            if ((p == edge.first || p == edge.second) && !std::exchange(taken[p], true))
                sharp_[static_cast<std::size_t>(at[0])] |= static_cast<std::uint8_t>(8u << k);
        }
    }
}

void Surface::convex_parts(int feature, std::vector<ConvexPart>& out) const {
    using Part = ConvexPart::Kind;
    switch (kind_) {
        case Kind::plane:
        case Kind::box_inside:
        case Kind::sphere_inside:
            return;
        case Kind::sphere_outside:
            out.push_back({Part::ball, sphere_.center, {}, sphere_.radius, 0, 0});
            return;
        case Kind::balls:
            out.push_back({Part::ball,
                           balls_[static_cast<std::size_t>(feature)].center,
                           {},
                           balls_[static_cast<std::size_t>(feature)].radius,
                           feature,
                           feature});
            return;
        case Kind::box_outside: {
            const auto corner = [&](int k) {
                return Vec3{k & 1 ? high_.x : low_.x, k & 2 ? high_.y : low_.y, k & 4 ? high_.z : low_.z};
            };
            for (int k = 0; k < (dimension_ == 3 ? 8 : 4); ++k) {
                const Vec3 here = dimension_ == 3 ? corner(k) : Vec3{corner(k).x, corner(k).y, 0};
                out.push_back({Part::point, here, {}, 0, -1, k});
                for (int axis = 0; axis < 3 && dimension_ == 3; ++axis)
                    if (const int bit = 1 << axis; !(k & bit))
                        out.push_back({Part::segment, here, corner(k | bit), 0, -1, 8 + 3 * k + axis});
            }
            return;
        }
        case Kind::revolution: {
            if (feature != 0) return;
            const Revolution& f = revolution_;
            const Vec3 start = f.origin + f.h0 * f.axis, end = f.origin + f.h1 * f.axis;
            if (f.starts_at_rim) out.push_back({Part::circle, start, f.axis, f.s0, -1, 0});
            if (f.s1 > 0) out.push_back({Part::circle, end, f.axis, f.s1, -1, 1});
            if (f.flat) return;
            out.push_back({Part::turned, f.origin, f.axis, 0, 0, 2});
            // The tip of a cone, and what is nearly one: over so small a rim what is closest to it jumps about.
            if (f.s0 < blunt_tip * f.s1) out.push_back({Part::point, start, {}, 0, -1, 3});
            if (f.s1 < blunt_tip * f.s0) out.push_back({Part::point, end, {}, 0, -1, 4});
            return;
        }
        case Kind::polyline:
            for (int k = feature; k <= feature + (static_cast<std::size_t>(feature) + 2 == vertices_.size()); ++k)
                out.push_back({Part::point, vertices_[static_cast<std::size_t>(k)], {}, 0, -1, k});
            return;
        case Kind::mesh: {
            const std::uint8_t bits = sharp_[static_cast<std::size_t>(feature)];
            for (int k = 0; k < 3; ++k) {
                if (bits & (1u << k))
                    out.push_back({Part::segment, triangles_.corner(feature, k),
                                   triangles_.corner(feature, (k + 1) % 3), 0, -1, 6 * feature + k});
                if (bits & (8u << k))
                    out.push_back({Part::point, triangles_.corner(feature, k), {}, 0, -1, 6 * feature + 3 + k});
            }
            return;
        }
    }
}

}  // namespace scree
