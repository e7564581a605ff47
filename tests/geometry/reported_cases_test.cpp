// Pairs of bodies that users of other libraries have reported: what came out was wrong, not a number, or nothing.
#include <gtest/gtest.h>

#include <cmath>

#include "geometry/exact_distance.h"
#include "geometry/gjk.h"

namespace scree {
namespace {

// Flat quadrilaterals that cross; openGJK, report 3: 0.509.
TEST(ReportedCases, quadrilaterals_that_cross) {
    const Polyhedron a(std::vector<Vec3>{
        {0.795121, -0.727851, 0}, {-0.178424, -0.989183, 0}, {-0.412644, -0.770664, 0}, {0.566564, 0.548772, 0}}),
        b(std::vector<Vec3>{{-0.211223, -0.511346, 0}, {-0.347973, 0.45872, 0}, {0.277308, 0.969689, 0}});
    EXPECT_EQ(distance(a, b).distance, 0);
    EXPECT_NE(distance(a, b).relation, Relation::separated);
    EXPECT_EQ(distance(b, a).distance, 0);
}

// Two blocks far from the origin that overlap by most of their size; openGJK, report 52: 0.0033 in single precision.
TEST(ReportedCases, blocks_far_away_that_overlap) {
    const float ax[4] = {90945.08F, 91077.46F, 91454.92F, 91322.54F},
                ay[4] = {54122.54F, 53745.082F, 53877.46F, 54254.918F},
                bx[4] = {90919.64F, 91162.62F, 91480.36F, 91237.38F},
                by[4] = {54037.383F, 53719.637F, 53962.617F, 54280.363F};
    std::vector<Vec3> a, b;
    for (const double z : {300.0, 0.0})
        for (int k = 0; k < 4; ++k) {
            a.push_back({ax[k], ay[k], z});
            b.push_back({bx[k], by[k], z});
        }
    const Distance d = distance(Polyhedron(a), Polyhedron(b));
    EXPECT_EQ(d.distance, 0);
    EXPECT_EQ(d.relation, Relation::overlapping);
}

// A cut octahedron and points; openGJK, report 54. Queries on the axes of its faces, edges and corners, with closed
// forms.
TEST(ReportedCases, points_around_a_cut_octahedron) {
    const double s = 0.414213562373, t = 0.171572875254;
    std::vector<Vec3> corners;
    for (const double x : {s, -s})
        for (const double y : {s, -s})
            for (const double z : {s, -s})
                for (int low = 0; low < 3; ++low) {
                    Vec3 p{x, y, z};
                    p[low] *= t / s;
                    corners.push_back(p);
                }
    const Polyhedron body(corners);
    EXPECT_EQ(body.vertex_count(), 24);
    const auto from = [&](Vec3 p) { return distance(body, Polyhedron(std::vector<Vec3>{p})); };
    EXPECT_DOUBLE_EQ(from({1, 0, 0}).distance, 1 - s);
    EXPECT_DOUBLE_EQ(from({1, 1, 1}).distance, (3 - (2 * s + t)) / std::sqrt(3.0));
    EXPECT_DOUBLE_EQ(from({1, 1, 0}).distance, std::sqrt(2.0) * (1 - s));             // an edge along z
    EXPECT_DOUBLE_EQ(from({1, 1, 0.5}).distance, norm(Vec3{1 - s, 1 - s, 0.5 - t}));  // a corner
    EXPECT_EQ(from({0.25, 0.25, 0.25}).relation, Relation::overlapping);
    EXPECT_EQ(from({s, 0, 0}).relation, Relation::touching);
}

// A point and a hull of seven; dolfinx, report 3653: no end. In integers the distance has these digits.
TEST(ReportedCases, a_point_beside_a_thin_hull) {
    const Polyhedron point(std::vector<Vec3>{{44.2919, 39.7508, 18.8208}}),
        hull(std::vector<Vec3>{{46.0659, 38.6251, 16.3637},
                               {44.2764, 42.3867, 18.239},
                               {50.0397, 38.4649, 19.9843},
                               {47.1963, 40.4563, 19.1057},
                               {48.0266, 38.5593, 18.2475},
                               {45.1735, 40.495, 17.3336},
                               {48.0415, 40.4456, 18.1963}});
    const Distance d = distance(point, hull);
    EXPECT_NEAR(d.distance, 1.8134526453385028, 4e-15);
    EXPECT_NEAR(norm(d.point_b - d.point_a - Vec3{1.03648825, 1.01316152, -1.08986529}), 0, 2e-8);
    EXPECT_EQ(exact_distance(vertex_set(point), vertex_set(hull), {}).digits(25), "1.813452645338502756869487");
}

}  // namespace
}  // namespace scree
