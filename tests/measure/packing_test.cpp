// Density, contacts, fabric and forces of arrangements whose numbers are known.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "made_up.h"
#include "scree/error.h"

namespace scree::test {
namespace {

using std::numbers::pi;

// n^3 touching spheres of radius 1/2 on a simple cubic lattice, periodic.
void simple_cubic(MadeUp& m, int n) {
    for (int z = 0; z < n; ++z)
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x) m.grain({x + 0.5, y + 0.5, z + 0.5}, 0.5);
    for (auto& axis : m.scene.periodic) axis = {0.0, static_cast<double>(n)};
    m.finish();
    const auto id = [&](int x, int y, int z) { return static_cast<std::uint32_t>(((z % n) * n + y % n) * n + x % n); };
    for (int z = 0; z < n; ++z)
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x) {
                m.contact(id(x, y, z), id(x + 1, y, z), {-1, 0, 0});
                m.contact(id(x, y, z), id(x, y + 1, z), {0, -2, 0});
                m.contact(id(x, y, z), id(x, y, z + 1), {0, 0, -3});
            }
}

TEST(density, of_grains_in_a_cylinder_up_to_the_highest) {
    MadeUp m;
    m.cylinder_wall({0, 0, 0}, {0, 0, 10}, 2);
    m.grain({0, 0, 1}, 1);
    m.grain({0.5, 0, 2.5}, 0.5);
    const double grains = 4 * pi / 3 * (1 + 0.125), room = pi * 4 * 3;
    EXPECT_NEAR(m.value("density:floor=0", "density"), grains / room, 1e-15);
    EXPECT_NEAR(m.value("density:floor=0", "void_ratio"), (room - grains) / grains, 1e-13);
    EXPECT_NEAR(m.value("density:floor=0", "height"), 3, 1e-15);
    // Cut at half of the large one.
    EXPECT_NEAR(m.value("density:floor=0,height=1", "density"), (2 * pi / 3) / (pi * 4), 1e-15);
    EXPECT_NEAR(m.value("density:floor=0,area=100", "density"), grains / 300, 1e-15);
    EXPECT_NEAR(m.value("void_ratio:volume=20", "void_ratio"), (20 - grains) / grains, 1e-14);
    EXPECT_THROW(m.take("void_ratio"), Error);  // the cylinder is open
}

TEST(density, of_a_box_needs_no_options) {
    MadeUp m;
    m.box_walls({0, 0, -1}, {2, 3, 9});
    m.grain({1, 1, 0}, 1);
    EXPECT_NEAR(m.value("density", "density"), 4 * pi / 3 / (2 * 3 * 2), 1e-15);
    EXPECT_NEAR(m.value("void_ratio", "porosity"), 1 - 4 * pi / 3 / 60, 1e-15);
}

// A piston's place is a state, that of all other walls follows from the time.
TEST(density, the_container_follows_moving_walls) {
    MadeUp m;
    m.box_walls({0, 0, 0}, {2, 3, 9});
    Wall lid;
    lid.name = "lid";
    lid.shape = PlaneWall{{0, 0, 8}, {0, 0, -1}};
    lid.motion = Translate{{0, 0, -1}, 1, 4};
    m.scene.walls.push_back(lid);
    m.grain({1, 1, 1}, 1);
    const double grain = 4 * pi / 3;
    for (const auto& [time, height] : {std::pair{0.0, 8.0}, {2.5, 6.5}, {9.0, 5.0}}) {
        m.snapshot.time = time;
        EXPECT_NEAR(m.value("void_ratio", "box_volume"), 6 * height, 1e-12) << time;
        EXPECT_NEAR(m.value("void_ratio", "void_ratio"), (6 * height - grain) / grain, 1e-12) << time;
    }
    FreePiston piston;
    piston.mass = 1;
    piston.along = {0, 0, -1};
    m.scene.walls.back().motion = piston;
    m.snapshot.walls.resize(m.scene.walls.size());
    m.snapshot.walls.back().displacement = 3.25;
    EXPECT_NEAR(m.value("void_ratio", "box_volume"), 6 * 4.75, 1e-12);
    // Turned away from the axes it bounds nothing.
    m.scene.walls.back().motion = Rotate{{1, 0, 0}, {0, 0, 8}, 0.1};
    EXPECT_NEAR(m.value("void_ratio", "box_volume"), 6 * 9, 1e-12);
}

TEST(density, cross_section_must_be_known) {
    MadeUp m;
    m.grain({0, 0, 0}, 1);
    try {
        m.take("density");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
        EXPECT_NE(std::string(error.what()).find("density:area="), std::string::npos);
    }
}

