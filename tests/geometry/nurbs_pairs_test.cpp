// Distances of splines from each other and from bodies of other kinds: closed forms, and polished samples.
#include "geometry/nurbs/nurbs_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "geometry/compound.h"
#include "geometry/nurbs/nurbs_shapes.h"
#include "geometry/nurbs_cases.h"
#include "shape/meshes.h"

namespace scree {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

Mat3 turn_about(Vec3 axis, double angle) {
    const double c = std::cos(angle), s = std::sin(angle), k = 1 - c;
    return {{{c + k * axis.x * axis.x, k * axis.x * axis.y - s * axis.z, k * axis.x * axis.z + s * axis.y},
             {k * axis.x * axis.y + s * axis.z, c + k * axis.y * axis.y, k * axis.y * axis.z - s * axis.x},
             {k * axis.x * axis.z - s * axis.y, k * axis.y * axis.z + s * axis.x, c + k * axis.z * axis.z}}};
}
Mat3 random_turn(Random& r) {
    return turn_about(normalized({r.uniform(0.1, 1), r.uniform(-1, 1), r.uniform(-1, 1)}), r.uniform(0, 3));
}

template <class F>
Compound only(F form, const MeshPose& pose = {}) {
    return {{{std::make_shared<const Form>(std::move(form)), pose, 0}}};
}

TEST(NurbsPairs, equal_closed_forms) {
    const NurbsBody ball(sphere_surface()), ring(torus_surface());
    Random r(31, 0);
    for (int k = 0; k < 10; ++k) {
        const Vec3 at = 3 * normalized(Vec3{r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-1, 1)});
        const MeshPose a{random_turn(r), {}}, b{random_turn(r), at};
        const NurbsPairDistance d = distance(ball, a, ball, b);
        EXPECT_EQ(d.relation, Relation::separated);
        EXPECT_NEAR(d.distance, 1, 2e-14) << k;
        EXPECT_LT(d.error, 1e-12) << k;
        EXPECT_NEAR(norm(d.point_a + d.distance * d.normal - d.point_b), 0, 1e-12);
        EXPECT_NEAR(norm(a.rotation * ball.evaluate(d.u, d.v).at - d.point_a), 0, 1e-13);
        EXPECT_NEAR(norm(b.rotation * ball.evaluate(d.s, d.t).at + at - d.point_b), 0, 1e-13);
        // A ring of spheres of radius 0.3 on a circle: the distance of the ball's center from the circle, less both.
        const Vec3 off{r.uniform(2, 3), r.uniform(-1, 1), r.uniform(-2, 2)};
        const double truth = std::hypot(std::hypot(off.x, off.y) - 1, off.z) - 0.3 - 1;
        const NurbsPairDistance e = distance(ring, {}, ball, {random_turn(r), off});
        EXPECT_NEAR(e.distance, truth, 4e-14) << k;
        EXPECT_LT(e.error, 1e-12) << k;
    }
    const NurbsBody line(nurbs_polyline({{-1, 0, 0}, {1, 0, 0}})), other(nurbs_polyline({{0.25, -1, 2}, {0.25, 1, 2}}));
    EXPECT_DOUBLE_EQ(distance(line, {}, other, {}).distance, 2);
    EXPECT_DOUBLE_EQ(distance(line, {}, other, {}).u, 0.625);
}

// The hull of a box beside a sphere, a cone over a torus, the inside of a mesh.
TEST(NurbsPairs, bodies_of_other_kinds_equal_closed_forms) {
    const Compound ball = only(NurbsBody(sphere_surface()));
    const Compound face = only(Polyhedron(std::vector<Vec3>{{2, -3, -3}, {2, 4, -3}, {2, 0, 5}}));
    const CompoundDistance d = distance(ball, face);
    EXPECT_NEAR(d.distance, 1, 2e-14);
    EXPECT_LT(d.error, 1e-12);
    EXPECT_NEAR(norm(d.point_a - Vec3{1, 0, 0}), 0, 1e-7);
    EXPECT_NEAR(distance(face, ball).distance, 1, 2e-14);
    EXPECT_NEAR(distance(ball, only(Ellipsoid({1, 2, 3}), {{}, {4, 0, 0}})).distance, 2, 2e-14);
    // Nearest all around: the bounds hold it.
    const CompoundDistance hole = distance(only(NurbsBody(torus_surface())), only(Cylinder(0.25, 5)));
    EXPECT_NEAR(hole.distance, 0.45, 1e-13);
    EXPECT_LT(hole.error, 1e-3);
    EXPECT_NEAR(distance(ball, only(Polyhedron(std::vector<Vec3>{{0, 0, 0}}), {{}, {0, 0, 3}})).distance, 2, 1e-14);
    Compound swept = ball;
    swept.parts[0].radius = 0.5;
    EXPECT_NEAR(distance(swept, face).distance, 0.5, 2e-14);
    // Of the skin, not of what it holds; but what holds the skin overlaps.
    EXPECT_NEAR(distance(ball, only(Ellipsoid({0.25, 0.5, 0.3}))).distance, 0.5, 2e-14);
    EXPECT_EQ(distance(ball, only(Ellipsoid({2, 2, 2}))).relation, Relation::overlapping);
    const Compound wide = only(MeshBody(torus(30, 20, 0.4)));
    EXPECT_EQ(distance(wide, only(NurbsBody(circle()))).relation, Relation::overlapping);  // within the solid ring
    EXPECT_EQ(distance(ball, face, 0.75).distance, infinite);
    EXPECT_NEAR(distance(ball, face, 1.25).distance, 1, 2e-14);
}

