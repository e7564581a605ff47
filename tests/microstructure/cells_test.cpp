// Cells against voro++ and CGAL, which compute them their own ways, and against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <voro++/voro++.hh>

#include "cgal_cells.h"
#include "core/parallel.h"
#include "made.h"
#include "microstructure/cell_complex.h"
#include "microstructure/cells.h"

namespace scree::micro {
namespace {

double total(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum;
}

TEST(cells, fill_the_box) {
    for (const int dimension : {2, 3})
        for (const bool periodic : {false, true})
            for (const int count : {1, 2, 3, 7, 40, 500}) {
                const Diagram diagram(random_seeds(count, dimension, periodic, 5));
                EXPECT_NEAR(total(diagram.volumes()), 1, 1e-12)
                    << count << " seeds, " << dimension << "D, periodic " << periodic;
            }
}

TEST(cells, equal_voro) {
    for (const bool periodic : {false, true}) {
        const int count = 400;
        const Seeds seeds = random_seeds(count, 3, periodic, 7, 0.3);
        // voro++ takes radii: the power |x − x_i|² − r_i².
        voro::container_poly container(0, 1, 0, 1, 0, 1, 6, 6, 6, periodic, periodic, periodic, 8);
        for (int i = 0; i < count; ++i)
            container.put(i, seeds.center[static_cast<std::size_t>(i)].x, seeds.center[static_cast<std::size_t>(i)].y,
                          seeds.center[static_cast<std::size_t>(i)].z,
                          std::sqrt(seeds.weight[static_cast<std::size_t>(i)]));
        struct Expected {
            double volume = 0, area = 0;
        };
        std::vector<Expected> expected(count);
        voro::c_loop_all loop(container);
        voro::voronoicell_neighbor cell;
        if (loop.start()) do
                if (container.compute_cell(cell, loop))
                    expected[static_cast<std::size_t>(loop.pid())] = {cell.volume(), cell.surface_area()};
            while (loop.inc());
        const Diagram diagram(seeds);
        for (std::size_t i = 0; i < seeds.size(); ++i) {
            const ConvexCell::Measures found = diagram.cell(i).measures();
            EXPECT_NEAR(found.volume, expected[i].volume, 1e-12) << i;
            EXPECT_NEAR(found.area, expected[i].area, 1e-10) << i;
        }
    }
}

TEST(cells, equal_cgal) {
    const Seeds seeds = random_seeds(1500, 3, false, 21, 0.4);
    const std::vector<CgalCell> expected = cgal_cells(seeds);
    const Diagram diagram(seeds);
    int inside = 0;
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        const ConvexCell cell = diagram.cell(i);
        if (expected[i].neighbors.empty()) {
            EXPECT_TRUE(cell.empty()) << i;
        }
        if (!expected[i].inside || cell.empty()) continue;
        ++inside;
        EXPECT_NEAR(cell.measures().volume, expected[i].volume, 1e-13) << i;
        std::vector<std::int32_t> neighbors;
        cell.for_each_face([&](const CutPlane& face, const std::vector<std::int32_t>&) {
            neighbors.push_back(diagram.neighbor(face.label).cell);
        });
        std::sort(neighbors.begin(), neighbors.end());
        EXPECT_EQ(neighbors, expected[i].neighbors) << i;
    }
    EXPECT_GT(inside, 500);
}

TEST(cells, of_a_bcc_lattice_are_truncated_octahedra) {
    Seeds seeds;
    seeds.periodic = {true, true, true};
    const int n = 3;
    seeds.high = {n, n, n};
    for (int x = 0; x < n; ++x)
        for (int y = 0; y < n; ++y)
            for (int z = 0; z < n; ++z)
                for (const double half : {0.0, 0.5}) {
                    seeds.center.push_back({x + half, y + half, z + half});
                    seeds.weight.push_back(0);
                    seeds.label.push_back(static_cast<Label>(seeds.label.size() + 1));
                }
    const CellComplex complex = cell_complex(Diagram(seeds));
    EXPECT_EQ(complex.validate(), "");
    for (const CellMeasures& cell : measures(complex)) {
        EXPECT_EQ(cell.faces, 14);
        EXPECT_NEAR(cell.volume, 0.5, 1e-12);
        // Volume 8√2 a³ and area (6 + 12√3) a² of the truncated octahedron of edge a.
        const double expected =
            std::cbrt(3.14159265358979323846) * std::pow(6 * 8 * std::sqrt(2.0), 2.0 / 3) / (6 + 12 * std::sqrt(3.0));
        EXPECT_NEAR(cell.sphericity, expected, 1e-12);
        EXPECT_NEAR(cell.sphericity, 0.910, 5e-4);
    }
}

TEST(cells, of_a_cubic_lattice_are_cubes_though_eight_meet_at_a_corner) {
    Seeds seeds;
    const int n = 4;
    seeds.high = {n, n, n};
    for (int x = 0; x < n; ++x)
        for (int y = 0; y < n; ++y)
            for (int z = 0; z < n; ++z) {
                seeds.center.push_back({x + 0.5, y + 0.5, z + 0.5});
                seeds.weight.push_back(0);
                seeds.label.push_back(static_cast<Label>(seeds.label.size() + 1));
            }
    const CellComplex complex = cell_complex(Diagram(seeds));
    EXPECT_EQ(complex.validate(), "");
    EXPECT_EQ(complex.corner.size(), 125u);
    EXPECT_EQ(complex.face.size(), 3u * 16 * 5);
    for (const CellMeasures& cell : measures(complex)) EXPECT_EQ(cell.faces, 6);
}

// Euler's formula for the complex of a ball, V − E + F − C = 1, holds only if shared corners, edges and faces are found
// to be one.
TEST(cells, share_corners_edges_and_faces) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        const CellComplex complex = cell_complex(Diagram(random_seeds(600, 3, false, seed, 0.3)));
        ASSERT_EQ(complex.validate(), "");
        std::set<std::pair<std::int32_t, std::int32_t>> edges;
        for (const auto& face : complex.face)
            for (std::size_t k = 0; k < face.corner.size(); ++k)
                edges.insert(std::minmax(face.corner[k], face.corner[(k + 1) % face.corner.size()]));
        std::size_t cells = 0;
        for (const auto& cell : complex.cell) cells += !cell.empty();
        EXPECT_EQ(static_cast<long>(complex.corner.size()) - static_cast<long>(edges.size()) +
                      static_cast<long>(complex.face.size()) - static_cast<long>(cells),
                  1);
        double volume = 0;
        for (const CellMeasures& cell : measures(complex)) volume += cell.volume;
        EXPECT_NEAR(volume, 1, 1e-12);
    }
}

