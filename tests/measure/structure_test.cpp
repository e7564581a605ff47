// Laguerre cells against lattices and voro++, the radial distribution against the ideal gas and a lattice.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <voro++/voro++.hh>

#include "made_up.h"
#include "measure/structure.h"

namespace scree::test {
namespace {

using std::numbers::pi;

void fcc(MadeUp& m, int n, double r) {
    for (int z = 0; z < n; ++z)
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x)
                for (const Vec3 basis : {Vec3{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}})
                    m.grain(Vec3{1.0 * x, 1.0 * y, 1.0 * z} + basis + Vec3{0.1, 0.1, 0.1}, r);
    for (auto& axis : m.scene.periodic) axis = {0.0, static_cast<double>(n)};
}

TEST(cells, of_a_close_packing_are_equal_and_have_its_density) {
    MadeUp m;
    fcc(m, 3, std::sqrt(2.0) / 4);
    const MeasureTable table = m.take("cells");
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
        EXPECT_NEAR(MadeUp::at(table, "cell_volume", k), 0.25, 1e-12);
        EXPECT_NEAR(MadeUp::at(table, "density", k), pi / std::sqrt(18.0), 1e-12);
        EXPECT_EQ(MadeUp::at(table, "border", k), 0);
    }
}

// Cells fill the box; so do those of voro++, which computes each by cutting planes.
void compare_with_voro(std::array<bool, 3> periodic) {
    std::mt19937_64 random(17);
    std::uniform_real_distribution<double> uniform(0, 1);
    MadeUp m;
    if (!periodic[0] || !periodic[1] || !periodic[2]) m.box_walls({0, 0, 0}, {1, 1, 1});
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (periodic[axis]) m.scene.periodic[axis] = {0.0, 1.0};
    voro::container_poly reference(0, 1, 0, 1, 0, 1, 5, 5, 5, periodic[0], periodic[1], periodic[2], 8);
    for (int k = 0; k < 300; ++k) {
        const Vec3 x{uniform(random), uniform(random), uniform(random)};
        const double r = 0.02 + 0.04 * uniform(random);
        m.grain(x, r);
        reference.put(k, x.x, x.y, x.z, r);
    }
    std::vector<double> expected(300, 0);
    voro::c_loop_all loop(reference);
    voro::voronoicell cell;
    if (loop.start()) do {
            if (reference.compute_cell(cell, loop)) expected[static_cast<std::size_t>(loop.pid())] = cell.volume();
        } while (loop.inc());
    const MeasureTable table = m.take("cells");
    double sum = 0;
    for (std::size_t k = 0; k < 300; ++k) {
        EXPECT_NEAR(MadeUp::at(table, "cell_volume", k), expected[k], 1e-11) << k;
        sum += MadeUp::at(table, "cell_volume", k);
    }
    EXPECT_NEAR(sum, 1, 1e-10);
}

TEST(cells, equal_those_of_voro_in_a_box) { compare_with_voro({false, false, false}); }
TEST(cells, equal_those_of_voro_in_periodic_space) { compare_with_voro({true, true, true}); }
TEST(cells, equal_those_of_voro_in_a_periodic_channel) { compare_with_voro({true, false, true}); }

TEST(cells, of_few_grains_in_a_small_periodic_box) {
    MadeUp m;
    for (auto& axis : m.scene.periodic) axis = {0.0, 1.0};
    m.grain({0.5, 0.5, 0.5}, 0.1);
    EXPECT_NEAR(m.value("cells", "cell_volume"), 1, 1e-12);
}

TEST(cells, at_the_wall_of_a_cylinder_end_there) {
    MadeUp m;
    m.cylinder_wall({0, 0, 0}, {0, 0, 1}, 1);
    m.scene.periodic[2] = {0.0, 1.0};
    // A ring of 64 grains near the wall and one in the middle at four heights.
    for (int z = 0; z < 4; ++z) {
        m.grain({0.01, 0, 0.125 + 0.25 * z}, 0.1);
        for (int k = 0; k < 64; ++k)
            m.grain({0.9 * std::cos(2 * pi * k / 64), 0.9 * std::sin(2 * pi * k / 64), 0.125 + 0.25 * z}, 0.04);
    }
    const MeasureTable table = m.take("cells");
    double sum = 0;
    for (std::size_t k = 0; k < table.rows.size(); ++k) sum += MadeUp::at(table, "cell_volume", k);
    EXPECT_NEAR(sum, 64 * std::tan(pi / 64), 1e-9);  // the regular polygon of tangents
}

