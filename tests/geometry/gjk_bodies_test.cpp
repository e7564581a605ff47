// GJK on every kind of body, against closed formulas and laws that any distance obeys.
#include <gtest/gtest.h>

#include "distance_cases.h"
#include "geometry/gjk.h"
#include "scree/error.h"

namespace scree {
namespace {

using cases::random_direction;
using cases::random_rotation;

const Polyhedron cube_of_side_2(std::vector<Vec3>{
    {-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, 1}});

TEST(Bodies, spheres_touch_at_the_sum_of_radii) {
    Random r(1, 2);
    for (int k = 0; k < 2000; ++k) {
        const double ra = r.uniform(0.1, 2), rb = r.uniform(0.1, 2), apart = r.uniform(0.05, 6);
        const Vec3 n = random_direction(r), center{r.uniform(-5, 5), 0, 1};
        const Distance d = distance(sphere(center, ra), sphere(center + apart * n, rb));
        ASSERT_NEAR(d.gap, apart - ra - rb, 1e-14);
        ASSERT_EQ(d.relation, d.gap > 0 ? Relation::separated : Relation::overlapping);
        ASSERT_FALSE(d.skeletons_overlap);
        ASSERT_LE(norm(d.normal - n), 1e-13);
        ASSERT_LE(norm(d.point_a - (center + ra * n)), 1e-13);
        ASSERT_LE(norm(d.point_b - (center + (apart - rb) * n)), 1e-13);
    }
}

TEST(Bodies, overlapping_skeletons_are_said_to_overlap) {
    const auto a = capsule({-1, 0, 0}, {1, 0, 0}, 0.2), b = capsule({0, -1, 0}, {0, 1, 0}, 0.3);
    const Distance d = distance(a, b);
    // Crossing segments touch: a shift along z separates them.
    EXPECT_EQ(d.relation, Relation::overlapping);
    EXPECT_FALSE(d.skeletons_overlap);
    EXPECT_DOUBLE_EQ(d.gap, -0.5);
    const Swept<Polyhedron> box(cube_of_side_2, 0.1);
    const Distance inside = distance(box, sphere({0.2, 0.1, 0}, 0.3));
    EXPECT_TRUE(inside.skeletons_overlap);
    EXPECT_EQ(inside.relation, Relation::overlapping);
    EXPECT_LE(inside.gap, -0.4);
    EXPECT_EQ(inside.distance, 0);
}

TEST(Bodies, ellipsoid_with_equal_axes_is_a_sphere) {
    Random r(2, 2);
    for (int k = 0; k < 500; ++k) {
        const double radius = r.uniform(0.1, 2), apart = radius + r.uniform(0.01, 3);
        const Vec3 n = random_direction(r);
        const Ellipsoid ball({radius, radius, radius});
        const Distance d = distance(Placed(ball, random_rotation(r), apart * n), PointBody(Vec3{}));
        ASSERT_NEAR(d.distance, apart - radius, 1e-12);
        ASSERT_LE(std::fabs(d.distance - (apart - radius)), d.error + 1e-14);
    }
}

TEST(Bodies, point_to_ellipsoid_meets_the_surface_at_a_right_angle) {
    Random r(3, 2);
    for (int k = 0; k < 500; ++k) {
        const Vec3 h{r.uniform(0.2, 2), r.uniform(0.2, 2), r.uniform(0.2, 2)},
            p = r.uniform(3, 6) * random_direction(r);
        const Distance d = distance(Ellipsoid(h), PointBody(p));
        const Vec3 q = d.point_a, gradient = normalized(Vec3{q.x / (h.x * h.x), q.y / (h.y * h.y), q.z / (h.z * h.z)});
        ASSERT_NEAR(q.x * q.x / (h.x * h.x) + q.y * q.y / (h.y * h.y) + q.z * q.z / (h.z * h.z), 1, 1e-9);
        ASSERT_LE(norm(cross(gradient, normalized(p - q))), 1e-5);
        // The distance itself is better than the point: its error is of second order.
        ASSERT_LE(d.error, 1e-11);
    }
}

TEST(Bodies, point_to_cylinder_and_cone_as_by_hand) {
    Random r(4, 2);
    for (int k = 0; k < 1000; ++k) {
        const double radius = r.uniform(0.2, 1), half = r.uniform(0.2, 1);
        const Vec3 p{r.uniform(-3, 3), r.uniform(-3, 3), r.uniform(-3, 3)};
        const double rho = std::hypot(p.x, p.y);
        const double out = std::max(0.0, rho - radius), up = std::max(0.0, std::fabs(p.z) - half);
        if (std::hypot(out, up) > 1e-3) {
            const Distance d = distance(Cylinder(radius, half), PointBody(p));
            ASSERT_NEAR(d.distance, std::hypot(out, up), 1e-11);
            ASSERT_LE(std::fabs(d.distance - std::hypot(out, up)), d.error + 1e-13);
        }
        // The cone in its half plane: a triangle (0,-h), (R,-h), (0,h).
        const Distance flat = distance(TriangleBody(Vec3{0, 0, -half}, Vec3{radius, 0, -half}, Vec3{0, 0, half}),
                                       PointBody(Vec3{rho, 0, p.z}));
        if (flat.distance > 1e-3) {
            ASSERT_NEAR(distance(Cone(radius, half), PointBody(p)).distance, flat.distance, 1e-11);
        }
    }
}

TEST(Bodies, stretched_bodies_are_the_stretched_clouds) {
    Random r(7, 2);
    for (int k = 0; k < 300; ++k) {
        const std::vector<Vec3> cloud = cases::random_body(r, 12);
        const Mat3 m{{3 * random_direction(r), random_direction(r), 0.2 * random_direction(r)}};
        std::vector<Vec3> image;
        for (const Vec3& p : cloud) image.push_back(m * p);
        const Polyhedron body(cloud), direct(image);
        const PointBody p(5.0 * random_direction(r));
        ASSERT_NEAR(distance(Placed<Polyhedron>::stretched(body, m, {}), p).distance, distance(direct, p).distance,
                    1e-13);
    }
}

TEST(Bodies, swapping_or_moving_both_changes_nothing_but_rounding) {
    for (const cases::Kind kind : {cases::Kind::separated, cases::Kind::gap_1e3, cases::Kind::deep,
                                   cases::Kind::parallel_faces, cases::Kind::needles})
        for (std::uint64_t number = 0; number < 200; ++number) {
            const cases::Pair pair = cases::draw(kind, number);
            const Polyhedron a(pair.a), b(pair.b);
            const Distance d = distance(a, b), turned = distance(b, a);
            ASSERT_EQ(d.relation, turned.relation);
            ASSERT_NEAR(d.distance, turned.distance, 1e-14 * (pair.size + d.distance));
            ASSERT_LE(norm(d.normal + turned.normal) * d.distance, 1e-12 * pair.size);
            Random r(8, number);
            const Mat3 turn = random_rotation(r);
            const Vec3 shift = 10.0 * random_direction(r);
            const Distance moved = distance(Placed(a, turn, shift), Placed(b, turn, shift));
            if (d.distance > 1e-12 || d.relation == Relation::overlapping) {
                ASSERT_NEAR(d.distance, moved.distance, 1e-13 * pair.size) << cases::name_of(kind) << ' ' << number;
            }
            if (d.distance > 1e-9) {
                ASSERT_LE(norm(turn * d.normal - moved.normal) * d.distance, 1e-12 * pair.size);
            }
        }
}

TEST(Bodies, closest_points_lie_on_their_bodies) {
    for (const cases::Kind kind : cases::all_kinds())
        for (std::uint64_t number = 0; number < 60; ++number) {
            const cases::Pair pair = cases::draw(kind, number);
            const Polyhedron a(pair.a), b(pair.b);
            const Distance d = distance(a, b);
            const double tolerance = 1e-12 * pair.size + 1e-15 * (norm(d.point_a) + norm(d.point_b));
            ASSERT_LE(distance(a, PointBody(d.point_a)).distance, tolerance) << cases::name_of(kind) << ' ' << number;
            ASSERT_LE(distance(b, PointBody(d.point_b)).distance, tolerance) << cases::name_of(kind) << ' ' << number;
        }
}

TEST(Bodies, features_carry_the_closest_points) {
    const Polyhedron cube(
        std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}});
    const Distance corner = distance(cube, PointBody(Vec3{2, 2, 2}));
    ASSERT_EQ(corner.feature_a().count, 1);
    EXPECT_EQ(cube.world_vertex(corner.feature_a().vertex[0]), (Vec3{1, 1, 1}));
    EXPECT_EQ(distance(cube, PointBody(Vec3{2, 2, 0.4})).feature_a().count, 2);
    EXPECT_EQ(distance(cube, PointBody(Vec3{2, 0.3, 0.4})).feature_a().count, 3);
    EXPECT_EQ(distance(cube, PointBody(Vec3{0.5, 0.3, 0.4})).feature_a().count, 0);
}