TEST(NurbsPairs, what_crosses_meets) {
    const NurbsBody ring(circle());
    EXPECT_EQ(distance(ring, {}, ring, {turn_about({1, 0, 0}, 1), {0.5, 0, 0}}).relation, Relation::separated);
    const NurbsPairDistance linked = distance(ring, {}, ring, {turn_about({1, 0, 0}, 1.5707963267948966), {2, 0, 0}});
    EXPECT_EQ(linked.relation, Relation::touching);
    EXPECT_EQ(linked.distance, 0);
    const NurbsPairDistance balls =
        distance(NurbsBody(sphere_surface()), {}, NurbsBody(sphere_surface()), {{}, {1.2, 0.3, 0}});
    EXPECT_EQ(balls.relation, Relation::touching);
    EXPECT_NEAR(norm(balls.point_a), 1, 1e-12);
    EXPECT_NEAR(norm(balls.point_b - Vec3{1.2, 0.3, 0}), 1, 1e-12);
}

// Points all along a circle are as near: the bounds are told when the work is too much.
TEST(NurbsPairs, bounds_hold_where_a_whole_line_is_nearest) {
    const NurbsBody ring(circle());
    const MeshPose above{turn_about({0, 0, 1}, 0.3), {0, 0, 1}};
    const NurbsPairDistance d = distance(ring, {}, ring, above);
    EXPECT_NEAR(d.distance, 1, 1e-14);
    EXPECT_LE(d.error, 1e-5);
    EXPECT_GE(d.error, 0);
}

struct Sample {
    double u, v;
    Vec3 at;
};
std::vector<Sample> samples(const NurbsBody& body, const Nurbs& nurbs, const MeshPose& pose, int n) {
    std::vector<Sample> found;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= (body.is_curve() ? 0 : n); ++j) {
            const double u = nurbs.u.first() + (nurbs.u.last() - nurbs.u.first()) * i / n,
                         v = nurbs.v.first() + (nurbs.v.last() - nurbs.v.first()) * j / n;
            found.push_back({u, v, pose.rotation * body.evaluate(u, v).at + pose.position});
        }
    return found;
}

// Improves the parameters by steps along and across the axes that are halved where none helps.
template <class F>
double polished(std::array<double, 4> x, std::array<double, 4> step, F&& value) {
    double here = value(x);
    for (int halvings = 0; halvings < 34;) {
        bool better = false;
        for (int move = 1; move < 81 && !better; ++move) {
            std::array<double, 4> y = x;
            for (int k = 0, code = move; k < 4; ++k, code /= 3)
                y[static_cast<std::size_t>(k)] += (code % 3 == 2 ? -1 : code % 3) * step[static_cast<std::size_t>(k)];
            const double there = value(y);
            if (there < here) {
                here = there;
                x = y;
                better = true;
            }
        }
        if (better) continue;
        for (double& s : step) s *= 0.5;
        ++halvings;
    }
    return here;
}

