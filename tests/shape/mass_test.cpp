// Mass properties against closed forms, and against points thrown at random where there is none.
#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "geometry/gjk.h"
#include "scree/error.h"
#include "shape/half_spaces.h"
#include "shape/mass.h"
#include "shape/shape.h"
#include "shape_of.h"

namespace scree {
namespace {

// Volume, first and second moments by throwing points into the ball around the piece.
void expect_as_thrown(const Piece& piece, const Moments& m, int dimension) {
    constexpr int throws = 400000;
    Random random(7, 0);
    double inside = 0, second[3][3] = {};
    Vec3 first;
    const double r = piece.reach, box = dimension == 2 ? 4 * r * r : 8 * r * r * r;
    for (int k = 0; k < throws; ++k) {
        const double u = random.uniform(-1, 1), v = random.uniform(-1, 1), w = random.uniform(-1, 1);
        const Vec3 x = piece.middle + r * Vec3{u, v, dimension == 2 ? 0 : w};
        if (distance(piece.body, PointBody(x)).gap > piece.radius) continue;
        ++inside;
        first += x;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) second[i][j] += x[i] * x[j];
    }
    const double one = box / throws, noise = 5 * std::sqrt(inside) * one;
    EXPECT_NEAR(m.volume, inside * one, noise);
    for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(m.first[i], first[i] * one, noise * (norm(piece.middle) + r));
        for (int j = 0; j < 3; ++j)
            EXPECT_NEAR(m.second[i][j], second[i][j] * one, noise * (norm(piece.middle) + r) * (norm(piece.middle) + r))
                << i << j;
    }
}

TEST(mass, sphere_and_capsule_are_as_in_the_books) {
    const double r = 0.3, l = 1.1;
    const Piece ball = make_piece(std::vector<Vec3>{{1, 2, 3}}, r, 3);
    const Moments m = moments_of(ball, 3);
    EXPECT_NEAR(m.volume, 4 * pi / 3 * r * r * r, 1e-15);
    EXPECT_NEAR(norm(m.center() - Vec3{1, 2, 3}), 0, 1e-14);
    GrainShape rod;
    rod.kind = ShapeKind::spherocylinder;
    rod.length = l;
    rod.radius = r;
    const Shape s = shape_of(rod);
    const double cylinder = pi * r * r * l, ends = 4 * pi / 3 * r * r * r;
    EXPECT_NEAR(s.volume, cylinder + ends, 1e-14);
    EXPECT_NEAR(s.inertia.z, 0.5 * cylinder * r * r + 0.4 * ends * r * r, 1e-14);
    EXPECT_NEAR(s.inertia.x, cylinder * (l * l / 12 + r * r / 4) + ends * (0.4 * r * r + l * l / 4 + 3.0 / 8 * l * r),
                1e-14);
}

TEST(mass, rounded_cube_follows_steiner) {
    const double a = 0.8, r = 0.15;
    GrainShape cube;
    cube.kind = ShapeKind::spheropolyhedron;
    cube.solid = Solid::cube;
    cube.length = a;
    cube.radius = r;
    const Shape s = shape_of(cube);
    EXPECT_NEAR(s.volume, a * a * a + 6 * a * a * r + 3 * pi * a * r * r + 4 * pi / 3 * r * r * r, 1e-14);
    EXPECT_NEAR(s.inertia.x, s.inertia.y, 1e-14);
    EXPECT_EQ(s.pieces[0].faces.size(), 6u);
    cube.radius = 1e-9;
    EXPECT_NEAR(shape_of(cube).inertia.x, std::pow(a, 5) / 6, 1e-7);
}

TEST(mass, solids_have_their_faces_and_volumes) {
    const double golden = 0.5 * (1 + std::sqrt(5.0));
    const struct {
        Solid solid;
        std::size_t corners, faces;
        double volume;
    } cases[] = {{Solid::tetrahedron, 4, 4, 1 / (6 * std::sqrt(2.0))},
                 {Solid::cube, 8, 6, 1},
                 {Solid::octahedron, 6, 8, std::sqrt(2.0) / 3},
                 {Solid::dodecahedron, 20, 12, (15 + 7 * std::sqrt(5.0)) / 4},
                 {Solid::icosahedron, 12, 20, 5 * golden * golden / 6}};
    for (const auto& c : cases) {
        const Piece piece = make_piece(solid_corners(c.solid, 1), 0, 3);
        EXPECT_EQ(piece.vertex.size(), c.corners);
        EXPECT_EQ(piece.faces.size(), c.faces);
        EXPECT_NEAR(moments_of(piece, 3).volume, c.volume, 1e-14);
    }
}