TEST(Bodies, touching_is_neither_separated_nor_overlapping) {
    const auto at = [&](double x, double y, double z) {
        return distance(Placed(cube_of_side_2, {}, {}), Placed(cube_of_side_2, {}, {x, y, z}));
    };
    for (const Vec3& x : {Vec3{2, 0, 0}, Vec3{2, 2, 0}, Vec3{2, 2, 2}, Vec3{2, 0.3, -0.7}}) {
        const Distance d = at(x.x, x.y, x.z);
        EXPECT_EQ(d.relation, Relation::touching);
        EXPECT_EQ(d.distance, 0);
        EXPECT_NEAR(norm(d.normal), 1, 1e-15);
        // A plane at a right angle to the normal keeps the boxes apart.
        EXPECT_GE(dot(d.normal, x),
                  2 * (std::fabs(d.normal.x) + std::fabs(d.normal.y) + std::fabs(d.normal.z)) - 1e-15);
    }
    EXPECT_EQ(at(std::nextafter(2.0, 3), 0, 0).relation, Relation::separated);
    EXPECT_EQ(at(std::nextafter(2.0, 3), 0, 0).distance, std::nextafter(2.0, 3) - 2);
    EXPECT_EQ(at(std::nextafter(2.0, 1), 0, 0).relation, Relation::overlapping);
    EXPECT_EQ(at(0, 0, 0).relation, Relation::overlapping);
}

