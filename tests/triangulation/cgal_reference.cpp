#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Regular_triangulation_2.h>
#include <CGAL/Regular_triangulation_3.h>
#include <CGAL/Triangulation_vertex_base_with_info_2.h>
#include <CGAL/Triangulation_vertex_base_with_info_3.h>

#include <algorithm>

#include "reference.h"

namespace scree::tri {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Vertex3 =
    CGAL::Triangulation_vertex_base_with_info_3<Index, Kernel, CGAL::Regular_triangulation_vertex_base_3<Kernel>>;
using Regular3 = CGAL::Regular_triangulation_3<
    Kernel, CGAL::Triangulation_data_structure_3<Vertex3, CGAL::Regular_triangulation_cell_base_3<Kernel>>>;
using Vertex2 =
    CGAL::Triangulation_vertex_base_with_info_2<Index, Kernel, CGAL::Regular_triangulation_vertex_base_2<Kernel>>;
using Regular2 = CGAL::Regular_triangulation_2<
    Kernel, CGAL::Triangulation_data_structure_2<Vertex2, CGAL::Regular_triangulation_face_base_2<Kernel>>>;

void finish(Reference& reference, const std::vector<char>& seen) {
    std::sort(reference.edges.begin(), reference.edges.end());
    for (std::size_t k = 0; k < seen.size(); ++k)
        if (!seen[k]) reference.hidden.push_back(static_cast<Index>(k));
}

}  // namespace

Reference cgal_3d(const std::vector<Row>& rows) {
    std::vector<std::pair<Kernel::Weighted_point_3, Index>> points;
    for (std::size_t k = 0; k < rows.size(); ++k)
        points.emplace_back(
            Kernel::Weighted_point_3(Kernel::Point_3(rows[k].c[0], rows[k].c[1], rows[k].c[2]), rows[k].c[3]),
            static_cast<Index>(k));
    Regular3 regular;
    regular.insert(points.begin(), points.end());
    Reference reference;
    reference.dimension = regular.dimension();
    std::vector<char> seen(rows.size(), 0);
    for (auto v = regular.finite_vertices_begin(); v != regular.finite_vertices_end(); ++v)
        seen[static_cast<std::size_t>(v->info())] = 1;
    for (auto e = regular.finite_edges_begin(); e != regular.finite_edges_end(); ++e) {
        const Index a = e->first->vertex(e->second)->info(), b = e->first->vertex(e->third)->info();
        reference.edges.emplace_back(std::min(a, b), std::max(a, b));
    }
    reference.cells = regular.dimension() == 3 ? regular.number_of_finite_cells() : 0;
    finish(reference, seen);
    return reference;
}

Reference cgal_2d(const std::vector<Row>& rows) {
    std::vector<std::pair<Kernel::Weighted_point_2, Index>> points;
    for (std::size_t k = 0; k < rows.size(); ++k)
        points.emplace_back(Kernel::Weighted_point_2(Kernel::Point_2(rows[k].c[0], rows[k].c[1]), rows[k].c[3]),
                            static_cast<Index>(k));
    Regular2 regular;
    regular.insert(points.begin(), points.end());
    Reference reference;
    reference.dimension = regular.dimension();
    std::vector<char> seen(rows.size(), 0);
    for (auto v = regular.finite_vertices_begin(); v != regular.finite_vertices_end(); ++v)
        seen[static_cast<std::size_t>(v->info())] = 1;
    for (auto e = regular.finite_edges_begin(); e != regular.finite_edges_end(); ++e) {
        const auto face = e->first;
        const int i = e->second;
        const Index a = face->vertex(face->cw(i))->info(), b = face->vertex(face->ccw(i))->info();
        reference.edges.emplace_back(std::min(a, b), std::max(a, b));
    }
    reference.cells = regular.dimension() == 2 ? regular.number_of_faces() : 0;
    finish(reference, seen);
    return reference;
}

}  // namespace scree::tri
