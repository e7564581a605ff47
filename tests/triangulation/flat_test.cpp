// Sets that span less than their space: triangulated as what they are, equal to CGAL's, and back when they rise.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/random.h"
#include "reference.h"
#include "triangulation/triangulation.h"

namespace scree::tri {
namespace {

TEST(flat, coplanar_and_collinear_sets_equal_cgal) {
    const std::pair<const char*, int> kinds[] = {
        {"plane", 2}, {"tilted_plane", 2}, {"vertical_plane", 2}, {"line", 1}, {"vertical_line", 1}};
    for (const auto& [kind, dimension] : kinds)
        for (const bool integral : {false, true})
            for (unsigned seed = 0; seed < 20; ++seed) {
                SCOPED_TRACE(fmt::format("{} seed {}", kind, seed));
                // Without twins, so that numbers can be compared.
                std::vector<Row> rows;
                for (const Row& row : special_sites(kind, 80, seed))
                    if (std::none_of(rows.begin(), rows.end(),
                                     [&](const Row& other) { return compare_centers(row, other) == 0; }))
                        rows.push_back(row);
                Triangulation triangulation(3, integral);
                triangulation.build(rows);
                const Reference reference = cgal_3d(rows);
                EXPECT_EQ(triangulation.dimension(), dimension);
                EXPECT_EQ(reference.dimension, dimension);
                EXPECT_EQ(triangulation.hidden(), reference.hidden);
                EXPECT_TRUE(triangulation.edges() == reference.edges);
                EXPECT_EQ(triangulation.validate(), "");
            }
}

TEST(flat, sites_rise_from_point_to_space_and_sink_back) {
    Random random(6, 6);
    std::vector<Row> rows;
    for (int k = 0; k < 40; ++k)
        rows.push_back({{static_cast<double>(random.below(30)), static_cast<double>(random.below(30)),
                         static_cast<double>(random.below(30)), 1}});
    rows[1] = rows[0];
    rows[2] = {{rows[0].c[0] + 1, rows[0].c[1], rows[0].c[2], 1}};
    rows[3] = {{rows[0].c[0] + 5, rows[0].c[1], rows[0].c[2], 1}};
    rows[4] = {{rows[0].c[0], rows[0].c[1] + 4, rows[0].c[2], 1}};
    rows[5] = {{rows[0].c[0] + 3, rows[0].c[1] + 3, rows[0].c[2], 1}};
    Triangulation triangulation(3, true);
    triangulation.build({rows[0]});
    EXPECT_EQ(triangulation.dimension(), 0);
    std::vector<int> dimensions;
    for (Index v = 1; v < 40; ++v) {
        triangulation.insert(v, rows[static_cast<std::size_t>(v)]);
        EXPECT_EQ(triangulation.validate(), "") << v;
        dimensions.push_back(triangulation.dimension());
        Triangulation fresh(3, true);
        fresh.build(std::vector<Row>(rows.begin(), rows.begin() + v + 1));
        EXPECT_TRUE(triangulation.edges() == fresh.edges()) << v;
    }
    EXPECT_TRUE(std::is_sorted(dimensions.begin(), dimensions.end()));
    EXPECT_EQ(dimensions.front(), 0);
    EXPECT_EQ(dimensions.back(), 3);
    for (Index v = 39; v >= 1; --v) {
        triangulation.remove(v);
        EXPECT_EQ(triangulation.validate(), "") << v;
        if (v >= 2) {
            EXPECT_EQ(triangulation.dimension(), dimensions[static_cast<std::size_t>(v - 2)]) << v;
        }
    }
    EXPECT_EQ(triangulation.dimension(), 0);
}

TEST(flat, update_can_flatten_and_unfold) {
    auto rows = snapped(random_sites(3, 100, 2, 3), 0x1p-12);
    Triangulation triangulation(3, true);
    triangulation.build(rows);
    auto pressed = rows;
    for (Row& row : pressed) row.c[2] = 17;
    triangulation.update(pressed);
    EXPECT_EQ(triangulation.dimension(), 2);
    EXPECT_EQ(triangulation.validate(), "");
    triangulation.update(rows);
    EXPECT_EQ(triangulation.dimension(), 3);
    EXPECT_EQ(triangulation.validate(), "");
    Triangulation fresh(3, true);
    fresh.build(rows);
    EXPECT_TRUE(triangulation.edges() == fresh.edges());
    for (Row& row : pressed) row.c[1] = 5;
    triangulation.update(pressed);
    EXPECT_EQ(triangulation.dimension(), 1);
}

}  // namespace
}  // namespace scree::tri
