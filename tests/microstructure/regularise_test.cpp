// Regularised cells: no short edge, flat faces, and still the cells of the box.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "made.h"
#include "microstructure/cells.h"
#include "microstructure/make.h"
#include "microstructure/regularise.h"
#include "scree/error.h"

namespace scree::micro {
namespace {

constexpr double degrees = 180 / 3.14159265358979323846;

CellComplex made_cells(int dimension, std::size_t grains, std::uint64_t seed) {
    Seeds box;
    box.dimension = dimension;
    MakeOptions options;
    options.seed = seed;
    options.tolerance = 1e-6;
    return cell_complex(Diagram(make_cells(box, grains, options).seeds));
}

Vec3 at(const CellComplex& complex, std::int32_t corner) { return complex.corner[static_cast<std::size_t>(corner)]; }

std::set<std::pair<std::int32_t, std::int32_t>> edges_of(const CellComplex& complex) {
    std::set<std::pair<std::int32_t, std::int32_t>> edges;
    for (const auto& face : complex.face)
        for (std::size_t k = 0; k < face.corner.size(); ++k)
            edges.insert(std::minmax(face.corner[k], face.corner[(k + 1) % face.corner.size()]));
    return edges;
}

double shortest_edge(const CellComplex& complex) {
    double least = 1e300;
    for (const auto& [a, b] : edges_of(complex)) least = std::min(least, norm(at(complex, a) - at(complex, b)));
    return least;
}

// Angles between the triangles of the fan around the mean of the corners, as the definition says it.
double largest_bend(const CellComplex& complex) {
    double most = 0;
    for (const auto& face : complex.face) {
        const std::size_t n = face.corner.size();
        if (n == 3) continue;
        Vec3 middle;
        for (const std::int32_t c : face.corner) middle += at(complex, c) / static_cast<double>(n);
        std::vector<Vec3> normals;
        for (std::size_t k = 0; k < n; ++k)
            normals.push_back(normalized(
                cross(at(complex, face.corner[k]) - middle, at(complex, face.corner[(k + 1) % n]) - middle)));
        for (const Vec3 a : normals)
            for (const Vec3 b : normals) most = std::max(most, degrees * std::acos(std::min(1.0, dot(a, b))));
    }
    return most;
}

// Volumes by the divergence theorem over the fans.
std::vector<double> volumes(const CellComplex& complex) {
    std::vector<double> all(complex.cell.size());
    for (const auto& face : complex.face)
        for (std::size_t k = 0; k < face.corner.size(); ++k) {
            Vec3 middle;
            for (const std::int32_t c : face.corner) middle += at(complex, c) / static_cast<double>(face.corner.size());
            const Vec3 a = at(complex, face.corner[k]), b = at(complex, face.corner[(k + 1) % face.corner.size()]);
            const double part = dot(middle, cross(a, b)) / 6;
            all[static_cast<std::size_t>(face.cell[0])] += part;
            if (face.cell[1] >= 0) all[static_cast<std::size_t>(face.cell[1])] -= part;
        }
    return all;
}

TEST(regularise, leaves_no_short_edge_and_bends_no_face_too_far) {
    for (const std::uint64_t seed : {1u, 3u}) {
        const CellComplex before = made_cells(3, 150, seed);
        const double diameter = shape_of(before).mean_diameter;
        ASSERT_LT(shortest_edge(before), 0.05 * diameter);
        const Regularised after = regularise(before, {});
        EXPECT_EQ(after.left, 0u);
        EXPECT_GE(shortest_edge(after.complex), 0.2 * diameter);
        EXPECT_LE(largest_bend(after.complex), 20 + 1e-5);
        EXPECT_NEAR(shape_of(after.complex).shortest_edge, shortest_edge(after.complex), 1e-15);
        EXPECT_NEAR(shape_of(after.complex).largest_bend, largest_bend(after.complex), 1e-5);
        // All cells are there, they are closed, fit together (Euler's formula) and fill the box.
        EXPECT_EQ(after.complex.validate(), "");
        EXPECT_EQ(after.complex.cell.size(), before.cell.size());
        EXPECT_EQ(static_cast<long>(after.complex.corner.size()) - static_cast<long>(edges_of(after.complex).size()) +
                      static_cast<long>(after.complex.face.size()) - 150,
                  1);
        double sum = 0;
        for (const double volume : volumes(after.complex)) {
            EXPECT_GT(volume, 0);
            sum += volume;
        }
        EXPECT_NEAR(sum, 1, 1e-12);
    }
}

TEST(regularise, of_polygons) {
    const CellComplex before = made_cells(2, 200, 5);
    const double diameter = shape_of(before).mean_diameter;
    ASSERT_LT(shortest_edge(before), 0.05 * diameter);
    const Regularised after = regularise(before, {});
    EXPECT_EQ(after.left, 0u);
    EXPECT_GE(shortest_edge(after.complex), 0.2 * diameter);
    double sum = 0;
    for (const CellMeasures& cell : measures(after.complex)) {
        EXPECT_GT(cell.volume, 0);
        sum += cell.volume;
    }
    EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(regularise, leaves_truncated_octahedra_as_they_are) {
    Seeds seeds;
    const int n = 3;
    seeds.high = {n, n, n};
    for (int x = 0; x <= n; ++x)
        for (int y = 0; y <= n; ++y)
            for (int z = 0; z <= n; ++z)
                for (const double half : {0.0, 0.5}) {
                    if (half > 0 && std::max({x, y, z}) == n) continue;
                    seeds.center.push_back({x + half, y + half, z + half});
                    seeds.weight.push_back(0);
                    seeds.label.push_back(static_cast<Label>(seeds.label.size() + 1));
                }
    const CellComplex before = cell_complex(Diagram(seeds));
    const Regularised after = regularise(before, {});
    EXPECT_EQ(after.merged, 0u);
    EXPECT_EQ(after.stretched, 0u);
    EXPECT_EQ(after.left, 0u);
    ASSERT_EQ(after.complex.corner.size(), before.corner.size());
    ASSERT_EQ(after.complex.face.size(), before.face.size());
    int whole = 0;
    for (const CellMeasures& cell : measures(after.complex))
        if (!cell.cut) {
            ++whole;
            EXPECT_EQ(cell.faces, 14);
            EXPECT_NEAR(cell.sphericity, 0.910, 5e-4);
        }
    EXPECT_EQ(whole, (n - 1) * (n - 1) * (n - 1) + (n - 2) * (n - 2) * (n - 2));
}

// Eight nearly cubic cells, of which opposite ones are equal: the inner corners come together again, by symmetry in the
// middle.
TEST(regularise, puts_corners_where_the_planes_of_their_faces_meet) {
    Seeds seeds;
    for (int k = 0; k < 8; ++k) {
        seeds.center.push_back({k & 1 ? 0.75 : 0.25, k & 2 ? 0.75 : 0.25, k & 4 ? 0.75 : 0.25});
        seeds.label.push_back(k + 1);
    }
    seeds.weight = {0.02, 0, 0.007, 0.013, 0.013, 0.007, 0, 0.02};
    const CellComplex before = cell_complex(Diagram(seeds));
    ASSERT_GT(before.corner.size(), 27u);
    const Regularised after = regularise(before, {});
    ASSERT_EQ(after.complex.corner.size(), 27u);
    for (const auto& face : after.complex.face) EXPECT_EQ(face.corner.size(), 4u);
    std::size_t inner = 0;
    for (const Vec3 p : after.complex.corner)
        if (std::min({p.x, p.y, p.z}) > 0 && std::max({p.x, p.y, p.z}) < 1) {
            ++inner;
            EXPECT_LT(norm(p - Vec3{0.5, 0.5, 0.5}), 1e-3);
        }
    EXPECT_EQ(inner, 1u);
}

TEST(regularise, refuses_periodic_boxes) {
    EXPECT_THROW(regularise(cell_complex(Diagram(random_seeds(30, 3, true, 1))), {}), Error);
}

TEST(flat_faces, are_triangles_of_bent_ones) {
    const CellComplex bent = regularise(made_cells(3, 60, 2), {}).complex;
    ASSERT_GT(largest_bend(bent), 1);
    const CellComplex flat = with_flat_faces(bent);
    EXPECT_EQ(flat.validate(), "");
    EXPECT_LT(largest_bend(flat), 1e-3);
    const std::vector<double> a = volumes(bent), b = volumes(flat);
    for (std::size_t c = 0; c < a.size(); ++c) EXPECT_NEAR(a[c], b[c], 1e-14);
}

}  // namespace
}  // namespace scree::micro
