#include "shape/shape_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/csv.h"
#include "math/elementary.h"
#include "scree/error.h"

namespace scree {
namespace {

// The largest share of a point's answer to a push that is due to turning: largest eigenvalue of [r]^T I^-1 [r], times
// m.
double turning_part(Vec3 r, Vec3 inertia, double mass) {
    const auto apply = [&](Vec3 n) {
        const Vec3 t = cross(r, n);
        return mass * cross(Vec3{t.x / inertia.x, t.y / inertia.y, t.z / inertia.z}, r);
    };
    Vec3 n{0.48, 0.6, 0.64};
    double largest = 0;
    for (int k = 0; k < 50; ++k) {
        const Vec3 image = apply(n);
        largest = norm(image);
        if (!(largest > 0)) return 0;
        n = image / largest;
    }
    return largest;
}

std::vector<std::array<double, 4>> spheres_in(const std::string& file, int dimension) {
    const CsvTable table = read_csv(file);
    std::vector<std::array<double, 4>> out;
    for (std::size_t row = 0; row < table.fields.size(); ++row) {
        const auto value = [&](const char* name) {
            const int column = table.column(name);
            if (column < 0)
                throw Error(
                    ErrorKind::bad_input,
                    fmt::format(
                        "{}: there is no column '{}'; the spheres of a cluster need x, y, z (not in 2D) and radius",
                        file, name));
            return table.number(row, column);
        };
        out.push_back({value("x"), value("y"), dimension == 3 ? value("z") : 0, value("radius")});
        if (!(out.back()[3] > 0))
            table.refuse(row, table.column("radius"), fmt::format("a radius must be positive, not {}", out.back()[3]));
    }
    return out;
}

}  // namespace

ShapeTable::ShapeTable(int dimension) : dimension_(dimension) {
    shapes_.push_back(unit_sphere(dimension));
    glued_.emplace_back();
    measure();
}

ShapeTable::ShapeTable(const Scene& scene) : dimension_(scene.dimension) {
    shapes_.push_back(unit_sphere(scene.dimension));
    glued_.emplace_back();
    Scene whole = scene;  // with the spheres of clusters that are in files
    for (GrainShape& shape : whole.shapes)
        if (shape.kind == ShapeKind::cluster && !shape.file.empty())
            shape.spheres = spheres_in(shape.file, scene.dimension);
    for (std::size_t k = 0; k < scene.shapes.size(); ++k) {
        const bool glued = whole.shapes[k].glue.law != Glue::Law::none;
        shapes_.push_back(glued || scene.shapes[k].kind == ShapeKind::sphere ? shapes_[0] : make_shape(whole, k));
        glued_.emplace_back();
        if (!glued) continue;
        glued_.back() = make_glued(whole, whole.shapes[k]);
        shapes_.back().name = scene.shapes[k].name;
    }
    measure();
}

// What contact and the time step ask of every shape.
void ShapeTable::measure() {
    for (const Shape& shape : shapes_) {
        double most = 0, least = forever;
        for (const Piece& piece : shape.pieces) {
            least = std::min(least, piece.radius);
            for (const Vec3 v : piece.vertex) most = std::max(most, turning_part(v, shape.inertia, shape.volume));
        }
        shares_.push_back(1 / (1 + most));
        least_radius_.push_back(least);
        trees_.push_back(std::make_unique<Lazy<PieceTree>>());
        fillings_.push_back(std::make_unique<Lazy<Filling>>());
    }
}

const PieceTree& ShapeTable::tree(std::size_t number) const {
    Lazy<PieceTree>& lazy = *trees_[number];
    std::call_once(lazy.built, [&] { lazy.value = PieceTree(shapes_[number].pieces); });
    return lazy.value;
}

const Filling& ShapeTable::filling(std::size_t number) const {
    Lazy<Filling>& lazy = *fillings_[number];
    std::call_once(lazy.built, [&] { lazy.value = filling_of(shapes_[number], dimension_); });
    return lazy.value;
}

std::uint16_t ShapeTable::number_of(const Scene& scene, const GrainGroup& group) {
    for (std::size_t k = 0; k < scene.shapes.size(); ++k)
        if (scene.shapes[k].name == group.shape && scene.shapes[k].kind != ShapeKind::sphere)
            return static_cast<std::uint16_t>(k + 1);
    return 0;
}

}  // namespace scree