TEST(cells, edges_are_those_of_the_triangulation_once_each) {
    MadeUp m;
    fcc(m, 3, 0.3);
    m.finish();
    const MeasureRequest request{"cells", {}};
    const LaguerreCells cells = laguerre_cells(m.snapshot, MeasureOptions(request));
    std::size_t near = 0;
    for (std::size_t k = 0; k < cells.edges.size(); ++k) {
        EXPECT_LE(cells.edges[k][0], cells.edges[k][1]);
        near += std::abs(norm(cells.edge_vectors[k]) - std::sqrt(0.5)) < 1e-12;
    }
    EXPECT_EQ(near, 6 * m.snapshot.size());  // twelve nearest neighbors each
}

TEST(rdf, of_an_ideal_gas_is_one_up_to_the_walls) {
    // Independent points in boxes of unequal sides, open and periodic: deviations must be those of counting.
    for (const int open : {0, 1, 2, 3}) {
        std::mt19937_64 random(static_cast<std::uint64_t>(100 + open));
        std::uniform_real_distribution<double> uniform(0, 1);
        const std::size_t bins = 10;
        std::vector<double> sum(bins, 0), squares(bins, 0);
        const int trials = 60;
        for (int t = 0; t < trials; ++t) {
            MadeUp m;
            const Vec3 size{1, 1.5, 2};
            for (int axis = open; axis < 3; ++axis)
                m.scene.periodic[static_cast<std::size_t>(axis)] = {0.0, size[axis]};
            for (int k = 0; k < 300; ++k)
                m.grain({size.x * uniform(random), size.y * uniform(random), size.z * uniform(random)}, 0.01);
            const MeasureTable table = m.take("rdf:count=10,most=0.5,from=[0,0,0],to=[1,1.5,2]");
            for (std::size_t k = 0; k < bins; ++k) {
                sum[k] += MadeUp::at(table, "g", k);
                squares[k] += std::pow(MadeUp::at(table, "g", k), 2);
            }
        }
        for (std::size_t k = 0; k < bins; ++k) {
            const double mean = sum[k] / trials, error = std::sqrt((squares[k] / trials - mean * mean) / (trials - 1));
            EXPECT_NEAR(mean, 1, 4 * error) << open << " open axes, bin " << k;
        }
    }
}

TEST(rdf, of_discs_at_random_is_one) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform(0, 1);
    double sum = 0, squares = 0;
    const int trials = 60;
    for (int t = 0; t < trials; ++t) {
        MadeUp m(2);
        for (int k = 0; k < 300; ++k) m.grain({uniform(random), uniform(random), 0}, 0.01);
        const double g = MadeUp::at(m.take("rdf:count=2,most=0.8,from=[0,0],to=[1,1]"), "g", 1);
        sum += g;
        squares += g * g;
    }
    const double mean = sum / trials, error = std::sqrt((squares / trials - mean * mean) / (trials - 1));
    EXPECT_NEAR(mean, 1, 4 * error);
}

TEST(rdf, of_a_lattice_has_its_shells) {
    MadeUp m;
    fcc(m, 5, 0.3);
    const MeasureTable table = m.take("rdf:count=200,most=1.5");
    const double n = 500;
    const auto pairs_at = [&](double r) { return MadeUp::at(table, "pairs", static_cast<std::size_t>(r / 1.5 * 200)); };
    EXPECT_EQ(pairs_at(std::sqrt(0.5)), n * 12 / 2);
    EXPECT_EQ(pairs_at(1 + 1e-9), n * 6 / 2);
    EXPECT_EQ(pairs_at(std::sqrt(1.5)), n * 24 / 2);
    EXPECT_EQ(pairs_at(0.5), 0);
    // The height of the first peak is its pairs over those of an ideal gas in the same shell.
    const auto bin = static_cast<std::size_t>(std::sqrt(0.5) / 1.5 * 200);
    const double low = 1.5 / 200 * static_cast<double>(bin), high = low + 1.5 / 200,
                 shell = 4 * pi / 3 * (high * high * high - low * low * low);
    EXPECT_NEAR(MadeUp::at(table, "g", bin), 12 / ((n - 1) / 125 * shell), 1e-9);
}

}  // namespace
}  // namespace scree::test
