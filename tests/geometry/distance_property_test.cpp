// Laws of distance on pairs that shrink: coordinates on a coarse grid, so that ties, contacts and flat bodies are
// common and a counterexample comes out small.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "distance_certificate.h"
#include "geometry/gjk.h"

namespace scree {
namespace {

using Grid = std::vector<std::tuple<int, int, int>>;

std::vector<Vec3> cloud_of(const Grid& grid, double step, Vec3 shift) {
    std::vector<Vec3> cloud;
    for (const auto& [x, y, z] : grid) cloud.push_back(Vec3{x * step, y * step, z * step} + shift);
    return cloud;
}

rc::Gen<Grid> any_grid() {
    const auto coordinate = rc::gen::inRange(-4, 5);
    return rc::gen::nonEmpty(rc::gen::container<Grid>(rc::gen::tuple(coordinate, coordinate, coordinate)));
}

RC_GTEST_PROP(DistanceLaws, holds_its_certificate, ()) {
    const Grid ga = *any_grid(), gb = *any_grid();
    const double step = *rc::gen::element(1.0, 0.1, 1e-6, 1e3);
    const auto shift = *rc::gen::tuple(rc::gen::inRange(-6, 7), rc::gen::inRange(-6, 7), rc::gen::inRange(-6, 7));
    const std::vector<Vec3> a = cloud_of(ga, step, {}),
                            b = cloud_of(
                                gb, step,
                                {std::get<0>(shift) * step, std::get<1>(shift) * step, std::get<2>(shift) * step});
    const Polyhedron pa(a), pb(b);
    const Distance d = distance(pa, pb);
    const ExactDistance exact = exact_distance(vertex_set(pa), vertex_set(pb));
    RC_ASSERT(refute(a, b, pa, pb, exact) == "");
    RC_ASSERT(d.relation == exact.relation);
    RC_ASSERT(std::fabs(d.distance - exact.distance) <= 1e-14 * step);
}

RC_GTEST_PROP(DistanceLaws, triangle_inequality_through_a_point, ()) {
    const Polyhedron a(cloud_of(*any_grid(), 1, {})), b(cloud_of(*any_grid(), 1, {3, 0, 0}));
    const auto p = *rc::gen::tuple(rc::gen::inRange(-9, 10), rc::gen::inRange(-9, 10), rc::gen::inRange(-9, 10));
    const PointBody point(Vec3{double(std::get<0>(p)), double(std::get<1>(p)), double(std::get<2>(p))});
    RC_ASSERT(distance(a, b).distance <= distance(a, point).distance + distance(b, point).distance + 1e-14);
}

RC_GTEST_PROP(DistanceLaws, a_larger_body_is_not_farther, ()) {
    const Grid small = *any_grid(), more = *any_grid();
    Grid large = small;
    large.insert(large.end(), more.begin(), more.end());
    const Polyhedron b(cloud_of(*any_grid(), 1, {7, 1, 0}));
    RC_ASSERT(distance(Polyhedron(cloud_of(large, 1, {})), b).distance <=
              distance(Polyhedron(cloud_of(small, 1, {})), b).distance + 1e-14);
}

RC_GTEST_PROP(DistanceLaws, a_shift_changes_the_distance_by_no_more_than_its_length, ()) {
    const Polyhedron a(cloud_of(*any_grid(), 0.1, {})), b(cloud_of(*any_grid(), 0.1, {}));
    const auto s = *rc::gen::tuple(rc::gen::inRange(-9, 10), rc::gen::inRange(-9, 10), rc::gen::inRange(-9, 10));
    const Vec3 shift{0.1 * std::get<0>(s), 0.1 * std::get<1>(s), 0.1 * std::get<2>(s)};
    const double before = distance(a, b).distance, after = distance(Placed(a, {}, shift), Placed(b, {}, {})).distance;
    RC_ASSERT(std::fabs(before - after) <= norm(shift) + 1e-14);
}

}  // namespace
}  // namespace scree
