#include "geometry/surface.h"

#include <algorithm>
#include <cmath>

#include "core/overloaded.h"
#include "core/random.h"
#include "geometry/mesh_file.h"
#include "math/elementary.h"
#include "scree/error.h"

namespace scree {
namespace {

constexpr double end_tolerance = 1e-12;  // of a segment's length: closer to its end than this is at its end

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::bad_input, message); }

Vec3 unit(Vec3 v, const char* what) {
    const double length = norm(v);
    if (!(length > 0) || !std::isfinite(length))
        refuse(std::string(what) + " has no direction: give a vector that is not zero");
    return v / length;
}

// The same for an axis and its reverse, so that two walls that share an axis agree about a centre on it.
Vec3 side_of_axis(Vec3 axis) {
    const bool reversed = axis.x != 0 ? axis.x < 0 : axis.y != 0 ? axis.y < 0 : axis.z < 0;
    return perpendicular(reversed ? -axis : axis);
}

// The point of the segment from (a, b) to (c, d) closest to (x, y); `end` is -1 or 1 at its ends, else 0.
struct OnSegment {
    double x, y;
    int end;
};
OnSegment closest_on_segment(double a, double b, double c, double d, double x, double y) {
    const double gx = c - a, gy = d - b;
    const double t = ((x - a) * gx + (y - b) * gy) / (gx * gx + gy * gy);
    if (!(t > end_tolerance)) return {a, b, -1};
    if (t >= 1 - end_tolerance) return {c, d, 1};
    return {a + t * gx, b + t * gy, 0};
}

}  // namespace

Surface::Surface(const WallShape& shape, bool outside, int dimension, const Periodicity& periodic)
    : kind_(Kind::plane),
      dimension_(dimension),
      outside_(outside) {
    const auto revolve = [&](Vec3 from, Vec3 to, double radius_from, double radius_to, const char* what) {
        if (!(radius_from >= 0 && radius_to >= 0 && radius_from + radius_to > 0))
            refuse(std::string(what) + " needs a positive radius");
        kind_ = Kind::revolution;
        const Vec3 axis = unit(to - from, what);
        revolution_ = {from, axis,  side_of_axis(axis),  0, radius_from, norm(to - from), radius_to,
                       true, false, outside ? -1.0 : 1.0};
    };
    std::visit(Overloaded{
                   [&](const PlaneWall& w) {
                       kind_ = Kind::plane;
                       point_ = w.point;
                       normal_ = unit(outside ? -w.normal : w.normal, "the normal of the plane");
                   },
                   [&](const BoxWall& w) {
                       kind_ = outside ? Kind::box_outside : Kind::box_inside;
                       low_ = w.min;
                       high_ = w.max;
                       for (int axis = 0; axis < dimension; ++axis)
                           if (!(low_[axis] < high_[axis]))
                               refuse("the box is empty: its min must be less than its max along every axis");
                   },
                   [&](const CylinderWall& w) { revolve(w.from, w.to, w.radius, w.radius, "the cylinder"); },
                   [&](const ConeWall& w) { revolve(w.from, w.to, w.radius_from, w.radius_to, "the cone"); },
                   [&](const SphereWall& w) {
                       kind_ = outside ? Kind::sphere_outside : Kind::sphere_inside;
                       sphere_ = w;
                       if (!(w.radius > 0)) refuse("the sphere needs a positive radius");
                   },
                   [&](const DiscWall& w) {
                       kind_ = Kind::revolution;
                       if (!(w.hole >= 0 && w.radius > w.hole)) refuse("the disc needs a radius larger than its hole");
                       const Vec3 axis = unit(w.normal, "the normal of the disc");
                       revolution_ = {w.center, axis,     side_of_axis(axis), 0,    w.hole,
                                      0,        w.radius, w.hole > 0,         true, outside ? -1.0 : 1.0};
                   },
                   [&](const PolylineWall& w) {
                       kind_ = Kind::polyline;
                       vertices_ = w.points;
                       revolution_.on_sheet_sign = outside ? -1 : 1;
                       if (vertices_.size() < 2) refuse("a polyline needs two points or more");
                       for (std::size_t k = 1; k < vertices_.size(); ++k)
                           if (!(norm2(vertices_[k] - vertices_[k - 1]) > 0))
                               refuse("a point of the polyline is given twice in a row");
                       index_polyline();
                   },
                   [&](const BallsWall& w) {
                       kind_ = Kind::balls;
                       lay_balls(w, periodic);
                   },
                   [&](const MeshWall& w) {
                       kind_ = Kind::mesh;
                       revolution_.on_sheet_sign = outside ? -1 : 1;
                       if (dimension != 3) refuse("meshes of triangles exist in 3D only; use a polyline");
                       read_triangles(w);
                   },
               },
               shape);
}

