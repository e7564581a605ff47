// How near surfaces come to a convex body, for bodies that are put somewhere: while a body moves, corners and rims tell
// enough (wall/rim_points.h), but they do not see a sheet that passes between the corners.
//
// A sheet of revolution is cut into sectors. The hull of a sector's corners, and of the points where the tangents at
// its ends meet, holds it, so its distance is a lower bound; that of the line in the middle is an upper one. Sectors
// that may be near are halved.
#include <algorithm>
#include <cmath>

#include "geometry/gjk.h"
#include "geometry/surface.h"
#include "math/elementary.h"

namespace scree {
namespace {

constexpr double narrowest = 1e-4;  // rad, of half a sector: what may be missed is 1e-8 of the radius deep

template <class Feature>
double between(const Polyhedron& body, const Feature& feature) {
    const Distance d = distance(body, feature);
    return d.skeletons_overlap ? 0 : d.gap;
}

// Of the line from (h0, s0) to (h1, s1) turned about an axis.
struct Turned {
    Vec3 origin, axis, u, v;
    double h0, s0, h1, s1;
    const Polyhedron& body;
    double limit;

    Vec3 at(double h, double s, SinCos angle) const { return origin + h * axis + s * (angle.cos * u + angle.sin * v); }

    std::optional<double> in_sector(double middle, double half) const {
        const SinCos here = same_sincos(middle);
        const Vec3 from = at(h0, s0, here), along = at(h1, s1, here) - from, x = body.origin() - from;
        // The sector is near its middle line, the body near its origin.
        const double away = norm(x - std::clamp(dot(x, along) / norm2(along), 0.0, 1.0) * along);
        if (away - body.reach() - half * std::fmax(s0, s1) >= limit) return {};
        const SinCos before = same_sincos(middle - half), after = same_sincos(middle + half);
        const double tangents = 1 / same_sincos(half).cos;
        const SimplexBody<6> around(at(h0, s0, before), at(h0, s0, after), at(h0, s0 * tangents, here),
                                    at(h1, s1, before), at(h1, s1, after), at(h1, s1 * tangents, here));
        if (between(body, around) >= limit) return {};
        if (const double d = between(body, SegmentBody(from, from + along)); d < limit) return d;
        if (half < narrowest) return {};
        const auto first = in_sector(middle - 0.5 * half, 0.5 * half);
        return first ? first : in_sector(middle + 0.5 * half, 0.5 * half);
    }
};

}  // namespace

std::optional<double> Surface::nearer_than(double limit, const Polyhedron& body) const {
    if (!has_convex_parts()) return {};
    if (kind_ == Kind::revolution) {
        const Revolution& f = revolution_;
        if (dimension_ == 2) {
            const Vec3 side{-f.axis.y, f.axis.x, 0};
            for (const double sign : {-1.0, 1.0})
                if (const double d = between(body, SegmentBody(f.origin + f.h0 * f.axis + sign * f.s0 * side,
                                                               f.origin + f.h1 * f.axis + sign * f.s1 * side));
                    d < limit)
                    return d;
            return {};
        }
        constexpr int sectors = 8;
        const Turned turned{f.origin, f.axis, f.side, cross(f.axis, f.side), f.h0, f.s0, f.h1, f.s1, body, limit};
        for (int k = 0; k < sectors; ++k)
            if (const auto d = turned.in_sector(2 * pi * k / sectors, pi / sectors)) return d;
        return {};
    }
    std::vector<int> features;
    features_near(body.origin(), body.reach() + limit, features);
    for (const int feature : features) {
        const auto index = static_cast<std::size_t>(feature);
        double d = limit;
        switch (kind_) {
            case Kind::sphere_outside:
                d = between(body, PointBody(sphere_.center)) - sphere_.radius;
                break;
            case Kind::balls:
                d = between(body, PointBody(body.origin() - index_.periodicity().nearest_of_any(
                                                                body.origin() - balls_[index].center))) -
                    balls_[index].radius;
                break;
            case Kind::polyline:
                d = between(body, SegmentBody(vertices_[index], vertices_[index + 1]));
                break;
            case Kind::mesh:
                d = between(body, TriangleBody(triangles_.corner(feature, 0), triangles_.corner(feature, 1),
                                               triangles_.corner(feature, 2)));
                break;
            case Kind::box_outside: {
                std::vector<Vec3> corners;
                for (int k = 0; k < (dimension_ == 3 ? 8 : 4); ++k)
                    corners.push_back({k & 1 ? high_.x : low_.x, k & 2 ? high_.y : low_.y,
                                       dimension_ == 2 ? 0
                                       : k & 4         ? high_.z
                                                       : low_.z});
                d = between(body, Polyhedron(corners));
                break;
            }
            default:
                break;
        }
        if (d < limit) return d;
    }
    return {};
}

}  // namespace scree