double by_pairs_of_samples(const Nurbs& a, const MeshPose& p, const Nurbs& b, const MeshPose& q, int n) {
    const NurbsBody body_a(a), body_b(b);
    const std::vector<Sample> of_a = samples(body_a, a, p, n), of_b = samples(body_b, b, q, n);
    struct Pair {
        double distance2;
        const Sample *a, *b;
    };
    std::vector<Pair> pairs;
    for (const Sample& s : of_a)
        for (const Sample& t : of_b) pairs.push_back({norm2(s.at - t.at), &s, &t});
    const auto kept = pairs.begin() + 6;
    std::partial_sort(pairs.begin(), kept, pairs.end(),
                      [](const Pair& s, const Pair& t) { return s.distance2 < t.distance2; });
    double least = infinite;
    for (auto pair = pairs.begin(); pair != kept; ++pair)
        least = std::fmin(least, polished({pair->a->u, pair->a->v, pair->b->u, pair->b->v},
                                          {(a.u.last() - a.u.first()) / n, a.is_curve() ? 0 : 1.0 / n,
                                           (b.u.last() - b.u.first()) / n, b.is_curve() ? 0 : 1.0 / n},
                                          [&](const std::array<double, 4>& x) {
                                              return norm((p.rotation * body_a.evaluate(x[0], x[1]).at + p.position) -
                                                          (q.rotation * body_b.evaluate(x[2], x[3]).at + q.position));
                                          }));
    return least;
}

TEST(NurbsPairs, no_pair_of_samples_is_nearer) {
    const int rounds = std::getenv("SCREE_LONG") != nullptr ? 40 : 4;
    Random r(31, 1);
    for (int k = 0; k < rounds; ++k)
        for (int kind = 0; kind < 3; ++kind) {
            const Nurbs a = kind == 2 ? bicubic(r, k % 2 == 0) : cubic(r), b = kind == 0 ? cubic(r) : bicubic(r, true);
            const MeshPose p{random_turn(r), {}}, q{random_turn(r), {r.uniform(1, 2), r.uniform(-1, 1), 1.5}};
            const NurbsPairDistance d = distance(NurbsBody(a), p, NurbsBody(b), q);
            const double other = by_pairs_of_samples(a, p, b, q, kind == 0 ? 200 : kind == 1 ? 40 : 16);
            EXPECT_LE(d.distance, other + 2e-14) << k << " " << kind;
            if (d.relation == Relation::separated) {
                EXPECT_GE(d.distance + d.error, other - 1e-6) << k << " " << kind;
                EXPECT_LE(d.error, 1e-12) << k << " " << kind << " " << d.pieces;
            }
            const double turned = distance(NurbsBody(b), q, NurbsBody(a), p).distance;
            EXPECT_NEAR(turned, d.distance, d.error + 1e-13);
        }
}

// Bodies of other kinds against points of the splines.
TEST(NurbsPairs, no_sample_is_nearer_to_another_body) {
    const int rounds = std::getenv("SCREE_LONG") != nullptr ? 60 : 8;
    Random r(31, 2);
    for (int k = 0; k < rounds; ++k) {
        const Nurbs nurbs = k % 2 == 0 ? cubic(r) : bicubic(r, true);
        const NurbsBody body(nurbs);
        const MeshPose pose{random_turn(r), {r.uniform(1, 2), r.uniform(0.5, 1.5), 0.5}}, turn{random_turn(r), {}};
        const Compound other =
            k % 4 < 2   ? only(Ellipsoid({0.6, 0.3, 0.2}), turn)
            : k % 8 < 4 ? only(Polyhedron(std::vector<Vec3>{{0, 0, 0}, {0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}}), turn)
                        : only(MeshBody(rock(2, 0.8, r.bits())), {turn.rotation, {-0.6, 0, -0.4}});
        const CompoundDistance d = distance(only(body, pose), other);
        const auto from = [&](double u, double v) {
            const Vec3 at = pose.rotation * body.evaluate(u, v).at + pose.position;
            return distance(only(Polyhedron(std::vector<Vec3>{at})), other).distance;
        };
        const int n = k % 2 == 0 ? 200 : 20;
        double least = infinite;
        Sample best{};
        for (const Sample& s : samples(body, nurbs, pose, n))
            if (const double here = from(s.u, s.v); here < least) {
                least = here;
                best = s;
            }
        const double step = (nurbs.u.last() - nurbs.u.first()) / n;
        least = polished({best.u, best.v, 0, 0}, {step, body.is_curve() ? 0 : step, 0, 0},
                         [&](const std::array<double, 4>& x) { return from(x[0], x[1]); });
        EXPECT_LE(d.distance, least + 2e-14) << k;
        if (d.relation != Relation::separated) continue;
        EXPECT_GE(d.distance + d.error, least - 1e-6) << k;
        EXPECT_LE(d.error, 1e-12) << k;
    }
}

}  // namespace
}  // namespace scree
