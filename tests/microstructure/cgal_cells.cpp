#include "cgal_cells.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Regular_triangulation_3.h>
#include <CGAL/Triangulation_vertex_base_with_info_3.h>

#include <algorithm>
#include <cmath>

namespace scree::micro {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Vertex = CGAL::Triangulation_vertex_base_with_info_3<std::int32_t, Kernel,
                                                           CGAL::Regular_triangulation_vertex_base_3<Kernel>>;
using Regular = CGAL::Regular_triangulation_3<
    Kernel, CGAL::Triangulation_data_structure_3<Vertex, CGAL::Regular_triangulation_cell_base_3<Kernel>>>;

Vec3 vector_of(const Kernel::Point_3& p) { return {p.x(), p.y(), p.z()}; }

}  // namespace

std::vector<CgalCell> cgal_cells(const Seeds& seeds) {
    std::vector<std::pair<Kernel::Weighted_point_3, std::int32_t>> points;
    for (std::size_t i = 0; i < seeds.size(); ++i)
        points.emplace_back(
            Kernel::Weighted_point_3(Kernel::Point_3(seeds.center[i].x, seeds.center[i].y, seeds.center[i].z),
                                     seeds.weight[i]),
            static_cast<std::int32_t>(i));
    Regular regular;
    regular.insert(points.begin(), points.end());
    std::vector<CgalCell> cells(seeds.size());
    for (auto v = regular.finite_vertices_begin(); v != regular.finite_vertices_end(); ++v) {
        CgalCell& cell = cells[static_cast<std::size_t>(v->info())];
        const Vec3 center = seeds.center[static_cast<std::size_t>(v->info())];
        cell.inside = true;
        std::vector<Regular::Edge> edges;
        regular.incident_edges(v, std::back_inserter(edges));
        for (const Regular::Edge& edge : edges) {
            const auto other = edge.first->vertex(edge.second) == Regular::Vertex_handle(v)
                                   ? edge.first->vertex(edge.third)
                                   : edge.first->vertex(edge.second);
            if (regular.is_infinite(other)) {
                cell.inside = false;
                continue;
            }
            cell.neighbors.push_back(other->info());
            // The face is the polygon of the dual points of the tetrahedra around the edge.
            std::vector<Vec3> corners;
            auto around = regular.incident_cells(edge), end = around;
            do {
                if (regular.is_infinite(around)) {
                    cell.inside = false;
                    continue;
                }
                corners.push_back(vector_of(regular.dual(around)));
                for (int k = 0; k < 3; ++k)
                    cell.inside = cell.inside && corners.back()[k] > seeds.low[k] && corners.back()[k] < seeds.high[k];
            } while (++around != end);
            // Its pyramid counts negatively when the seed is beyond the face, as happens with weights.
            const Vec3 outward = seeds.center[static_cast<std::size_t>(other->info())] - center;
            Vec3 twice;
            for (std::size_t k = 2; k < corners.size(); ++k)
                twice += cross(corners[k - 1] - corners[0], corners[k] - corners[0]);
            if (corners.size() > 2)
                cell.volume += norm(twice) / 2 * dot(corners[0] - center, outward) / norm(outward) / 3;
        }
        std::sort(cell.neighbors.begin(), cell.neighbors.end());
    }
    return cells;
}

}  // namespace scree::micro
