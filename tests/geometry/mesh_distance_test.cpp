// Distances of bodies bounded by triangles: against all pairs of triangles, convex bodies and closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>

#include "geometry/gjk.h"
#include "geometry/mesh/mesh_distance.h"
#include "scree/error.h"
#include "shape/meshes.h"

namespace scree {
namespace {

Vec3 direction(Random& r) {
    for (;;) {
        const Vec3 d{r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-1, 1)};
        if (norm(d) > 0.1 && norm(d) < 1) return normalized(d);
    }
}

Mat3 turned(Vec3 axis, double angle) {
    const double c = std::cos(angle), s = std::sin(angle), k = 1 - c;
    return {{{c + k * axis.x * axis.x, k * axis.x * axis.y - s * axis.z, k * axis.x * axis.z + s * axis.y},
             {k * axis.x * axis.y + s * axis.z, c + k * axis.y * axis.y, k * axis.y * axis.z - s * axis.x},
             {k * axis.x * axis.z - s * axis.y, k * axis.y * axis.z + s * axis.x, c + k * axis.z * axis.z}}};
}

MeshPose pose(Random& r, Vec3 position) { return {turned(direction(r), r.uniform(0, 3)), position}; }
MeshPose at(Vec3 position) { return {{}, position}; }
Vec3 moved(const MeshPose& pose, Vec3 p) { return pose.rotation * p + pose.position; }

// A block with its faces cut in two.
TriangleMesh block(Vec3 low, Vec3 high) {
    TriangleMesh m;
    for (int k = 0; k < 8; ++k)
        m.points.push_back(
            {(k & 1) != 0 ? high.x : low.x, (k & 2) != 0 ? high.y : low.y, (k & 4) != 0 ? high.z : low.z});
    m.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                   {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return m;
}

// An L in the x-y plane, 1 high: 2 x 2 without the quarter x > 1, y > 1.
TriangleMesh angle_block() {
    TriangleMesh m;
    const Vec3 outline[6] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
    for (const double z : {0.0, 1.0})
        for (const Vec3& p : outline) m.points.push_back({p.x, p.y, z});
    for (const auto& [a, b, c] : {std::array{0, 1, 2}, std::array{0, 2, 3}, std::array{0, 3, 4}, std::array{0, 4, 5}}) {
        m.triangles.push_back({a, c, b});
        m.triangles.push_back({a + 6, b + 6, c + 6});
    }
    for (int k = 0; k < 6; ++k) {
        const int l = (k + 1) % 6;
        m.triangles.push_back({k, l, l + 6});
        m.triangles.push_back({k, l + 6, k + 6});
    }
    return m;
}

TriangleMesh joined(TriangleMesh a, const TriangleMesh& b, bool inside_out = false) {
    const int first = static_cast<int>(a.points.size());
    a.points.insert(a.points.end(), b.points.begin(), b.points.end());
    for (const auto& [i, j, k] : b.triangles)
        a.triangles.push_back(inside_out ? std::array{first + i, first + k, first + j}
                                         : std::array{first + i, first + j, first + k});
    return a;
}

// Over all pairs of triangles, by the search of GJK and not by closed forms; -1 when surfaces meet.
double by_all_pairs(const MeshBody& a, const MeshPose& pose_a, const MeshBody& b, const MeshPose& pose_b) {
    double least = std::numeric_limits<double>::infinity();
    std::vector<TriangleBody> of_b;
    for (int j = 0; j < b.size(); ++j) {
        const Triangle t = b.triangle(j);
        of_b.emplace_back(moved(pose_b, t.a), moved(pose_b, t.b), moved(pose_b, t.c));
    }
    for (int i = 0; i < a.size(); ++i) {
        const Triangle s = a.triangle(i);
        const TriangleBody of_a(moved(pose_a, s.a), moved(pose_a, s.b), moved(pose_a, s.c));
        for (const TriangleBody& t : of_b) {
            const Distance d = distance(of_a, t);
            if (d.relation != Relation::separated) return -1;
            least = std::fmin(least, d.distance);
        }
    }
    return least;
}

TEST(MeshDistance, equals_brute_force_over_all_triangles) {
    const int count = std::getenv("SCREE_LONG") != nullptr ? 10000 : 2000;
    Random r(24, 0);
    int met = 0;
    for (int k = 0; k < count; ++k) {
        const auto body = [&] {
            return MeshBody(r.uniform() < 0.3 ? torus(9, 7, 0.35) : rock(1, r.uniform(0, 1), r.bits()));
        };
        const MeshBody a = body(), b = body();
        const MeshPose pose_a = pose(r, r.uniform(0, 5) * direction(r));
        MeshPose pose_b = pose(r, pose_a.position + r.uniform(1, 4) * direction(r));
        // Half of the pairs are brought near each other.
        if (const MeshDistance d = distance(a, pose_a, b, pose_b); k % 2 == 0 && d.relation == Relation::separated)
            pose_b.position -= (1 - std::pow(10.0, -r.uniform(0, 12))) * d.distance * d.normal;
        const MeshDistance d = distance(a, pose_a, b, pose_b);
        const double truth = by_all_pairs(a, pose_a, b, pose_b);
        if (truth < 0) {
            ++met;
            EXPECT_NE(d.relation, Relation::separated) << k;
            EXPECT_EQ(d.distance, 0) << k;
            continue;
        }
        if (d.relation == Relation::overlapping && d.triangle_a < 0) continue;  // one in the other
        ASSERT_EQ(d.relation, Relation::separated) << k;
        EXPECT_NEAR(d.distance, truth, 1e-14 * (4 + norm(pose_b.position))) << k;
        EXPECT_LE(std::fabs(d.distance - truth), d.error + 1e-14 * norm(pose_b.position)) << k;
        EXPECT_NEAR(norm(d.point_a - d.point_b), d.distance, 1e-14 * 10) << k;
        EXPECT_NEAR(norm(d.point_a + d.distance * d.normal - d.point_b), 0, 1e-13) << k;
    }
    EXPECT_GT(met, count / 20);
}

TEST(MeshDistance, of_convex_surfaces_is_that_of_their_hulls) {
    Random r(24, 1);
    for (int k = 0; k < 200; ++k) {
        const TriangleMesh m = rock(1, 0, 1), n = block({-1, -0.5, -0.2}, {1, 0.5, 0.2});
        const MeshPose pose_a = pose(r, {}), pose_b = pose(r, r.uniform(0.5, 3) * direction(r));
        const Polyhedron p(m.points), q(n.points);
        const Distance truth =
            distance(Placed(p, pose_a.rotation, pose_a.position), Placed(q, pose_b.rotation, pose_b.position));
        const MeshDistance d = distance(MeshBody(m), pose_a, MeshBody(n), pose_b);
        EXPECT_EQ(d.relation, truth.relation) << k;
        EXPECT_NEAR(d.distance, truth.distance, 1e-14 * 5) << k;
    }
}

TEST(MeshDistance, a_point_in_the_notch_of_an_L_is_outside) {
    const MeshBody notched(angle_block()), cube(block({0, 0, 0}, {0.25, 0.25, 0.25}));
    const MeshDistance d = distance(notched, {}, cube, at({1.5, 1.25, 0.25}));
    EXPECT_EQ(d.relation, Relation::separated);
    EXPECT_DOUBLE_EQ(d.distance, 0.25);
    EXPECT_EQ(d.normal, (Vec3{0, 1, 0}));
    EXPECT_EQ(notched.place({1.5, 1.5, 0.5}), Place::outside);
    EXPECT_EQ(notched.place({0.5, 1.5, 0.5}), Place::inside);
    EXPECT_EQ(notched.place({1, 1.5, 0.5}), Place::on);
    EXPECT_EQ(notched.place({1, 1, 0.5}), Place::on);
    EXPECT_EQ(notched.place({1, 1, 1}), Place::on);
}

TEST(MeshDistance, linked_rings_are_apart) {
    // The second ring turns about the first; the middles of its tube and of the first one's are 1 - 0.1 apart.
    const MeshBody ring(torus(60, 24, 0.2));
    const Mat3 upright = turned({1, 0, 0}, std::numbers::pi / 2);
    const MeshDistance d = distance(ring, {}, ring, {upright, {1.1, 0, 0}});
    EXPECT_EQ(d.relation, Relation::separated);
    EXPECT_NEAR(d.distance, 0.9 - 0.4, 0.01);
    EXPECT_EQ(distance(ring, {}, ring, {upright, {1.7, 0, 0}}).relation, Relation::overlapping);
}

TEST(MeshDistance, what_lies_inside_overlaps_and_what_lies_in_a_hollow_does_not) {
    const TriangleMesh outer = block({-2, -2, -2}, {2, 2, 2});
    const MeshBody full(outer), hollow(joined(outer, block({-1, -1, -1}, {1, 1, 1}), true)), small(rock(1, 0.3, 5));
    TriangleMesh pebble = rock(1, 0.3, 5);
    for (Vec3& p : pebble.points) p *= 0.3;
    EXPECT_EQ(distance(full, {}, small, {}).relation, Relation::overlapping);
    EXPECT_EQ(distance(small, {}, full, {}).relation, Relation::overlapping);
    EXPECT_EQ(distance(full, {}, small, {}).distance, 0);
    const MeshDistance in_hollow = distance(hollow, {}, MeshBody(pebble), {});
    EXPECT_EQ(in_hollow.relation, Relation::separated);
    EXPECT_GT(in_hollow.distance, 0.5);
    EXPECT_EQ(distance(hollow, {}, MeshBody(pebble), at({1.5, 0, 0})).relation, Relation::overlapping);
    // Of two balls, only one lies in the block.
    const MeshBody two(joined(rock(0, 0, 1), block({9, 9, 9}, {10, 10, 10})));
    EXPECT_EQ(distance(two, {}, full, {}).relation, Relation::overlapping);
    EXPECT_EQ(distance(full, {}, two, {}).relation, Relation::overlapping);
    EXPECT_EQ(distance(full, {}, two, at({-20, -20, -20})).relation, Relation::separated);
}

TEST(MeshDistance, tells_touching_from_overlapping) {
    const MeshBody cube(block({0, 0, 0}, {1, 1, 1})), notched(angle_block());
    const auto relation = [](const MeshBody& a, const MeshBody& b, Vec3 shift) {
        const MeshDistance d = distance(a, {}, b, at(shift));
        EXPECT_EQ(d.relation == Relation::separated, d.distance > 0);
        EXPECT_EQ(distance(b, at(shift), a, {}).relation, d.relation);
        return d.relation;
    };
    EXPECT_EQ(relation(cube, cube, {1, 0, 0}), Relation::touching);  // faces
    EXPECT_EQ(relation(cube, cube, {1, 0.5, 0.25}), Relation::touching);
    EXPECT_EQ(relation(cube, cube, {1, 1, 0.5}), Relation::touching);     // edges
    EXPECT_EQ(relation(cube, cube, {1, 1, 1}), Relation::touching);       // corners
    EXPECT_EQ(relation(cube, cube, {}), Relation::overlapping);           // the same, nothing crosses
    EXPECT_EQ(relation(cube, cube, {0.5, 0, 0}), Relation::overlapping);  // sides in common planes
    EXPECT_EQ(relation(cube, cube, {0.5, 0.5, 0.5}), Relation::overlapping);
    EXPECT_EQ(relation(cube, cube, {1 - 0x1p-50, 0, 0}), Relation::overlapping);
    EXPECT_EQ(relation(cube, cube, {1 + 0x1p-50, 0, 0}), Relation::separated);
    // A cube that fills the notch of an L touches it on two sides; no shift without overlap in most directions.
    EXPECT_EQ(relation(notched, cube, {1, 1, 0}), Relation::touching);
    EXPECT_EQ(relation(notched, cube, {1, 1 - 0x1p-40, 0}), Relation::overlapping);
    EXPECT_EQ(relation(notched, notched, {}), Relation::overlapping);
    // Inside, against a wall.
    const MeshBody large(block({-1, -1, 0}, {2, 2, 2}));
    EXPECT_EQ(relation(large, cube, {}), Relation::overlapping);
    EXPECT_EQ(relation(large, cube, {0, 0, -1}), Relation::touching);
}

TEST(MeshDistance, sheets_have_no_inside) {
    TriangleMesh m = block({0, 0, 0}, {1, 1, 1});
    m.triangles.pop_back();
    const MeshBody open(m), dot(block({0.45, 0.45, 0.45}, {0.55, 0.55, 0.55}));
    EXPECT_FALSE(open.solid());
    EXPECT_EQ(open.place({0.5, 0.5, 0.5}), Place::outside);
    const MeshDistance d = distance(open, {}, dot, {});
    EXPECT_EQ(d.relation, Relation::separated);
    EXPECT_NEAR(d.distance, 0.45, 1e-15);
    // A sheet that runs through a body, and one inside it.
    EXPECT_EQ(distance(open, {}, dot, at({0.5, 0, 0})).relation, Relation::overlapping);
    EXPECT_EQ(distance(MeshBody(block({-1, -1, -1}, {2, 2, 2})), {}, open, {}).relation, Relation::overlapping);
}

// The surface seen from a point covers 4 pi from inside and nothing from outside.
double solid_angle(const TriangleMesh& m, Vec3 p) {
    double sum = 0;
    for (const auto& t : m.triangles) {
        const Vec3 a = m.points[static_cast<std::size_t>(t[0])] - p, b = m.points[static_cast<std::size_t>(t[1])] - p,
                   c = m.points[static_cast<std::size_t>(t[2])] - p;
        const double la = norm(a), lb = norm(b), lc = norm(c);
        sum += 2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    return sum;
}

TEST(MeshBody, place_agrees_with_the_solid_angle_and_is_exact_on_the_surface) {
    Random r(24, 2);
    for (int k = 0; k < 20; ++k) {
        const TriangleMesh m = k % 2 == 0 ? rock(2, 0.9, r.bits()) : torus(12, 8, 0.4);
        const MeshBody body(m);
        ASSERT_TRUE(body.solid());
        int inside = 0;
        for (int j = 0; j < 200; ++j) {
            const Vec3 p{r.uniform(-1.3, 1.3), r.uniform(-1.3, 1.3), r.uniform(-1.3, 1.3)};
            const bool is_inside = solid_angle(m, p) > 2 * std::numbers::pi;
            EXPECT_EQ(body.place(p), is_inside ? Place::inside : Place::outside);
            inside += is_inside;
        }
        EXPECT_GT(inside, 10);
        for (const Vec3 p : m.points) EXPECT_EQ(body.place(p), Place::on);
    }
    // Coordinates that rays of simple directions would meet in edges and corners.
    const MeshBody cube(block({-1, -1, -1}, {1, 1, 1}));
    for (const double x : {-1.0, -0.5, 0.0, 1.0})
        for (const double y : {-1.0, 0.0, 0.25, 1.0}) EXPECT_EQ(cube.place({x, y, 1}), Place::on);
    EXPECT_EQ(cube.place({0, 0, 0}), Place::inside);
    EXPECT_EQ(cube.place({0, 0, 1 - 0x1p-53}), Place::inside);
    EXPECT_EQ(cube.place({0, 0, 1 + 0x1p-52}), Place::outside);
}

TEST(MeshDistance, is_the_same_from_a_warm_start_and_below_a_bound) {
    Random r(24, 3);
    const MeshBody a(rock(3, 0.6, 7)), b(torus(40, 20, 0.3));
    MeshStart start;
    int boxes_cold = 0, boxes_warm = 0;
    MeshPose pose_b = pose(r, {2.6, 0.3, 0.1});
    for (int k = 0; k < 50; ++k) {
        const MeshDistance cold = distance(a, {}, b, pose_b), warm = distance(a, {}, b, pose_b, &start);
        EXPECT_NEAR(warm.distance, cold.distance, 1e-15) << k;
        boxes_cold += cold.boxes;
        boxes_warm += warm.boxes;
        EXPECT_EQ(distance(a, {}, b, pose_b, nullptr, 0.9 * cold.distance).distance,
                  std::numeric_limits<double>::infinity());
        EXPECT_EQ(distance(a, {}, b, pose_b, nullptr, 1.1 * cold.distance).distance, cold.distance);
        pose_b = {turned(direction(r), 0.05 * k), pose_b.position + 0.01 * direction(r)};
    }
    EXPECT_LT(boxes_warm, boxes_cold);
}

// As in a simulation: each query from what the one before has left. Bodies come nearer, meet and part.
TEST(MeshDistance, in_small_steps_is_the_same_with_a_fraction_of_the_work) {
    Random r(24, 5);
    const MeshBody a(rock(3, 0.6, 7)), b(torus(40, 20, 0.3));
    MeshStart start;
    int boxes_cold = 0, boxes_warm = 0, met = 0;
    MeshPose pose_b{turned({1, 0, 0}, 1), {2.4, 0, 0}};
    for (int k = 0; k < 600; ++k) {
        const MeshDistance cold = distance(a, {}, b, pose_b), warm = distance(a, {}, b, pose_b, &start);
        ASSERT_EQ(warm.relation, cold.relation) << k;
        ASSERT_NEAR(warm.distance, cold.distance, 1e-15 * 4) << k;
        met += cold.relation != Relation::separated;
        boxes_cold += cold.boxes;
        boxes_warm += warm.boxes;
        const MeshPose turn{turned(normalized(Vec3{1, 2, 3}), 0.0002), {}};
        Mat3 next;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                next.row[i][j] = turn.rotation.row[i].x * pose_b.rotation.row[0][j] +
                                 turn.rotation.row[i].y * pose_b.rotation.row[1][j] +
                                 turn.rotation.row[i].z * pose_b.rotation.row[2][j];
        pose_b = {next, {2.3 + 0.1 * std::cos(0.01 * k), 0.0002 * k, 0.01 * std::sin(0.02 * k)}};
    }
    EXPECT_GT(met, 10);
    EXPECT_LT(3 * boxes_warm, boxes_cold);
    // What was left by one pair is of no use to another, and does no harm.
    const MeshBody other(rock(2, 0.2, 9));
    EXPECT_EQ(distance(other, {}, b, pose_b, &start).distance, distance(other, {}, b, pose_b).distance);
}

TEST(MeshDistance, does_not_depend_on_scale_or_offset) {
    Random r(24, 4);
    const TriangleMesh m = rock(2, 0.5, 3), n = torus(20, 10, 0.3);
    const Vec3 shift{0.5, 2.5, 0.25};
    const double truth = distance(MeshBody(m), {}, MeshBody(n), at(shift)).distance;
    for (const double scale : {1e-9, 1e-3, 1e9}) {
        TriangleMesh p = m, q = n;
        for (Vec3& v : p.points) v *= scale;
        for (Vec3& v : q.points) v *= scale;
        EXPECT_NEAR(distance(MeshBody(p), {}, MeshBody(q), at(scale * shift)).distance, scale * truth,
                    1e-14 * 5 * scale);
    }
    const Vec3 far{1e6, -2e6, 5e5};
    EXPECT_NEAR(distance(MeshBody(m), at(far), MeshBody(n), at(far + shift)).distance, truth, 1e-9);
    // Coordinates that are far themselves, exact multiples of 2^-20.
    TriangleMesh p = m, q = n;
    for (Vec3* v : {p.points.data(), q.points.data()})
        for (std::size_t k = 0; k < (v == p.points.data() ? p : q).points.size(); ++k)
            for (int axis = 0; axis < 3; ++axis) v[k][axis] = std::round(v[k][axis] * 0x1p20) * 0x1p-20;
    TriangleMesh p_far = p, q_far = q;
    for (Vec3& v : p_far.points) v += far;
    for (Vec3& v : q_far.points) v += far + Vec3{0.5, 2.5, 0.25};
    for (Vec3& v : q.points) v += shift;
    EXPECT_NEAR(distance(MeshBody(p_far), {}, MeshBody(q_far), {}).distance,
                distance(MeshBody(p), {}, MeshBody(q), {}).distance, 1e-14 * 5);
}

TEST(MeshBody, refuses_what_is_no_surface) {
    EXPECT_THROW(MeshBody({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}), Error);
    EXPECT_THROW(MeshBody({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 3}}), Error);
    EXPECT_THROW(MeshBody({{0, 0, 0}, {1, 0, 0}, {0, std::nan(""), 0}}, {{0, 1, 2}}), Error);
    EXPECT_THROW(MeshBody({}, {}), Error);
}

}  // namespace
}  // namespace scree
