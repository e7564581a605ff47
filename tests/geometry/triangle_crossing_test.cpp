// Crossings of triangles against intersections in rational numbers by CGAL, on coarse grids where touching is common.
#include <CGAL/Gmpq.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/intersections.h>
#include <gtest/gtest.h>

#include "core/random.h"
#include "geometry/triangle_crossing.h"
#include "math/exact_orientation.h"

namespace scree {
namespace {

using Kernel = CGAL::Simple_cartesian<CGAL::Gmpq>;

// Two triangles have in common what their shared corners span, and no more.
bool cross_by_cgal(const std::vector<Vec3>& points, const std::array<int, 3>& s, const std::array<int, 3>& t) {
    const auto triangle = [&](const std::array<int, 3>& of) {
        const auto corner = [&](int k) {
            const Vec3 p = points[static_cast<std::size_t>(k)];
            return Kernel::Point_3(p.x, p.y, p.z);
        };
        return Kernel::Triangle_3(corner(of[0]), corner(of[1]), corner(of[2]));
    };
    std::size_t shared = 0;
    for (const int k : s) shared += static_cast<std::size_t>(std::count(t.begin(), t.end(), k));
    const auto common = CGAL::intersection(triangle(s), triangle(t));
    if (!common) return false;
    if (boost::get<Kernel::Point_3>(&*common)) return shared < 1;
    if (boost::get<Kernel::Segment_3>(&*common)) return shared < 2;
    return true;
}

TEST(triangle_crossing, is_what_rational_numbers_say) {
    Random random(5, 0);
    int crossing = 0, apart = 0;
    for (int round = 0; round < 20000; ++round) {
        // Grids of 3 to 6 points a side, sometimes flat; a factor that is no power of two makes coordinates round.
        const double side = std::floor(random.uniform(3, 7)), factor = round % 2 ? 1 : 0.1;
        std::vector<Vec3> points;
        for (int k = 0; k < 6; ++k) {
            const double x = std::floor(random.uniform(0, side)), y = std::floor(random.uniform(0, side)),
                         z = std::floor(random.uniform(0, side));
            points.push_back(factor * Vec3{x, y, round % 5 ? z : x + y});
        }
        const int shared = round % 3;
        const std::array<int, 3> s{0, 1, 2}, t{shared > 0 ? 1 : 3, shared > 1 ? 0 : 4, 5};
        const auto at = [&](int k) { return points[static_cast<std::size_t>(k)]; };
        if (collinear(at(s[0]), at(s[1]), at(s[2])) || collinear(at(t[0]), at(t[1]), at(t[2]))) continue;
        const bool wanted = cross_by_cgal(points, s, t);
        ASSERT_EQ(triangles_cross(points, s, t), wanted) << round;
        ASSERT_EQ(triangles_cross(points, {t[1], t[2], t[0]}, {s[2], s[0], s[1]}), wanted) << round;
        ++(wanted ? crossing : apart);
    }
    EXPECT_GT(crossing, 2000);
    EXPECT_GT(apart, 2000);
}

}  // namespace
}  // namespace scree
