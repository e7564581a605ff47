// Triangles (segments in 2D) of surfaces, for pictures only.
#include <cmath>

#include "geometry/surface.h"
#include "math/elementary.h"

namespace scree {
namespace {

constexpr int ring_points = 48;

// What of the polygon lies where dot(p, n) <= limit (one step of Sutherland and Hodgman).
std::vector<Vec3> cut(const std::vector<Vec3>& polygon, Vec3 n, double limit) {
    std::vector<Vec3> kept;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Vec3 a = polygon[k], b = polygon[(k + 1) % polygon.size()];
        const double da = dot(a, n) - limit, db = dot(b, n) - limit;
        if (da <= 0) kept.push_back(a);
        if ((da < 0 && db > 0) || (da > 0 && db < 0)) kept.push_back(a + (da / (da - db)) * (b - a));
    }
    return kept;
}

}  // namespace

void append_mesh(SurfaceMesh& to, const SurfaceMesh& part) {
    const int base = static_cast<int>(to.points.size());
    to.points.insert(to.points.end(), part.points.begin(), part.points.end());
    for (const auto& t : part.triangles) to.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
    for (const auto& s : part.segments) to.segments.push_back({s[0] + base, s[1] + base});
}

SurfaceMesh plane_mesh(Vec3 point, Vec3 normal, const Extent& visible, int dimension) {
    const Vec3 middle = 0.5 * (visible.low + visible.high);
    const Vec3 foot = middle - dot(middle - point, normal) * normal;
    const double size = norm(visible.high - visible.low);
    const Vec3 u = dimension == 2 ? Vec3{-normal.y, normal.x, 0} : perpendicular(normal), v = cross(normal, u);
    SurfaceMesh mesh;
    if (dimension == 2) {
        mesh.points = {foot - size * u, foot + size * u};
        mesh.segments = {{0, 1}};
        return mesh;
    }
    const std::vector<Vec3> square{foot - size * u - size * v, foot + size * u - size * v, foot + size * u + size * v,
                                   foot - size * u + size * v};
    std::vector<Vec3> polygon = square;
    for (int axis = 0; axis < 3; ++axis) {
        Vec3 n;
        n[axis] = 1;
        const double margin = 1e-6 * size;
        polygon = cut(polygon, n, visible.high[axis] + margin);
        polygon = cut(polygon, -n, -visible.low[axis] + margin);
    }
    // A plane past the visible part is shown as a square.
    mesh.points = polygon.size() >= 3 ? polygon : square;
    for (int k = 2; k < static_cast<int>(mesh.points.size()); ++k) mesh.triangles.push_back({0, k - 1, k});
    return mesh;
}

SurfaceMesh box_mesh(Vec3 low, Vec3 high, int dimension) {
    SurfaceMesh mesh;
    if (dimension == 2) {
        mesh.points = {low, {high.x, low.y, 0}, high, {low.x, high.y, 0}};
        mesh.segments = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
        return mesh;
    }
    for (int corner = 0; corner < 8; ++corner)
        mesh.points.push_back({corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y, corner & 4 ? high.z : low.z});
    for (const auto& q : {std::array{0, 4, 6, 2}, std::array{1, 3, 7, 5}, std::array{0, 1, 5, 4},
                          std::array{2, 6, 7, 3}, std::array{0, 2, 3, 1}, std::array{4, 5, 7, 6}}) {
        mesh.triangles.push_back({q[0], q[1], q[2]});
        mesh.triangles.push_back({q[0], q[2], q[3]});
    }
    return mesh;
}

SurfaceMesh revolution_mesh(Vec3 origin, Vec3 axis, Vec3 side, double h0, double s0, double h1, double s1) {
    SurfaceMesh mesh;
    const Vec3 other = cross(axis, side);
    for (int k = 0; k < ring_points; ++k) {
        const SinCos turn = same_sincos(2 * pi * k / ring_points);
        const Vec3 radial = turn.cos * side + turn.sin * other;
        mesh.points.push_back(origin + h0 * axis + s0 * radial);
        mesh.points.push_back(origin + h1 * axis + s1 * radial);
        const int a = 2 * k, b = 2 * k + 1, c = (2 * k + 2) % (2 * ring_points), d = (2 * k + 3) % (2 * ring_points);
        if (s0 > 0) mesh.triangles.push_back({a, c, b});
        if (s1 > 0) mesh.triangles.push_back({c, d, b});
    }
    return mesh;
}

SurfaceMesh sphere_mesh(Vec3 center, double radius, int dimension, int fineness) {
    SurfaceMesh mesh;
    const int around = 2 * fineness;
    if (dimension == 2) {
        for (int k = 0; k < around; ++k) {
            const SinCos turn = same_sincos(2 * pi * k / around);
            mesh.points.push_back(center + radius * Vec3{turn.cos, turn.sin, 0});
            mesh.segments.push_back({k, (k + 1) % around});
        }
        return mesh;
    }
    mesh.points = {center + Vec3{0, 0, radius}, center - Vec3{0, 0, radius}};
    for (int row = 1; row < fineness; ++row) {
        const SinCos polar = same_sincos(pi * row / fineness);
        for (int k = 0; k < around; ++k) {
            const SinCos turn = same_sincos(2 * pi * k / around);
            mesh.points.push_back(center + radius * Vec3{polar.sin * turn.cos, polar.sin * turn.sin, polar.cos});
        }
    }
    const auto at = [&](int row, int k) { return 2 + (row - 1) * around + k % around; };
    for (int k = 0; k < around; ++k) {
        mesh.triangles.push_back({0, at(1, k), at(1, k + 1)});
        mesh.triangles.push_back({1, at(fineness - 1, k + 1), at(fineness - 1, k)});
        for (int row = 1; row + 1 < fineness; ++row) {
            mesh.triangles.push_back({at(row, k), at(row + 1, k), at(row + 1, k + 1)});
            mesh.triangles.push_back({at(row, k), at(row + 1, k + 1), at(row, k + 1)});
        }
    }
    return mesh;
}

SurfaceMesh Surface::mesh(const Extent& visible) const {
    SurfaceMesh mesh;
    switch (kind_) {
        case Kind::plane:
            return plane_mesh(point_, normal_, visible, dimension_);
        case Kind::box_inside:
        case Kind::box_outside:
            return box_mesh(low_, high_, dimension_);
        case Kind::sphere_inside:
        case Kind::sphere_outside:
            return sphere_mesh(sphere_.center, sphere_.radius, dimension_, 24);
        case Kind::revolution:
            return revolution_mesh(revolution_.origin, revolution_.axis, revolution_.side, revolution_.h0,
                                   revolution_.s0, revolution_.h1, revolution_.s1);
        case Kind::polyline:
            mesh.points = vertices_;
            for (int k = 1; k < static_cast<int>(vertices_.size()); ++k) mesh.segments.push_back({k - 1, k});
            return mesh;
        case Kind::balls:
            for (const SphereWall& ball : balls_)
                append_mesh(mesh, sphere_mesh(ball.center, ball.radius, dimension_, dimension_ == 2 ? 8 : 3));
            return mesh;
        case Kind::mesh:
            mesh.points = triangles_.points();
            mesh.triangles = triangles_.triangles();
            return mesh;
    }
    return mesh;
}

}  // namespace scree