TEST(mass, rounded_bodies_of_every_dimension_hold_what_random_points_find) {
    Random random(3, 1);
    const auto point = [&] {
        const double x = random.uniform(), y = random.uniform(), z = random.uniform();
        return Vec3{x, y, z};
    };
    for (const int corners : {1, 2, 3, 4, 9}) {
        std::vector<Vec3> cloud;
        for (int k = 0; k < corners; ++k) cloud.push_back(point() + Vec3{0.3, -0.2, 0.1});
        const Piece piece = make_piece(cloud, 0.25, 3);
        expect_as_thrown(piece, moments_of(piece, 3), 3);
    }
    for (const int corners : {1, 2, 3, 6}) {
        std::vector<Vec3> cloud;
        for (int k = 0; k < corners; ++k) {
            cloud.push_back(point());
            cloud.back().z = 0;
        }
        const Piece piece = make_piece(cloud, 0.2, 2);
        expect_as_thrown(piece, moments_of(piece, 2), 2);
    }
}

TEST(mass, eroded_shapes_keep_their_outer_size) {
    GrainShape cube;
    cube.kind = ShapeKind::spheropolyhedron;
    cube.solid = Solid::cube;
    cube.length = 1;
    cube.radius = 0.1;
    cube.erode = true;
    const Shape s = shape_of(cube);
    const double a = 0.8, r = 0.1;
    EXPECT_NEAR(s.volume, a * a * a + 6 * a * a * r + 3 * pi * a * r * r + 4 * pi / 3 * r * r * r, 1e-12);
    cube.radius = 0.6;
    EXPECT_THROW(shape_of(cube), Error);
    GrainShape square;
    square.kind = ShapeKind::spheropolyhedron;
    square.radius = 0.1;
    square.erode = true;
    square.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    EXPECT_NEAR(shape_of(square, 2).volume, 0.64 + 4 * 0.8 * 0.1 + pi * 0.01, 1e-12);
}

TEST(mass, clusters_that_overlap_tell_their_error_and_keep_it) {
    GrainShape pair;
    pair.kind = ShapeKind::cluster;
    const double d = 0.6;
    pair.spheres = {{0, 0, 0, 0.5}, {d, 0, 0, 0.5}};
    const Shape s = shape_of(pair);
    const double h = 0.5 - d / 2, exact = 2 * (4 * pi / 3 * 0.125) - 2 * (pi * h * h * (0.5 - h / 3));
    EXPECT_GT(s.error, 0);
    EXPECT_LT(s.error, 3e-3);
    EXPECT_NEAR(s.volume, exact, s.error * exact);
    // About the axis: each ball less the cap beyond the plane between them, int (pi/2) rho^4 dx with rho^2 = r^2 - x^2.
    const auto up_to = [](double x) { return pi / 2 * (x / 16 - x * x * x / 6 + x * x * x * x * x / 5); };
    const double about_axis = 2 * (up_to(d / 2) - up_to(-0.5));
    EXPECT_NEAR(std::min({s.inertia.x, s.inertia.y, s.inertia.z}), about_axis,
                s.error * (s.inertia.x + s.inertia.y + s.inertia.z));
    pair.spheres[1][0] = 1;
    const Shape apart = shape_of(pair);
    EXPECT_EQ(apart.error, 0);
    EXPECT_NEAR(apart.volume, 8 * pi / 3 * 0.125, 1e-14);
}

