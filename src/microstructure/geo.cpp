#include <fmt/format.h>

#include <iterator>

#include "cell_edges.h"
#include "cells.h"
#include "complex_shape.h"

namespace scree::micro {

void write_geo(const CellComplex& given, double size, const Put& put) {
    const CellComplex complex = with_flat_faces(given);
    const Edges edges(complex);
    fmt::memory_buffer out;
    const auto line = [&]<class... T>(fmt::format_string<T...> form, T&&... values) {
        fmt::format_to(std::back_inserter(out), form, std::forward<T>(values)...);
        if (out.size() > 100000) {
            put({out.data(), out.size()});
            out.clear();
        }
    };
    line("// Cells of a tessellation; gmsh -{} meshes them.\nsize = {};\n", complex.seeds.dimension, size);
    for (std::size_t v = 0; v < complex.corner.size(); ++v)
        line("Point({}) = {{{}, {}, {}, size}};\n", v + 1, complex.corner[v].x, complex.corner[v].y,
             complex.corner[v].z);
    for (std::size_t e = 0; e < edges.ends.size(); ++e)
        line("Line({}) = {{{}, {}}};\n", e + 1, edges.ends[e].first + 1, edges.ends[e].second + 1);
    for (std::size_t f = 0; f < complex.face.size(); ++f) {
        const std::vector<std::int32_t>& corner = complex.face[f].corner;
        line("Line Loop({}) = {{", f + 1);
        for (std::size_t k = 0; k < corner.size(); ++k)
            line("{}{}", k ? ", " : "", edges.signed_number(corner[k], corner[(k + 1) % corner.size()]));
        line("}};\nPlane Surface({0}) = {{{0}}};\n", f + 1);
    }
    for (std::size_t c = 0; c < complex.cell.size(); ++c) {
        if (complex.cell[c].empty()) continue;
        if (complex.seeds.dimension == 2) {
            line("Physical Surface(\"grain{}\", {}) = {{{}}};\n", complex.seeds.label[c], c + 1,
                 complex.cell[c][0] + 1);
            continue;
        }
        line("Surface Loop({}) = {{", c + 1);
        for (std::size_t k = 0; k < complex.cell[c].size(); ++k) {
            const std::int32_t f = complex.cell[c][k];
            line("{}{}", k ? ", " : "", f < 0 ? -(~f + 1) : f + 1);
        }
        line("}};\nVolume({0}) = {{{0}}};\nPhysical Volume(\"grain{1}\", {0}) = {{{0}}};\n", c + 1,
             complex.seeds.label[c]);
    }
    put({out.data(), out.size()});
}

}  // namespace scree::micro