WallShape shifted(WallShape shape, Vec3 by) {
    const auto ends = [&](auto& w) {
        w.from += by;
        w.to += by;
    };
    const Overloaded shift{
        [&](PlaneWall& w) { w.point += by; },
        [&](BoxWall& w) {
            w.min += by;
            w.max += by;
        },
        [&](CylinderWall& w) { ends(w); },
        [&](ConeWall& w) { ends(w); },
        [&](SphereWall& w) { w.center += by; },
        [&](DiscWall& w) { w.center += by; },
        [&](PolylineWall& w) {
            for (Vec3& point : w.points) point += by;
        },
        [&](MeshWall& w) { w.translate += by; },
    };
    if (auto* balls = std::get_if<BallsWall>(&shape))
        std::visit(shift, balls->like);
    else
        std::visit(Overloaded{shift, [](BallsWall&) {}}, shape);
    return shape;
}

bool Surface::holds_grains() const {
    const bool tube = kind_ == Kind::revolution && !revolution_.flat;
    return kind_ == Kind::box_inside || kind_ == Kind::sphere_inside || (!outside_ && (tube || is_mesh()));
}

void Surface::index_polyline() {
    index_ = BallIndex();
    for (std::size_t k = 1; k < vertices_.size(); ++k) {
        // A little wider than the segment, so that rounding loses nothing.
        index_.add(0.5 * (vertices_[k - 1] + vertices_[k]), (0.5 + 1e-9) * norm(vertices_[k] - vertices_[k - 1]));
    }
}

void Surface::lay_balls(const BallsWall& wall, const Periodicity& periodic) {
    if (!(wall.radius > 0 && wall.spacing > 0)) refuse("a wall of balls needs a positive radius and spacing");
    // Only balls over a plane go on across periodic borders; other surfaces end where they end.
    const bool over_plane = std::holds_alternative<PlaneWall>(wall.like);
    index_ = BallIndex(over_plane ? periodic : Periodicity{});
    Random random(wall.seed, 0x62616c6c73);
    for (const Vec3 p : points_over_surface(wall.like, wall.spacing, dimension_, periodic)) {
        const double radius = wall.radius * random.uniform(0.9, 1.1);
        index_.add(p, radius);
        balls_.push_back({index_.center(static_cast<int>(balls_.size())), radius});
    }
}

void Surface::read_triangles(const MeshWall& wall) {
    TriangleMesh mesh = read_mesh(wall.file);
    if (mesh.flat > 0)
        refuse(wall.file + ": " + std::to_string(mesh.flat) + " of " + std::to_string(mesh.read) +
               " triangles have no area, the first one is number " + std::to_string(mesh.first_flat) +
               ": remove them from the mesh");
    if (!(wall.scale > 0) || !std::isfinite(wall.scale) || !is_finite(wall.translate))
        refuse("the scale of a mesh must be positive, and its translation finite");
    if (wall.angle != 0) {
        const Vec3 u = unit(wall.axis, "the axis of the mesh");
        const SinCos turn = same_sincos(wall.angle);
        for (Vec3& p : mesh.points) p = turn.cos * p + turn.sin * cross(u, p) + ((1 - turn.cos) * dot(u, p)) * u;
    }
    for (Vec3& p : mesh.points) p = wall.scale * p + wall.translate;
    for (const auto& t : mesh.triangles) {
        const auto at = [&](int k) { return mesh.points[static_cast<std::size_t>(t[static_cast<std::size_t>(k)])]; };
        const double area = norm(cross(at(1) - at(0), at(2) - at(0))),
                     longest = std::fmax(norm2(at(1) - at(0)), std::fmax(norm2(at(2) - at(1)), norm2(at(0) - at(2))));
        if (!std::isfinite(longest) || !(area > 1e-10 * longest))
            refuse(wall.file + ": triangle " + std::to_string(&t - mesh.triangles.data() + 1) +
                   " is too thin to have a normal: remove it from the mesh");
    }
    triangles_ = TriangleTree(std::move(mesh.points), std::move(mesh.triangles));
    find_sharp_edges();
}

