#include "export/bodies.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "shape/shape_table.h"

namespace scree {
namespace {

// A disc of radius 1 and thickness 1/4 about the x-y plane.
TriangleMesh unit_disc(int sides) {
    TriangleMesh mesh;
    mesh.points = {{0, 0, -0.125}, {0, 0, 0.125}};
    for (int k = 0; k < sides; ++k) {
        const double angle = 2 * std::numbers::pi * k / sides;
        for (const double z : {-0.125, 0.125}) mesh.points.push_back({std::cos(angle), std::sin(angle), z});
        const int a = 2 + 2 * k, b = 2 + 2 * ((k + 1) % sides), c = a + 1, d = b + 1;
        mesh.triangles.insert(mesh.triangles.end(), {{1, c, d}, {0, b, a}, {a, b, d}, {a, d, c}});
    }
    return mesh;
}

}  // namespace

Bodies::Bodies(const RunReader& run, const Snapshot& snapshot, Fineness fineness) : snapshot_(snapshot) {
    const int dimension = snapshot.dimension();
    surfaces_.push_back(dimension == 2 ? unit_disc(24) : rounded_surface(unit_sphere(3).pieces[0], 3, fineness));
    if (snapshot.shape.empty()) return;
    const ShapeTable& shapes = run.shapes();
    surfaces_.resize(shapes.size());
    for (std::size_t number = 1; number < shapes.size(); ++number) {
        if (std::find(snapshot.shape.begin(), snapshot.shape.end(), number) == snapshot.shape.end()) continue;
        surfaces_[number] = scree::surface_of(shapes[number], dimension, fineness);
        used_.push_back(number);
    }
}

std::vector<Vec3> Bodies::points(std::size_t grain) const {
    std::vector<Vec3> out = surface(grain).points;
    const Vec3 center = snapshot_.position[grain];
    const double size = scale(grain);
    const Mat3 turn = shape_of(grain) == 0 ? Mat3{} : matrix_of(snapshot_.orientation[grain]);
    for (Vec3& p : out) p = center + size * (shape_of(grain) == 0 ? p : turn * p);
    return out;
}

Vec3 extents(const Shape& shape) {
    Vec3 low{forever, forever, forever}, high = -low;
    const Mat3 turn = matrix_of(shape.given);
    const auto include = [&](Vec3 in_body, double r) {
        const Vec3 p = turn * in_body;
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::fmin(low[axis], p[axis] - r);
            high[axis] = std::fmax(high[axis], p[axis] + r);
        }
    };
    if (shape.is_mesh)
        for (const Vec3 p : shape.surface.points) include(p, 0);
    else
        for (const Piece& piece : shape.pieces)
            for (const Vec3 v : piece.vertex) include(v, piece.radius);
    return high - low;
}

}  // namespace scree