TEST(mass, unions_of_thin_bodies_are_as_good_as_they_say) {
    Scene scene;
    GrainShape rod, both;
    rod.name = "rod";
    rod.kind = ShapeKind::spherocylinder;
    rod.radius = 1e-3;
    both.name = "both";
    both.kind = ShapeKind::joined;
    for (const double length : {0.0, 0.05, 0.2})
        for (const Quaternion q : {Quaternion{1, 0, 0, 0}, Quaternion{0.8, 0.3, -0.2, 0.4}}) {
            rod.length = std::fmax(length, 1e-4);
            // The same rod twice: as one.
            const ShapePart part{"rod", {}, {q.w, q.x, q.y, q.z}};
            both.parts = {part, part};
            scene.shapes = {rod, both};
            const Shape one = make_shape(scene, 0), same = make_shape(scene, 1);
            EXPECT_GT(same.error, 0);
            EXPECT_LT(same.error, 1e-3) << length;
            EXPECT_NEAR(same.volume / one.volume, 1, same.error) << length;
            const double trace = one.inertia.x + one.inertia.y + one.inertia.z;
            EXPECT_NEAR(same.inertia.x + same.inertia.y + same.inertia.z, trace, 3 * same.error * trace) << length;
            // A cross: less what two cylinders of radius r at right angles have in common, 16/3 r^3.
            if (length < 0.01) continue;
            both.parts = {{"rod", {}, {1, 0, 0, 0}}, {"rod", {}, {std::sqrt(0.5), std::sqrt(0.5), 0, 0}}};
            scene.shapes = {rod, both};
            const Shape cross = make_shape(scene, 1);
            EXPECT_LT(cross.error, 1e-3);
            EXPECT_NEAR(cross.volume, 2 * one.volume - 16.0 / 3 * 1e-9, cross.error * cross.volume);
        }
}

TEST(mass, unions_of_glued_clusters_are_refused) {
    Scene scene;
    GrainShape soft, both;
    soft.name = "soft";
    soft.kind = ShapeKind::cluster;
    soft.spheres = {{0, 0, 0, 1e-3}, {2e-3, 0, 0, 1e-3}};
    both.name = "both";
    both.kind = ShapeKind::joined;
    both.parts = {{"soft", {}, {1, 0, 0, 0}}};
    scene.shapes = {soft, both};
    EXPECT_NO_THROW(make_shape(scene, 1));
    scene.shapes[0].glue.law = Glue::Law::potential;
    EXPECT_THROW(make_shape(scene, 1), Error);
}

TEST(mass, three_discs_that_overlap_are_counted_once) {
    GrainShape clump;
    clump.kind = ShapeKind::cluster;
    // Two halves of a lens and a disc over both: the third adds nothing.
    clump.spheres = {{-0.4, 0, 0, 0.5}, {0.4, 0, 0, 0.5}, {0, 0, 0, 0.25}};
    const double half = std::acos(0.8), lens = 2 * 0.25 * (half - 0.8 * std::sqrt(1 - 0.64));
    const Shape s = shape_of(clump, 2);
    EXPECT_LT(s.error, 1e-3);
    // What of the small disc sticks out of both: beyond the lens, |y| > 0.3 at x = 0; by fine steps.
    double beyond = 0;
    constexpr int steps = 200000;
    for (int k = 0; k < steps; ++k) {
        const double x = (k + 0.5) * 0.25 / steps, top = std::sqrt(0.0625 - x * x),
                     of_large = std::sqrt(0.25 - (x - 0.4) * (x - 0.4));
        beyond += 4 * std::fmax(0.0, top - of_large) * 0.25 / steps;
    }
    EXPECT_NEAR(s.volume, 2 * pi * 0.25 - lens + beyond, s.error * s.volume);
}

TEST(mass, random_orientations_are_uniform) {
    Random random(11, 0);
    Vec3 mean, square;
    double angle = 0;
    constexpr int n = 40000;
    for (int k = 0; k < n; ++k) {
        const double a = random.uniform(), b = random.uniform(), c = random.uniform();
        const Quaternion q = uniform_rotation(a, b, c);
        const Vec3 x = matrix_of(q) * Vec3{0.6, 0, 0.8};
        mean += (1.0 / n) * x;
        square += (1.0 / n) * Vec3{x.x * x.x, x.y * x.y, x.z * x.z};
        angle += 2 * std::acos(std::fmin(1.0, std::fabs(q.w))) / n;
    }
    EXPECT_LT(norm(mean), 0.02);
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(square[axis], 1.0 / 3, 0.01);
    EXPECT_NEAR(angle, pi / 2 + 2 / pi, 0.015);  // mean angle of a uniform rotation
}

}  // namespace
}  // namespace scree
