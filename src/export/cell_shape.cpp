// Planes come from the exact triangulation, so every plane carries a face of positive area; cutting a cube by them in
// any order with ordinary doubles gives the cell up to slivers of rounding size, which are dropped.
#include "export/cell_shape.h"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

// Keeps the part of a polygon below the plane.
std::vector<Vec3> cut(const std::vector<Vec3>& polygon, Vec3 normal, double offset, double tolerance) {
    std::vector<Vec3> kept;
    const std::size_t n = polygon.size();
    for (std::size_t k = 0; k < n; ++k) {
        const Vec3 a = polygon[k], b = polygon[(k + 1) % n];
        const double sa = dot(normal, a) - offset, sb = dot(normal, b) - offset;
        if (sa <= tolerance) kept.push_back(a);
        if ((sa > tolerance) != (sb > tolerance)) kept.push_back(a + (sa / (sa - sb)) * (b - a));
    }
    return kept;
}

double area_of(const std::vector<Vec3>& polygon) {
    Vec3 sum;
    for (std::size_t k = 1; k + 1 < polygon.size(); ++k)
        sum += cross(polygon[k] - polygon[0], polygon[k + 1] - polygon[0]);
    return norm(sum) / 2;
}

}  // namespace

std::vector<CellFace> cell_faces(const std::vector<LaguerreCells::Plane>& planes, Vec3 center, double size,
                                 int dimension) {
    const double tolerance = 1e-12 * size;
    if (dimension == 2) {
        std::vector<Vec3> polygon{{-size, -size, 0}, {size, -size, 0}, {size, size, 0}, {-size, size, 0}};
        for (const auto& plane : planes)
            polygon = cut(polygon, plane.normal, plane.offset - dot(plane.normal, center), tolerance);
        for (Vec3& x : polygon) x += center;
        if (polygon.size() < 3) return {};
        return {{polygon, -1}};
    }
    // A face is what the other planes leave of a large square in its own.
    std::vector<CellFace> faces;
    for (std::size_t k = 0; k < planes.size(); ++k) {
        const Vec3 n = planes[k].normal;
        const Vec3 helper = std::abs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}, u = normalized(cross(helper, n)),
                   v = cross(n, u);
        const Vec3 foot = (planes[k].offset - dot(n, center)) * n;
        std::vector<Vec3> polygon{foot - size * u - size * v, foot + size * u - size * v, foot + size * u + size * v,
                                  foot - size * u + size * v};
        for (std::size_t j = 0; j < planes.size() && !polygon.empty(); ++j)
            if (j != k)
                polygon = cut(polygon, planes[j].normal, planes[j].offset - dot(planes[j].normal, center), tolerance);
        if (polygon.size() < 3 || area_of(polygon) < 1e-14 * size * size) continue;
        for (Vec3& x : polygon) x += center;
        faces.push_back({std::move(polygon), planes[k].neighbor});
    }
    return faces;
}

}  // namespace scree
