// Parts of bodies by the lines that fill them, against closed forms and against many more lines.
#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "shape/filling.h"
#include "shape_of.h"

namespace scree {
namespace {

GrainShape rod(double length, double radius) {
    GrainShape about;
    about.kind = ShapeKind::spherocylinder;
    about.length = length;
    about.radius = radius;
    return about;
}

GrainShape solid(Solid solid, double radius, bool erode = false) {
    GrainShape about;
    about.kind = ShapeKind::spheropolyhedron;
    about.solid = solid;
    about.length = 1;
    about.radius = radius;
    about.erode = erode;
    return about;
}

GrainShape clump(std::vector<std::array<double, 4>> spheres) {
    GrainShape about;
    about.kind = ShapeKind::cluster;
    about.spheres = std::move(spheres);
    return about;
}

Vec3 direction(Random& random, int dimension) {
    const Vec3 d = matrix_of(uniform_rotation(random.uniform(), random.uniform(), random.uniform())) * Vec3{1, 0, 0};
    return dimension == 3 ? d : normalized(Vec3{d.x, d.y, 0});
}

double sum(const std::vector<double>& values) {
    double out = 0;
    for (const double v : values) out += v;
    return out;
}

TEST(filling, lines_of_a_piece_end_on_its_surface) {
    // Without their weights being set right, the lines of each bundle have the exact volume but for the midpoint rule.
    for (const Shape& shape : {shape_of(rod(3, 0.4)), shape_of(solid(Solid::cube, 0.2)),
                               shape_of(solid(Solid::dodecahedron, 0.1)), shape_of(solid(Solid::tetrahedron, 0.3))}) {
        const Filling filling = filling_of(shape, 3, 40000);
        for (const Filling::Bundle& bundle : filling.along) {
            EXPECT_NEAR(sum(bundle.volume), shape.volume, 1e-12 * shape.volume);
            // The mean of x over the lines is the center, and that of x^2 gives the inertia.
            Vec3 first, second;
            const int axis = static_cast<int>(&bundle - filling.along);
            for (std::size_t k = 0; k < bundle.from.size(); ++k) {
                const Vec3 from = bundle.from[k];
                Vec3 to = from;
                to[axis] += bundle.length[k];
                first += (bundle.volume[k] / 2) * (from + to);
                for (int j = 0; j < 3; ++j)
                    second[j] += bundle.volume[k] / 3 * (from[j] * from[j] + from[j] * to[j] + to[j] * to[j]);
            }
            EXPECT_NEAR(norm(first), 0, 1e-4 * shape.volume * shape.reach);
            for (int j = 0; j < 3; ++j)
                EXPECT_NEAR(second[(j + 1) % 3] + second[(j + 2) % 3], shape.inertia[j], 1e-3 * shape.inertia[j]);
        }
    }
}

TEST(filling, planes_cut_a_ball_and_a_rod_as_in_the_books) {
    const Shape ball = shape_of(clump({{0, 0, 0, 1}})), long_rod = shape_of(rod(8, 1));
    const Filling of_ball = filling_of(ball, 3), of_rod = filling_of(long_rod, 3);
    Random random(3, 0);
    for (int k = 0; k < 200; ++k) {
        const double h = random.uniform(-1, 1);
        EXPECT_NEAR(volume_below(of_ball, direction(random, 3), h), pi / 3 * (1 + h) * (1 + h) * (2 - h),
                    1e-3 * ball.volume)
            << h;
        // Lying, the rod is cut into a segment of a cylinder and one of a ball.
        const double angle = random.uniform(0, 2 * pi);
        const double segment = std::acos(-h) + h * std::sqrt(1 - h * h);
        EXPECT_NEAR(volume_below(of_rod, {std::cos(angle), std::sin(angle), 0}, h),
                    8 * segment + pi / 3 * (1 + h) * (1 + h) * (2 - h), 1e-3 * long_rod.volume)
            << h;
        EXPECT_NEAR(volume_below(of_rod, {0, 0, 1}, 4 * h), long_rod.volume / 2 + 4 * h * pi, 1e-3 * long_rod.volume);
    }
    EXPECT_EQ(volume_below(of_rod, {0, 0, 1}, -5.001), 0);
    EXPECT_NEAR(volume_below(of_rod, {0, 0, 1}, 5.001), long_rod.volume, 1e-12);
    EXPECT_NEAR(support(of_rod, {0, 0, 1}), 5, 1e-14);
    EXPECT_NEAR(support(of_rod, {1, 0, 0}), 1, 1e-14);
}

TEST(filling, cylinders_cut_a_rod_along_and_across) {
    const Shape long_rod = shape_of(rod(8, 1));
    const Filling filling = filling_of(long_rod, 3);
    const auto cut = [&](Vec3 axis, Vec3 point, double radius) {
        return volume_in_cylinder(filling, axis, point, radius, -forever, forever) / long_rod.volume;
    };
    const double ends = 4 * pi / 3, whole = 8 * pi + ends;
    // So wide that it is a plane; around it; beside it.
    EXPECT_NEAR(cut({1, 0, 0}, {0, 0, -1e5}, 1e5 + 2), 0.5 + 2 * pi / whole, 1e-3);
    EXPECT_NEAR(cut({1, 0, 0}, {0, 0, 0}, 20), 1, 1e-12);
    EXPECT_EQ(cut({1, 0, 0}, {0, 0, 30}, 20), 0);
    // Narrow: the two cylinders of Steinmetz; about its own axis, where one that is nearly the rod may miss by twice as
    // much.
    EXPECT_NEAR(cut({1, 0, 0}, {0, 0, 0}, 1), 16.0 / 3 / whole, 1e-3);
    for (const double r : {0.2, 0.5, 0.9})
        EXPECT_NEAR(cut({0, 0, 1}, {}, r), (pi * r * r * 8 + ends * (1 - std::pow(1 - r * r, 1.5))) / whole,
                    r > 0.8 ? 2e-3 : 1e-3)
            << r;
    // Cut by an end, too, a hundredth is allowed.
    const double lens = 2 * std::acos(0.5) - std::sqrt(0.75);  // of two circles through each other's center
    EXPECT_NEAR(volume_in_cylinder(filling, {0, 0, 1}, {1, 0, 0}, 1, -2, 1.2) / long_rod.volume, 3.2 * lens / whole,
                0.01);
}

// Every kind, random planes and cylinders, against forty times as many lines.
TEST(filling, cuts_of_every_kind_are_good_to_a_thousandth) {
    GrainShape chip;
    chip.kind = ShapeKind::spherotriangle;
    chip.length = 1;
    chip.radius = 0.1;
    const std::vector<Shape> shapes{shape_of(solid(Solid::cube, 0.1, true)),
                                    shape_of(solid(Solid::tetrahedron, 0.05)),
                                    shape_of(solid(Solid::icosahedron, 0.05)),
                                    shape_of(rod(20, 0.5)),
                                    shape_of(chip),
                                    shape_of(clump({{0, 0, 0, 1}, {1.2, 0, 0, 0.8}, {0.3, 0.9, 0.4, 0.6}})),
                                    shape_of(clump({{0, 0, 0, 1}, {2, 0, 0, 1}, {1, 1.8, 0, 1}, {1, 0.6, 1.7, 1}}))};
    Random random(11, 0);
    double worst_plane = 0, worst_cylinder = 0;
    for (const Shape& shape : shapes) {
        const Filling few = filling_of(shape, 3), many = filling_of(shape, 3, 100000);
        for (int k = 0; k < 60; ++k) {
            const Vec3 d = k < 3 ? Vec3{k == 0 ? 1.0 : 0, k == 1 ? 1.0 : 0, k == 2 ? 1.0 : 0} : direction(random, 3);
            const double h = random.uniform(-support(few, -d), support(few, d));
            worst_plane =
                std::fmax(worst_plane, std::fabs(volume_below(few, d, h) - volume_below(many, d, h)) / shape.volume);
            const double radius = shape.reach * random.uniform(0.3, 5);
            const Vec3 axis = direction(random, 3), point = (radius + h) * direction(random, 3);
            worst_cylinder =
                std::fmax(worst_cylinder, std::fabs(volume_in_cylinder(few, axis, point, radius, -forever, forever) -
                                                    volume_in_cylinder(many, axis, point, radius, -forever, forever)) /
                                              shape.volume);
        }
    }
    EXPECT_LT(worst_plane, 1e-3);
    EXPECT_LT(worst_cylinder, 1e-3);
}

TEST(filling, a_mesh_is_filled_as_given) {
    // A box of 3 x 2 x 1 as a mesh: planes cut it as a box is cut, whatever its pieces.
    Shape shape = shape_of(solid(Solid::cube, 0.1));
    shape.is_mesh = true;
    shape.volume = 6;
    shape.surface = {};
    for (int k = 0; k < 8; ++k)
        shape.surface.points.push_back({k & 1 ? 1.5 : -1.5, k & 2 ? 1.0 : -1.0, k & 4 ? 0.5 : -0.5});
    for (const auto& [a, b, c, d] : {std::array{0, 2, 3, 1}, std::array{4, 5, 7, 6}, std::array{0, 1, 5, 4},
                                     std::array{2, 6, 7, 3}, std::array{0, 4, 6, 2}, std::array{1, 3, 7, 5}}) {
        shape.surface.triangles.push_back({a, b, c});
        shape.surface.triangles.push_back({a, c, d});
    }
    const Filling filling = filling_of(shape, 3);
    for (const Filling::Bundle& bundle : filling.along) EXPECT_NEAR(sum(bundle.volume), 6, 1e-12);
    EXPECT_NEAR(volume_below(filling, {0, 0, 1}, 0.2), 6 * 0.7, 1e-12);
    EXPECT_NEAR(volume_below(filling, {1, 0, 0}, -0.5), 2, 1e-12);
    // A corner cut off at equal lengths along the edges is a sixth of a cube.
    const double third = 1 / std::sqrt(3.0);
    EXPECT_NEAR(volume_below(filling, {third, third, third}, (-3 + 0.9) * third), 0.9 * 0.9 * 0.9 / 6, 6e-3);
    EXPECT_NEAR(support(filling, {third, third, third}), 3 * third, 1e-14);
}

TEST(filling, plates_in_the_plane) {
    const Shape lying = shape_of(rod(8, 1), 2);
    const Filling filling = filling_of(lying, 2);
    for (const double h : {-0.9, -0.3, 0.0, 0.5})
        EXPECT_NEAR(volume_below(filling, {0, 1, 0}, h), 8 * (1 + h) + std::acos(-h) + h * std::sqrt(1 - h * h),
                    1e-4 * lying.volume);
    EXPECT_NEAR(volume_in_cylinder(filling, {0, 0, 1}, {}, 0.5, -forever, forever), pi / 4, 1e-4 * lying.volume);
    double length = 0;
    each_of_cut(filling, {0, 1, 0}, 0.5, [&](Vec3, double part) { length += part; });
    EXPECT_NEAR(length, 8 + 2 * std::sqrt(0.75), 0.01 * length);
}

TEST(filling, cuts_have_the_area_of_the_section) {
    const Shape long_rod = shape_of(rod(8, 1));
    const Filling filling = filling_of(long_rod, 3);
    const double slope = std::sqrt(0.5);
    double upright = 0, slanted = 0;
    each_of_cut(filling, {0, 0, 1}, 1, [&](Vec3 x, double area) { upright += area * x.z; });
    each_of_cut(filling, {slope, 0, slope}, 0.3, [&](Vec3, double area) { slanted += area; });
    EXPECT_NEAR(upright, pi, 0.01 * pi);
    EXPECT_NEAR(slanted, pi / slope, 0.02 * pi);
}

}  // namespace
}  // namespace scree
