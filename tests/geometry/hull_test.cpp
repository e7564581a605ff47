#include "geometry/convex_hull.h"

#include <gtest/gtest.h>

#include <set>

#include "distance_cases.h"
#include "geometry/polyhedron.h"
#include "math/exact_orientation.h"
#include "scree/error.h"

namespace scree {
namespace {

// A closed convex surface that holds all points, in exact arithmetic.
void validate(const std::vector<Vec3>& cloud, const ConvexHull& hull) {
    const auto at = [&](int k) { return hull.points[static_cast<std::size_t>(k)]; };
    for (std::size_t k = 0; k < hull.points.size(); ++k)
        ASSERT_EQ(hull.points[k], cloud[static_cast<std::size_t>(hull.sources[k])]);
    if (hull.dimension < 3) return;
    std::set<std::pair<int, int>> edges;
    for (const std::vector<int>& facet : hull.facets) {
        ASSERT_GE(facet.size(), 3u);
        for (const Vec3& p : cloud) ASSERT_LE(orientation(at(facet[0]), at(facet[1]), at(facet[2]), p), 0);
        for (std::size_t k = 0; k < facet.size(); ++k) {
            ASSERT_EQ(orientation(at(facet[0]), at(facet[1]), at(facet[2]), at(facet[k])), 0);
            ASSERT_TRUE(edges.emplace(facet[k], facet[(k + 1) % facet.size()]).second) << "an edge is used twice";
        }
    }
    for (const auto& [from, to] : edges) ASSERT_TRUE(edges.contains({to, from})) << "the surface has a hole";
    ASSERT_EQ(hull.points.size() + hull.facets.size(), edges.size() / 2 + 2);  // Euler
    ASSERT_EQ(hull.neighbors.size(), edges.size());
}

TEST(Hull, holds_all_points_of_every_kind_of_cloud) {
    for (const cases::Kind kind : cases::all_kinds())
        for (std::uint64_t number = 0; number < cases::count_of(60, 1000); ++number) {
            const cases::Pair pair = cases::draw(kind, number);
            for (const auto* cloud : {&pair.a, &pair.b}) {
                ASSERT_NO_FATAL_FAILURE(validate(*cloud, convex_hull(*cloud))) << cases::name_of(kind) << ' ' << number;
            }
        }
}

TEST(Hull, cube_with_points_on_faces_and_edges_has_eight_vertices) {
    std::vector<Vec3> cloud;
    for (int x = 0; x < 5; ++x)
        for (int y = 0; y < 5; ++y)
            for (int z = 0; z < 5; ++z) cloud.push_back({0.1 * x, 0.1 * y, 0.1 * z});
    const ConvexHull hull = convex_hull(cloud);
    validate(cloud, hull);
    // 0.1 k is no exact grid in doubles: opposite corners decide, and the faces are exact planes.
    EXPECT_EQ(hull.dimension, 3);
    EXPECT_EQ(hull.points.size(), 8u);
    EXPECT_EQ(hull.facets.size(), 6u);
    for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(hull.first_neighbor[k + 1] - hull.first_neighbor[k], 3);
}

TEST(Hull, flat_collinear_and_single_clouds_have_their_own_dimension) {
    EXPECT_EQ(convex_hull(std::vector<Vec3>{{1, 2, 3}, {1, 2, 3}}).dimension, 0);
    const ConvexHull line = convex_hull(std::vector<Vec3>{{0, 0, 0}, {2, 2, 2}, {1, 1, 1}, {-1, -1, -1}});
    EXPECT_EQ(line.dimension, 1);
    EXPECT_EQ(line.sources, (std::vector<int>{1, 3}));
    const ConvexHull flat =
        convex_hull(std::vector<Vec3>{{0, 0, 5}, {1, 0, 5}, {1, 1, 5}, {0, 1, 5}, {0.5, 0.5, 5}, {0.5, 0, 5}});
    EXPECT_EQ(flat.dimension, 2);
    EXPECT_EQ(flat.sources, (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(flat.facets.size(), 1u);
}

TEST(Hull, one_unit_in_the_last_place_makes_a_solid) {
    std::vector<Vec3> cloud{{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    EXPECT_EQ(convex_hull(cloud).dimension, 2);
    cloud[3].z = std::nextafter(1.0, 2);
    EXPECT_EQ(convex_hull(cloud).dimension, 3);
}

TEST(Hull, refuses_empty_and_broken_clouds) {
    EXPECT_THROW(convex_hull({}), Error);
    EXPECT_THROW(convex_hull(std::vector<Vec3>{{0, 0, 0}, {0, std::nan(""), 0}}), Error);
    EXPECT_THROW(convex_hull(std::vector<Vec3>{{0, 0, INFINITY}}), Error);
}

TEST(Hull, climbing_and_scanning_find_the_same_support) {
    Random r(6, 1);
    for (int count = 130; count < 3000; count = count * 3 / 2) {
        std::vector<Vec3> cloud;
        for (int k = 0; k < count; ++k) cloud.push_back(cases::random_direction(r));
        const Polyhedron body(cloud);
        ASSERT_TRUE(body.needs_check());
        int hint = 0;
        for (int k = 0; k < 2000; ++k) {
            const Vec3 d = cases::random_direction(r);
            const Support scanned = body.scan(d), climbed = body.climb(d, k % 3 == 0 ? hint : -1);
            ASSERT_NEAR(dot(scanned.point, d), dot(climbed.point, d), 1e-15);
            ASSERT_EQ(
                dot(body.scan_beyond(d, static_cast<int>(r.below(static_cast<std::uint64_t>(body.vertex_count()))))
                        .point,
                    d),
                dot(scanned.point, d));
            hint = climbed.index;
        }
    }
}

// Vertices in clusters as wide as rounding, directions along which several are equally far: where neighbors cannot
// tell.
TEST(Hull, a_checked_support_is_that_of_the_scan_from_any_start) {
    Random r(6, 2);
    for (const double width : {1e-3, 1e-9, 1e-13, 1e-15}) {
        std::vector<Vec3> cloud;
        for (int k = 0; k < 60; ++k) {
            const Vec3 middle = cases::random_direction(r);
            for (int j = 0; j < 6; ++j) cloud.push_back(middle + width * cases::random_direction(r));
        }
        const Polyhedron body(cloud);
        const ConvexHull& hull = body.hull();
        for (int k = 0; k < 3000; ++k) {
            Vec3 d = cases::random_direction(r);
            if (k % 2 == 0) {
                const std::vector<int>& facet = hull.facets[r.below(hull.facets.size())];
                d = cross(body.vertex(facet[1]) - body.vertex(facet[0]), body.vertex(facet[2]) - body.vertex(facet[0]));
            }
            const int start = static_cast<int>(r.below(static_cast<std::uint64_t>(body.vertex_count())));
            ASSERT_EQ(dot(body.support_checked(d, start).point, d), dot(body.scan(d).point, d)) << width;
        }
    }
}

TEST(Hull, vertices_keep_all_their_digits_far_from_the_origin) {
    Random r(7, 1);
    for (int k = 0; k < 1000; ++k) {
        const Vec3 far = std::exp2(r.uniform(-20, 60)) * cases::random_direction(r);
        const Polyhedron body(cases::moved(cases::random_body(r, 30), far));
        for (int v = 0; v < body.vertex_count(); ++v)
            for (int axis = 0; axis < 3; ++axis) {
                // origin + local is the given coordinate, exactly (two-sum of the parts leaves no rest).
                const double o = body.origin()[axis], l = body.vertex(v)[axis], sum = o + l, back = sum - o;
                ASSERT_EQ(sum, body.world_vertex(v)[axis]);
                ASSERT_EQ((o - (sum - back)) + (l - back), 0);
            }
    }
}

}  // namespace
}  // namespace scree
