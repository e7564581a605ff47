// Measures of grains that are not spheres: their true tops, cuts and axes.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "core/random.h"
#include "made_up.h"
#include "scree/error.h"
#include "shape/shape_table.h"

namespace scree::test {
namespace {

using std::numbers::pi;

// Grains of the shapes of a scene, by number; 0 is the sphere, its scale the radius.
struct Shaped : MadeUp {
    std::shared_ptr<const ShapeTable> table;
    std::vector<std::uint16_t> shape;
    std::vector<Quaternion> orientation;
    std::vector<double> scale;

    Shaped(std::vector<GrainShape> shapes, int dimension = 3) : MadeUp(dimension) {
        scene.shapes = std::move(shapes);
        for (std::size_t k = 0; k < scene.shapes.size(); ++k)
            scene.shapes[k].name = std::string(1, static_cast<char>('a' + k));
        table = std::make_shared<ShapeTable>(scene);
    }
    std::size_t body(Vec3 x, std::uint16_t number, Quaternion q = {}, double size = 1) {
        shape.push_back(number);
        orientation.push_back(as_principal((*table)[number], q));
        scale.push_back(size);
        return grain(x, size * (*table)[number].reach);
    }
    void ready() {
        snapshot.scene = &scene;
        snapshot.shapes = table;
        if (!shape.empty()) add_shapes(snapshot, table, shape, orientation, scale);
        finish();
    }
};

GrainShape rod(double length = 8, double radius = 1) {
    GrainShape about;
    about.kind = ShapeKind::spherocylinder;
    about.length = length;
    about.radius = radius;
    return about;
}
GrainShape cube(double edge = 2, double radius = 0.1) {
    GrainShape about;
    about.kind = ShapeKind::spheropolyhedron;
    about.solid = Solid::cube;
    about.length = edge;
    about.radius = radius;
    about.erode = true;
    return about;
}

const Quaternion lying = turn_about({0, 1, 0}, pi / 2);
const double rod_volume = 8 * pi + 4 * pi / 3;

TEST(shapes, density_ends_at_the_true_top) {
    Shaped m({rod()});
    m.box_walls({0, 0, 0}, {20, 10, 50});
    for (const double x : {5.0, 15.0})
        for (const double y : {1.0, 3.0, 5.0, 7.0, 9.0}) m.body({x, y, 1}, 1, lying);
    m.ready();
    EXPECT_NEAR(m.value("density", "height"), 2, 1e-12);
    EXPECT_NEAR(m.value("density", "density"), 10 * rod_volume / 400, 1e-12);
    EXPECT_NEAR(m.value("density:height=2", "grain_volume"), 10 * rod_volume, 1e-9);
    EXPECT_NEAR(m.value("density:height=1", "grain_volume"), 5 * rod_volume, 1e-3 * 10 * rod_volume);
    // Gravity upwards: what was the floor is the top.
    m.scene.gravity = {0, 0, 9.81};
    EXPECT_NEAR(m.value("density:floor=-2", "height"), 2, 1e-12);
    EXPECT_NEAR(m.value("density:floor=-2,height=0.5", "grain_volume"),
                10 * (8 * (std::acos(0.5) - 0.5 * std::sqrt(0.75)) + pi / 3 * 0.25 * 2.5), 1e-3 * 10 * rod_volume);
}

TEST(shapes, cubes_fill_layers_from_face_to_face) {
    Shaped m({cube()});
    m.box_walls({0, 0, 0}, {4, 4, 20});
    for (int k = 0; k < 8; ++k) m.body({k & 1 ? 3.0 : 1.0, k & 2 ? 3.0 : 1.0, k & 4 ? 3.0 : 1.0}, 1);
    m.ready();
    const double volume = m.snapshot.volume[0];
    EXPECT_NEAR(m.value("density", "height"), 4, 1e-12);
    EXPECT_NEAR(m.value("density", "density"), 8 * volume / 64, 1e-12);
    const MeasureTable layers = m.take("layers:count=4,from=0,to=8");
    for (std::size_t k = 0; k < 4; ++k)
        EXPECT_NEAR(MadeUp::at(layers, "density", k), k < 2 ? 4 * volume / 32 : 0, 1e-12) << k;
    // In the middle of a cube the section is the square with its rounded corners.
    EXPECT_NEAR(m.value("layers:count=1,from=0.5,to=1.5", "density"), 4 * (4 - (4 - pi) * 0.01) / 16, 1e-3);
}

TEST(shapes, layers_of_turned_bodies_lose_nothing) {
    Shaped m({rod(3, 0.5), cube(1)});
    m.box_walls({0, 0, -5}, {10, 10, 5});
    double volume = 0;
    Random random(5, 0);
    for (int k = 0; k < 40; ++k) {
        const Quaternion q = uniform_rotation(random.uniform(), random.uniform(), random.uniform());
        m.body({5, 5, random.uniform(-2, 2)}, static_cast<std::uint16_t>(1 + k % 2), q, random.uniform(0.5, 1.5));
    }
    m.body({5, 5, 0}, 0, {}, 0.7);  // a sphere among them
    m.ready();
    for (const double v : m.snapshot.volume) volume += v;
    const MeasureTable layers = m.take("layers:count=50");
    double sum = 0;
    for (std::size_t k = 0; k < 50; ++k) sum += MadeUp::at(layers, "density", k) * 100 * 0.2;
    EXPECT_NEAR(sum, volume, 1e-10 * volume);
    // Rings about a place outside: all of it lies within the last.
    const MeasureTable rings = m.take("rings:center=[5,5,0],radius=9,count=30,from=-5,to=5");
    sum = 0;
    for (std::size_t k = 0; k < 30; ++k)
        sum += MadeUp::at(rings, "density", k) * pi * 0.09 * static_cast<double>(2 * k + 1) * 10;
    EXPECT_NEAR(sum, volume, 1e-10 * volume);
}

TEST(shapes, rings_see_how_a_rod_lies) {
    Shaped m({rod()});
    m.body({10, 0, 0}, 1);  // upright, 9 to 11 from the axis
    m.body({0, 20, 0}, 1, lying);
    m.ready();
    const MeasureTable rings = m.take("rings:center=[0,0,0],radius=24,count=24,from=-5,to=5");
    const auto inside = [&](std::size_t outer) {
        double sum = 0;
        for (std::size_t k = 0; k < outer; ++k)
            sum += MadeUp::at(rings, "density", k) * pi * static_cast<double>(2 * k + 1) * 10;
        return sum;
    };
    EXPECT_EQ(inside(9), 0);
    EXPECT_NEAR(inside(11), rod_volume, 1e-9 * rod_volume);
    EXPECT_NEAR(inside(19), rod_volume, 1e-9 * rod_volume);
    EXPECT_NEAR(inside(22), 2 * rod_volume, 1e-9 * rod_volume);  // its ends are sqrt(21^2 + 4^2) away and less
}

TEST(shapes, in_the_plane) {
    Shaped m({rod()}, 2);
    m.box_walls({0, 0, 0}, {20, 20, 0});
    m.body({5, 1, 0}, 1);
    m.body({15, 1, 0}, 1);
    m.ready();
    const double area = 16 + pi;
    EXPECT_NEAR(m.value("density", "height"), 2, 1e-12);
    EXPECT_NEAR(m.value("density", "density"), 2 * area / 40, 1e-12);
    EXPECT_NEAR(m.value("layers:count=1,from=0,to=1", "density"), area / 20, 1e-4);
    EXPECT_NEAR(m.value("rings:center=[5,1],radius=1,count=1", "density"), 1, 1e-3);
}

TEST(shapes, flow_is_that_of_the_cut) {
    Shaped m({rod()});
    m.body({0, 0, 0}, 1);
    m.snapshot.velocity[0] = {0, 0, -3};
    m.ready();
    EXPECT_NEAR(m.value("flow:point=[0,0,2]", "mass_rate_now"), 2500 * pi * 3, 0.01 * 2500 * pi * 3);
    EXPECT_EQ(m.value("flow:point=[0,0,2],radius=0.5", "mass_rate_now") < 0.3 * 2500 * pi * 3, true);
    // It turns about the y axis: as much goes up through the plane on one side of a lying rod as down on the other.
    Shaped turning({rod()});
    turning.body({0, 0, 0}, 1, lying);
    turning.snapshot.spin[0] = {0, 2, 0};
    turning.ready();
    EXPECT_NEAR(turning.value("flow:point=[0,0,0]", "mass_rate_now"), 0, 1e-9 * 2500);
    // Half of it: the integral of 2 x over the right half of a stadium.
    const double half = 2 * (2 * 4 * 4 / 2 + 4 * pi / 2 + 2.0 / 3);
    EXPECT_NEAR(turning.value("flow:point=[6,0,0],radius=6", "mass_rate_now"), 2500 * half, 0.02 * 2500 * half);
}

TEST(shapes, pressure_on_a_wall_is_where_bodies_touch_it) {
    Shaped m({rod()});
    m.box_walls({-1, -5, 0}, {9, 5, 10});
    const auto k = static_cast<std::uint32_t>(m.body({0, 0, 5}, 1));
    m.ready();
    m.wall_contact(k, 0, {-1, 0, 9}, {7, 0, 0});
    m.snapshot.contacts[0].normal = {1, 0, 0};
    EXPECT_EQ(m.value("wall_pressure:wall=box,count=2", "contacts", 0), 0);
    EXPECT_EQ(m.value("wall_pressure:wall=box,count=2", "contacts", 1), 1);
}

TEST(shapes, a_heap_is_as_high_as_its_grains_lie) {
    Shaped m({rod()});
    for (int k = 0; k < 20; ++k) m.body({3.0 * k, 0, 0.5 * (k < 10 ? k : 19 - k)}, 1, lying);
    m.ready();
    EXPECT_NEAR(m.value("repose:cell=1", "height"), 4.5 + 2, 1e-12);
}

TEST(shapes, only_grains_with_one_longest_axis_have_an_angle) {
    GrainShape plate;
    plate.kind = ShapeKind::spherotriangle;
    plate.length = 3;
    plate.radius = 0.2;
    Shaped m({rod(), cube(), plate});
    m.box_walls({0, 0, 0}, {10, 10, 10});
    m.body({5, 5, 5}, 1);
    m.body({5, 5, 5}, 2);
    m.body({5, 5, 5}, 3);
    m.body({5, 5, 5}, 0);
    m.ready();
    EXPECT_EQ(m.value("angle", "grains"), 1);
    EXPECT_NEAR(m.value("angle", "angle"), 90, 1e-9);

    Shaped dice({cube()});
    dice.body({5, 5, 5}, 1);
    dice.ready();
    EXPECT_THROW(dice.take("angle:from=0,to=10"), Error);

    Shaped nobody({rod()});  // as before pouring begins
    nobody.ready();
    EXPECT_EQ(nobody.value("angle:from=0,to=10", "grains"), 0);
    EXPECT_TRUE(std::isnan(nobody.value("angle:from=0,to=10", "angle")));
}

TEST(shapes, the_longest_axis_in_the_plane_is_that_of_the_shape) {
    GrainShape tile;
    tile.kind = ShapeKind::spheropolyhedron;
    tile.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 4, 0}, {0, 4, 0}};
    tile.radius = 0.1;
    GrainShape square = tile, slanted = tile;
    square.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    slanted.vertices = {{0, 0, 0}, {3, 3, 0}};
    Shaped m({tile, square, slanted, rod()}, 2);
    EXPECT_EQ((*m.table)[1].longest, (Vec3{0, 1, 0}));
    EXPECT_EQ((*m.table)[2].longest, (Vec3{}));
    EXPECT_NEAR(dot((*m.table)[3].longest, Vec3{std::sqrt(0.5), std::sqrt(0.5), 0}), 1, 1e-12);
    EXPECT_EQ((*m.table)[4].longest, (Vec3{1, 0, 0}));
}