TEST(Bodies, sizes_from_dust_to_stars_are_equally_exact) {
    Random r(9, 2);
    const std::vector<Vec3> a = cases::random_body(r, 20), b = cases::moved(cases::random_body(r, 20), {2.5, 0.5, 0.1});
    const double expected = distance(Polyhedron(a), Polyhedron(b)).distance;
    for (const int power : {-500, -200, -60, -20, 20, 60, 200, 400}) {
        const double scale = std::ldexp(1.0, power);
        const Distance d = distance(Polyhedron(cases::stretched(a, {}, {scale, scale, scale})),
                                    Polyhedron(cases::stretched(b, {}, {scale, scale, scale})));
        EXPECT_EQ(d.relation, Relation::separated);
        EXPECT_NEAR(d.distance / scale, expected, 4e-16 * expected) << "2^" << power;
    }
}

TEST(Bodies, warm_start_gives_the_cold_answer_in_fewer_rounds) {
    Random r(10, 2);
    long cold_rounds = 0, warm_rounds = 0;
    for (int pair = 0; pair < 50; ++pair) {
        const Polyhedron a(cases::random_body(r, 30)), b(cases::random_body(r, 200));
        WarmStart warm;
        Vec3 x = 2.2 * random_direction(r);
        const Mat3 turn = random_rotation(r);
        const Vec3 step = 1e-3 * random_direction(r);
        for (int k = 0; k < 100; ++k, x += step) {
            const Placed pa(a, turn, {}), pb(b, {}, x);
            const Distance cold = distance(pa, pb), hot = distance(pa, pb, &warm);
            ASSERT_EQ(cold.relation, hot.relation);
            ASSERT_NEAR(cold.distance, hot.distance, 1e-14);
            cold_rounds += cold.iterations;
            warm_rounds += hot.iterations;
        }
    }
    EXPECT_LT(2 * warm_rounds, cold_rounds);
}

TEST(Bodies, every_register_width_gives_the_same_bits) {
    // The template is compiled here for the plainest machine, the function for the one at hand.
    for (const cases::Kind kind : cases::all_kinds())
        for (std::uint64_t number = 0; number < 100; ++number) {
            const cases::Pair pair = cases::draw(kind, number);
            const Polyhedron a(pair.a), b(pair.b);
            const Distance plain = distance<Polyhedron, Polyhedron>(a, b), wide = distance(a, b);
            ASSERT_EQ(plain.distance, wide.distance) << cases::name_of(kind) << ' ' << number;
            ASSERT_EQ(plain.point_a, wide.point_a) << cases::name_of(kind) << ' ' << number;
            ASSERT_EQ(plain.normal, wide.normal) << cases::name_of(kind) << ' ' << number;
            ASSERT_EQ(plain.iterations, wide.iterations) << cases::name_of(kind) << ' ' << number;
        }
}

