#include "cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cell_edges.h"
#include "math/elementary.h"

namespace scree::micro {
namespace {

Vec3 at(const CellComplex& complex, std::int32_t corner) { return complex.corner[static_cast<std::size_t>(corner)]; }

}  // namespace

std::vector<CellMeasures> measures(const CellComplex& complex) {
    const std::size_t n = complex.cell.size();
    std::vector<CellMeasures> all(n);
    for (std::size_t c = 0; c < n; ++c) {
        CellMeasures& cell = all[c];
        if (complex.cell[c].empty()) continue;
        if (complex.seeds.dimension == 2) {
            const std::vector<std::int32_t>& corner = complex.face[static_cast<std::size_t>(complex.cell[c][0])].corner;
            const Vec3 base = at(complex, corner[0]);
            for (std::size_t k = 0; k < corner.size(); ++k) {
                const Vec3 a = at(complex, corner[k]), b = at(complex, corner[(k + 1) % corner.size()]);
                const double twice = cross(a - base, b - base).z;
                cell.volume += twice / 2;
                cell.centroid += twice / 6 * (a + b - 2 * base);
                cell.area += norm(b - a);
                cell.cut = cell.cut ||
                           (sides_of(complex, corner[k]) & sides_of(complex, corner[(k + 1) % corner.size()])) != 0;
            }
            cell.faces = static_cast<int>(corner.size());
            cell.centroid = base + cell.centroid / cell.volume;
            cell.centroid.z = 0;
            cell.diameter = 2 * std::sqrt(cell.volume / pi);
            cell.sphericity = 2 * std::sqrt(pi * cell.volume) / cell.area;
            continue;
        }
        const CellComplex::Face& first =
            complex.face[static_cast<std::size_t>(complex.cell[c][0] < 0 ? ~complex.cell[c][0] : complex.cell[c][0])];
        const Vec3 base = at(complex, first.corner[0]);
        for (const std::int32_t f : complex.cell[c]) {
            const CellComplex::Face& face = complex.face[static_cast<std::size_t>(f < 0 ? ~f : f)];
            const double sign = f < 0 ? -1 : 1;
            const std::size_t n = face.corner.size();
            const Vec3 a = (n == 3 ? at(complex, face.corner[2]) : middle_of(complex, face.corner)) - base;
            for (std::size_t k = 0; k < (n == 3 ? 1 : n); ++k) {
                const Vec3 b = at(complex, face.corner[k]) - base, d = at(complex, face.corner[(k + 1) % n]) - base;
                const double six = sign * dot(a, cross(b, d));
                cell.volume += six / 6;
                cell.centroid += six / 24 * (a + b + d);
                cell.area += norm(cross(b - a, d - a)) / 2;
            }
            cell.cut = cell.cut || face.cell[1] < -1;
            ++cell.faces;
        }
        cell.centroid = base + cell.centroid / cell.volume;
        cell.diameter = std::cbrt(6 * cell.volume / pi);
        cell.sphericity = std::cbrt(pi) * std::cbrt(36 * cell.volume * cell.volume) / cell.area;
    }
    return all;
}

std::string cells_as_csv(const CellComplex& complex) {
    const bool space = complex.seeds.dimension == 3;
    const std::vector<CellMeasures> all = measures(complex);
    std::vector<std::vector<std::int32_t>> neighbors(all.size());
    if (space) {
        for (const CellComplex::Face& face : complex.face)
            if (face.cell[1] >= 0)
                for (int k = 0; k < 2; ++k)
                    neighbors[static_cast<std::size_t>(face.cell[k])].push_back(face.cell[1 - k]);
    } else {
        std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> owner;
        for (const CellComplex::Face& face : complex.face)
            for (std::size_t k = 0; k < face.corner.size(); ++k) {
                const std::int32_t a = face.corner[k], b = face.corner[(k + 1) % face.corner.size()];
                owner[{a, b}] = face.cell[0];
                if (const auto other = owner.find({b, a}); other != owner.end()) {
                    neighbors[static_cast<std::size_t>(face.cell[0])].push_back(other->second);
                    neighbors[static_cast<std::size_t>(other->second)].push_back(face.cell[0]);
                }
            }
    }
    fmt::memory_buffer text;
    fmt::format_to(std::back_inserter(text), "label,x,y,{}volume,diameter,sphericity,faces,neighbors,cut\n",
                   space ? "z," : "");
    for (std::size_t c = 0; c < all.size(); ++c) {
        const CellMeasures& cell = all[c];
        fmt::format_to(std::back_inserter(text), "{},{},{},", complex.seeds.label[c], cell.centroid.x, cell.centroid.y);
        if (space) fmt::format_to(std::back_inserter(text), "{},", cell.centroid.z);
        fmt::format_to(std::back_inserter(text), "{},{},{},{},", cell.volume, cell.diameter, cell.sphericity,
                       cell.faces);
        std::vector<Label> labels;
        for (const std::int32_t other : neighbors[c])
            labels.push_back(complex.seeds.label[static_cast<std::size_t>(other)]);
        std::sort(labels.begin(), labels.end());
        for (std::size_t k = 0; k < labels.size(); ++k)
            fmt::format_to(std::back_inserter(text), "{}{}", k ? " " : "", labels[k]);
        fmt::format_to(std::back_inserter(text), ",{}\n", cell.cut ? 1 : 0);
    }
    return fmt::to_string(text);
}

}  // namespace scree::micro
