#include "shape/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/located.h"
#include "scree/error.h"
#include "shape/drawn_in.h"
#include "shape/half_spaces.h"
#include "shape/mass.h"

namespace scree {
namespace {

struct Raw {  // a shape as given, before it is centered
    std::vector<std::pair<std::vector<Vec3>, double>> clouds;
    std::optional<TriangleMesh> mesh;
    double filled = 0, may_fill = 0, lost = 0, lost_thickness = 0;
};

[[noreturn]] void refuse(const Scene& scene, const GrainShape& about, const std::string& why) {
    refuse_at(scene, about.where, fmt::format("shape '{}': {}", about.name, why));
}

TriangleMesh mesh_of(const Scene& scene, const GrainShape& about) {
    try {
        TriangleMesh mesh = read_mesh(about.file);
        if (about.kind == ShapeKind::mesh) {
            mend(mesh);
            require_solid(mesh, about.file);
        }
        for (Vec3& p : mesh.points) p *= about.file_scale;
        return mesh;
    } catch (const Error& error) {
        refuse(scene, about, error.what());
    }
}

std::vector<Vec3> corners_of(const Scene& scene, const GrainShape& about) {
    if (!about.vertices.empty()) return about.vertices;
    const double l = about.length;
    switch (about.kind) {
        case ShapeKind::spherocylinder:
            return scene.dimension == 2 ? std::vector<Vec3>{{-0.5 * l, 0, 0}, {0.5 * l, 0, 0}}
                                        : std::vector<Vec3>{{0, 0, -0.5 * l}, {0, 0, 0.5 * l}};
        case ShapeKind::spherotriangle:
            return {{-0.5 * l, -std::sqrt(1.0 / 12) * l, 0},
                    {0.5 * l, -std::sqrt(1.0 / 12) * l, 0},
                    {0, std::sqrt(1.0 / 3) * l, 0}};
        case ShapeKind::spherotetrahedron:
            return solid_corners(Solid::tetrahedron, l);
        default:
            return solid_corners(about.solid, l);
    }
}

void add_pieces_of_mesh(const Scene& scene, const GrainShape& about, Raw& raw) {
    Vec3 low = raw.mesh->points[0], high = low;
    for (const Vec3 p : raw.mesh->points)
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::fmin(low[axis], p[axis]);
            high[axis] = std::fmax(high[axis], p[axis]);
        }
    raw.may_fill = about.tolerance * norm(high - low);
    std::vector<std::vector<Vec3>> pieces = convex_pieces(*raw.mesh, raw.may_fill, &raw.filled);
    if (about.erode) {
        DrawnIn inner = drawn_in(pieces, about.radius);
        if (inner.fitting > 0)
            refuse(scene, about,
                   fmt::format("{:.3g} % of its volume is in pieces thinner than twice the rounding radius {:g} m, up "
                               "to {:.3g} m thick; nothing would touch them, and they stick out: "
                               "take a `radius` below {:.3g} m, or leave out `erode`",
                               100 * inner.lost, about.radius, inner.thickness, 0.995 * inner.fitting));
        raw.lost = inner.lost;
        raw.lost_thickness = inner.thickness;
        pieces = std::move(inner.clouds);
    }
    for (auto& cloud : pieces) raw.clouds.emplace_back(std::move(cloud), about.radius);
}

Raw raw_shape(const Scene& scene, const GrainShape& about, int depth) {
    Raw raw;
    const auto add = [&](std::vector<Vec3> cloud) {
        if (about.erode && (about.kind == ShapeKind::spheropolyhedron || about.kind == ShapeKind::spherotetrahedron)) {
            cloud = eroded(cloud, about.radius, scene.dimension);
            if (cloud.empty())
                refuse(scene, about,
                       fmt::format("the rounding radius {:g} m is larger than what fits into it: take a smaller "
                                   "`radius`, or leave out `erode`",
                                   about.radius));
        }
        raw.clouds.emplace_back(std::move(cloud), about.radius);
    };
    switch (about.kind) {
        case ShapeKind::sphere:
            raw.clouds.push_back({{Vec3{}}, about.radius});
            break;
        case ShapeKind::cluster:
            for (const auto& s : about.spheres) raw.clouds.push_back({{Vec3{s[0], s[1], s[2]}}, s[3]});
            break;
        case ShapeKind::joined:
            if (depth > 8) refuse(scene, about, "contains itself");
            for (const ShapePart& part : about.parts) {
                const auto at = std::find_if(scene.shapes.begin(), scene.shapes.end(),
                                             [&](const GrainShape& s) { return s.name == part.shape; });
                if (at == scene.shapes.end()) refuse(scene, about, fmt::format("there is no shape '{}'", part.shape));
                if (at->glue.law != Glue::Law::none)
                    refuse(scene, about,
                           fmt::format("its part '{}' is glued, and a union is rigid: take a cluster without `glue`",
                                       part.shape));
                Raw other = raw_shape(scene, *at, depth + 1);
                const Mat3 turn = matrix_of(normalized(
                    Quaternion{part.orientation[0], part.orientation[1], part.orientation[2], part.orientation[3]}));
                for (auto& [cloud, radius] : other.clouds) {
                    for (Vec3& p : cloud) p = part.at + turn * p;
                    raw.clouds.emplace_back(std::move(cloud), radius);
                }
            }
            break;
        case ShapeKind::mesh: {
            raw.mesh = mesh_of(scene, about);
            add_pieces_of_mesh(scene, about, raw);
            break;
        }
        default:
            if (!about.file.empty())
                add(mesh_of(scene, about).points);
            else
                add(corners_of(scene, about));
    }
    if (raw.clouds.empty()) refuse(scene, about, "has no pieces");
    for (const auto& [cloud, radius] : raw.clouds) {
        if (!(radius > 0))
            refuse(scene, about,
                   "needs a rounding `radius` > 0: contact is a distance between skeletons that are swept by a ball");
        for (const Vec3 p : cloud)
            if (!is_finite(p) || (scene.dimension == 2 && p.z != 0))
                refuse(scene, about,
                       scene.dimension == 2 ? "in 2D all its points need z = 0" : "has a point that is not finite");
    }
    return raw;
}

// Bodies whose moments along two axes differ by less than this part, or by less than is known, are not longer along one
// of them.
constexpr double least_difference = 1e-3;

Vec3 longest_axis(const Moments& moments, Vec3 inertia, int dimension) {
    const double tolerance = std::fmax(least_difference, 4 * moments.error);
    if (dimension == 2) {  // inertia knows one axis only
        const Mat3 c = moments.covariance();
        const double xx = c.row[0].x, yy = c.row[1].y, xy = c.row[0].y;
        if (!(std::sqrt((xx - yy) * (xx - yy) + 4 * xy * xy) > tolerance * (xx + yy))) return {};
        if (std::fabs(xy) <= 1e-12 * (xx + yy)) return xx > yy ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
        const SinCos at = same_sincos(0.5 * same_atan2(2 * xy, xx - yy));
        return {at.cos, at.sin, 0};
    }
    const int axis = inertia.z <= inertia.x && inertia.z <= inertia.y ? 2 : inertia.x <= inertia.y ? 0 : 1;
    Vec3 out;
    if (std::fmin(inertia[(axis + 1) % 3], inertia[(axis + 2) % 3]) * (1 - tolerance) > inertia[axis]) out[axis] = 1;
    return out;
}

}  // namespace