TEST(layers, of_one_sphere_are_its_slices_and_sum_to_it) {
    MadeUp m;
    m.box_walls({0, 0, 0}, {2, 2, 2});
    m.grain({1, 1, 1}, 1);
    const MeasureTable table = m.take("layers:count=7");
    double sum = 0;
    for (std::size_t k = 0; k < 7; ++k) {
        const double low = 2.0 * static_cast<double>(k) / 7 - 1, high = low + 2.0 / 7;
        const double slice = pi * (high - low - (high * high * high - low * low * low) / 3);
        EXPECT_NEAR(MadeUp::at(table, "density", k) * 4 * 2 / 7, slice, 1e-14) << k;
        sum += MadeUp::at(table, "density", k) * 4 * 2 / 7;
    }
    EXPECT_NEAR(sum, 4 * pi / 3, 1e-14);
    EXPECT_EQ(MadeUp::at(table, "grains", 3), 1);
}

TEST(layers, of_a_periodic_lattice_lose_nothing_at_the_border) {
    MadeUp m;
    simple_cubic(m, 3);
    for (std::size_t k = 0; k < m.snapshot.size(); ++k) m.snapshot.position[k].z -= 0.5;  // centers on the border
    double sum = 0;
    const MeasureTable table = m.take("layers:axis=z,count=12");
    for (std::size_t k = 0; k < 12; ++k) sum += MadeUp::at(table, "density", k) / 12;
    EXPECT_NEAR(sum, pi / 6, 1e-14);
    EXPECT_NEAR(MadeUp::at(table, "density", 0), MadeUp::at(table, "density", 11), 1e-14);
}

TEST(layers, of_discs_in_the_plane) {
    MadeUp m(2);
    m.box_walls({0, 0, 0}, {2, 2, 0});
    m.grain({1, 1, 0}, 1);
    const MeasureTable table = m.take("layers:count=2");
    EXPECT_NEAR(MadeUp::at(table, "density", 0), pi / 4, 1e-15);
    EXPECT_NEAR(MadeUp::at(table, "density", 1), pi / 4, 1e-15);
}

TEST(rings, sum_to_the_grains_and_see_where_they_are) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> uniform(-1, 1);
    MadeUp m;
    m.cylinder_wall({0, 0, 0}, {0, 0, 4}, 2);
    double grains = 0;
    for (int k = 0; k < 50; ++k) {
        const double r = 0.1 + 0.05 * uniform(random), p = 1.8 * std::abs(uniform(random)),
                     angle = pi * uniform(random);
        m.grain({p * std::cos(angle), p * std::sin(angle), 2 + uniform(random)}, r);
        grains += 4 * pi / 3 * r * r * r;
    }
    const MeasureTable table = m.take("rings:count=9,from=0,to=4");
    double sum = 0;
    for (std::size_t k = 0; k < 9; ++k) {
        const double inner = MadeUp::at(table, "inner", k), outer = MadeUp::at(table, "outer", k);
        sum += MadeUp::at(table, "density", k) * pi * (outer * outer - inner * inner) * 4;
    }
    EXPECT_NEAR(sum, grains, 1e-12);

    MadeUp one;
    one.cylinder_wall({5, 5, 0}, {5, 5, 4}, 2);
    one.grain({5, 5, 1}, 1);
    const MeasureTable centred = one.take("rings:count=2,from=0,to=2");
    EXPECT_NEAR(MadeUp::at(centred, "density", 0), 4.0 / 3 / 2, 1e-14);
    EXPECT_NEAR(MadeUp::at(centred, "density", 1), 0, 1e-14);
    // Half of it below the upper end.
    EXPECT_NEAR(MadeUp::at(one.take("rings:count=2,from=0,to=1"), "density", 0), 2.0 / 3, 1e-12);
}

TEST(rings, in_the_plane_are_circles) {
    MadeUp m(2);
    m.grain({1, 1, 0}, 1);
    m.grain({4, 1, 0}, 0.5);
    const MeasureTable table = m.take("rings:center=[1,1],radius=4,count=4");
    EXPECT_NEAR(MadeUp::at(table, "density", 0), 1, 1e-14);
    EXPECT_NEAR(MadeUp::at(table, "density", 1), 0, 1e-14);
    // The small one is cut by the circle of radius 3 through its center: a little less than half of it lies inside.
    const double inside = MadeUp::at(table, "density", 2) * pi * 5, outside = MadeUp::at(table, "density", 3) * pi * 7;
    EXPECT_NEAR(inside + outside, pi / 4, 1e-13);
    EXPECT_LT(inside, pi / 8);
    EXPECT_GT(inside, 0.45 * pi / 4);
    EXPECT_THROW(m.take("rings"), Error);
}

TEST(density, of_discs_between_two_lines) {
    MadeUp m(2);
    m.cylinder_wall({0, 0, 0}, {0, 5, 0}, 2);  // in the plane two lines, 4 apart
    m.grain({0, 1, 0}, 1);
    EXPECT_NEAR(m.value("density:floor=0", "density"), pi / 8, 1e-15);
}

