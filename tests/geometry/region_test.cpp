#include "geometry/region.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/ball_index.h"
#include "math/elementary.h"

namespace scree {
namespace {

std::vector<RegionShape> shapes() {
    return {BoxShape{{-0.5, -0.2, 0}, {0.5, 0.6, 0.7}}, CylinderShape{{0, 0, 0}, {0.3, 0.2, 0.8}, 0.3},
            ConeShape{{0, 0, 0}, {0, 0.4, 0.6}, 0.1, 0.5}, ConeShape{{0, 0, 0}, {0.5, 0, 0}, 0.4, 0},
            SphereShape{{0.1, 0.2, 0.3}, 0.5}};
}

Vec3 random_point(Random& random) { return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; }

TEST(region, volume_is_the_share_of_points_inside) {
    Random random(1, 2);
    for (const RegionShape& shape : shapes()) {
        const int n = 400'000;
        int in = 0;
        for (int k = 0; k < n; ++k) in += region_contains(shape, random_point(random), 3);
        const double share = static_cast<double>(in) / n;
        EXPECT_NEAR(8 * share, region_volume(shape, 3), 8 * 4 * std::sqrt(share / n));
    }
}

TEST(region, samples_are_uniform) {
    // Points drawn in the region fall into its inset in proportion to volume.
    for (const RegionShape& shape : shapes()) {
        const auto inner = region_inset(shape, 0.05, 3);
        ASSERT_TRUE(inner);
        Random random(3, 4);
        const int n = 100'000;
        int in = 0;
        const Extent box = region_extent(shape, 3);
        for (int k = 0; k < n; ++k) {
            const Vec3 x = region_sample(shape, 3, random);
            EXPECT_GE(region_depth(shape, x, 3), -1e-12);
            EXPECT_TRUE(region_contains(
                BoxShape{box.low - Vec3{1e-12, 1e-12, 1e-12}, box.high + Vec3{1e-12, 1e-12, 1e-12}}, x, 3));
            in += region_contains(*inner, x, 3);
        }
        const double expected = region_volume(*inner, 3) / region_volume(shape, 3);
        EXPECT_NEAR(static_cast<double>(in) / n, expected, 4 * std::sqrt(0.25 / n));
    }
}

TEST(region, the_inset_holds_exactly_the_balls_that_fit) {
    Random random(5, 6);
    for (const RegionShape& shape : shapes())
        for (const double radius : {0.02, 0.1, 0.15}) {
            const auto inner = region_inset(shape, radius, 3);
            int fits = 0;
            for (int k = 0; k < 20'000; ++k) {
                const Vec3 x = random_point(random);
                const double depth = region_depth(shape, x, 3);
                if (std::fabs(depth - radius) < 1e-9) continue;
                EXPECT_EQ(inner && region_contains(*inner, x, 3), depth > radius);
                fits += depth > radius;
            }
            EXPECT_EQ(inner.has_value(), fits > 0);
        }
}

TEST(region, the_depth_is_the_distance_to_the_outside) {
    Random random(7, 8);
    for (const RegionShape& shape : shapes())
        for (int k = 0; k < 200; ++k) {
            const Vec3 x = region_sample(shape, 3, random);
            const double depth = region_depth(shape, x, 3);
            double first_out = 1;
            for (int direction = 0; direction < 400; ++direction) {
                Vec3 u = random_point(random);
                if (norm(u) < 0.1) continue;
                u = normalized(u);
                EXPECT_TRUE(region_contains(shape, x + 0.999999 * depth * u, 3));
                for (double t = depth; t < std::min(first_out, 2 * depth + 0.05); t += 0.005)
                    if (!region_contains(shape, x + t * u, 3)) first_out = t;
            }
            EXPECT_LE(first_out, depth * 1.2 + 0.02);
        }
}

TEST(region, the_nearest_point_is_inside_and_nearest) {
    Random random(9, 9);
    for (const RegionShape& shape : shapes())
        for (int k = 0; k < 300; ++k) {
            const Vec3 x = random_point(random), p = region_nearest(shape, x, 3);
            EXPECT_GE(region_depth(shape, p, 3), -1e-12);
            if (region_contains(shape, x, 3)) {
                EXPECT_EQ(p, x);
            }
            // For a convex region: no point of it is beyond the plane through p at a right angle to x - p.
            for (int i = 0; i < 200; ++i) EXPECT_LE(dot(region_sample(shape, 3, random) - p, x - p), 1e-12);
        }
}

TEST(region, two_dimensional_regions_are_sections) {
    Random random(2, 2);
    const std::vector<RegionShape> flat{BoxShape{{-0.5, -0.2, 0}, {0.5, 0.6, 0}},
                                        CylinderShape{{0, 0, 0}, {0.3, 0.4, 0}, 0.3},
                                        ConeShape{{0, 0, 0}, {0, 0.6, 0}, 0.1, 0.5}, SphereShape{{0.1, 0.2, 0}, 0.5}};
    for (const RegionShape& shape : flat) {
        const int n = 200'000;
        int in = 0;
        for (int k = 0; k < n; ++k) in += region_contains(shape, {random.uniform(-1, 1), random.uniform(-1, 1), 0}, 2);
        EXPECT_NEAR(4.0 * in / n, region_volume(shape, 2), 0.02);
        for (int k = 0; k < 1000; ++k) {
            const Vec3 x = region_sample(shape, 2, random);
            EXPECT_EQ(x.z, 0);
            EXPECT_GE(region_depth(shape, x, 2), -1e-12);
        }
    }
}

TEST(ball_index, finds_what_trying_all_balls_finds) {
    Random random(1, 1);
    for (const bool periodic : {false, true}) {
        BallIndex index(periodic ? Periodicity({-1, 0, -0.5}, {2, 0, 1.5}) : Periodicity());
        std::vector<std::pair<Vec3, double>> balls;
        for (int k = 0; k < 3000; ++k) {
            const double radius = 0.2 * same_exp(random.uniform(-6, 0));
            balls.emplace_back(Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.5, 1)}, radius);
            EXPECT_EQ(index.add(balls.back().first, radius), k);
        }
        for (int trial = 0; trial < 300; ++trial) {
            const Vec3 x{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.5, 1)};
            const double reach = 0.3 * same_exp(random.uniform(-6, 0));
            std::vector<int> expected, found;
            for (int k = 0; k < 3000; ++k)
                for (int i = -1; i <= 1; ++i)
                    for (int j = -1; j <= 1; ++j) {
                        if (!periodic && (i != 0 || j != 0)) continue;
                        const auto& [c, r] = balls[static_cast<std::size_t>(k)];
                        if (norm(c + Vec3{2.0 * i, 0, 1.5 * j} - x) < reach + r) expected.push_back(k);
                    }
            index.any_near(x, reach, [&](int k, Vec3 shift) {
                EXPECT_LT(norm(index.center(k) + shift - x), reach + index.radius(k));
                found.push_back(k);
                return false;
            });
            std::sort(expected.begin(), expected.end());
            std::sort(found.begin(), found.end());
            EXPECT_EQ(found, expected);
            const auto lowest = index.closer_than(0, x, reach);
            EXPECT_EQ(lowest.value_or(-1), expected.empty() ? -1 : expected.front());
        }
    }
}

}  // namespace
}  // namespace scree