// Two pairs of spheres, glued: a bond that pulls and one that pushes are no contacts, the touch of the two pairs is.
TEST(shapes, bonds_are_no_contact_forces) {
    GrainShape pair;
    pair.kind = ShapeKind::cluster;
    pair.spheres = {{0, 0, 0, 1}, {2, 0, 0, 1}};
    pair.glue.law = Glue::Law::potential;
    pair.glue.strength = 0.1;
    Shaped m({pair});
    for (const double x : {0.0, 2.0, 3.9, 5.9}) m.body({x, 0, 0}, 1);
    m.ready();
    m.contact(1, 0, {-5, 0, 0});
    m.contact(2, 1, {2, 0, 0});
    m.contact(3, 2, {1, 0, 0});
    EXPECT_EQ(m.value("forces", "mean_normal"), 2);
    EXPECT_EQ(m.value("forces", "largest_normal"), 2);
}

TEST(shapes, the_value_of_a_table_is_what_is_measured) {
    Shaped m({rod()});
    m.box_walls({0, 0, 0}, {10, 10, 10});
    m.body({5, 5, 5}, 1);
    m.ready();
    for (const auto& [what, column] :
         {std::pair{"angle", "angle"}, std::pair{"layers:count=1", "density"}, std::pair{"stress", "pressure"},
          std::pair{"rings:center=[5,5,0],radius=5,count=1", "density"}, std::pair{"density", "density"},
          std::pair{"velocity:cells=[1,1,1]", "vx"}, std::pair{"motion", "mean_speed"}}) {
        const MeasureTable table = m.take(what);
        EXPECT_EQ(table.columns[value_column(table)].name, column) << what;
    }
}

}  // namespace
}  // namespace scree::test
