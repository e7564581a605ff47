// Flow, fields, mixing and angles.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "made_up.h"
#include "measure/volumes.h"
#include "scree/error.h"

namespace scree::test {
namespace {

using std::numbers::pi;

TEST(flow, counts_each_grain_that_passes_once_and_takes_back_returns) {
    MadeUp m;
    for (int k = 0; k < 5; ++k) m.grain({0.1 * k, 0, 1.0 + k}, 0.1, {0, 0, -1});
    m.finish();
    Memory memory;
    const std::string what = "flow:point=[0,0,0.5]";
    EXPECT_EQ(MadeUp::at(m.take(what, memory), "passed"), 0);
    const auto fall = [&](double dt) {
        for (Vec3& x : m.snapshot.position) x.z -= dt;
        m.snapshot.time += dt;
    };
    fall(1);
    const MeasureTable one = m.take(what, memory);
    EXPECT_EQ(MadeUp::at(one, "passed"), 1);
    EXPECT_EQ(MadeUp::at(one, "rate"), 1);
    EXPECT_NEAR(MadeUp::at(one, "mass_rate"), m.snapshot.mass[0], 1e-15);
    fall(3);
    EXPECT_EQ(MadeUp::at(m.take(what, memory), "passed"), 4);
    fall(-2);
    EXPECT_EQ(MadeUp::at(m.take(what, memory), "passed"), 2);
    // A memory that has been written and read goes on the same.
    Memory copy(memory.begin(), memory.end());
    fall(2);
    EXPECT_EQ(MadeUp::at(m.take(what, copy), "passed"), 4);
    // Grains that are gone, and new ones, are no trouble.
    m.snapshot.id[2] = 77;
    m.snapshot.id[3] = 78;
    m.snapshot.id[4] = 79;
    fall(5);
    EXPECT_EQ(MadeUp::at(m.take(what, memory), "passed"), 2);  // 0 and 1 had passed before

    MadeUp hole;
    hole.grain({0, 0, 1}, 0.1);
    hole.grain({2, 0, 1}, 0.1);
    hole.finish();
    Memory other;
    hole.take("flow:point=[0,0,0.5],radius=1", other);
    for (Vec3& x : hole.snapshot.position) x.z = 0;
    EXPECT_EQ(MadeUp::at(hole.take("flow:point=[0,0,0.5],radius=1", other), "passed"), 1);
}

TEST(flow, is_seen_across_a_periodic_border) {
    MadeUp m;
    m.scene.periodic[2] = {0.0, 10.0};
    m.grain({0, 0, 0.3}, 0.1);
    m.finish();
    Memory low, high;
    m.take("flow:point=[0,0,0.1]", low);
    m.take("flow:point=[0,0,9.9]", high);
    m.snapshot.position[0].z = 9.7;
    EXPECT_EQ(MadeUp::at(m.take("flow:point=[0,0,0.1]", low), "passed"), 1);
    EXPECT_EQ(MadeUp::at(m.take("flow:point=[0,0,9.9]", high), "passed"), 1);
}

// The flow of the moment is the derivative of the mass beyond the plane.
TEST(flow, of_the_moment_is_the_derivative_of_the_mass_beyond) {
    MadeUp m;
    m.grain({0, 0, 0.3}, 1, {0.5, 0, -2});
    m.finish();
    const double h = 1e-5, slope = 2500 * (sphere_below(1, 0.3 - 2 * h, 0) - sphere_below(1, 0.3 + 2 * h, 0)) / (2 * h);
    EXPECT_NEAR(m.value("flow:point=[0,0,0]", "mass_rate_now"), slope, 1e-5);
}

TEST(velocity, of_a_shear_flow_on_a_grid) {
    MadeUp m;
    m.box_walls({0, 0, 0}, {1, 1, 1});
    for (int z = 0; z < 20; ++z)
        for (int x = 0; x < 20; ++x)
            m.grain({(x + 0.5) / 20, 0.5, (z + 0.5) / 20}, 0.01, {3 * (z + 0.5) / 20, 0, x % 2 ? 0.1 : -0.1});
    const MeasureTable table = m.take("velocity:cells=[2,1,5]");
    ASSERT_EQ(table.rows.size(), 10u);
    for (std::size_t k = 0; k < 10; ++k) {
        EXPECT_NEAR(MadeUp::at(table, "vx", k), 3 * MadeUp::at(table, "z", k), 1e-12);
        EXPECT_NEAR(MadeUp::at(table, "vz", k), 0, 1e-12);
        const double spread = 9.0 * (4 * 4 - 1) / 12 / 400;  // of four rows of shear
        EXPECT_NEAR(MadeUp::at(table, "temperature", k), (0.01 + spread) / 3, 1e-12);
        EXPECT_EQ(MadeUp::at(table, "grains", k), 40);
    }
}

TEST(convection, of_a_rigid_roll_has_twice_its_rate_as_vorticity) {
    MadeUp m;
    m.box_walls({-1, -1, -1}, {1, 1, 1});
    const double rate = 0.7;
    for (int z = 0; z < 40; ++z)
        for (int x = 0; x < 40; ++x) {
            const double u = (x + 0.5) / 20 - 1, w = (z + 0.5) / 20 - 1;
            m.grain({u, 0, w}, 0.01, {-rate * w, 0, rate * u});
        }
    const MeasureTable table = m.take("convection:columns=10,rows=10");
    EXPECT_NEAR(MadeUp::at(table, "vorticity", 55), 2 * rate, 1e-12);
    EXPECT_NEAR(MadeUp::at(table, "v_up", 55), rate * MadeUp::at(table, "across", 55), 1e-12);
    EXPECT_TRUE(std::isnan(MadeUp::at(table, "vorticity", 0)));  // no cell beyond the corner
    m.finish();
    double up = 0;
    for (std::size_t k = 0; k < m.snapshot.size(); ++k)
        up += m.snapshot.mass[k] * std::max(0.0, m.snapshot.velocity[k].z);
    EXPECT_NEAR(MadeUp::at(table, "upward_flux", 0), up / 8, 1e-12);
}

TEST(motion, means_and_extremes) {
    MadeUp m;
    m.grain({0, 0, 0}, 1, {3, 4, 0});
    m.grain({0, 0, 2}, 1, {0, 0, 1});
    m.finish();
    m.snapshot.spin[0] = {0, 0, 8};
    EXPECT_EQ(m.value("motion", "mean_speed"), 3);
    EXPECT_EQ(m.value("motion", "max_speed"), 5);
    EXPECT_EQ(m.value("motion", "mean_spin"), 4);
    EXPECT_NEAR(m.value("motion", "z"), 1, 1e-15);
    EXPECT_NEAR(m.value("motion", "vx"), 1.5, 1e-15);
}

TEST(energy, of_a_frame_is_that_of_positions_velocities_and_spins) {
    MadeUp m;
    m.grain({0, 0, 2}, 1, {3, 0, 0});
    m.finish();
    m.snapshot.spin[0] = {0, 5, 0};
    const double mass = m.snapshot.mass[0];
    EXPECT_NEAR(m.value("energy", "rotational"), 0.5 * 0.4 * mass * 25, 1e-9);
    EXPECT_NEAR(m.value("energy", "kinetic"), 0.5 * mass * 9 + 0.5 * 0.4 * mass * 25, 1e-9);
    EXPECT_NEAR(m.value("energy", "potential"), mass * 9.81 * 2, 1e-9);
    EXPECT_TRUE(std::isnan(m.value("energy", "elastic")));
}

// Cubes of 8^3 grains with labels by a rule.
template <class Rule>
void cube(MadeUp& m, Rule rule) {
    m.box_walls({0, 0, 0}, {8, 8, 8});
    for (int z = 0; z < 8; ++z)
        for (int y = 0; y < 8; ++y)
            for (int x = 0; x < 8; ++x)
                m.grain({x + 0.5, y + 0.5, z + 0.5}, 0.5, {}, static_cast<std::uint16_t>(rule(x, y, z)));
}

TEST(mixing, of_a_checkerboard_is_one_and_of_layers_the_ratio_of_their_heights) {
    MadeUp board, layers, swapped;
    cube(board, [](int x, int y, int z) { return (x + y + z) % 2; });
    cube(layers, [](int, int, int z) { return z < 4; });
    cube(swapped, [](int, int, int z) { return z >= 4; });
    EXPECT_NEAR(board.value("mixing", "ratio"), 1, 1e-15);
    EXPECT_NEAR(layers.value("mixing", "ratio"), 3, 1e-13);  // 6 over 2
    EXPECT_NEAR(swapped.value("mixing", "ratio"), 1.0 / 3, 1e-13);
    EXPECT_NEAR(layers.value("mixing:floor=-2", "ratio"), 2, 1e-13);  // 8 over 4
}

TEST(segregation, is_one_apart_zero_at_random_and_negative_in_order) {
    MadeUp apart, board;
    cube(apart, [](int x, int, int) { return x < 4; });
    cube(board, [](int x, int y, int z) { return (x + y + z) % 2; });
    EXPECT_NEAR(apart.value("segregation:cell=2", "segregation"), 1, 1e-14);
    EXPECT_LT(board.value("segregation:cell=2", "segregation"), 0);
    EXPECT_NEAR(board.value("segregation:cell=2", "variance"), 0, 1e-15);
    // Over many random labellings the index is 1 on average: that is how it is normalised.
    std::mt19937_64 random(4);
    double sum = 0, squares = 0;
    const int trials = 400;
    for (int t = 0; t < trials; ++t) {
        std::vector<int> labels(512);
        for (std::size_t k = 0; k < labels.size(); ++k) labels[k] = k < 150;
        std::shuffle(labels.begin(), labels.end(), random);
        MadeUp m;
        std::size_t next = 0;
        cube(m, [&](int, int, int) { return labels[next++]; });
        const double lacey = m.value("segregation:cell=3", "lacey");
        sum += lacey;
        squares += lacey * lacey;
    }
    const double mean = sum / trials, error = std::sqrt((squares / trials - mean * mean) / trials);
    EXPECT_NEAR(mean, 1, 4 * error);
    EXPECT_LT(error, 0.01);
}

TEST(segregation, counts_unlike_contacts) {
    MadeUp m;
    for (int k = 0; k < 4; ++k) m.grain({1.0 * k, 0, 0}, 0.5, {}, static_cast<std::uint16_t>(k % 2));
    m.finish();
    for (std::uint32_t k = 0; k < 3; ++k) m.contact(k, k + 1, {});
    EXPECT_EQ(m.value("segregation:cell=10", "unlike_contacts"), 1);
    EXPECT_NEAR(m.value("segregation:cell=10", "unlike_by_chance"), 2.0 / 3, 1e-15);  // of six pairs four are unlike
}

TEST(angle, of_shafts_against_the_horizontal) {
    MadeUp m;
    m.box_walls({0, 0, 0}, {1, 1, 2});
    m.grain({0.5, 0.5, 0.5}, 0.1);
    m.grain({0.5, 0.5, 1.5}, 0.1);
    m.grain({0.2, 0.5, 1.5}, 0.1);
    m.finish();
    try {
        m.take("angle");
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("round"), std::string::npos);
    }
    m.snapshot.shaft = {{0, 0, -1}, {1, 0, 0}, {std::sqrt(3.0) / 2, 0, 0.5}};
    EXPECT_NEAR(m.value("angle", "angle"), 40, 1e-12);
    EXPECT_NEAR(m.value("angle:count=2", "angle", 0), 90, 1e-12);
    EXPECT_NEAR(m.value("angle:count=2", "angle", 1), 15, 1e-12);
    // Directions at random: |n_z| is uniform, and the mean of its arcsine pi/2 - 1.
    std::mt19937_64 random(9);
    std::normal_distribution<double> normal;
    MadeUp gas;
    gas.box_walls({0, 0, 0}, {1, 1, 1});
    const int n = 20000;
    for (int k = 0; k < n; ++k) gas.grain({0.5, 0.5, 0.5}, 0.1);
    gas.finish();
    for (int k = 0; k < n; ++k) gas.snapshot.shaft.push_back({normal(random), normal(random), normal(random)});
    EXPECT_NEAR(gas.value("angle", "angle"), (pi / 2 - 1) * 180 / pi, 4 * 0.38 / std::sqrt(n) * 180 / pi);
}

TEST(repose, of_a_synthetic_cone_and_slope) {
    for (const double angle : {15.0, 25.0, 38.0}) {
        const double slope = std::tan(angle * pi / 180);
        std::mt19937_64 random(12);
        std::uniform_real_distribution<double> uniform(-1, 1);
        MadeUp cone;
        for (int k = 0; k < 60000; ++k) {
            const Vec3 x{0.1 + uniform(random), -0.3 + uniform(random), std::abs(uniform(random))};
            if (x.z < slope * (1 - std::hypot(x.x - 0.1, x.y + 0.3))) cone.grain(x, 0.02);
        }
        EXPECT_NEAR(cone.value("repose", "angle"), angle, 1) << "cone";
        MadeUp heap(2);
        for (int k = 0; k < 20000; ++k) {
            const Vec3 x{uniform(random), std::abs(uniform(random)), 0};
            if (x.y < slope * (1 - std::abs(x.x))) heap.grain(x, 0.01);
        }
        EXPECT_NEAR(heap.value("repose", "angle"), angle, 1) << "heap in the plane";
        MadeUp drum;
        for (int k = 0; k < 40000; ++k) {
            const Vec3 x{uniform(random), 0.2 * uniform(random), uniform(random)};
            if (x.z < -slope * x.x) drum.grain(x, 0.02);
        }
        EXPECT_NEAR(drum.value("repose:slope=true", "angle"), -angle, 1) << "slope";
    }
}

TEST(repose, of_a_level_surface_is_zero) {
    MadeUp m;
    for (int x = 0; x < 10; ++x)
        for (int y = 0; y < 10; ++y) m.grain({1.0 * x, 1.0 * y, 0}, 0.5);
    EXPECT_NEAR(m.value("repose:slope=true", "angle"), 0, 1e-12);
    EXPECT_NEAR(m.value("repose", "angle"), 0, 1e-12);
}

// What a run may meet on its way, as when grains are poured, must not end it.
TEST(measures, of_few_grains_are_undefined_or_empty) {
    for (const int count : {0, 1, 2}) {
        MadeUp m;
        for (int k = 0; k < count; ++k) m.grain({3.0 * k, 0, 0}, 1);
        for (const MeasureKind* kind : measure_kinds()) {
            const std::string name = kind->name;
            if (name == "angle" || name == "void_ratio" || name == "wall_pressure")
                continue;  // not of this scene at any time
            const bool area = name == "density" || name == "layers" || name == "stress";
            const std::string what = area              ? name + ":area=1"
                                     : name == "flow"  ? "flow:point=[0,0,0]"
                                     : name == "rings" ? "rings:center=[0,0,0],radius=1"
                                                       : name;
            EXPECT_NO_THROW(m.take(what)) << what << " of " << count;
        }
        EXPECT_TRUE(std::isnan(m.value("repose", "angle")));
        EXPECT_TRUE(std::isnan(m.value("rdf", "g", 5)));
        EXPECT_EQ(m.value("layers:area=1,from=9", "density"), 0);
    }
}

TEST(moving_average, is_the_mean_of_the_last_second) {
    MadeUp m;
    m.grain({0, 0, 0}, 1, {1, 0, 0});
    m.finish();
    Memory memory;
    for (int k = 0; k <= 10; ++k) {
        m.snapshot.time = 0.25 * k;
        m.snapshot.velocity[0].x = k;
        const double got = MadeUp::at(m.take("motion:average=1", memory), "vx");
        double sum = 0;
        int count = 0;
        for (int j = std::max(0, k - 3); j <= k; ++j) {
            sum += j;
            ++count;
        }
        EXPECT_NEAR(got, sum / count, 1e-12) << k;
    }
}

TEST(requests, are_parsed_written_and_refused_with_the_nearest_name) {
    EXPECT_EQ(measure_text(parse_measure("layers:axis=z,count=20")), "layers:axis=z,count=20");
    EXPECT_EQ(measure_text(parse_measure("flow:point=[0, 0.5,-1e-3],radius=2")), "flow:point=[0,0.5,-0.001],radius=2");
    const auto refused = [](const char* text, const char* part) {
        try {
            parse_measure(text);
            ADD_FAILURE() << text;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::usage);
            EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
        }
    };
    refused("densty", "nearest is \"density\"");
    refused("layers:cuont=3", "nearest is \"count\"");
    refused("layers:count", "needs a value");
    refused("flow:point=[0,a,0]", "not a number");
    const auto wrong = [](const char* text) {
        MadeUp m;
        m.grain({0, 0, 0}, 1);
        EXPECT_THROW(m.take(text), Error) << text;
    };
    for (const char* text :
         {"layers:count=0", "layers:count=2.5", "layers:axis=w", "density:area=-1", "flow:point=[1,2]",
          "mixing:a=nobody", "wall_pressure:wall=none", "fabric:walls=7", "layers:count=99999999"})
        wrong(text);
}

}  // namespace
}  // namespace scree::test
