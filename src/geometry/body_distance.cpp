#include "scree/body.h"

#include <cmath>

#include "geometry/compound.h"
#include "geometry/nurbs/nurbs.h"
#include "scree/error.h"

namespace scree {
namespace {

Vec3 vector_of(const Point3& p) { return {p[0], p[1], p[2]}; }
Point3 point_of(Vec3 v) { return {v.x, v.y, v.z}; }

std::vector<Vec3> vectors_of(std::span<const Point3> cloud) {
    std::vector<Vec3> points;
    for (const Point3& p : cloud) points.push_back(vector_of(p));
    return points;
}

Compound single(Form form, double radius = 0) {
    return {{{std::make_shared<const Form>(std::move(form)), {}, radius}}};
}

void require_radius(double radius) {
    if (!(radius >= 0) || !(radius < std::numeric_limits<double>::infinity()))
        throw Error(ErrorKind::bad_input, "the radius of a body must not be negative");
}

bool is_rotation(const Mat3& m) {
    constexpr double rounding = 1e-9;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            if (!(std::fabs(dot(m.row[i], m.row[j]) - (i == j)) < rounding)) return false;
    return dot(m.row[0], cross(m.row[1], m.row[2])) > 0;
}

Nurbs spline(const Knots& u, const Knots& v, std::span<const Point3> points, std::span<const double> weights) {
    return nurbs_surface({u.degree, u.knots}, {v.degree, v.knots}, vectors_of(points),
                         {weights.begin(), weights.end()});
}

}  // namespace

Body Body::of(Compound compound) { return Body(std::make_shared<const Compound>(std::move(compound))); }

Body Body::hull(std::span<const Point3> cloud) { return of(single(Polyhedron(vectors_of(cloud)))); }

Body Body::mesh(std::span<const Point3> points, std::span<const std::array<int, 3>> triangles) {
    return of(single(MeshBody(vectors_of(points), {triangles.begin(), triangles.end()})));
}

Body Body::sphere(const Point3& center, double radius) { return hull(std::array<Point3, 1>{center}).swept(radius); }

Body Body::capsule(const Point3& from, const Point3& to, double radius) {
    return hull(std::array<Point3, 2>{from, to}).swept(radius);
}

Body Body::box(const Point3& half_sides) {
    std::vector<Point3> corners;
    for (std::size_t k = 0; k < 8; ++k) {
        Point3 corner = half_sides;
        for (std::size_t axis = 0; axis < 3; ++axis)
            if ((k >> axis & 1) == 0) corner[axis] = -corner[axis];
        corners.push_back(corner);
    }
    return hull(corners);
}

Body Body::ellipsoid(const Point3& half_axes) { return of(single(Ellipsoid(vector_of(half_axes)))); }
Body Body::superquadric(const Point3& half_axes, double power) {
    return of(single(Superquadric(vector_of(half_axes), power)));
}
Body Body::cylinder(double radius, double height) { return of(single(Cylinder(radius, 0.5 * height))); }
Body Body::cone(double radius, double height) { return of(single(Cone(radius, 0.5 * height))); }

Body Body::curve(const Knots& knots, std::span<const Point3> points, std::span<const double> weights) {
    return of(single(NurbsBody(spline(knots, {0, {0, 1}}, points, weights))));
}

Body Body::surface(const Knots& u, const Knots& v, std::span<const Point3> points, std::span<const double> weights) {
    return of(single(NurbsBody(spline(u, v, points, weights))));
}

Body Body::united(std::span<const Body> bodies) {
    Compound all;
    for (const Body& body : bodies)
        all.parts.insert(all.parts.end(), body.compound().parts.begin(), body.compound().parts.end());
    if (all.parts.empty()) throw Error(ErrorKind::bad_input, "a union needs at least one body");
    return of(std::move(all));
}

Body Body::placed(const Rotation3& rotation, const Point3& position) const {
    const MeshPose pose{{{vector_of(rotation[0]), vector_of(rotation[1]), vector_of(rotation[2])}},
                        vector_of(position)};
    if (!is_rotation(pose.rotation) || !is_finite(pose.position))
        throw Error(ErrorKind::bad_input, "the pose of a body must be a rotation matrix and a finite position");
    Compound moved = compound();
    for (CompoundPart& part : moved.parts) part.pose = pose * part.pose;
    return of(std::move(moved));
}

Body Body::swept(double radius) const {
    require_radius(radius);
    Compound wider = compound();
    for (CompoundPart& part : wider.parts) part.radius += radius;
    return of(std::move(wider));
}

PairMemory::PairMemory() : start_(std::make_unique<CompoundStart>()) {}
PairMemory::~PairMemory() = default;

BodyDistance body_distance(const Body& a, const Body& b, PairMemory* memory, double longest) {
    const CompoundDistance d =
        distance(a.compound(), b.compound(), longest, memory != nullptr ? &memory->start() : nullptr);
    BodyDistance result;
    result.distance = d.distance;
    result.error = d.error;
    result.overlap = d.relation != Relation::separated;
    result.touching = d.relation == Relation::touching;
    result.point_a = point_of(d.point_a);
    result.point_b = point_of(d.point_b);
    if (norm2(d.normal) > 0) result.normal = point_of(d.normal);
    result.part_a = d.part_a;
    result.part_b = d.part_b;
    result.iterations = d.iterations;
    return result;
}

std::optional<BodyDepth> body_depth(const Body& a, const Body& b) {
    if (distance(a.compound(), b.compound()).relation != Relation::overlapping) return {};
    const std::optional<Depth> found = depth(a.compound(), b.compound());
    if (!found) return {};
    BodyDepth result{found->depth, found->error, {}, point_of(found->point_a), point_of(found->point_b)};
    for (const Vec3& n : found->directions) result.directions.push_back(point_of(n));
    return result;
}

}  // namespace scree