// ---- Feet -----------------------------------------------------------------------------------------------------------

Surface::Meridian Surface::meridian(Vec3 x) const {
    const Revolution& f = revolution_;
    const Vec3 d = x - f.origin;
    const double h = dot(d, f.axis);
    // Twice, so that the rest is at a right angle to the axis even when it is small.
    Vec3 radial = d - h * f.axis;
    radial -= dot(radial, f.axis) * f.axis;
    const double s = norm(radial);
    if (s <= 1e-14 * norm(d) || s == 0) return {h, 0, f.side};
    return {h, s, radial / s};
}

bool Surface::far_side_counts(Vec3 x) const {
    const Revolution& f = revolution_;
    const Meridian m = meridian(x);
    const OnSegment near = closest_on_segment(f.h0, f.s0, f.h1, f.s1, m.h, m.s);
    // Seen from inside the ring; over the face of a disc there is no ring.
    return m.s < near.y && !(f.flat && near.end == 0);
}

Foot Surface::revolution_foot(int feature, Vec3 x) const {
    const Revolution& f = revolution_;
    Meridian m = meridian(x);
    if (feature == 1) {
        m.s = -m.s;
        m.radial = -m.radial;
    }
    const OnSegment c = closest_on_segment(f.h0, f.s0, f.h1, f.s1, m.h, m.s);
    const double dh = m.h - c.x, ds = m.s - c.y, distance = std::sqrt(dh * dh + ds * ds);
    Foot foot;
    foot.point = f.origin + c.x * f.axis + c.y * m.radial;
    foot.rim = c.end == 1 || (c.end == -1 && f.starts_at_rim);
    foot.distance = distance;
    if (distance > 0) {
        foot.normal = (dh / distance) * f.axis + (ds / distance) * m.radial;
    } else {
        const double gh = f.h1 - f.h0, gs = f.s1 - f.s0, scale = f.on_sheet_sign / std::sqrt(gh * gh + gs * gs);
        foot.normal = scale * gs * f.axis - scale * gh * m.radial;
    }
    return foot;
}

Foot Surface::segment_foot(int segment, Vec3 x) const {
    const Vec3 a = vertices_[static_cast<std::size_t>(segment)], b = vertices_[static_cast<std::size_t>(segment) + 1];
    const OnSegment c = closest_on_segment(a.x, a.y, b.x, b.y, x.x, x.y);
    const double dx = x.x - c.x, dy = x.y - c.y, distance = std::sqrt(dx * dx + dy * dy);
    Foot foot;
    foot.point = {c.x, c.y, 0};
    foot.rim = c.end != 0;
    foot.distance = distance;
    foot.normal = distance > 0 ? Vec3{dx / distance, dy / distance, 0}
                               : revolution_.on_sheet_sign * normalized(Vec3{a.y - b.y, b.x - a.x, 0});
    return foot;
}

