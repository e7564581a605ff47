// Contact points of pieces against GJK and against the geometry of stacked bodies.
#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "geometry/gjk.h"
#include "shape/half_spaces.h"
#include "shape/patch.h"
#include "shape/shape.h"

namespace scree {
namespace {

Quaternion random_rotation(Random& random) {
    const double a = random.uniform(), b = random.uniform(), c = random.uniform();
    return uniform_rotation(a, b, c);
}

TEST(patch, distance_is_that_of_gjk_with_and_without_memory) {
    Random random(5, 0);
    std::vector<Piece> pieces;
    for (const Solid solid : {Solid::tetrahedron, Solid::cube, Solid::dodecahedron, Solid::icosahedron})
        pieces.push_back(make_piece(solid_corners(solid, 1), 0.1, 3));
    pieces.push_back(make_piece(std::vector<Vec3>{{-1, 0, 0}, {1, 0, 0}}, 0.1, 3));
    pieces.push_back(make_piece(std::vector<Vec3>{{0, 0, 0}}, 0.5, 3));
    pieces.push_back(make_piece(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 0.1, 3));
    int touching = 0;
    for (int trial = 0; trial < 4000; ++trial) {
        const Piece &a = pieces[random.below(pieces.size())], &b = pieces[random.below(pieces.size())];
        Pose pa{matrix_of(random_rotation(random)), {}, random.uniform(0.7, 1.3)},
            pb{matrix_of(random_rotation(random)), {}, random.uniform(0.7, 1.3)};
        const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
        pb.position = (1.2 * (a.reach + b.reach)) * Vec3{x, y, z};
        double feature = 0;
        for (int step = 0; step < 5; ++step) {
            Mat3 ma = pa.rotation, mb = pb.rotation;
            for (int k = 0; k < 3; ++k) {
                ma.row[k] *= pa.scale;
                mb.row[k] *= pb.scale;
            }
            const Distance d = distance(Placed<Polyhedron>::stretched(a.body, ma, pa.position),
                                        Placed<Polyhedron>::stretched(b.body, mb, pb.position));
            Patch patch;
            const double reach = 0.4;
            find_patch(a, pa, b, pb, reach, 3, feature, patch);
            ASSERT_EQ(patch.overlap, d.skeletons_overlap || d.gap <= 0) << trial;
            if (patch.overlap) break;
            ASSERT_NEAR(patch.distance, d.gap, 1e-11) << trial;
            ASSERT_EQ(patch.count > 0, d.gap < reach);
            if (patch.count == 0) break;
            ++touching;
            // The closest points are among those of the patch, and no point is nearer.
            double least = 1e9;
            for (int k = 0; k < patch.count; ++k) {
                const PatchPoint& p = patch.point[k];
                least = std::fmin(least, p.gap);
                ASSERT_NEAR(norm(p.a - p.b), p.gap, 1e-11);
                ASSERT_GT(p.weight, 0);
                ASSERT_LE(p.weight, 1);
                ASSERT_NEAR(norm(p.normal), 1, 1e-12);
            }
            ASSERT_NEAR(least, d.gap, 1e-10) << trial;
            pb.position += 0.01 * Vec3{y, z, x};
            pb.rotation = matrix_of(turn_about({z, x, y}, 0.02 * step));
        }
    }
    EXPECT_GT(touching, 1000);
}

TEST(patch, faces_that_lie_on_each_other_share_the_corners_of_their_overlap) {
    const Piece cube = make_piece(solid_corners(Solid::cube, 2), 0.1, 3);
    const Pose lower{Mat3{}, {}, 1};
    const struct {
        double turn;
        Vec3 shift;
        int corners;
    } cases[] = {{0, {0, 0, 2.15}, 4},
                 {0, {0.5, 0.3, 2.15}, 4},
                 {pi / 4, {0, 0, 2.15}, 8},
                 {0.2, {0.1, 0, 2.15}, 8},
                 {pi / 4, {1.1, 1.1, 2.15}, 3}};
    for (const auto& c : cases) {
        const Pose upper{matrix_of(turn_about({0, 0, 1}, c.turn)), c.shift, 1};
        double feature = 0;
        Patch patch;
        find_patch(cube, lower, cube, upper, 0.2, 3, feature, patch);
        EXPECT_EQ(patch.count, c.corners) << c.turn;
        for (int k = 0; k < patch.count; ++k) {
            EXPECT_NEAR(patch.point[k].gap, 0.15, 1e-12);
            EXPECT_NEAR(patch.point[k].normal.z, -1, 1e-12);
            EXPECT_LE(std::fabs(patch.point[k].a.x), 1 + 1e-12);
            EXPECT_LE(std::fabs(patch.point[k].a.y), 1 + 1e-12);
            for (int j = 0; j < k; ++j) EXPECT_NE(patch.point[k].key, patch.point[j].key);
        }
    }
}

TEST(patch, a_tilted_cube_rests_on_two_points_and_then_on_one) {
    const Piece cube = make_piece(solid_corners(Solid::cube, 2), 0.1, 3);
    const Piece table = make_piece(solid_corners(Solid::cube, 20), 0.1, 3);
    const Pose floor{Mat3{}, {0, 0, -10}, 1};
    const auto points = [&](Quaternion q) {
        double lowest = 0;
        for (const Vec3 v : cube.vertex) lowest = std::fmin(lowest, (matrix_of(q) * v).z);
        double feature = 0;
        Patch patch;
        find_patch(table, floor, cube, Pose{matrix_of(q), {0, 0, 0.19 - lowest}, 1}, 0.2, 3, feature, patch);
        return patch.count;
    };
    EXPECT_EQ(points(Quaternion{}), 4);
    EXPECT_EQ(points(turn_about({0, 1, 0}, 0.1)), 2);
    EXPECT_EQ(points(turn_about({0, 1, 0}, 0.7)), 2);
    EXPECT_EQ(points(normalized(turn_about({0, 1, 0}, 0.5) * turn_about({1, 0, 0}, 0.4))), 1);
    EXPECT_EQ(points(turn_about({0, 1, 0}, 1e-4)), 4);
}

}  // namespace
}  // namespace scree
