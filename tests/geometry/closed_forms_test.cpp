#include "geometry/closed_forms.h"

#include <gtest/gtest.h>

#include "distance_cases.h"

namespace scree {
namespace {

// Random points; often on a small grid, in a plane, coincident or nearly in line, where formulas divide by zero.
class Points {
  public:
    explicit Points(std::uint64_t number)
        : r_(12, number),
          kind_(r_.below(6)),
          shift_(r_.below(3) == 0 ? r_.uniform(0, 2) : 0) {}
    Vec3 draw(bool second) {
        Vec3 p{r_.uniform(-1, 1), r_.uniform(-1, 1), r_.uniform(-1, 1)};
        if (kind_ == 1) p = {double(r_.below(3)), double(r_.below(3)), double(r_.below(3))};
        if (kind_ == 2) p.z = 0;
        if (kind_ == 3) p = {p.x, 1e-9 * p.y, 1e-9 * p.z};
        if (kind_ == 4) p = p + Vec3{1e6, -1e6, 1e6};
        if (kind_ == 5) p = 1e-6 * p;
        if (second) p.x += shift_ * (kind_ == 5 ? 1e-6 : 1);
        return p;
    }
    double size() const { return kind_ == 5 ? 1e-6 : 4; }

  private:
    Random r_;
    std::uint64_t kind_;
    double shift_;
};

void expect_same(const Distance& closed, const Distance& general, double size, const char* what, int k) {
    ASSERT_EQ(closed.relation, general.relation) << what << ' ' << k;
    ASSERT_NEAR(closed.distance, general.distance, 2e-14 * size) << what << ' ' << k;
    if (general.distance > 1e-6 * size) {
        ASSERT_LE(norm(closed.normal - general.normal) * general.distance, 1e-9 * size) << what << ' ' << k;
        ASSERT_LE(std::fabs(norm(closed.point_a - closed.point_b) - general.distance), 1e-9 * size) << what << ' ' << k;
    }
}

TEST(ClosedForms, agree_with_gjk_on_every_kind_of_pair) {
    const int count = static_cast<int>(cases::count_of(20000, 1000000));
    int certain = 0;
    for (int k = 0; k < count; ++k) {
        Points points(static_cast<std::uint64_t>(k));
        const Vec3 p = points.draw(false);
        const Segment s{p, points.draw(false)}, t{points.draw(true), points.draw(true)};
        const Triangle u{s.a, s.b, points.draw(false)}, v{t.a, t.b, points.draw(true)};
        const PointBody point(p);
        const SegmentBody first(s.a, s.b), second(t.a, t.b);
        const TriangleBody one(u.a, u.b, u.c), other(v.a, v.b, v.c);
        ASSERT_NO_FATAL_FAILURE(
            expect_same(distance(p, t), distance(point, second), points.size(), "point, segment", k));
        ASSERT_NO_FATAL_FAILURE(
            expect_same(distance(p, v), distance(point, other), points.size(), "point, triangle", k));
        ASSERT_NO_FATAL_FAILURE(expect_same(distance(s, t), distance(first, second), points.size(), "segments", k));
        ASSERT_NO_FATAL_FAILURE(
            expect_same(distance(s, v), distance(first, other), points.size(), "segment, triangle", k));
        ASSERT_NO_FATAL_FAILURE(expect_same(distance(u, v), distance(one, other), points.size(), "triangles", k));
        certain += closest_points(s, t).certain;
    }
    EXPECT_GT(certain, count / 2);
}

TEST(ClosedForms, leave_next_to_no_ordinary_pair_to_gjk) {
    Random r(13, 1);
    const auto point = [&](double shift) { return Vec3{r.uniform() + shift, r.uniform(), r.uniform()}; };
    int uncertain = 0;
    for (int k = 0; k < 5000; ++k) {
        const Triangle u{point(0), point(0), point(0)}, v{point(1.1), point(1.1), point(1.1)};
        uncertain += !closest_points(u.a, Segment{v.a, v.b}).certain;
        uncertain += !closest_points(u.a, v).certain;
        uncertain += !closest_points(Segment{u.a, u.b}, Segment{v.a, v.b}).certain;
        uncertain += !closest_points(Segment{u.a, u.b}, v).certain;
        uncertain += !closest_points(u, v).certain;
    }
    EXPECT_LE(uncertain, 5);  // of 25000
}

TEST(ClosedForms, known_answers) {
    const Segment x{{-1, 0, 0}, {1, 0, 0}}, above{{0, -1, 2}, {0, 1, 2}}, crossing{{0, -1, 0}, {0, 1, 0}};
    EXPECT_DOUBLE_EQ(distance(x, above).distance, 2);
    EXPECT_EQ(distance(x, above).normal, (Vec3{0, 0, 1}));
    EXPECT_EQ(distance(x, crossing).relation, Relation::touching);
    const Triangle t{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    EXPECT_DOUBLE_EQ(distance(Vec3{0.2, 0.2, -3}, t).distance, 3);
    EXPECT_DOUBLE_EQ(distance(Vec3{1, 1, 0}, t).distance, std::sqrt(0.5));
    // A segment through the triangle: no small shift gets it out.
    EXPECT_EQ(distance(Segment{{0.2, 0.2, -1}, {0.2, 0.2, 1}}, t).relation, Relation::overlapping);
    EXPECT_EQ(distance(t, t).relation, Relation::touching);
    EXPECT_EQ(distance(Vec3{1, 2, 3}, Vec3{1, 2, 3}).relation, Relation::touching);
}

}  // namespace
}  // namespace scree