TEST(Bodies, broken_input_is_refused_and_no_nan_leaves) {
    const double nan = std::nan("");
    EXPECT_THROW(distance(PointBody(Vec3{nan, 0, 0}), PointBody(Vec3{1, 0, 0})), Error);
    EXPECT_THROW(distance(SegmentBody(Vec3{}, Vec3{INFINITY, 0, 0}), PointBody(Vec3{1, 0, 0})), Error);
    EXPECT_THROW(distance(Placed(cube_of_side_2, {}, {nan, 0, 0}), PointBody(Vec3{1, 0, 0})), Error);
    EXPECT_THROW(distance(Placed(cube_of_side_2, {{{nan, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {}), PointBody(Vec3{5, 0, 0})),
                 Error);
    EXPECT_THROW(distance(Placed(Ellipsoid({1, 1, 1}), {}, {nan, 0, 0}), PointBody(Vec3{1, 0, 0})), Error);
    EXPECT_THROW(
        distance(Placed(Cylinder(1, 1), {{{1, 0, 0}, {0, nan, 0}, {0, 0, 1}}}, {5, 5, 0}), PointBody(Vec3{1, 0, 0})),
        Error);
    EXPECT_THROW(Ellipsoid({1, nan, 1}), Error);
    EXPECT_THROW(Cylinder(INFINITY, 1), Error);
}

TEST(Bodies, curved_bodies_in_all_positions_end_with_honest_bounds) {
    Random r(11, 2);
    for (int k = 0; k < 3000; ++k) {
        const Ellipsoid e({r.uniform(0.05, 1), r.uniform(0.05, 1), r.uniform(0.05, 1)});
        const Cylinder c(r.uniform(0.05, 1), r.uniform(0.05, 1));
        const Cone o(r.uniform(0.05, 1), r.uniform(0.05, 1));
        const Mat3 p = random_rotation(r), q = random_rotation(r);
        const Vec3 x = r.uniform(0, 3) * random_direction(r);
        for (const Distance& d :
             {distance(Placed(e, p, x), Placed(c, q, {})), distance(Placed(o, p, x), Placed(c, q, {})),
              distance(Placed(e, p, x), Placed(o, q, {}))}) {
            ASSERT_TRUE(is_finite(d.point_a) && is_finite(d.point_b) && is_finite(d.normal));
            ASSERT_GE(d.distance, 0);
            ASSERT_LE(d.error, 1e-9) << "pair " << k;
            ASSERT_LT(d.iterations, 300);
        }
    }
}

// Bodies of at most sixteen vertices are turned beforehand and searched from a wide start: the same distance as by the
// general way, and only vertices that there are carry it.
TEST(Gjk, small_bodies_turned_beforehand_agree_with_the_general_search) {
    Random r(31, 1);
    for (int k = 0; k < 4000; ++k) {
        const Polyhedron p(cases::random_body(r, 1 + static_cast<int>(r.below(16)))),
            q(cases::random_body(r, 1 + static_cast<int>(r.below(16))));
        const Mat3 m = cases::random_rotation(r), n = cases::random_rotation(r);
        const Placed<Polyhedron> a(p, m, 3 * cases::random_direction(r)),
            b(q, n, r.uniform(0, 3) * cases::random_direction(r));
        const Distance fast = distance(a, b), general = distance<Placed<Polyhedron>, Placed<Polyhedron>>(a, b);
        ASSERT_EQ(fast.relation, general.relation);
        ASSERT_NEAR(fast.distance, general.distance, fast.error + general.error + 1e-15);
        ASSERT_LE(fast.carriers, 3);
        for (int c = 0; c < fast.carriers; ++c) {
            const VertexPair pair = fast.carrier[static_cast<std::size_t>(c)];
            ASSERT_TRUE(pair.a >= 0 && pair.a < p.vertex_count() && pair.b >= 0 && pair.b < q.vertex_count());
        }
    }
}

}  // namespace
}  // namespace scree
