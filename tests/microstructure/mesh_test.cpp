// Meshes of cells: every point of the box is in one element, facets fit, cells keep their volume, angles are good.
#include "microstructure/mesh_quality.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "made.h"
#include "microstructure/make.h"
#include "microstructure/regularise.h"
#include "scree/error.h"

namespace scree::micro {
namespace {

CellComplex regular_cells(int dimension, std::size_t grains, std::uint64_t seed) {
    Seeds box;
    box.dimension = dimension;
    box.high = {2, 1, dimension == 3 ? 1.5 : 1.0};
    MakeOptions options;
    options.seed = seed;
    options.tolerance = 1e-6;
    return regularise(cell_complex(Diagram(make_cells(box, grains, options).seeds)), {}).complex;
}

double volume_of(const Mesh& mesh, std::size_t e) {
    const auto at = [&](std::size_t k) { return mesh.node[static_cast<std::size_t>(mesh.element[e][k])]; };
    const Vec3 u = at(1) - at(0), v = at(2) - at(0);
    return mesh.dimension == 2 ? cross(u, v).z / 2 : dot(cross(u, v), at(3) - at(0)) / 6;
}

struct Check {
    double size;
    int dimension;
};

void expect_conforming(const Mesh& mesh) {
    // A facet belongs to two elements, or to one and lies on a side of the box.
    std::map<std::vector<std::int32_t>, std::vector<std::int32_t>> cells_at;
    for (std::size_t e = 0; e < mesh.element.size(); ++e)
        for (int out = 0; out <= mesh.dimension; ++out) {
            std::vector<std::int32_t> key;
            for (int k = 0; k <= mesh.dimension; ++k)
                if (k != out) key.push_back(mesh.element[e][static_cast<std::size_t>(k)]);
            std::sort(key.begin(), key.end());
            cells_at[key].push_back(mesh.cell[e]);
        }
    std::size_t facets = 0;
    double outside = 0;
    for (const auto& [key, cells] : cells_at) {
        ASSERT_LE(cells.size(), 2u);
        facets += cells.size() == 1 || cells[0] != cells[1];
        if (cells.size() == 2) continue;
        const auto at = [&](std::size_t k) { return mesh.node[static_cast<std::size_t>(key[k])]; };
        outside += mesh.dimension == 2 ? norm(at(1) - at(0)) : norm(cross(at(1) - at(0), at(2) - at(0))) / 2;
    }
    EXPECT_EQ(mesh.facet.size(), facets);
    EXPECT_NEAR(outside, mesh.dimension == 2 ? 6 : 13, 1e-11);  // the surface of the box
}

class Meshes : public testing::TestWithParam<Check> {};

TEST_P(Meshes, fill_the_cells_with_good_elements) {
    const auto [size, dimension] = GetParam();
    const CellComplex cells = regular_cells(dimension, dimension == 3 ? 30 : 60, 4);
    const double length = size * cells.seeds.mean_spacing();
    const Mesh mesh = mesh_of(cells, length);
    expect_conforming(mesh);
    std::vector<double> volume(cells.cell.size());
    double sum = 0;
    for (std::size_t e = 0; e < mesh.element.size(); ++e) {
        ASSERT_GT(volume_of(mesh, e), 0);
        volume[static_cast<std::size_t>(mesh.cell[e])] += volume_of(mesh, e);
        sum += volume_of(mesh, e);
    }
    EXPECT_NEAR(sum, dimension == 3 ? 3 : 2, 1e-12);
    const std::vector<CellMeasures> expected = measures(cells);
    for (std::size_t c = 0; c < volume.size(); ++c)
        // Polygons are met exactly, bent faces as closely as facets of this size follow them.
        EXPECT_NEAR(volume[c], expected[c].volume, dimension == 2 ? 1e-13 : 0.02 * expected[c].volume) << c;
    const MeshQuality quality = quality_of(mesh);
    // No element can have a larger angle at the edge of a cell than the cell itself.
    EXPECT_GT(quality.least_angle, std::min(dimension == 3 ? 12.0 : 20.0, shape_of(cells).least_dihedral - 1e-9));
    EXPECT_LT(quality.largest_angle, dimension == 3 ? 155 : 135);
    EXPECT_GT(quality.mean, dimension == 3 ? 0.7 : 0.85);
    EXPECT_NEAR(quality.mean_edge, length, 0.25 * length);
    for (const Mesh::Facet& facet : mesh.facet) {
        if (facet.cell[1] >= 0) continue;
        const int axis = (-2 - facet.cell[1]) / 2;
        for (int k = 0; k < dimension; ++k) {
            const Vec3 p = mesh.node[static_cast<std::size_t>(facet.node[static_cast<std::size_t>(k)])];
            EXPECT_EQ(p[axis], (-2 - facet.cell[1]) % 2 ? cells.seeds.high[axis] : cells.seeds.low[axis]);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(sizes, Meshes, testing::Values(Check{0.4, 3}, Check{0.25, 3}, Check{0.3, 2}, Check{0.1, 2}));

// Flat faces: the cells of the mesh have the volumes of the polyhedra to rounding.
TEST(mesh, of_exact_cells_has_their_volumes) {
    const CellComplex cells = cell_complex(Diagram(random_seeds(20, 3, false, 6, 0.2)));
    const Mesh mesh = mesh_of(cells, 0.1);
    std::vector<double> volume(cells.cell.size());
    for (std::size_t e = 0; e < mesh.element.size(); ++e) {
        ASSERT_GT(volume_of(mesh, e), 0);
        volume[static_cast<std::size_t>(mesh.cell[e])] += volume_of(mesh, e);
    }
    const std::vector<CellMeasures> expected = measures(cells);
    for (std::size_t c = 0; c < volume.size(); ++c) EXPECT_NEAR(volume[c], expected[c].volume, 1e-12);
}

TEST(mesh, quality_of_regular_and_flat_elements) {
    Mesh mesh;
    mesh.node = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}, {0, 0, 0}};
    mesh.element = {{0, 1, 2, 3}};
    if (volume_of(mesh, 0) < 0) std::swap(mesh.element[0][0], mesh.element[0][1]);
    mesh.cell = {0};
    const MeshQuality regular = quality_of(mesh);
    EXPECT_NEAR(regular.least, 1, 1e-14);
    EXPECT_NEAR(regular.least_angle, std::acos(1.0 / 3) * 180 / 3.14159265358979323846, 1e-10);
    EXPECT_NEAR(regular.largest_angle, regular.least_angle, 1e-10);
    EXPECT_NEAR(regular.mean_edge, std::sqrt(8.0), 1e-14);
    mesh.dimension = 2;
    mesh.node = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.element = {{0, 1, 2, -1}};
    const MeshQuality right = quality_of(mesh);
    EXPECT_NEAR(right.least, std::sqrt(3.0) / 2, 1e-14);
    EXPECT_NEAR(right.least_angle, 45, 1e-12);
    EXPECT_NEAR(right.largest_angle, 90, 1e-12);
}

TEST(mesh, refuses_periodic_boxes) {
    EXPECT_THROW(mesh_of(cell_complex(Diagram(random_seeds(30, 3, true, 1))), 0.1), Error);
}

}  // namespace
}  // namespace scree::micro
