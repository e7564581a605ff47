// Spheres that cover bodies: nothing sticks out, they are as few as Pournin 2005 says, and no contact makes them
// orthogonal.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "shape/covering.h"
#include "shape/half_spaces.h"

namespace scree {
namespace {

Shape shape_of(std::vector<Piece> pieces) {
    Shape shape;
    shape.pieces = std::move(pieces);
    return shape;
}
Piece segment(double length, double radius, int dimension = 3) {
    const Vec3 ends[] = {{-0.5 * length, 0, 0}, {0.5 * length, 0, 0}};
    return make_piece(ends, radius, dimension);
}
Piece ball(Vec3 x, double radius) { return make_piece(std::span(&x, 1), radius, 3); }
Piece solid(Solid kind, double edge, double radius) { return make_piece(solid_corners(kind, edge), radius, 3); }
// An equilateral triangle with corners at the distance l from its middle.
Piece triangle(double l, double radius, int dimension = 3) {
    const double h = std::sqrt(0.75);
    const Vec3 corners[] = {{l, 0, 0}, {-0.5 * l, h * l, 0}, {-0.5 * l, -h * l, 0}};
    return make_piece(corners, radius, dimension);
}

CoverPlan plan_of(const Shape& shape, int dimension = 3, std::size_t most = 128) {
    return plan_coverings({{&shape, 1, 1}}, dimension, most);
}

// Random points of the body, many of them on its surface: of random weights of the corners, plus a step within the ball
// or on it.
void expect_covered(const Shape& shape, const std::vector<CoverSphere>& spheres, int dimension,
                    const std::string& what) {
    Random random(7, 1);
    for (int k = 0; k < 20000; ++k) {
        const Piece& piece =
            shape.pieces[static_cast<std::size_t>(random.uniform(0, static_cast<double>(shape.pieces.size())))];
        Vec3 x;
        double total = 0;
        // Few corners at a time, so that edges and faces get their share.
        const int corners = 1 + static_cast<int>(random.uniform(0, 4));
        for (int c = 0; c < corners; ++c) {
            const double weight = random.uniform();
            x += weight *
                 piece.vertex[static_cast<std::size_t>(random.uniform(0, static_cast<double>(piece.vertex.size())))];
            total += weight;
        }
        x = x / total;
        const Vec3 way =
            normalized(Vec3{random.uniform(-1, 1), random.uniform(-1, 1), dimension == 3 ? random.uniform(-1, 1) : 0});
        const double out = k % 2 ? 1 : random.uniform();
        const Vec3 point = x + out * piece.radius * way;
        const bool inside = std::any_of(spheres.begin(), spheres.end(), [&](const CoverSphere& s) {
            return norm(point - s.x) <= s.radius * (1 + 1e-7);
        });
        ASSERT_TRUE(inside) << what << ": " << point.x << ' ' << point.y << ' ' << point.z;
    }
}

// The depth of a center, by going out from it in random directions until the body ends.
double least_way_out(const Shape& shape, Vec3 from, int dimension) {
    Random random(11, 2);
    const auto inside = [&](Vec3 x) {
        return std::any_of(shape.pieces.begin(), shape.pieces.end(), [&](const Piece& p) {
            if (p.dimension == 0) return norm(x - p.vertex[0]) <= p.radius;
            // Outside a rounded convex piece there is a direction in which it ends before x.
            for (int k = 0; k < 120; ++k) {
                const Vec3 n = normalized(
                    Vec3{random.uniform(-1, 1), random.uniform(-1, 1), dimension == 3 ? random.uniform(-1, 1) : 0});
                double far = -HUGE_VAL;
                for (const Vec3 v : p.vertex) far = std::max(far, dot(n, v));
                if (dot(n, x) > far + p.radius) return false;
            }
            return true;
        });
    };
    double least = HUGE_VAL;
    for (int k = 0; k < 30; ++k) {
        const Vec3 way =
            normalized(Vec3{random.uniform(-1, 1), random.uniform(-1, 1), dimension == 3 ? random.uniform(-1, 1) : 0});
        double low = 0, high = 20;
        while (high - low > 1e-3) (inside(from + 0.5 * (low + high) * way) ? low : high) = 0.5 * (low + high);
        least = std::min(least, high);
    }
    return least;
}

TEST(covering, holds_every_point_and_keeps_the_conditions) {
    const Piece rod = segment(6, 1);
    struct Case {
        const char* name;
        Shape shape;
        int dimension = 3;
    };
    for (const Case& each :
         {Case{"short rod", shape_of({segment(0.5, 1)})}, Case{"rod", shape_of({rod})},
          Case{"long rod", shape_of({segment(23.7, 1)})}, Case{"rod in the plane", shape_of({segment(6, 1, 2)}), 2},
          Case{"small triangle", shape_of({triangle(0.3, 1)})}, Case{"triangle", shape_of({triangle(3, 1)})},
          Case{"triangle in the plane", shape_of({triangle(3, 1, 2)}), 2},
          Case{"tetrahedron", shape_of({solid(Solid::tetrahedron, 3, 1)})},
          Case{"cube", shape_of({solid(Solid::cube, 2.5, 1)})},
          Case{"round cube", shape_of({solid(Solid::cube, 1.5, 1)})},
          Case{"octahedron", shape_of({solid(Solid::octahedron, 3, 1)})},
          Case{"dodecahedron", shape_of({solid(Solid::dodecahedron, 1.3, 1)})},
          Case{"clump", shape_of({ball({0, 0, 0}, 1), ball({1.2, 0, 0}, 0.8), ball({0, 1.1, 0.3}, 1)})},
          Case{"hammer", shape_of({rod, ball({4, 0, 0}, 1.5)})}}) {
        const CoverPlan plan = plan_of(each.shape, each.dimension);
        ASSERT_EQ(plan.refused, 0u) << each.name;
        const std::vector<CoverSphere>& spheres = plan.spheres[0];
        expect_covered(each.shape, spheres, each.dimension, each.name);
        EXPECT_TRUE(overlapping_condition(spheres, 0)) << each.name;
        EXPECT_TRUE(contacts_stay_orthogonal(plan, {{&each.shape, 1, 1}})) << each.name;
        for (const CoverSphere& s : spheres) {
            // Sampled directions can only find longer ways out.
            EXPECT_GE(least_way_out(each.shape, s.x, each.dimension), s.depth - 2e-3) << each.name;
            // (3.2) itself, between two of the same size.
            EXPECT_GE((2 * s.depth - plan.overlap) * (2 * s.depth - plan.overlap), 2 * s.radius * s.radius * (1 - 1e-9))
                << each.name;
        }
    }
}

TEST(covering, a_rod_takes_the_optimal_number) {
    for (double length = 0.7; length < 60; length *= 1.13) {
        const Shape rod = shape_of({segment(length, 1)});
        const double xi = 1.0 / 8, big = std::sqrt(2) - xi / std::sqrt(2);
        const auto expected =
            static_cast<std::size_t>(std::ceil((length - 2 * (big - 1)) / (2 * std::sqrt(big * big - 1)))) + 1;
        const CoverPlan plan = plan_of(rod);
        ASSERT_EQ(plan.spheres[0].size(), expected) << length;
        EXPECT_NEAR(plan.spheres[0][0].radius, expected == 1 ? 1 + 0.5 * length : big, 1e-12);
        // One fewer cannot: between the outermost centers that reach the ends the gaps are too wide.
        if (expected > 2) {
            EXPECT_GT((length - 2 * (big - 1)) / static_cast<double>(expected - 2), 2 * std::sqrt(big * big - 1));
        }
    }
}

// Pournin 2005 section 3.2.1.2, with ξ = r/8.
TEST(covering, one_sphere_serves_up_to_the_bounds_of_the_thesis) {
    const auto one = [](const Piece& piece) { return plan_of(shape_of({piece})).spheres[0].size() == 1; };
    const double flat = 15 / (8 * std::sqrt(2)) - 1, tetrahedron = (45 - 24 * std::sqrt(2)) / (24 * std::sqrt(2) - 16);
    EXPECT_NEAR(flat, 0.32583, 1e-5);
    EXPECT_NEAR(tetrahedron, 0.61640, 1e-5);
    for (const double at : {0.3, 0.99, 0.9999, 1.0001, 1.01, 1.5}) {
        EXPECT_EQ(one(segment(2 * at * flat, 1)), at < 1) << at;
        EXPECT_EQ(one(triangle(at * flat, 1)), at < 1) << at;
        EXPECT_EQ(one(solid(Solid::tetrahedron, std::sqrt(8.0 / 3) * at * tetrahedron, 1)), at < 1) << at;
    }
    // A cube by the same argument: a√3 + r ≤ √2(a + r) − ξ/√2 for half its edge a.
    const double cube = (std::sqrt(2) - 1 - 1 / (8 * std::sqrt(2))) / (std::sqrt(3) - std::sqrt(2));
    EXPECT_TRUE(one(solid(Solid::cube, 2 * 0.9999 * cube, 1)));
    EXPECT_FALSE(one(solid(Solid::cube, 2 * 1.0001 * cube, 1)));
}

TEST(covering, grains_of_many_shapes_and_sizes_stay_orthogonal) {
    const Shape sphere = shape_of({ball({}, 1)}), rod = shape_of({segment(4, 1)}),
                cube = shape_of({solid(Solid::cube, 0.8, 1)}), plate = shape_of({triangle(1.5, 0.7)});
    for (const double ratio : {1.0, 1.5, 3.0, 10.0}) {
        const std::vector<ScaledShape> population{
            {&sphere, 1 / ratio, 1}, {&rod, 1, ratio}, {nullptr, 0, 0}, {&cube, 0.5, 1}, {&plate, 1, 1.2}};
        const CoverPlan plan = plan_coverings(population, 3, 500);
        ASSERT_EQ(plan.refused, 0u);
        EXPECT_TRUE(contacts_stay_orthogonal(plan, population)) << ratio;
        for (const std::size_t k : {0, 1, 3, 4}) expect_covered(*population[k].shape, plan.spheres[k], 3, "mixed");
        EXPECT_EQ(plan.spheres[0].size(), 1u);
        EXPECT_TRUE(plan.spheres[2].empty());
    }
}

TEST(covering, too_many_are_refused) {
    const Shape sharp = shape_of({solid(Solid::cube, 18, 1)}), long_rod = shape_of({segment(1000, 1)});
    EXPECT_EQ(plan_of(sharp, 3, 32).refused, 1u);
    EXPECT_EQ(plan_of(long_rod, 3, 32).refused, 1u);
    // A small ball in the side of a large one, not inside it: (1.5) cannot hold.
    const Shape wart = shape_of({ball({0, 0, 0}, 1), ball({0.95, 0, 0}, 0.1)});
    EXPECT_EQ(plan_of(wart).refused, 1u);
    // Inside it is not needed.
    EXPECT_EQ(plan_of(shape_of({ball({0, 0, 0}, 1), ball({0.5, 0, 0}, 0.1)})).spheres[0].size(), 1u);
}

}  // namespace
}  // namespace scree
