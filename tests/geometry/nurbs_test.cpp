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

// Local minima of a grid of samples, each improved by halving steps.
std::vector<Vec3> minima_by_samples(const NurbsBody& body, Vec3 q, double radius, int n, bool curve) {
    const double last = curve ? 7 : 1;
    const auto far = [&](double u, double v) { return norm(body.evaluate(last * u, v).at - q); };
    std::vector<double> value;
    const int m = curve ? 0 : n;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= m; ++j) value.push_back(far(1.0 * i / n, curve ? 0 : 1.0 * j / n));
    const auto at = [&](int i, int j) { return value[static_cast<std::size_t>(i * (m + 1) + j)]; };
    std::vector<Vec3> found;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= m; ++j) {
            bool lowest = true;
            for (int k = std::max(0, i - 1); k <= std::min(n, i + 1); ++k)
                for (int l = std::max(0, j - 1); l <= std::min(m, j + 1); ++l) lowest = lowest && at(i, j) <= at(k, l);
            if (!lowest) continue;
            double u = 1.0 * i / n, v = curve ? 0 : 1.0 * j / n;
            for (double h = 0.5 / n; h > 1e-9;) {
                double best = far(u, v), bu = u, bv = v;
                for (const double du : {-h, 0.0, h})
                    for (const double dv : {-h, 0.0, h}) {
                        const double u1 = std::clamp(u + du, 0.0, 1.0), v1 = curve ? 0 : std::clamp(v + dv, 0.0, 1.0);
                        if (far(u1, v1) < best) {
                            best = far(u1, v1);
                            bu = u1;
                            bv = v1;
                        }
                    }
                if (bu == u && bv == v) h *= 0.5;
                u = bu;
                v = bv;
            }
            if (far(u, v) < radius) found.push_back(body.evaluate(last * u, v).at);
        }
    return found;
}

TEST(NurbsMinima, are_those_of_a_fine_grid) {
    const int rounds = std::getenv("SCREE_LONG") != nullptr ? 100 : 12;
    Random r(27, 6);
    std::size_t most = 0;
    for (int k = 0; k < rounds; ++k) {
        const bool curve = k % 2 == 0;
        const NurbsBody body(curve ? cubic(r) : bicubic(r, k % 4 == 1));
        const Vec3 q = curve ? Vec3{r.uniform(-0.3, 0.3), r.uniform(-0.3, 0.3), r.uniform(-0.3, 0.3)}
                             : Vec3{r.uniform(0.3, 0.7), r.uniform(0.3, 0.7), r.uniform(0.2, 0.5)};
        const double radius = curve ? 1.5 : 0.6;
        const NurbsMinima minima = local_minima(body, q, radius);
        EXPECT_TRUE(minima.complete);
        most = std::max(most, minima.points.size());
        const std::vector<Vec3> samples = minima_by_samples(body, q, radius, curve ? 4000 : 120, curve);
        for (const Vec3& p : samples) {
            double nearest = 1e300;
            for (const NurbsClosest& c : minima.points) nearest = std::fmin(nearest, norm(c.point - p));
            EXPECT_LT(nearest, 1e-4) << k << ": a minimum of samples is missing at distance " << norm(p - q);
        }
        for (const NurbsClosest& c : minima.points) {
            double nearest = 1e300;
            for (const Vec3& p : samples) nearest = std::fmin(nearest, norm(c.point - p));
            EXPECT_LT(nearest, 1e-4) << k << ": no minimum of samples at distance " << c.distance;
        }
        ASSERT_FALSE(minima.points.empty()) << k;
        EXPECT_NEAR(minima.points[0].distance, closest_point(body, q).distance, 1e-12) << k;
    }
    EXPECT_GE(most, 3u);
}

TEST(NurbsMinima, of_closed_bodies_are_found_once_and_seams_are_no_ends) {
    const NurbsBody ring(torus_surface()), ball(sphere_surface());
    for (const Vec3 q : {Vec3{1.5, 0, 0}, Vec3{-1.5, 0.25, 0.5}, Vec3{0, -2, 0.25}, Vec3{0.9, 0, 0}}) {
        const NurbsMinima minima = local_minima(ring, q, 1);
        ASSERT_EQ(minima.points.size(), 1u) << q.x << " " << q.y;
        EXPECT_NEAR(minima.points[0].distance, std::fabs(std::hypot(rho(q) - 1, q.z) - 0.3), 1e-13);
        EXPECT_TRUE(minima.complete);
    }
    EXPECT_EQ(local_minima(ball, {0.25, 0, 0.1}, 2).points.size(), 1u);
    EXPECT_EQ(local_minima(ball, {3, 0, 0}, 1.5).points.size(), 0u);
    EXPECT_FALSE(local_minima(NurbsBody(circle()), {}, 2).complete);
    // Both ends of a line are no minima for a point beside its middle; a corner of two lines is one.
    const NurbsBody corner(nurbs_curve(1, {0, 0, 1, 2, 2}, {{-1, 1, 0}, {0, 0, 0}, {1, 1, 0}}));
    const NurbsMinima below = local_minima(corner, {0, -1, 0}, 5), above = local_minima(corner, {0, 1, 0}, 5);
    ASSERT_EQ(below.points.size(), 1u);
    EXPECT_NEAR(norm(below.points[0].point), 0, 1e-14);
    ASSERT_EQ(above.points.size(), 2u);
    EXPECT_NEAR(above.points[1].distance, std::sqrt(0.5), 1e-14);
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