TEST(coordination, of_a_lattice_and_with_rattlers) {
    MadeUp m;
    m.scene.materials[0].contact.friction = 0;
    simple_cubic(m, 4);
    EXPECT_EQ(m.value("coordination", "coordination"), 6);
    EXPECT_EQ(m.value("coordination", "without_rattlers"), 6);

    // A chain that hangs on the lattice: its end rattles, then the next, and so on to the lattice. One floats.
    MadeUp chain;
    chain.scene.materials[0].contact.friction = 0;
    for (int k = 0; k < 4; ++k) chain.grain({k % 2 + 0.0, k / 2 + 0.0, k == 3 ? 0.7 : 0}, 0.6);
    for (int k = 0; k < 3; ++k) chain.grain({1.0 * k, 0, 3}, 0.5);
    chain.grain({9, 9, 9}, 1);
    chain.finish();
    for (std::uint32_t a = 0; a < 4; ++a)
        for (std::uint32_t b = 0; b < a; ++b) chain.contact(a, b, {0, 0, 1});
    for (std::int32_t k = 0; k < 4; ++k)
        chain.wall_contact(static_cast<std::uint32_t>(k), 0,
                           chain.snapshot.position[static_cast<std::size_t>(k)] - Vec3{0, 0, 0.6}, {0, 0, 1});
    chain.contact(3, 4, {0, 0, 1});
    chain.contact(4, 5, {1, 0, 0});
    chain.contact(5, 6, {1, 0, 0});
    const MeasureTable table = chain.take("coordination");
    EXPECT_NEAR(MadeUp::at(table, "coordination"), (4 * 4 + 2 * 3) / 8.0, 1e-15);
    EXPECT_EQ(MadeUp::at(table, "rattlers"), 4);
    EXPECT_EQ(MadeUp::at(table, "without_rattlers"), 4);  // three among the four and one at the wall
    EXPECT_EQ(MadeUp::at(table, "wall_contacts"), 4);
    EXPECT_EQ(chain.value("coordination:walls=false", "rattlers"), 8);  // three contacts do not hold a smooth sphere
    EXPECT_EQ(chain.value("coordination:walls=false,least=3", "without_rattlers"), 3);
}

TEST(fabric, of_lattices_and_of_a_column) {
    MadeUp m;
    simple_cubic(m, 3);
    const MeasureTable cubic = m.take("fabric");
    for (const char* name : {"fxx", "fyy", "fzz", "largest", "smallest"})
        EXPECT_NEAR(MadeUp::at(cubic, name), 1.0 / 3, 1e-15);
    EXPECT_NEAR(MadeUp::at(cubic, "anisotropy"), 0, 1e-15);

    MadeUp column;
    for (int k = 0; k < 3; ++k) column.grain({1.0 * k, 1.0 * k, 0}, 1);
    column.finish();
    column.contact(0, 1, {});
    column.contact(1, 2, {});
    const MeasureTable slanted = column.take("fabric");
    EXPECT_NEAR(MadeUp::at(slanted, "fxy"), 0.5, 1e-15);
    EXPECT_NEAR(MadeUp::at(slanted, "largest"), 1, 1e-15);
    EXPECT_NEAR(MadeUp::at(slanted, "anisotropy"), 1, 1e-15);

    MadeUp hexagon(2);
    hexagon.grain({0, 0, 0}, 1);
    for (int k = 0; k < 6; ++k) hexagon.grain({2 * std::cos(pi * k / 3), 2 * std::sin(pi * k / 3), 0}, 1);
    hexagon.finish();
    for (std::uint32_t k = 1; k <= 6; ++k) hexagon.contact(0, k, {});
    EXPECT_NEAR(hexagon.value("fabric", "largest"), 0.5, 1e-15);
    EXPECT_NEAR(hexagon.value("fabric", "smallest"), 0.5, 1e-15);
}

TEST(forces, histogram_is_a_probability_density_about_the_mean) {
    std::mt19937_64 random(8);
    std::exponential_distribution<double> exponential(1 / 0.02);
    MadeUp m;
    const std::uint32_t a = m.grain({0, 0, 1}, 0.5), b = m.grain({0, 0, 0}, 0.5);
    m.finish();
    const int n = 200000;
    for (int k = 0; k < n; ++k) m.contact(a, b, {0.01, 0, exponential(random)});
    const MeasureTable table = m.take("forces:count=20,most=5");
    EXPECT_NEAR(MadeUp::at(table, "mean_normal"), 0.02, 4 * 0.02 / std::sqrt(n));
    for (std::size_t k = 0; k < 20; ++k) {
        const double low = 0.25 * static_cast<double>(k), p = std::exp(-low) - std::exp(-low - 0.25);
        EXPECT_NEAR(MadeUp::at(table, "p_normal", k) * 0.25, p, 5 * std::sqrt(p / n) + 0.005 * p) << k;
        EXPECT_NEAR(MadeUp::at(table, "p_tangential", k) * 0.25,
                    k == 2 || k == 1 ? MadeUp::at(table, "p_tangential", k) * 0.25 : 0, 1e-15);
    }
    EXPECT_NEAR((MadeUp::at(table, "p_tangential", 1) + MadeUp::at(table, "p_tangential", 2)) * 0.25, 1, 1e-9);
}

}  // namespace
}  // namespace scree::test