TEST(cells, points_are_in_the_cell_of_least_power) {
    for (const bool periodic : {false, true}) {
        const Seeds seeds = random_seeds(200, 3, periodic, 11);
        const Diagram diagram(seeds);
        Random random(3, 4);
        std::int32_t hint = -1;
        for (int k = 0; k < 2000; ++k) {
            const Vec3 p{random.uniform(), random.uniform(), random.uniform()};
            double least = 1e300;
            std::size_t nearest = 0;
            for (std::size_t i = 0; i < seeds.size(); ++i) {
                Vec3 d = p - seeds.center[i];
                for (int a = 0; periodic && a < 3; ++a) d[a] -= std::nearbyint(d[a]);
                if (const double power = norm2(d) - seeds.weight[i]; power < least) {
                    least = power;
                    nearest = i;
                }
            }
            EXPECT_EQ(diagram.cell_at(p, hint), static_cast<std::int32_t>(nearest));
        }
    }
}

TEST(cells, have_the_moments_of_a_box) {
    const ConvexCell::Measures m = ConvexCell({-1, -2, 3}, {1, 4, 5}).measures();
    EXPECT_NEAR(m.volume, 24, 1e-12);
    EXPECT_NEAR(m.area, 2 * (2 * 6 + 2 * 2 + 6 * 2), 1e-12);
    EXPECT_NEAR(m.moment.y, 24, 1e-12);
    EXPECT_NEAR(m.second.x, 24 * 4.0 / 12, 1e-12);
    EXPECT_NEAR(m.second.z, 24 * (16 + 4.0 / 12), 1e-11);
}

TEST(seeds, come_back_from_their_file) {
    for (const int dimension : {2, 3}) {
        const Seeds seeds = random_seeds(20, dimension, true, 3);
        const Seeds read = parse_seeds(seeds_as_csv(seeds), "seeds.csv");
        EXPECT_EQ(read.dimension, seeds.dimension);
        EXPECT_EQ(read.center, seeds.center);
        EXPECT_EQ(read.weight, seeds.weight);
        EXPECT_EQ(read.label, seeds.label);
        EXPECT_EQ(read.periodic, seeds.periodic);
    }
}

}  // namespace
}  // namespace scree::micro