Shape make_shape(const Scene& scene, std::size_t number) {
    const GrainShape& about = scene.shapes[number];
    const int dimension = scene.dimension;
    const Raw raw = raw_shape(scene, about, 0);
    Shape shape;
    shape.name = about.name;
    shape.filled = raw.filled;
    shape.may_fill = raw.may_fill;
    shape.lost = raw.lost;
    shape.lost_thickness = raw.lost_thickness;
    std::vector<Piece> given;
    for (const auto& [cloud, radius] : raw.clouds) given.push_back(make_piece(cloud, radius, dimension));

    Moments moments;
    if (raw.mesh) {
        moments = moments_of(raw.mesh->points, raw.mesh->triangles);
    } else if (given.size() == 1 || pieces_are_disjoint(given)) {
        for (const Piece& piece : given) moments.add(moments_of(piece, dimension));
    } else {
        moments = moments_of_union(given, dimension);
        shape.error = moments.error;
    }
    if (!(moments.volume > 0)) refuse(scene, about, "has no volume");
    const PrincipalAxes principal = principal_axes(moments, dimension);
    // Inertia is the difference of integrals about the origin; far away from it nothing is left of that.
    const double least = std::fmin(principal.moments.x, std::fmin(principal.moments.y, principal.moments.z)),
                 away = norm(moments.center());
    if (!(least > 0) || !(0x1p-50 * moments.volume * away * away <
                          1e-3 * (principal.moments.x + principal.moments.y + principal.moments.z)))
        refuse(scene, about,
               fmt::format("its inertia is lost in rounding: it is {:.3g} m away from the origin of its coordinates; "
                           "move it there",
                           away));
    shape.volume = moments.volume;
    shape.inertia = principal.moments;
    shape.longest = longest_axis(moments, principal.moments, dimension);
    shape.center = moments.center();
    Mat3 axes = principal.axes;
    // Columns must form a right-handed frame.
    if (dot(axes.row[0], cross(axes.row[1], axes.row[2])) < 0)
        for (Vec3& row : axes.row) row.z = -row.z;
    shape.given = quaternion_of(axes);
    const Mat3 turn = matrix_of(shape.given);
    const auto moved = [&](Vec3 p) { return turn.transposed_times(p - shape.center); };

    shape.least_radius = forever;
    std::vector<Vec3> all;
    for (const auto& [cloud, radius] : raw.clouds) {
        std::vector<Vec3> points;
        for (const Vec3 p : cloud) {
            points.push_back(moved(p));
            all.push_back(points.back());
        }
        shape.pieces.push_back(make_piece(points, radius, dimension));
        for (const Vec3 p : points) shape.reach = std::fmax(shape.reach, norm(p) + radius);
        shape.least_radius = std::fmin(shape.least_radius, radius);
        shape.hull_radius = std::fmax(shape.hull_radius, radius);
    }
    shape.reach *= 1 + 1e-14;
    if (shape.pieces.size() > 1) shape.hull.emplace(all);
    if (raw.mesh) {
        shape.is_mesh = true;
        shape.surface = *raw.mesh;
        for (Vec3& p : shape.surface.points) p = moved(p);
    } else {
        shape.surface = surface_of(shape, dimension, Fineness::medium);
    }
    return shape;
}

Shape unit_sphere(int dimension) {
    Scene scene;
    scene.dimension = dimension;
    scene.shapes.emplace_back();
    scene.shapes[0].name = dimension == 2 ? "disc" : "sphere";
    scene.shapes[0].radius = 1;
    return make_shape(scene, 0);
}

TriangleMesh surface_of(const Shape& shape, int dimension, Fineness fineness) {
    if (shape.is_mesh) return shape.surface;
    TriangleMesh mesh;
    for (const Piece& piece : shape.pieces) append(mesh, rounded_surface(piece, dimension, fineness));
    return mesh;
}

TriangleMesh surface_as_given(const Shape& shape) {
    TriangleMesh mesh = shape.surface;
    const Mat3 turn = matrix_of(shape.given);
    for (Vec3& p : mesh.points) p = turn * p;
    return mesh;
}

Quaternion uniform_rotation(double u1, double u2, double u3) {
    const double a = std::sqrt(1 - u1), b = std::sqrt(u1);
    const SinCos s = same_sincos(2 * pi * u2), t = same_sincos(2 * pi * u3);
    return {b * t.cos, a * s.sin, a * s.cos, b * t.sin};
}

}  // namespace scree
