// The public bodies, from C++ and from C: the same answers as inside, and refusals that tell why.
#include "scree/body.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>

#include "geometry/compound.h"
#include "scree/error.h"
#include "scree/scree_distance.h"
#include "shape/meshes.h"

namespace scree {
namespace {

const Rotation3 upright{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

Body ring_of(const TriangleMesh& mesh) {
    std::vector<Point3> points;
    for (const Vec3& p : mesh.points) points.push_back({p.x, p.y, p.z});
    return Body::mesh(points, mesh.triangles);
}

TEST(PublicBody, all_kinds_equal_closed_forms) {
    const Body ball = Body::sphere({5, 0, 0}, 1);
    EXPECT_DOUBLE_EQ(body_distance(Body::sphere({0, 0, 0}, 2), ball).distance, 2);
    EXPECT_DOUBLE_EQ(body_distance(Body::capsule({0, 0, -1}, {0, 0, 1}, 2), ball).distance, 2);
    EXPECT_DOUBLE_EQ(body_distance(Body::box({1, 2, 3}), ball).distance, 3);
    EXPECT_NEAR(body_distance(Body::ellipsoid({3, 2, 1}), ball).distance, 1, 1e-14);
    EXPECT_NEAR(body_distance(Body::superquadric({3, 2, 1}, 4), ball).distance, 1, 1e-14);
    EXPECT_NEAR(body_distance(Body::cylinder(1.5, 2), ball).distance, 2.5, 1e-14);
    EXPECT_NEAR(body_distance(Body::cone(2, 2), Body::sphere({0, 0, 4}, 1)).distance, 2, 1e-14);
    const std::vector<Point3> line{{0, -1, 0}, {0, 1, 0}};
    EXPECT_DOUBLE_EQ(body_distance(Body::curve({1, {0, 0, 1, 1}}, line), ball).distance, 4);
    const std::vector<Point3> square{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}};
    const Body sheet = Body::surface({1, {0, 0, 1, 1}}, {1, {0, 0, 1, 1}}, square);
    EXPECT_DOUBLE_EQ(body_distance(sheet, Body::sphere({0.5, 0.5, 3}, 1)).distance, 2);
    const BodyDistance d = body_distance(Body::united(std::vector{sheet, Body::sphere({3, 0, 0}, 0.5)}), ball);
    EXPECT_DOUBLE_EQ(d.distance, 0.5);
    EXPECT_EQ(d.part_a, 1);
    EXPECT_EQ(d.point_a, (Point3{3.5, 0, 0}));
    EXPECT_EQ(d.normal.value(), (Point3{1, 0, 0}));
    EXPECT_EQ(body_distance(sheet, ball, nullptr, 1).distance, std::numeric_limits<double>::infinity());
}

TEST(PublicBody, poses_radii_and_depth) {
    const Body box = Body::box({1, 1, 1}), above = box.placed(upright, {0, 0, 1.9});
    const std::optional<BodyDepth> d = body_depth(box, above);
    ASSERT_TRUE(d.has_value());
    EXPECT_NEAR(d->depth, 0.1, 1e-15);
    EXPECT_EQ(d->directions.at(0), (Point3{0, 0, 1}));
    EXPECT_FALSE(body_depth(box, box.placed(upright, {0, 0, 3})).has_value());
    EXPECT_TRUE(body_distance(box, above).overlap);
    EXPECT_TRUE(body_distance(box, box.placed(upright, {2, 0, 0})).touching);
    const double s = std::sqrt(0.5);
    const Body turned = box.placed({{{s, -s, 0}, {s, s, 0}, {0, 0, 1}}}, {0, 0, 0}).placed(upright, {4, 0, 0});
    EXPECT_NEAR(body_distance(box.swept(0.25), turned.swept(0.125)).distance, 4 - 1 - std::sqrt(2.0) - 0.375, 1e-14);
    EXPECT_THROW(box.placed({{{2, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0}), Error);
    EXPECT_THROW(box.placed({{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0}), Error);
    EXPECT_THROW((void)box.swept(-1), Error);
    EXPECT_THROW((void)Body::sphere({0, 0, 0}, std::nan("")), Error);
    EXPECT_THROW(Body::united({}), Error);
}

TEST(PublicBody, concave_surfaces_and_their_memory) {
    const Body ring = ring_of(torus(40, 20, 0.3));
    EXPECT_FALSE(body_distance(ring, Body::sphere({0, 0, 0}, 0.5)).overlap);
    EXPECT_TRUE(body_distance(ring, Body::sphere({1, 0, 0}, 0.1)).overlap);
    PairMemory memory;
    for (int k = 0; k < 50; ++k) {
        const double c = std::cos(0.02 * k), s = std::sin(0.02 * k);
        const Body other = ring.placed({{{1, 0, 0}, {0, c, -s}, {0, s, c}}}, {1 + 0.01 * k, 0, 3});
        EXPECT_NEAR(body_distance(ring, other, &memory).distance, body_distance(ring, other).distance, 1e-14) << k;
    }
}

struct Free {
    void operator()(scree_body* body) const { scree_body_free(body); }
    void operator()(scree_memory* memory) const { scree_memory_free(memory); }
};
using CBody = std::unique_ptr<scree_body, Free>;

TEST(CBodies, have_the_same_answers) {
    const double corner[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, center[] = {1, 1, 1},
                 identity[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, aside[] = {4, 0, 0};
    const CBody hull(scree_hull(corner, 4)), ball(scree_sphere(center, 0.5));
    scree_answer answer;
    ASSERT_EQ(scree_distance(hull.get(), ball.get(), nullptr, -1, &answer), 0);
    EXPECT_DOUBLE_EQ(answer.distance, 2 / std::sqrt(3.0) - 0.5);
    EXPECT_EQ(answer.relation, scree_separated);
    EXPECT_NEAR(answer.normal[0], 1 / std::sqrt(3.0), 1e-15);
    ASSERT_EQ(scree_distance(hull.get(), hull.get(), nullptr, -1, &answer), 0);
    EXPECT_EQ(answer.relation, scree_overlapping);
    EXPECT_EQ(answer.distance, 0);
    scree_depth_answer depth;
    ASSERT_EQ(scree_depth(hull.get(), hull.get(), &depth), 0);
    EXPECT_DOUBLE_EQ(depth.depth, 1 / std::sqrt(3.0));

    const int triangles[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    const CBody mesh(scree_mesh(corner, 4, triangles, 4)), far(scree_placed(mesh.get(), identity, aside));
    const std::unique_ptr<scree_memory, Free> memory(scree_memory_new());
    ASSERT_EQ(scree_distance(mesh.get(), far.get(), memory.get(), -1, &answer), 0);
    EXPECT_DOUBLE_EQ(answer.distance, 3);
    ASSERT_EQ(scree_distance(mesh.get(), far.get(), memory.get(), 2, &answer), 0);
    EXPECT_TRUE(std::isinf(answer.distance));

    const double knots[] = {0, 0, 0, 1, 1, 1}, arc[] = {1, 0, 0, 1, 1, 0, 0, 1, 0}, weights[] = {1, std::sqrt(0.5), 1},
                 out[] = {3, 3, 0};
    const CBody curve(scree_curve(2, knots, arc, weights, 3)), point(scree_sphere(out, 0)),
        wide(scree_swept(curve.get(), 1));
    ASSERT_EQ(scree_distance(wide.get(), point.get(), nullptr, -1, &answer), 0);
    EXPECT_NEAR(answer.distance, std::sqrt(18.0) - 2, 1e-14);
    const scree_body* both[] = {hull.get(), far.get()};
    const CBody united(scree_united(both, 2));
    ASSERT_EQ(scree_distance(united.get(), ball.get(), nullptr, -1, &answer), 0);
    EXPECT_DOUBLE_EQ(answer.distance, 2 / std::sqrt(3.0) - 0.5);
}

TEST(CBodies, tell_what_was_wrong) {
    const double point[] = {0, 0, 0}, bad[] = {0, 0, std::nan("")};
    EXPECT_EQ(scree_hull(nullptr, 3), nullptr);
    EXPECT_NE(std::strstr(scree_last_error(), "points"), nullptr);
    EXPECT_EQ(scree_hull(bad, 1), nullptr);
    const int none[] = {0, 1, 7};
    EXPECT_EQ(scree_mesh(point, 1, none, 1), nullptr);
    EXPECT_NE(std::strlen(scree_last_error()), 0u);
    scree_answer answer;
    EXPECT_NE(scree_distance(nullptr, nullptr, nullptr, -1, &answer), 0);
    const CBody ball(scree_sphere(point, 1));
    EXPECT_NE(scree_distance(ball.get(), ball.get(), nullptr, -1, nullptr), 0);
    const scree_body* two[] = {ball.get(), ball.get()};
    const CBody pair(scree_united(two, 2));
    scree_depth_answer depth;
    EXPECT_NE(scree_depth(pair.get(), ball.get(), &depth), 0);
    scree_body_free(nullptr);
    scree_memory_free(nullptr);
}

}  // namespace
}  // namespace scree
