#include "complex_shape.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "cell_edges.h"
#include "cells.h"
#include "math/elementary.h"

namespace scree::micro {
namespace {

Vec3 at(const CellComplex& complex, std::int32_t corner) { return complex.corner[static_cast<std::size_t>(corner)]; }

double angle_between(Vec3 a, Vec3 b) { return std::atan2(norm(cross(a, b)), dot(a, b)); }

// The least angle inside a cell between the triangles of two faces at their common edge.
double least_dihedral_of(const CellComplex& complex, std::size_t cell) {
    std::map<std::pair<std::int32_t, std::int32_t>, Vec3> outward;  // of the triangle at an edge
    for (const std::int32_t f : complex.cell[cell]) {
        const std::vector<std::int32_t>& loop = complex.face[static_cast<std::size_t>(f < 0 ? ~f : f)].corner;
        const Vec3 middle = middle_of(complex, loop);
        for (std::size_t k = 0; k < loop.size(); ++k) {
            std::int32_t a = loop[k], b = loop[(k + 1) % loop.size()];
            if (f < 0) std::swap(a, b);
            outward[{a, b}] = cross(at(complex, a) - middle, at(complex, b) - middle);
        }
    }
    double least = pi;
    for (const auto& [edge, normal] : outward) {
        const auto other = outward.find({edge.second, edge.first});
        if (other == outward.end()) continue;
        const Vec3 along = at(complex, edge.second) - at(complex, edge.first);
        const double turn = std::atan2(dot(cross(normal, other->second), along) / norm(along),
                                       dot(normal, other->second));  // positive where the cell bulges
        least = std::min(least, pi - turn);
    }
    return least;
}

double least_corner_of(const CellComplex& complex, const std::vector<std::int32_t>& loop) {
    double least = pi;
    for (std::size_t k = 0, n = loop.size(); k < n; ++k) {
        const Vec3 before = at(complex, loop[k]) - at(complex, loop[(k + n - 1) % n]);
        const Vec3 after = at(complex, loop[(k + 1) % n]) - at(complex, loop[k]);
        least = std::min(least, pi - std::atan2(cross(before, after).z, dot(before, after)));
    }
    return least;
}

}  // namespace

double bend_of(const CellComplex& complex, const std::vector<std::int32_t>& loop) {
    if (loop.size() == 3) return 0;
    const Vec3 middle = middle_of(complex, loop);
    std::vector<Vec3> normals;
    for (std::size_t k = 0; k < loop.size(); ++k) {
        normals.push_back(cross(at(complex, loop[k]) - middle, at(complex, loop[(k + 1) % loop.size()]) - middle));
        if (normals.back() == Vec3{}) return pi;
    }
    double most = 0;
    for (std::size_t a = 0; a < normals.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) most = std::max(most, angle_between(normals[a], normals[b]));
    return most;
}

ComplexShape shape_of(const CellComplex& complex) {
    ComplexShape shape;
    const double degrees = 180 / pi;
    const Edges edges(complex);
    shape.corners = complex.corner.size();
    shape.edges = edges.ends.size();
    shape.faces = complex.face.size();
    std::size_t cells = 0;
    for (const CellMeasures& cell : measures(complex)) {
        shape.mean_diameter += cell.diameter;
        cells += cell.volume > 0;
    }
    shape.mean_diameter /= static_cast<double>(std::max<std::size_t>(cells, 1));
    shape.shortest_edge = shape.mean_diameter * 1e9;
    for (const auto& [a, b] : edges.ends) {
        const double length = norm(at(complex, b) - at(complex, a));
        shape.shortest_edge = std::min(shape.shortest_edge, length);
        const auto bin = static_cast<std::size_t>(10 * length / shape.mean_diameter);
        ++shape.lengths[std::min(bin, shape.lengths.size() - 1)];
    }
    shape.least_dihedral = 180;
    if (complex.seeds.dimension == 2) {
        for (const CellComplex::Face& face : complex.face)
            shape.least_dihedral = std::min(shape.least_dihedral, degrees * least_corner_of(complex, face.corner));
        return shape;
    }
    for (const CellComplex::Face& face : complex.face)
        shape.largest_bend = std::max(shape.largest_bend, degrees * bend_of(complex, face.corner));
    for (std::size_t c = 0; c < complex.cell.size(); ++c)
        shape.least_dihedral = std::min(shape.least_dihedral, degrees * least_dihedral_of(complex, c));
    return shape;
}

CellComplex with_flat_faces(const CellComplex& complex) {
    if (complex.seeds.dimension == 2) return complex;
    CellComplex flat = complex;
    flat.face.clear();
    std::vector<std::vector<std::int32_t>> parts(complex.face.size());
    const auto add = [&](CellComplex::Face face, std::size_t f) {
        face.normal = normalized(area_vector(flat, face.corner));
        face.offset = dot(face.normal, at(flat, face.corner[0]));
        parts[f].push_back(static_cast<std::int32_t>(flat.face.size()));
        flat.face.push_back(std::move(face));
    };
    for (std::size_t f = 0; f < complex.face.size(); ++f) {
        const CellComplex::Face& face = complex.face[f];
        if (face.corner.size() == 3 || bend_of(complex, face.corner) < 1e-6) {
            add(face, f);
            continue;
        }
        const auto middle = static_cast<std::int32_t>(flat.corner.size());
        flat.corner.push_back(middle_of(complex, face.corner));
        for (std::size_t k = 0; k < face.corner.size(); ++k) {
            CellComplex::Face part = face;
            part.corner = {middle, face.corner[k], face.corner[(k + 1) % face.corner.size()]};
            add(std::move(part), f);
        }
    }
    for (std::vector<std::int32_t>& cell : flat.cell) {
        std::vector<std::int32_t> faces;
        for (const std::int32_t f : cell)
            for (const std::int32_t part : parts[static_cast<std::size_t>(f < 0 ? ~f : f)])
                faces.push_back(f < 0 ? ~part : part);
        cell = std::move(faces);
    }
    return flat;
}

}  // namespace scree::micro
