#include "geometry/surface.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "math/elementary.h"
#include "scree/error.h"

namespace scree {
namespace {

Vec3 random_direction(Random& random) {
    for (;;) {
        const Vec3 v{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        if (norm2(v) > 0.01 && norm2(v) < 1) return normalized(v);
    }
}

Vec3 random_point(Random& random, double size) {
    return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

// The nearest of all features.
Foot nearest_foot(const Surface& surface, Vec3 x) {
    std::vector<int> features;
    surface.features_near(x, 100, features);
    Foot best;
    best.distance = 1e300;
    for (const int f : features) {
        const Foot foot = surface.foot(f, x);
        if (std::fabs(foot.distance) < std::fabs(best.distance)) best = foot;
    }
    return best;
}

// Points that cover a surface with holes of at most about `step`.
using Samples = std::vector<Vec3>;

Samples revolve(Vec3 origin, Vec3 axis, double h0, double s0, double h1, double s1) {
    Samples points;
    const Vec3 u = normalized(axis), e = perpendicular(u), f = cross(u, e);
    for (int i = 0; i <= 200; ++i)
        for (int j = 0; j < 400; ++j) {
            const double t = i / 200.0, angle = 2 * pi * j / 400, h = h0 + t * (h1 - h0), s = s0 + t * (s1 - s0);
            points.push_back(origin + h * u + s * (std::cos(angle) * e + std::sin(angle) * f));
        }
    return points;
}

// The foot is on the surface, is as near as the nearest sample (up to their spacing), and the perpendicular is one.
void expect_nearest(const Surface& surface, const Samples& samples, Vec3 x, double spacing) {
    const Foot foot = nearest_foot(surface, x);
    double least = 1e300, off = 1e300;
    for (const Vec3 p : samples) {
        least = std::min(least, norm(p - x));
        off = std::min(off, norm(p - foot.point));
    }
    EXPECT_LE(std::fabs(foot.distance), least + 1e-12);
    EXPECT_LE(off, spacing) << "the foot is not on the surface";
    EXPECT_GE(std::fabs(foot.distance), least - spacing);
    EXPECT_NEAR(norm(foot.normal), 1, 1e-12);
    EXPECT_NEAR(norm(foot.point + foot.distance * foot.normal - x), 0, 1e-12 * (1 + norm(x)));
}

TEST(surface, foot_on_sheet_of_revolution_is_the_nearest_point) {
    Random random(1, 1);
    for (int trial = 0; trial < 12; ++trial) {
        const Vec3 from = random_point(random, 0.5), axis = random_direction(random);
        const double length = random.uniform(0.2, 1), r0 = random.uniform(0, 0.6),
                     r1 = trial % 3 == 0 ? 0 : random.uniform(0.1, 0.6);
        const Surface cone(ConeWall{from, from + length * axis, r0, r1}, false, 3);
        const Surface cylinder(CylinderWall{from, from + length * axis, r0 + 0.1}, trial % 2, 3);
        const double hole = trial % 2 ? 0.2 : 0;
        const Surface disc(DiscWall{from, 3 * axis, 0.5, hole}, false, 3);
        const Samples on_cone = revolve(from, axis, 0, r0, length, r1), on_disc = revolve(from, axis, 0, hole, 0, 0.5),
                      on_cylinder = revolve(from, axis, 0, r0 + 0.1, length, r0 + 0.1);
        for (int k = 0; k < 20; ++k) {
            const Vec3 x = random_point(random, 1);
            expect_nearest(cone, on_cone, x, 0.012);
            expect_nearest(cylinder, on_cylinder, x, 0.012);
            expect_nearest(disc, on_disc, x, 0.012);
        }
    }
}

TEST(surface, foot_on_solids_is_the_nearest_point_and_the_sign_tells_the_side) {
    Random random(2, 1);
    const Vec3 low{-0.4, -0.3, -0.2}, high{0.5, 0.3, 0.6};
    const Surface inside(BoxWall{low, high}, false, 3), outside(BoxWall{low, high}, true, 3);
    const Surface hollow(SphereWall{{0.1, 0, 0}, 0.7}, false, 3), ball(SphereWall{{0.1, 0, 0}, 0.7}, true, 3);
    const Vec3 n = normalized(Vec3{1, 2, 3});
    const Surface floor(PlaneWall{{0, 0, 0.1}, 5 * n}, false, 3), ceiling(PlaneWall{{0, 0, 0.1}, n}, true, 3);
    Samples on_box;
    for (int i = 0; i <= 60; ++i)
        for (int j = 0; j <= 60; ++j)
            for (int axis = 0; axis < 3; ++axis)
                for (const double side : {0.0, 1.0}) {
                    Vec3 t{i / 60.0, j / 60.0, side};
                    if (axis == 0) t = {t.z, t.x, t.y};
                    if (axis == 1) t = {t.x, t.z, t.y};
                    on_box.push_back({low.x + t.x * (high.x - low.x), low.y + t.y * (high.y - low.y),
                                      low.z + t.z * (high.z - low.z)});
                }
    for (int k = 0; k < 200; ++k) {
        const Vec3 x = random_point(random, 1);
        const bool in_box = x.x > low.x && x.x < high.x && x.y > low.y && x.y < high.y && x.z > low.z && x.z < high.z;
        expect_nearest(outside, on_box, x, 0.02);
        EXPECT_EQ(outside.foot(0, x).distance < 0, in_box);
        if (in_box) expect_nearest(inside, on_box, x, 0.02);
        double least = 1e300;
        for (int face = 0; face < 6; ++face) least = std::min(least, inside.foot(face, x).distance);
        EXPECT_EQ(least > 0, in_box) << "six half spaces are solid outside the box";

        EXPECT_NEAR(ball.foot(0, x).distance, norm(x - Vec3{0.1, 0, 0}) - 0.7, 1e-14);
        EXPECT_NEAR(hollow.foot(0, x).distance, -ball.foot(0, x).distance, 1e-14);
        EXPECT_NEAR(dot(hollow.foot(0, x).normal, ball.foot(0, x).normal), -1, 1e-14);
        EXPECT_NEAR(norm(hollow.foot(0, x).point - ball.foot(0, x).point), 0, 1e-14);
        EXPECT_NEAR(floor.foot(0, x).distance, dot(x - Vec3{0, 0, 0.1}, n), 1e-14);
        EXPECT_NEAR(ceiling.foot(0, x).distance, -floor.foot(0, x).distance, 1e-14);
    }
}

TEST(surface, a_centre_past_a_solid_surface_is_pushed_back_to_its_side) {
    const Surface floor(PlaneWall{{0, 0, 0}, {0, 0, 1}}, false, 3);
    EXPECT_EQ(floor.foot(0, {1, 2, -0.01}).normal, (Vec3{0, 0, 1}));
    EXPECT_DOUBLE_EQ(floor.foot(0, {1, 2, -0.01}).distance, -0.01);
    const Surface box(BoxWall{{0, 0, 0}, {1, 1, 1}}, true, 3);
    EXPECT_EQ(box.foot(0, {0.5, 0.6, 0.99}).normal, (Vec3{0, 0, 1}));
    EXPECT_NEAR(box.foot(0, {0.5, 0.6, 0.99}).distance, -0.01, 1e-15);
    std::vector<int> near;
    floor.features_near({0, 0, -5}, 0.1, near);
    EXPECT_EQ(near, (std::vector<int>{0})) << "solid all the way down";
}

TEST(surface, a_centre_on_the_axis_or_on_the_sheet_has_a_direction) {
    const auto sane = [](const Foot& foot) {
        return is_finite(foot.point) && std::fabs(norm(foot.normal) - 1) < 1e-12;
    };
    for (const bool outside : {false, true}) {
        const Surface cylinder(CylinderWall{{0, 0, 0}, {0, 0, 1}, 0.5}, outside, 3);
        const Surface cone(ConeWall{{0, 0, 0}, {1, 1, 1}, 0, 0.5}, outside, 3);
        const Surface sphere(SphereWall{{0, 0, 0}, 1}, outside, 3);
        const Surface disc(DiscWall{{0, 0, 0}, {0, 0, 1}, 1, 0}, outside, 3);
        for (const double h : {-1.0, 0.0, 0.3, 2.0}) {
            EXPECT_TRUE(sane(cylinder.foot(0, {0, 0, h})));
            EXPECT_TRUE(sane(cylinder.foot(1, {0, 0, h})));
            EXPECT_TRUE(sane(cone.foot(0, {h, h, h})));
            EXPECT_TRUE(sane(cone.foot(1, {h, h, h})));
        }
        EXPECT_TRUE(sane(sphere.foot(0, {0, 0, 0})));
        EXPECT_TRUE(sane(disc.foot(0, {0, 0, 0})));
        EXPECT_TRUE(sane(cylinder.foot(0, {0.5, 0, 0.5})));
        EXPECT_NEAR(cylinder.foot(0, {0.5, 0, 0.5}).normal.x, outside ? 1 : -1, 1e-12);
        EXPECT_NEAR(disc.foot(0, {0.2, 0, 0}).normal.z, outside ? -1 : 1, 1e-12);
    }
    const Surface line(PolylineWall{{{0, 0, 0}, {1, 0, 0}}}, false, 2);
    EXPECT_EQ(line.foot(0, {0.5, 0, 0}).normal, (Vec3{0, 1, 0}));
}

TEST(surface, rims_are_told_from_faces) {
    const Surface cylinder(CylinderWall{{0, 0, 0}, {0, 0, 1}, 0.5}, false, 3);
    EXPECT_FALSE(cylinder.foot(0, {0.3, 0, 0.5}).rim);
    EXPECT_TRUE(cylinder.foot(0, {0.3, 0, 1.2}).rim);
    EXPECT_NEAR(norm(cylinder.foot(0, {0.3, 0, 1.2}).point - Vec3{0.5, 0, 1}), 0, 1e-15);
    const Surface disc(DiscWall{{0, 0, 0}, {0, 0, 1}, 1, 0.25}, false, 3),
        full(DiscWall{{0, 0, 0}, {0, 0, 1}, 1, 0}, false, 3);
    EXPECT_TRUE(disc.foot(0, {0.1, 0, 0.2}).rim);
    EXPECT_FALSE(disc.foot(0, {0.3, 0, 0.2}).rim);
    EXPECT_TRUE(disc.foot(0, {1.1, 0, 0.2}).rim);
    EXPECT_FALSE(full.foot(0, {0, 0, 0.2}).rim);
    const Surface box(BoxWall{{0, 0, 0}, {1, 1, 1}}, true, 3);
    EXPECT_FALSE(box.foot(0, {0.5, 0.5, 1.1}).rim);
    EXPECT_TRUE(box.foot(0, {0.5, 1.1, 1.1}).rim);
    EXPECT_TRUE(box.foot(0, {1.1, 1.1, 1.1}).rim);
}

TEST(surface, normals_turn_continuously_along_any_path) {
    Random random(5, 1);
    const std::vector<Surface> surfaces{Surface(BoxWall{{-0.3, -0.3, -0.3}, {0.3, 0.3, 0.3}}, true, 3),
                                        Surface(CylinderWall{{0, 0, -0.4}, {0, 0, 0.4}, 0.4}, false, 3),
                                        Surface(ConeWall{{0, 0, -0.4}, {0, 0, 0.4}, 0.1, 0.4}, false, 3),
                                        Surface(DiscWall{{0, 0, 0}, {0, 0, 1}, 0.6, 0.2}, false, 3),
                                        Surface(SphereWall{{0, 0, 0}, 0.5}, true, 3)};
    for (const Surface& surface : surfaces)
        for (int path = 0; path < 50; ++path) {
            const Vec3 a = random_point(random, 1), b = random_point(random, 1);
            Foot last = surface.foot(0, a);
            for (int k = 1; k <= 2000; ++k) {
                const Vec3 x = a + (k / 2000.0) * (b - a);
                const Foot foot = surface.foot(0, x);
                // Distance is 1-Lipschitz everywhere; the normal turns by about step/distance except across the surface
                // and the axis, where the nearest side changes.
                EXPECT_LE(std::fabs(foot.distance - last.distance), norm(b - a) / 2000 + 1e-12);
                const bool near_axis = x.x * x.x + x.y * x.y < 0.01;
                if (foot.distance > 0.02 && last.distance > 0.02 && !near_axis) {
                    EXPECT_LE(norm(foot.normal - last.normal), 0.3);
                }
                last = foot;
            }
        }
}

TEST(surface, polyline_finds_every_near_segment) {
    Random random(7, 1);
    PolylineWall wall;
    for (int k = 0; k < 300; ++k) wall.points.push_back({random.uniform(-1, 1), random.uniform(-1, 1), 0});
    const Surface surface(wall, false, 2);
    for (int trial = 0; trial < 200; ++trial) {
        const Vec3 x{random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2), 0};
        const double reach = random.uniform(0.01, 0.3);
        std::vector<int> near;
        surface.features_near(x, reach, near);
        EXPECT_TRUE(std::is_sorted(near.begin(), near.end()));
        for (int k = 0; k + 1 < 300; ++k) {
            double least = 1e300;
            for (int i = 0; i <= 100; ++i) {
                const Vec3 p = wall.points[static_cast<std::size_t>(k)] +
                               (i / 100.0) * (wall.points[static_cast<std::size_t>(k) + 1] -
                                              wall.points[static_cast<std::size_t>(k)]);
                least = std::min(least, norm(p - x));
            }
            const double exact = surface.foot(k, x).distance;
            EXPECT_LE(exact, least + 1e-12);
            EXPECT_GE(exact, least - 0.015);
            if (exact < reach) {
                EXPECT_TRUE(std::binary_search(near.begin(), near.end(), k));
            }
        }
    }
}

TEST(surface, balls_cover_every_kind_of_surface) {
    const double spacing = 0.05;
    const std::vector<std::pair<SurfaceShape, Samples>> cases{
        {CylinderWall{{0, 0, 0}, {0, 0, 1}, 0.3}, revolve({0, 0, 0}, {0, 0, 1}, 0, 0.3, 1, 0.3)},
        {ConeWall{{0, 0, 0}, {0.2, 0, 1}, 0, 0.4}, revolve({0, 0, 0}, {0.2, 0, 1}, 0, 0, std::sqrt(1.04), 0.4)},
        {DiscWall{{0, 0, 0}, {0, 1, 1}, 0.5, 0.2}, revolve({0, 0, 0}, {0, 1, 1}, 0, 0.2, 0, 0.5)}};
    for (const auto& [shape, samples] : cases) {
        const Surface balls(BallsWall{shape, 0.04, spacing, 9}, false, 3);
        for (const SphereWall& ball : balls.balls()) {
            EXPECT_GE(ball.radius, 0.9 * 0.04);
            EXPECT_LE(ball.radius, 1.1 * 0.04);
        }
        // Balls of this size at this distance leave no hole.
        for (const Vec3 p : samples) {
            std::vector<int> near;
            balls.features_near(p, 1e-9, near);
            EXPECT_FALSE(near.empty());
            for (const int k : near) EXPECT_LT(balls.foot(k, p).distance, 1e-9);
        }
    }
    const Surface box(BallsWall{BoxWall{{0, 0, 0}, {1, 1, 1}}, 0.05, 0.1, 1}, false, 3);
    EXPECT_EQ(box.balls().size(), 11u * 11 * 11 - 9 * 9 * 9);
    const Surface sphere(BallsWall{SphereWall{{0, 0, 0}, 1}, 0.05, 0.1, 1}, false, 3);
    EXPECT_NEAR(static_cast<double>(sphere.balls().size()), 4 * pi / 0.01, 100);
    for (const SphereWall& ball : sphere.balls()) EXPECT_NEAR(norm(ball.center), 1, 1e-12);
}

TEST(surface, the_same_seed_gives_the_same_balls) {
    const BallsWall wall{CylinderWall{{0, 0, 0}, {0, 0, 1}, 0.3}, 0.04, 0.05, 9};
    BallsWall other = wall;
    other.seed = 10;
    const Surface a(wall, false, 3), b(wall, false, 3), c(other, false, 3);
    int different = 0;
    for (std::size_t k = 0; k < a.balls().size(); ++k) {
        EXPECT_EQ(a.balls()[k].radius, b.balls()[k].radius);
        different += a.balls()[k].radius != c.balls()[k].radius;
    }
    EXPECT_GT(different, 0);
}

TEST(surface, balls_over_a_periodic_plane_go_on_across_the_border) {
    const Periodicity periodic({0, -1, 0}, {1, 2, 0});
    const Surface floor(BallsWall{PlaneWall{{0, 0, 0}, {0, 0, 1}}, 0.05, 0.09, 1}, false, 3, periodic);
    EXPECT_EQ(floor.balls().size(), 11u * 22u);
    Random random(4, 4);
    for (int k = 0; k < 500; ++k) {
        const Vec3 x{random.uniform(0, 1), random.uniform(-1, 1), random.uniform(0, 0.1)}, moved = x + Vec3{1, -2, 0};
        std::vector<int> here, there;
        floor.features_near(x, 0.1, here);
        floor.features_near(moved, 0.1, there);
        EXPECT_EQ(here, there);
        EXPECT_FALSE(here.empty());
        for (const int f : here) EXPECT_NEAR(floor.foot(f, x).distance, floor.foot(f, moved).distance, 1e-14);
        for (std::size_t f = 0; f < floor.balls().size(); ++f)
            for (int i = -1; i <= 1; ++i)
                for (int j = -1; j <= 1; ++j)
                    if (norm(floor.balls()[f].center + Vec3{1.0 * i, 2.0 * j, 0} - x) - floor.balls()[f].radius < 0.1) {
                        EXPECT_TRUE(std::binary_search(here.begin(), here.end(), static_cast<int>(f)));
                    }
    }
    EXPECT_THROW(Surface(BallsWall{PlaneWall{{0, 0, 0}, {0, 0, 1}}, 0.05, 0.09, 1}, false, 3), Error);
}

TEST(surface, two_dimensional_walls_stay_in_the_plane) {
    const Surface box(BoxWall{{0, 0, 0}, {2, 1, 0}}, false, 2), solid(BoxWall{{0, 0, 0}, {2, 1, 0}}, true, 2);
    std::vector<int> near;
    box.features_near({1, 0.5, 0}, 10, near);
    EXPECT_EQ(near, (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(solid.foot(0, {1, 0.9, 0}).normal, (Vec3{0, 1, 0}));
    EXPECT_NEAR(solid.foot(0, {1, 0.9, 0}).distance, -0.1, 1e-15);
    const Surface circle(BallsWall{SphereWall{{0, 0, 0}, 1}, 0.1, 0.1, 1}, false, 2);
    for (const SphereWall& ball : circle.balls()) EXPECT_EQ(ball.center.z, 0);
    EXPECT_EQ(circle.balls().size(), 63u);
}

TEST(surface, shapes_without_extent_are_refused) {
    EXPECT_THROW(Surface(PlaneWall{{0, 0, 0}, {0, 0, 0}}, false, 3), Error);
    EXPECT_THROW(Surface(BoxWall{{0, 0, 0}, {1, 1, 0}}, false, 3), Error);
    EXPECT_THROW(Surface(CylinderWall{{0, 0, 0}, {0, 0, 0}, 1}, false, 3), Error);
    EXPECT_THROW(Surface(ConeWall{{0, 0, 0}, {0, 0, 1}, 0, 0}, false, 3), Error);
    EXPECT_THROW(Surface(DiscWall{{0, 0, 0}, {0, 0, 1}, 0.5, 0.5}, false, 3), Error);
    EXPECT_THROW(Surface(PolylineWall{{{0, 0, 0}, {0, 0, 0}}}, false, 2), Error);
}

TEST(surface, meshes_lie_on_their_surfaces) {
    const Extent visible{{-1, -1, -1}, {1, 1, 1}};
    const std::vector<Surface> surfaces{Surface(PlaneWall{{0, 0, 0.2}, {1, 1, 1}}, false, 3),
                                        Surface(BoxWall{{0, 0, 0}, {1, 1, 1}}, true, 3),
                                        Surface(CylinderWall{{0, 0, 0}, {0, 1, 1}, 0.5}, false, 3),
                                        Surface(ConeWall{{0, 0, 0}, {0, 1, 1}, 0.5, 0}, false, 3),
                                        Surface(SphereWall{{0, 0, 0}, 0.5}, true, 3),
                                        Surface(DiscWall{{0, 0, 0}, {0, 0, 1}, 0.5, 0.2}, false, 3),
                                        Surface(PolylineWall{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}}, false, 2)};
    for (const Surface& surface : surfaces) {
        const SurfaceMesh mesh = surface.mesh(visible);
        EXPECT_FALSE(mesh.points.empty());
        EXPECT_GT(mesh.triangles.size() + mesh.segments.size(), 0u);
        for (const Vec3 p : mesh.points) EXPECT_NEAR(nearest_foot(surface, p).distance, 0, 1e-12);
        for (const auto& t : mesh.triangles)
            for (const int k : t) EXPECT_LT(static_cast<std::size_t>(k), mesh.points.size());
    }
}

}  // namespace
}  // namespace scree
