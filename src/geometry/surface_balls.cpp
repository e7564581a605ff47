// Where the balls of a wall lie: rows and rings over the surface, as evenly as the asked distance allows. Rings next to
// each other are turned by half a ball, so that balls interlock. The order is fixed: a ball's number, and with it its
// random radius, depends on the surface and the spacing alone.
#include <cmath>

#include "core/overloaded.h"
#include "geometry/surface.h"
#include "math/elementary.h"
#include "scree/error.h"

namespace scree {
namespace {

// Number of intervals of about `spacing` that make up `length`.
int intervals(double length, double spacing) {
    return std::max(1, static_cast<int>(std::floor(length / spacing + 0.5)));
}

void add_ring(std::vector<Vec3>& points, Vec3 center, Vec3 axis, double radius, double spacing, int row) {
    if (!(radius > 0.25 * spacing)) {
        points.push_back(center);
        return;
    }
    const Vec3 u = perpendicular(axis), v = cross(axis, u);
    const int count = std::max(3, intervals(2 * pi * radius, spacing));
    for (int k = 0; k < count; ++k) {
        const SinCos turn = same_sincos(2 * pi * (k + 0.5 * (row % 2)) / count);
        points.push_back(center + radius * (turn.cos * u + turn.sin * v));
    }
}

// Rings along the segment from (h0, s0) to (h1, s1), both ends included.
void add_rings(std::vector<Vec3>& points, Vec3 origin, Vec3 axis, double h0, double s0, double h1, double s1,
               double spacing) {
    const int rows = intervals(std::sqrt((h1 - h0) * (h1 - h0) + (s1 - s0) * (s1 - s0)), spacing);
    for (int row = 0; row <= rows; ++row) {
        const double t = static_cast<double>(row) / rows;
        add_ring(points, origin + (h0 + t * (h1 - h0)) * axis, axis, s0 + t * (s1 - s0), spacing, row);
    }
}

void add_segment(std::vector<Vec3>& points, Vec3 from, Vec3 to, double spacing, bool with_end) {
    const int count = intervals(norm(to - from), spacing);
    for (int k = 0; k < count + (with_end ? 1 : 0); ++k)
        points.push_back(from + (static_cast<double>(k) / count) * (to - from));
}

std::vector<Vec3> over_plane(const PlaneWall& w, double spacing, int dimension, const Periodicity& periodic) {
    // A plane has no end: only between periodic borders a finite number of balls covers it.
    int normal_axis = -1;
    for (int axis = 0; axis < dimension; ++axis)
        if (w.normal[axis] != 0) normal_axis = normal_axis < 0 ? axis : 3;
    std::array<int, 3> count{1, 1, 1};
    Vec3 start = w.point, step;
    for (int axis = 0; axis < dimension; ++axis) {
        if (axis == normal_axis) continue;
        if (normal_axis > 2 || !periodic.along(axis))
            throw Error(ErrorKind::bad_input,
                        "balls cannot be laid over a plane without end: use a disc, a box or a polyline, or a plane at "
                        "a right angle to an axis "
                        "in a scene that is periodic along the others");
        count[static_cast<std::size_t>(axis)] = intervals(periodic.length[axis], spacing);
        start[axis] = periodic.low[axis];
        step[axis] = periodic.length[axis] / count[static_cast<std::size_t>(axis)];
    }
    std::vector<Vec3> points;
    for (int i = 0; i < count[0]; ++i)
        for (int j = 0; j < count[1]; ++j)
            for (int k = 0; k < count[2]; ++k) points.push_back(start + Vec3{i * step.x, j * step.y, k * step.z});
    return points;
}

std::vector<Vec3> over_box(const BoxWall& w, double spacing, int dimension) {
    std::array<int, 3> count{0, 0, 0};
    for (int axis = 0; axis < dimension; ++axis)
        count[static_cast<std::size_t>(axis)] = intervals(w.max[axis] - w.min[axis], spacing);
    std::vector<Vec3> points;
    for (int i = 0; i <= count[0]; ++i)
        for (int j = 0; j <= count[1]; ++j)
            for (int k = 0; k <= count[2]; ++k) {
                const bool on_face =
                    i == 0 || i == count[0] || j == 0 || j == count[1] || (dimension == 3 && (k == 0 || k == count[2]));
                if (!on_face) continue;
                const auto at = [](double low, double high, int n, int of) {
                    return of == 0 ? low : low + (high - low) * n / of;
                };
                points.push_back({at(w.min.x, w.max.x, i, count[0]), at(w.min.y, w.max.y, j, count[1]),
                                  dimension == 3 ? at(w.min.z, w.max.z, k, count[2]) : 0});
            }
    return points;
}

}  // namespace

std::vector<Vec3> points_over_surface(const SurfaceShape& shape, double spacing, int dimension,
                                      const Periodicity& periodic) {
    std::vector<Vec3> points;
    std::visit(Overloaded{
                   [&](const PlaneWall& w) { points = over_plane(w, spacing, dimension, periodic); },
                   [&](const BoxWall& w) { points = over_box(w, spacing, dimension); },
                   [&](const CylinderWall& w) {
                       add_rings(points, w.from, normalized(w.to - w.from), 0, w.radius, norm(w.to - w.from), w.radius,
                                 spacing);
                   },
                   [&](const ConeWall& w) {
                       add_rings(points, w.from, normalized(w.to - w.from), 0, w.radius_from, norm(w.to - w.from),
                                 w.radius_to, spacing);
                   },
                   [&](const SphereWall& w) {
                       if (dimension == 2) {
                           add_ring(points, w.center, {0, 0, 1}, w.radius, spacing, 0);
                           return;
                       }
                       const int rows = intervals(pi * w.radius, spacing);
                       for (int row = 0; row <= rows; ++row) {
                           const SinCos polar = same_sincos(pi * row / rows);
                           add_ring(points, w.center + Vec3{0, 0, w.radius * polar.cos}, {0, 0, 1},
                                    w.radius * polar.sin, spacing, row);
                       }
                   },
                   [&](const DiscWall& w) {
                       add_rings(points, w.center, normalized(w.normal), 0, w.hole, 0, w.radius, spacing);
                   },
                   [&](const PolylineWall& w) {
                       for (std::size_t k = 1; k < w.points.size(); ++k)
                           add_segment(points, w.points[k - 1], w.points[k], spacing, false);
                       const bool closed = !w.points.empty() && w.points.front() == w.points.back();
                       if (!w.points.empty() && !closed) points.push_back(w.points.back());
                   },
               },
               shape);
    return points;
}

}  // namespace scree
