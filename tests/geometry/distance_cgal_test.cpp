// A sample against CGAL's exact optimiser for the distance of polytopes (in tests only: it is under the GPL).
#include <CGAL/Gmpzf.h>
#include <CGAL/Homogeneous.h>
#include <CGAL/Polytope_distance_d.h>
#include <CGAL/Polytope_distance_d_traits_3.h>
#include <CGAL/Simple_cartesian.h>
#include <gtest/gtest.h>

#include "distance_cases.h"

namespace scree {
namespace {

using Kernel = CGAL::Simple_cartesian<double>;
using Traits = CGAL::Polytope_distance_d_traits_3<Kernel, CGAL::Gmpzf, double>;
using Solver = CGAL::Polytope_distance_d<Traits>;

class AgainstCgal : public testing::TestWithParam<cases::Kind> {};

TEST_P(AgainstCgal, same_distance_and_verdict) {
    const std::uint64_t count = cases::count_of(25, 400);
    for (std::uint64_t number = 0; number < count; ++number) {
        const cases::Pair pair = cases::draw(GetParam(), number);
        if (pair.a.size() + pair.b.size() > 300) continue;
        std::vector<Kernel::Point_3> a, b;
        for (const Vec3& p : pair.a) a.emplace_back(p.x, p.y, p.z);
        for (const Vec3& p : pair.b) b.emplace_back(p.x, p.y, p.z);
        Solver solver(a.begin(), a.end(), b.begin(), b.end());
        const bool meet = CGAL::is_zero(solver.squared_distance_numerator());
        const double truth = std::sqrt(CGAL::to_double(solver.squared_distance_numerator()) /
                                       CGAL::to_double(solver.squared_distance_denominator()));
        const Distance d = distance(Polyhedron(pair.a), Polyhedron(pair.b));
        ASSERT_EQ(d.relation != Relation::separated, meet) << "pair " << number;
        ASSERT_NEAR(d.distance, truth, 1e-12 * pair.size) << "pair " << number;
    }
}

INSTANTIATE_TEST_SUITE_P(sample, AgainstCgal, testing::ValuesIn(cases::all_kinds()),
                         [](const auto& parameter) { return cases::name_of(parameter.param); });

}  // namespace
}  // namespace scree
