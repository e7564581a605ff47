#include <fmt/format.h>

#include <map>

#include "mesh_quality.h"
#include "rows_of_numbers.h"

namespace scree::micro {

void write_msh(const Mesh& mesh, const Put& put) {
    fmt::memory_buffer out;
    const auto line = [&]<class... T>(fmt::format_string<T...> form, T&&... values) {
        fmt::format_to(std::back_inserter(out), form, std::forward<T>(values)...);
        if (out.size() > 100000) {
            put({out.data(), out.size()});
            out.clear();
        }
    };
    const bool space = mesh.dimension == 3;
    std::map<std::int32_t, std::size_t> sides;  // facets on each
    for (const Mesh::Facet& facet : mesh.facet)
        if (facet.cell[1] < 0) ++sides[-2 - facet.cell[1]];
    line("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n{}\n", mesh.label.size() + sides.size());
    // Groups of cells are numbered from 1, those of sides after them.
    const auto group_of_side = [&](std::int32_t side) {
        return mesh.label.size() + static_cast<std::size_t>(side) + 1;
    };
    for (const auto& [side, count] : sides)
        line("{} {} \"{}{}\"\n", mesh.dimension - 1, group_of_side(side), "xyz"[side / 2], side % 2);
    for (std::size_t c = 0; c < mesh.label.size(); ++c)
        line("{} {} \"grain{}\"\n", mesh.dimension, c + 1, mesh.label[c]);
    line("$EndPhysicalNames\n$Nodes\n{}\n", mesh.node.size());
    for (std::size_t n = 0; n < mesh.node.size(); ++n)
        line("{} {} {} {}\n", n + 1, mesh.node[n].x, mesh.node[n].y, mesh.node[n].z);
    std::size_t number = mesh.element.size();
    for (const auto& [side, count] : sides) number += count;
    line("$EndNodes\n$Elements\n{}\n", number);
    number = 0;
    for (const Mesh::Facet& facet : mesh.facet) {
        if (facet.cell[1] >= 0) continue;
        const std::size_t group = group_of_side(-2 - facet.cell[1]);
        line("{} {} 2 {} {} {} {}", ++number, space ? 2 : 1, group, group, facet.node[0] + 1, facet.node[1] + 1);
        if (space) line(" {}", facet.node[2] + 1);
        line("\n");
    }
    for (std::size_t e = 0; e < mesh.element.size(); ++e) {
        const auto& node = mesh.element[e];
        const std::int32_t group = mesh.cell[e] + 1;
        line("{} {} 2 {} {} {} {} {}", ++number, space ? 4 : 2, group, group, node[0] + 1, node[1] + 1, node[2] + 1);
        if (space) line(" {}", node[3] + 1);
        line("\n");
    }
    line("$EndElements\n");
    put({out.data(), out.size()});
}

void write_mesh_vtu(const Mesh& mesh, const Put& put) {
    RowsOfNumbers rows(put);
    const int corners = mesh.dimension + 1;
    put(
        fmt::format("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\">\n<UnstructuredGrid>\n"
                    "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n",
                    mesh.node.size(), mesh.element.size()));
    rows.begin_array("Float64", "Points", " NumberOfComponents=\"3\"");
    for (const Vec3 p : mesh.node)
        for (int k = 0; k < 3; ++k) rows.add(p[k]);
    rows.end_array();
    put("</Points>\n<Cells>\n");
    rows.begin_array("Int64", "connectivity");
    for (const auto& element : mesh.element)
        for (int k = 0; k < corners; ++k) rows.add(element[static_cast<std::size_t>(k)]);
    rows.end_array();
    rows.begin_array("Int64", "offsets");
    for (std::size_t e = 1; e <= mesh.element.size(); ++e) rows.add(e * static_cast<std::size_t>(corners));
    rows.end_array();
    rows.begin_array("UInt8", "types");
    for (std::size_t e = 0; e < mesh.element.size(); ++e) rows.add(mesh.dimension == 3 ? 10 : 5);
    rows.end_array();
    put("</Cells>\n<CellData Scalars=\"label\">\n");
    rows.begin_array("Int32", "label");
    for (const std::int32_t c : mesh.cell) rows.add(mesh.label[static_cast<std::size_t>(c)]);
    rows.end_array();
    rows.begin_array("Float64", "quality");
    for (std::size_t e = 0; e < mesh.element.size(); ++e) rows.add(element_quality(mesh, e));
    rows.end_array();
    put("</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
}

}  // namespace scree::micro
