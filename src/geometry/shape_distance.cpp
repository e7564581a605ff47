#include "scree/distance.h"

#include <vector>

#include "geometry/gjk.h"

namespace scree {
namespace {

std::vector<Vec3> vectors(std::span<const Point3> cloud) {
    std::vector<Vec3> points;
    for (const Point3& p : cloud) points.push_back({p[0], p[1], p[2]});
    return points;
}

Point3 point(Vec3 v) { return {v.x, v.y, v.z}; }

}  // namespace

ConvexShape::ConvexShape(std::span<const Point3> cloud) : body_(std::make_shared<const Polyhedron>(vectors(cloud))) {}

int ConvexShape::vertex_count() const { return body_->vertex_count(); }

int ConvexShape::dimension() const { return body_->dimension(); }

ShapeDistance shape_distance(const ConvexShape& a, const ConvexShape& b) {
    const Distance d = distance(a.body(), b.body());
    ShapeDistance result;
    result.distance = d.distance;
    result.overlap = d.relation != Relation::separated;
    result.touching = d.relation == Relation::touching;
    result.point_a = point(d.point_a);
    result.point_b = point(d.point_b);
    if (norm2(d.normal) > 0) result.normal = point(d.normal);
    result.iterations = d.iterations;
    return result;
}

std::string exact_shape_distance(const ConvexShape& a, const ConvexShape& b, int digits) {
    WarmStart start;
    distance(a.body(), b.body(), &start);
    return exact_distance(vertex_set(a.body()), vertex_set(b.body()),
                          std::span(start.pair).first(static_cast<std::size_t>(start.count)))
        .digits(digits);
}

}  // namespace scree