Foot Surface::box_outside_foot(Vec3 x) const {
    Foot foot;
    foot.point = x;
    int beyond = 0, at_border = 0;
    for (int axis = 0; axis < dimension_; ++axis) {
        const double tolerance = end_tolerance * (high_[axis] - low_[axis]);
        foot.point[axis] = std::clamp(x[axis], low_[axis], high_[axis]);
        beyond += foot.point[axis] != x[axis];
        at_border += x[axis] <= low_[axis] + tolerance || x[axis] >= high_[axis] - tolerance;
    }
    if (beyond > 0) {
        const Vec3 d = x - foot.point;
        foot.distance = norm(d);
        if (foot.distance > 0) {
            foot.normal = d / foot.distance;
            foot.rim = at_border > 1;
            return foot;
        }
    }
    // Inside: out through the nearest face, the first one if there are several.
    double depth = Extent::unbounded;
    for (int axis = 0; axis < dimension_; ++axis)
        for (const bool high : {false, true}) {
            const double here = high ? high_[axis] - x[axis] : x[axis] - low_[axis];
            if (here >= depth) continue;
            depth = here;
            foot.normal = {};
            foot.normal[axis] = high ? 1 : -1;
            foot.point = x;
            foot.point[axis] = high ? high_[axis] : low_[axis];
        }
    foot.distance = -depth;
    foot.rim = false;
    return foot;
}

Foot Surface::ball_foot(const SphereWall& ball, Vec3 x) const {
    const Vec3 d = index_.periodicity().nearest_of_any(x - ball.center);
    const double distance = norm(d);
    const Vec3 n = distance > 0 ? d / distance : Vec3{1, 0, 0};
    return {x - (distance - ball.radius) * n, n, distance - ball.radius, 1 / ball.radius, false};
}

Foot Surface::triangle_foot(int triangle, Vec3 x) const {
    const TriangleTree::Closest c = triangles_.closest(triangle, x);
    Foot foot;
    foot.point = c.point;
    foot.rim = c.rim;
    foot.distance = std::fabs(c.height);
    const Vec3 face = triangles_.normal(triangle);
    if (c.height == 0)
        foot.normal = revolution_.on_sheet_sign * face;
    else if (c.rim)
        foot.normal = (x - c.point) / c.height;
    else
        foot.normal = c.height > 0 ? face : -face;
    return foot;
}

Foot Surface::curved_foot(int feature, Vec3 x) const {
    switch (kind_) {
        case Kind::plane:
            return plane_foot(x);
        case Kind::box_inside:
            return face_foot(feature, x);
        case Kind::box_outside:
            return box_outside_foot(x);
        case Kind::sphere_inside: {
            const Vec3 d = x - sphere_.center;
            const double distance = norm(d);
            const Vec3 n = distance > 0 ? -(d / distance) : Vec3{-1, 0, 0};
            return {sphere_.center - sphere_.radius * n, n, sphere_.radius - distance, 0, false};
        }
        case Kind::sphere_outside:
            return ball_foot(sphere_, x);
        case Kind::revolution:
            return revolution_foot(feature, x);
        case Kind::polyline:
            return segment_foot(feature, x);
        case Kind::balls:
            return ball_foot(balls_[static_cast<std::size_t>(feature)], x);
        case Kind::mesh:
            return triangle_foot(feature, x);
    }
    return {};
}

// ---- Queries --------------------------------------------------------------------------------------------------------

void Surface::features_near(Vec3 x, double reach, std::vector<int>& out) const {
    const auto add_if_near = [&](int feature) {
        if (foot(feature, x).distance < reach) out.push_back(feature);
    };
    switch (kind_) {
        case Kind::plane:
            if (dot(x - point_, normal_) < reach) out.push_back(0);
            return;
        case Kind::box_inside:
            for (int axis = 0; axis < dimension_; ++axis) {
                if (x[axis] - low_[axis] < reach) out.push_back(2 * axis);
                if (high_[axis] - x[axis] < reach) out.push_back(2 * axis + 1);
            }
            return;
        case Kind::revolution:
            // The opposite side is farther away.
            if (foot(0, x).distance < reach) {
                out.push_back(0);
                add_if_near(1);
            }
            return;
        case Kind::mesh:
            triangles_.near(x, reach, out);
            return;
        case Kind::polyline:
        case Kind::balls: {
            const std::size_t first = out.size();
            index_.any_near(x, reach, [&](int feature, Vec3) {
                out.push_back(feature);
                return false;
            });
            const auto begin = out.begin() + static_cast<std::ptrdiff_t>(first);
            std::sort(begin, out.end());
            out.erase(std::unique(begin, out.end()), out.end());
            return;
        }
        default:
            add_if_near(0);
    }
}

