// Rational splines: the algebra that must not move a point, and nearest points against closed forms and dense samples.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "geometry/nurbs/nurbs_distance.h"
#include "geometry/nurbs_cases.h"
#include "scree/error.h"

namespace scree {
namespace {

// Poles, axes and centers too, where all points of a circle are as near.
template <class Truth>
void expect_closed_form(const char* name, const Nurbs& nurbs, Truth&& truth) {
    const int count = std::getenv("SCREE_LONG") != nullptr ? 100000 : 3000;
    const NurbsBody body(nurbs);
    Random r(27, 0);
    for (int k = 0; k < count; ++k) {
        Vec3 q{r.uniform(-2, 2), r.uniform(-2, 2), r.uniform(-2, 2)};
        if (k % 50 == 0) q.x = q.y = 0;
        if (k % 50 == 1) q.z = 0;
        if (k % 50 == 2) q = {};
        if (k % 50 == 3) q.y = q.z = 0;
        if (k % 50 == 4) q = body.evaluate(r.uniform(), r.uniform()).at;
        const NurbsClosest c = closest_point(body, q);
        ASSERT_NEAR(c.distance, truth(q), 1e-14) << name << " " << k << ": " << q.x << " " << q.y << " " << q.z;
        ASSERT_LE(c.error, 1e-13) << name << " " << k;
        ASSERT_NEAR(norm(c.point - q), c.distance, 1e-15) << name << " " << k;
        ASSERT_NEAR(norm(body.evaluate(c.u, c.v).at - c.point), 0, 1e-14) << name << " " << k;
    }
}

double rho(Vec3 q) { return std::hypot(q.x, q.y); }

TEST(NurbsDistance, equals_closed_forms) {
    expect_closed_form("circle", circle(), [](Vec3 q) { return std::hypot(rho(q) - 1, q.z); });
    expect_closed_form("sphere", sphere_surface(), [](Vec3 q) { return std::fabs(norm(q) - 1); });
    expect_closed_form("torus", torus_surface(), [](Vec3 q) { return std::fabs(std::hypot(rho(q) - 1, q.z) - 0.3); });
    expect_closed_form("cylinder", revolved({1, {0, 0, 1, 1}}, {{1, -1, 1}, {1, 1, 1}}),
                       [](Vec3 q) { return std::hypot(rho(q) - 1, std::fmax(0, std::fabs(q.z) - 1)); });
    expect_closed_form("cone", revolved({1, {0, 0, 1, 1}}, {{1, -1, 1}, {0, 1, 1}}), [](Vec3 q) {
        const double t = std::clamp((2 * (q.z + 1) - (rho(q) - 1)) / 5, 0.0, 1.0);
        return std::hypot(rho(q) - (1 - t), q.z + 1 - 2 * t);
    });
}

// The nearest of many samples, polished: each of the best is improved by halving steps in the parameters.
double by_samples(const NurbsBody& body, Vec3 q, const std::vector<std::array<double, 5>>& grid, double step) {
    std::vector<std::pair<double, std::size_t>> best;
    for (std::size_t k = 0; k < grid.size(); ++k)
        best.emplace_back(norm2(Vec3{grid[k][2], grid[k][3], grid[k][4]} - q), k);
    const std::size_t kept = std::min<std::size_t>(12, best.size());
    std::partial_sort(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(kept), best.end());
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < kept; ++k) {
        double u = grid[best[k].second][0], v = grid[best[k].second][1], here = best[k].first;
        const auto try_at = [&](double u1, double v1) {
            const double there = norm2(body.evaluate(u1, v1).at - q);
            if (!(there < here)) return false;
            here = there;
            u = u1;
            v = v1;
            return true;
        };
        for (double h = step; h > 1e-10;) {
            const bool better = try_at(u + h, v) || try_at(u - h, v) || try_at(u, v + h) || try_at(u, v - h) ||
                                try_at(u + h, v + h) || try_at(u - h, v - h);
            if (!better) h *= 0.5;
        }
        least = std::fmin(least, std::sqrt(here));
    }
    return least;
}

TEST(NurbsDistance, no_sample_is_nearer) {
    const bool much = std::getenv("SCREE_LONG") != nullptr;
    Random r(27, 1);
    for (int k = 0; k < (much ? 20 : 4); ++k) {
        const bool curve = k % 4 == 3;
        const NurbsBody body(curve ? cubic(r) : bicubic(r, k % 2 == 1));
        const int n = curve ? (much ? 1000000 : 10000) : (much ? 1000 : 100);
        const double last_u = curve ? 7 : 1;
        std::vector<std::array<double, 5>> grid;
        for (int i = 0; i <= n; ++i)
            for (int j = 0; j <= (curve ? 0 : n); ++j) {
                const double u = last_u * i / n, v = static_cast<double>(j) / n;
                const Vec3 p = body.evaluate(u, v).at;
                grid.push_back({u, v, p.x, p.y, p.z});
            }
        for (int j = 0; j < 20; ++j) {
            const Vec3 q{r.uniform(-0.2, 1.2), r.uniform(-0.2, 1.2), r.uniform(-0.6, 0.6)};
            const NurbsClosest c = closest_point(body, q);
            const double other = by_samples(body, q, grid, last_u / n);
            EXPECT_LE(c.distance, other + 1e-14) << k << " " << j;
            EXPECT_GE(c.distance + c.error, other - 1e-7) << k << " " << j;  // samples reach it nearly
            EXPECT_LE(c.error, 1e-13);
        }
    }
}

TEST(NurbsDistance, is_that_of_the_refined_body_and_of_a_warm_start) {
    Random r(27, 2);
    for (int k = 0; k < 20; ++k) {
        const Nurbs nurbs = k % 2 == 0 ? bicubic(r, true) : cubic(r);
        Nurbs finer = nurbs;
        for (int j = 0; j < 3; ++j) finer = with_knot_u(finer, r.uniform(0.1, 0.9));
        if (k % 2 == 0) finer = with_knot_v(finer, 0.5);
        const NurbsBody body(nurbs), refined(finer);
        NurbsStart start;
        Vec3 q{r.uniform(), r.uniform(), r.uniform(-0.6, 0.6)};
        for (int j = 0; j < 20; ++j) {
            const NurbsClosest c = closest_point(body, q);
            EXPECT_NEAR(closest_point(refined, q).distance, c.distance, 1e-14);
            EXPECT_NEAR(closest_point(body, q, &start).distance, c.distance, 1e-14);
            q += Vec3{r.uniform(-0.01, 0.01), r.uniform(-0.01, 0.01), r.uniform(-0.01, 0.01)};
        }
    }
}

TEST(NurbsDistance, does_not_depend_on_scale_or_offset) {
    Random r(27, 3);
    const Nurbs nurbs = bicubic(r, true);
    const Vec3 q{0.4, 0.6, 0.7};
    const double truth = closest_point(NurbsBody(nurbs), q).distance;
    for (const double scale : {1e-9, 1e9}) {
        Nurbs scaled = nurbs;
        for (Vec3& p : scaled.points) p *= scale;
        EXPECT_NEAR(closest_point(NurbsBody(scaled), scale * q).distance, scale * truth, 1e-14 * scale);
    }
    Nurbs far = nurbs;
    const Vec3 shift{1e6, -1e6, 5e5};
    for (Vec3& p : far.points) p += shift;
    EXPECT_NEAR(closest_point(NurbsBody(far), q + shift).distance, truth, 1e-9);
}

TEST(Nurbs, derivatives_are_those_of_differences) {
    Random r(27, 4);
    const NurbsBody body(bicubic(r, true));
    const double h = 1e-5;
    for (int k = 0; k < 50; ++k) {
        const double u = r.uniform(0.01, 0.99), v = r.uniform(0.01, 0.99);
        const NurbsPoint x = body.evaluate(u, v), right = body.evaluate(u + h, v), left = body.evaluate(u - h, v),
                         up = body.evaluate(u, v + h), down = body.evaluate(u, v - h);
        EXPECT_NEAR(norm((0.5 / h) * (right.at - left.at) - x.u), 0, 1e-6);
        EXPECT_NEAR(norm((0.5 / h) * (up.at - down.at) - x.v), 0, 1e-6);
        EXPECT_NEAR(norm((0.5 / h) * (right.u - left.u) - x.uu), 0, 1e-3);
        EXPECT_NEAR(norm((0.5 / h) * (up.u - down.u) - x.uv), 0, 1e-3);
        EXPECT_NEAR(norm((0.5 / h) * (up.v - down.v) - x.vv), 0, 1e-3);
    }
}

// The basis functions by their recursion, and not by Bezier pieces; on knots that are not clamped too.
double basis_function(const std::vector<double>& knots, int i, int p, double x) {
    const auto at = [&](int k) { return knots[static_cast<std::size_t>(k)]; };
    if (p == 0) return at(i) <= x && x < at(i + 1) ? 1 : 0;
    double sum = 0;
    if (at(i + p) > at(i)) sum += (x - at(i)) / (at(i + p) - at(i)) * basis_function(knots, i, p - 1, x);
    if (at(i + p + 1) > at(i + 1))
        sum += (at(i + p + 1) - x) / (at(i + p + 1) - at(i + 1)) * basis_function(knots, i + 1, p - 1, x);
    return sum;
}

TEST(Nurbs, pieces_are_the_sum_of_basis_functions) {
    Random r(27, 5);
    for (const auto& knots :
         {std::vector<double>{0, 0, 0, 0, 1, 2, 2, 3, 4, 4, 4, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}) {
        std::vector<Vec3> points;
        std::vector<double> weights;
        for (int k = 0; k < 8; ++k) {
            points.push_back({r.uniform(), r.uniform(), r.uniform()});
            weights.push_back(r.uniform(0.5, 2));
        }
        const NurbsBody body(nurbs_curve(3, knots, points, weights));
        for (int k = 0; k < 50; ++k) {
            const double u = r.uniform(knots[3], knots[8]);
            Vec3 sum;
            double weight = 0;
            for (int i = 0; i < 8; ++i) {
                const auto n = static_cast<std::size_t>(i);
                const double part = weights[n] * basis_function(knots, i, 3, u);
                sum += part * points[n];
                weight += part;
            }
            EXPECT_NEAR(norm(body.evaluate(u).at - (1 / weight) * sum), 0, 1e-14);
        }
    }
}

TEST(Nurbs, refuses_what_is_none) {
    const std::vector<Vec3> three{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
    EXPECT_NO_THROW(nurbs_curve(2, {0, 0, 0, 1, 1, 1}, three));
    EXPECT_THROW(nurbs_curve(2, {0, 0, 0, 1, 1}, three), Error);
    EXPECT_THROW(nurbs_curve(2, {0, 0, 1, 0, 1, 1}, three), Error);
    EXPECT_THROW(nurbs_curve(2, {0, 0, 0, 0, 1, 1}, three), Error);
    EXPECT_THROW(nurbs_curve(2, {0, 0, 0, 1, 1, 1}, three, {1, 0, 1}), Error);
    EXPECT_THROW(nurbs_curve(2, {0, 0, 0, 1, 1, std::nan("")}, three), Error);
    EXPECT_THROW(nurbs_curve(16, {0, 1}, three), Error);
    EXPECT_THROW(nurbs_curve(1, {0, 0, 0.5, 1, 1}, {{0, 0, 0}, {1, 0, 0}, {std::nan(""), 1, 0}}), Error);
    EXPECT_THROW(with_knot_u(nurbs_curve(2, {0, 0, 0, 1, 1, 1}, three), 2), Error);
}

}  // namespace
}  // namespace scree
