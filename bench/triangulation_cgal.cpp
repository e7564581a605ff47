#include "triangulation_cgal.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Regular_triangulation_3.h>
#include <CGAL/Triangulation_vertex_base_with_info_3.h>

#include <ctime>

namespace scree::bench {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Vertex =
    CGAL::Triangulation_vertex_base_with_info_3<int, Kernel, CGAL::Regular_triangulation_vertex_base_3<Kernel>>;
using Regular = CGAL::Regular_triangulation_3<
    Kernel, CGAL::Triangulation_data_structure_3<Vertex, CGAL::Regular_triangulation_cell_base_3<Kernel>>>;

double now() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

CgalTimes cgal_times(const std::vector<tri::Row>& rows, bool check) {
    std::vector<std::pair<Kernel::Weighted_point_3, int>> points;
    for (std::size_t k = 0; k < rows.size(); ++k)
        points.emplace_back(
            Kernel::Weighted_point_3(Kernel::Point_3(rows[k].c[0], rows[k].c[1], rows[k].c[2]), rows[k].c[3]),
            static_cast<int>(k));
    CgalTimes times;
    Regular regular;
    double start = now();
    regular.insert(points.begin(), points.end());
    times.build = now() - start;
    times.vertices = regular.number_of_vertices();
    times.cells = regular.number_of_cells();
    times.bytes = (static_cast<double>(regular.tds().cells().capacity()) * sizeof(Regular::Cell) +
                   static_cast<double>(regular.tds().vertices().capacity()) * sizeof(Regular::Vertex)) /
                  static_cast<double>(times.vertices);
    if (check) {
        start = now();
        long long bad = 0;
        for (auto cell = regular.finite_cells_begin(); cell != regular.finite_cells_end(); ++cell) {
            bad +=
                CGAL::orientation(cell->vertex(0)->point().point(), cell->vertex(1)->point().point(),
                                  cell->vertex(2)->point().point(), cell->vertex(3)->point().point()) != CGAL::POSITIVE;
            for (int i = 0; i < 4; ++i) {
                const auto next = cell->neighbor(i);
                if (regular.is_infinite(next) || !(&*cell < &*next)) continue;
                const auto apex = next->vertex(next->index(cell));
                bad += CGAL::power_side_of_oriented_power_sphere(cell->vertex(0)->point(), cell->vertex(1)->point(),
                                                                 cell->vertex(2)->point(), cell->vertex(3)->point(),
                                                                 apex->point()) == CGAL::ON_POSITIVE_SIDE;
            }
        }
        times.check = now() - start + (bad > 1'000'000'000 ? 1 : 0);
    }
    return times;
}

double cgal_tied_power_test() {
    std::vector<Kernel::Weighted_point_3> corner;
    for (int k = 0; k < 8; ++k)
        corner.emplace_back(
            Kernel::Point_3(8191.0 * (1000 + (k & 1)), 8191.0 * (1200 + (k >> 1 & 1)), 8191.0 * (500 + (k >> 2))),
            0x1p24);
    const int tests = 20'000;
    int sum = 0;
    const double start = now();
    for (int k = 0; k < tests; ++k)
        sum += CGAL::power_side_of_oriented_power_sphere(corner[0], corner[1], corner[2], corner[4],
                                                         corner[3 + (k & 1) * 4]);
    return 1e9 * (now() - start) / tests + (sum > tests ? 1 : 0);
}

}  // namespace scree::bench
