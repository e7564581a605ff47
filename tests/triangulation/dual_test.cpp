// Laguerre cells: volumes equal voro++'s, fill the box, and facets are seen alike from both sides.
#include "triangulation/dual.h"

#include <gtest/gtest.h>
#include <voro++/voro++.hh>

#include <cmath>
#include <map>

#include "core/random.h"
#include "reference.h"

namespace scree::tri {
namespace {

TEST(dual, clipped_volumes_equal_voro_and_fill_the_box) {
    for (const double ratio : {1.0, 3.0, 10.0}) {
        SCOPED_TRACE(ratio);
        const auto rows = random_sites(3, 1500, ratio, 3);
        double side = 0;
        // voro++ drops sites on the upper border of its box
        for (const Row& row : rows)
            for (int k = 0; k < 3; ++k) side = std::max(side, row.c[k]);
        Triangulation triangulation(3);
        triangulation.build(rows);
        side *= 1.0001;
        const Box box{{0, 0, 0}, {side, side, side}};
        const std::vector<double> volumes = dual_volumes(triangulation, &box);
        double sum = 0;
        for (const double volume : volumes) sum += volume;
        EXPECT_NEAR(sum / (side * side * side), 1, 1e-11);

        voro::container_poly container(0, side, 0, side, 0, side, 6, 6, 6, false, false, false, 8);
        for (std::size_t k = 0; k < rows.size(); ++k)
            container.put(static_cast<int>(k), rows[k].c[0], rows[k].c[1], rows[k].c[2], std::sqrt(rows[k].c[3]));
        voro::c_loop_all loop(container);
        std::vector<double> expected(rows.size(), 0);
        if (loop.start()) do {
                voro::voronoicell cell;
                if (container.compute_cell(cell, loop)) expected[static_cast<std::size_t>(loop.pid())] = cell.volume();
            } while (loop.inc());
        double sum_expected = 0;
        for (const double volume : expected) sum_expected += volume;
        EXPECT_NEAR(sum_expected / (side * side * side), 1, 1e-9);
        for (std::size_t k = 0; k < rows.size(); ++k)
            EXPECT_NEAR(volumes[k], expected[k], 1e-9 * side * side * side / 1500) << k;
    }
}

template <int D>
void facets_agree(const std::vector<Row>& rows) {
    Triangulation triangulation(D);
    triangulation.build(rows);
    std::map<std::pair<Index, Index>, double> area;
    int bounded = 0, both = 0;
    for (Index v = 0; v < static_cast<Index>(rows.size()); ++v) {
        const DualCell cell = dual_cell(triangulation, v);
        if (!cell.bounded) continue;
        ++bounded;
        for (const DualFacet& facet : cell.facets) {
            ASSERT_GE(facet.neighbor, 0);
            const auto [place, fresh] = area.try_emplace(std::minmax(v, facet.neighbor), facet.area);
            if (fresh) continue;
            ++both;
            EXPECT_NEAR(place->second, facet.area, 1e-9 * (1 + facet.area));
        }
    }
    EXPECT_GT(bounded, static_cast<int>(rows.size()) / 3);
    EXPECT_GT(both, bounded);
}

TEST(dual, facets_have_the_same_area_from_both_sides) {
    facets_agree<3>(random_sites(3, 800, 2, 9, 0.2));
    facets_agree<2>(random_sites(2, 800, 2, 9, 0.2));
}

TEST(dual, lattice_cells_have_known_volumes) {
    const std::map<std::string, double> volume = {{"sc", 8}, {"fcc", 2}, {"bcc", 4}};
    for (const auto& [kind, expected] : volume) {
        const auto rows = lattice_sites(kind, 5);
        Triangulation triangulation(3, true);
        triangulation.build(rows);
        int bounded = 0;
        for (Index v = 0; v < static_cast<Index>(rows.size()); ++v) {
            bool inner = true;
            for (int k = 0; k < 3; ++k)
                inner = inner && rows[static_cast<std::size_t>(v)].c[k] >= 40 &&
                        rows[static_cast<std::size_t>(v)].c[k] <= 104;
            if (!inner) continue;
            const DualCell cell = dual_cell(triangulation, v);
            ASSERT_TRUE(cell.bounded);
            ++bounded;
            EXPECT_NEAR(cell.volume, expected * 4096, 1e-6) << kind;
        }
        EXPECT_GE(bounded, 8);
    }
}

TEST(dual, flat_sets_have_areas_and_lengths) {
    // A tilted square lattice: cells of area 25 in its plane.
    std::vector<Row> rows;
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j) rows.push_back({{3.0 * i, 5.0 * j, 4.0 * i, 0}});
    Triangulation plane(3);
    plane.build(rows);
    ASSERT_EQ(plane.dimension(), 2);
    EXPECT_NEAR(dual_cell(plane, 12).volume, 25, 1e-12);
    rows.clear();
    for (int i = 0; i < 5; ++i) rows.push_back({{3.0 * i, 4.0 * i, 12.0 * i, 0}});
    Triangulation line(3);
    line.build(rows);
    ASSERT_EQ(line.dimension(), 1);
    EXPECT_NEAR(dual_cell(line, 2).volume, 13, 1e-12);
    EXPECT_FALSE(dual_cell(line, 0).bounded);
}

// The others stand around the site in the middle in a flat triangle, all but at right angles to the way to its cell:
// the radical lines pass close by the site, the cell where they meet is far away, and a box around the site misses it.
TEST(dual, cells_far_from_their_site_are_found) {
    for (const double shift : {0.3, 3.0, 30.0, 3000.0}) {
        SCOPED_TRACE(shift);
        constexpr double flat = 0.01, depth = 1e-4;
        const Row corners[] = {{{-1, -flat, 0, 0}}, {{1, -flat, 0, 0}}, {{0, flat, 0, 0}}};
        // Weights that put the point of equal power at (0, shift): w = |c - p|^2 - |p|^2 = |c|^2 - 2 c.p.
        std::vector<Row> rows(corners, corners + 3);
        for (Row& row : rows) row.c[3] = row.c[0] * row.c[0] + row.c[1] * row.c[1] - 2 * row.c[1] * shift;
        rows.push_back({{0, 0, 0, depth}});  // at p its power is less by depth
        Triangulation triangulation(2);
        triangulation.build(rows);
        ASSERT_TRUE(triangulation.is_visible(3));
        // Lines 2 c.(x - p) = depth around p: a triangle similar to the dual of the corners, of the area below.
        Vec3 at[3];
        for (int k = 0; k < 3; ++k) {
            const double *a = corners[k].c, *b = corners[(k + 1) % 3].c;
            const double det = a[0] * b[1] - a[1] * b[0];
            at[k] = Vec3{(b[1] - a[1]) * depth / 2 / det, (a[0] - b[0]) * depth / 2 / det, 0};
        }
        const double area = std::fabs(cross(at[1] - at[0], at[2] - at[0]).z) / 2;
        const DualCell cell = dual_cell(triangulation, 3);
        EXPECT_NEAR(cell.volume / area, 1, 1e-9 * (1 + shift));
        ASSERT_EQ(cell.outline.size(), 3u);
        for (const Vec3 corner : cell.outline) EXPECT_LT(norm(corner - Vec3{0, shift, 0}), 0.05);

        // The same in space.
        std::vector<Row> space{{{-1, -flat, -1, 0}}, {{1, -flat, -1, 0}}, {{0, flat, -1, 0}}, {{0, 0, 1, 0}}};
        for (Row& row : space)
            row.c[3] = row.c[0] * row.c[0] + row.c[1] * row.c[1] + row.c[2] * row.c[2] - 2 * row.c[1] * shift;
        space.push_back({{0, 0, 0, depth}});
        Triangulation solid(3);
        solid.build(space);
        ASSERT_TRUE(solid.is_visible(4));
        // Against the cell of the site in a box that holds it all.
        const Box box{{-1, shift - 1, -1}, {1, shift + 1, 1}};
        const DualCell clipped = dual_cell(solid, 4, &box), free = dual_cell(solid, 4);
        EXPECT_GT(clipped.volume, 0);
        EXPECT_EQ(free.facets.size(), 4u);
        EXPECT_NEAR(free.volume / clipped.volume, 1, 1e-6 * (1 + shift));
    }
}

}  // namespace
}  // namespace scree::tri