int Surface::feature_count() const {
    switch (kind_) {
        case Kind::box_inside:
            return 2 * dimension_;
        case Kind::revolution:
            return 2;
        case Kind::mesh:
            return static_cast<int>(triangles_.size());
        case Kind::polyline:
            return static_cast<int>(vertices_.size()) - 1;
        case Kind::balls:
            return static_cast<int>(balls_.size());
        default:
            return 1;
    }
}

bool Surface::covers(int feature, Vec3 x, Vec3 p, double tolerance) const {
    // Files have seven digits: what is one point there may be two here.
    if (kind_ == Kind::mesh) tolerance = std::fmax(tolerance, mesh_tolerance * norm(x - p));
    if (kind_ != Kind::revolution) return foot(feature, p).distance <= tolerance;
    if (revolution_foot(0, p).distance > tolerance) return false;
    const Meridian at = meridian(p), of = meridian(x);
    return at.s <= tolerance || (dot(at.radial, of.radial) >= 0) == (feature == 0);
}

bool Surface::unchanged_by_rotation(Vec3 axis, Vec3 point) const {
    constexpr double tolerance = 1e-12;
    axis = normalized(axis);
    const auto on_axis = [&](Vec3 p, double scale) { return norm(cross(p - point, axis)) <= tolerance * scale; };
    const auto parallel = [&](Vec3 u) { return norm(cross(u, axis)) <= tolerance; };
    switch (kind_) {
        case Kind::plane:
            return parallel(normal_);
        case Kind::sphere_inside:
        case Kind::sphere_outside:
            return on_axis(sphere_.center, sphere_.radius);
        case Kind::revolution:
            return parallel(revolution_.axis) && on_axis(revolution_.origin, std::fmax(revolution_.s0, revolution_.s1));
        default:
            return false;
    }
}

Extent Surface::bounds() const {
    Extent e;
    const auto include_ball = [&](Vec3 c, double r) {
        const Vec3 d{r, r, dimension_ == 3 ? r : 0};
        e.include(c - d);
        e.include(c + d);
    };
    const auto include_circle = [&](Vec3 c, double r) {
        const Vec3 u = revolution_.axis;
        const auto half = [&](double a) { return r * std::sqrt(std::fmax(0, 1 - a * a)); };
        const Vec3 d{half(u.x), half(u.y), half(u.z)};
        e.include(c - d);
        e.include(c + d);
    };
    switch (kind_) {
        case Kind::plane: {
            const double w = Extent::unbounded;
            e.low = {-w, -w, -w};
            e.high = {w, w, w};
            // Bounded along an axis only when it is at a right angle to it.
            for (int axis = 0; axis < 3; ++axis)
                if (std::fabs(normal_[axis]) == 1) e.low[axis] = e.high[axis] = point_[axis];
            break;
        }
        case Kind::box_inside:
        case Kind::box_outside:
            e.low = low_, e.high = high_;
            break;
        case Kind::sphere_inside:
        case Kind::sphere_outside:
            include_ball(sphere_.center, sphere_.radius);
            break;
        case Kind::revolution:
            include_circle(revolution_.origin + revolution_.h0 * revolution_.axis, revolution_.s0);
            include_circle(revolution_.origin + revolution_.h1 * revolution_.axis, revolution_.s1);
            break;
        case Kind::polyline:
            for (const Vec3 p : vertices_) e.include(p);
            break;
        case Kind::balls:
            for (const SphereWall& ball : balls_) include_ball(ball.center, ball.radius);
            break;
        case Kind::mesh:
            e = triangles_.bounds();
            break;
    }
    return e;
}

Vec3 Surface::center() const {
    switch (kind_) {
        case Kind::plane:
            return point_;
        case Kind::sphere_inside:
        case Kind::sphere_outside:
            return sphere_.center;
        case Kind::revolution:
            return revolution_.origin + 0.5 * (revolution_.h0 + revolution_.h1) * revolution_.axis;
        default: {
            const Extent e = bounds();
            return 0.5 * (e.low + e.high);
        }
    }
}

}  // namespace scree
