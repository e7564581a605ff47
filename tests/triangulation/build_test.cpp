// The triangulation equals CGAL's, edge by edge, on ordinary and on degenerate sets.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

#include "reference.h"

namespace scree::tri {
namespace {

template <int D>
void expect_equal_to_cgal(const std::vector<Row>& rows, bool integral, const std::string& name) {
    SCOPED_TRACE(name);
    Complex<D> complex(integral);
    ASSERT_TRUE(complex.build(rows));
    ASSERT_EQ(complex.validate(), "");
    const Reference reference = D == 3 ? cgal_3d(rows) : cgal_2d(rows);
    EXPECT_EQ(reference.dimension, D);
    EXPECT_EQ(complex.finite_cell_count(), reference.cells);
    std::vector<Index> hidden = complex.hidden_vertices();
    std::sort(hidden.begin(), hidden.end());
    // Among twins CGAL keeps whichever it met first; compare by the place, named by its lowest number.
    std::map<std::tuple<double, double, double, double>, Index> lowest;
    std::vector<Index> name_of(rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k)
        name_of[k] = lowest.try_emplace({rows[k].c[0], rows[k].c[1], rows[k].c[2], rows[k].c[3]}, static_cast<Index>(k))
                         .first->second;
    const auto renamed = [&](Edges edges) {
        for (auto& [a, b] : edges) {
            a = name_of[static_cast<std::size_t>(a)];
            b = name_of[static_cast<std::size_t>(b)];
            if (a > b) std::swap(a, b);
        }
        std::sort(edges.begin(), edges.end());
        return edges;
    };
    EXPECT_EQ(hidden.size(), reference.hidden.size());
    if (lowest.size() == rows.size()) {
        EXPECT_EQ(hidden, reference.hidden);
    }
    EXPECT_TRUE(renamed(edges_of(complex)) == renamed(reference.edges));
}

TEST(build, random_sets_equal_cgal_3d) {
    for (const double ratio : {1.0, 2.0, 10.0, 100.0})
        for (const int n : {10, 30, 100, 1000, 10'000}) {
            const auto rows = random_sites(3, n, ratio, static_cast<unsigned>(n));
            expect_equal_to_cgal<3>(rows, false, fmt::format("raw, n = {}, ratio {}", n, ratio));
            expect_equal_to_cgal<3>(snapped(rows, 0x1p-12), true, fmt::format("snapped, n = {}, ratio {}", n, ratio));
            expect_equal_to_cgal<3>(snapped(rows, 0x1p-2), true, fmt::format("coarse, n = {}, ratio {}", n, ratio));
        }
}

TEST(build, random_sets_equal_cgal_2d) {
    for (const double ratio : {1.0, 2.0, 10.0, 100.0})
        for (const int n : {10, 30, 100, 1000, 10'000}) {
            const auto rows = random_sites(2, n, ratio, static_cast<unsigned>(n));
            expect_equal_to_cgal<2>(rows, false, fmt::format("raw, n = {}, ratio {}", n, ratio));
            expect_equal_to_cgal<2>(snapped(rows, 0x1p-12), true, fmt::format("snapped, n = {}, ratio {}", n, ratio));
            expect_equal_to_cgal<2>(snapped(rows, 0x1p-2), true, fmt::format("coarse, n = {}, ratio {}", n, ratio));
        }
}

TEST(build, hundred_thousand_sites_equal_cgal) {
    // All size ratios in the long campaign (SCREE_LONG), else one.
    std::vector<double> ratios = {2};
    if (std::getenv("SCREE_LONG")) ratios = {1, 2, 10, 100};
    for (const double ratio : ratios) {
        expect_equal_to_cgal<3>(random_sites(3, 100'000, ratio, 5), false, fmt::format("3D, ratio {}", ratio));
        expect_equal_to_cgal<2>(random_sites(2, 100'000, ratio, 5), false, fmt::format("2D, ratio {}", ratio));
    }
}

TEST(build, lattices_equal_cgal) {
    for (const char* kind : {"sc", "fcc", "bcc", "hexagonal"})
        for (const int side : {2, 3, 5, 8}) {
            expect_equal_to_cgal<3>(lattice_sites(kind, side), true, fmt::format("{} {}", kind, side));
            expect_equal_to_cgal<3>(lattice_sites(kind, side), false, fmt::format("{} {} raw", kind, side));
        }
    for (const char* kind : {"square", "triangular"})
        for (const int side : {2, 3, 5, 20}) {
            expect_equal_to_cgal<2>(lattice_sites(kind, side), true, fmt::format("{} {}", kind, side));
            expect_equal_to_cgal<2>(lattice_sites(kind, side), false, fmt::format("{} {} raw", kind, side));
        }
}

TEST(build, degenerate_sets_equal_cgal) {
    for (const char* kind : {"integers_3d", "sphere", "integer_sphere", "two_lines", "two_lines_integer", "two_planes",
                             "clusters", "offset", "huge_weights", "mixed_exponents", "shell_and_center"})
        for (const int n : {20, 60, 300})
            for (unsigned seed = 0; seed < 5; ++seed)
                expect_equal_to_cgal<3>(special_sites(kind, n, seed), false,
                                        fmt::format("{} n = {} seed {}", kind, n, seed));
    for (unsigned seed = 0; seed < 50; ++seed) {
        expect_equal_to_cgal<3>(special_sites("integers_3d", 40, seed), true, fmt::format("integers, seed {}", seed));
        expect_equal_to_cgal<2>(special_sites("integers_2d", 40, seed), true,
                                fmt::format("integers 2D, seed {}", seed));
    }
}

TEST(build, flat_sets_are_recognised) {
    for (const char* kind : {"plane", "tilted_plane", "vertical_plane", "line", "vertical_line"}) {
        Complex<3> complex;
        EXPECT_FALSE(complex.build(special_sites(kind, 50, 1))) << kind;
    }
    Complex<2> complex;
    EXPECT_FALSE(complex.build(special_sites("line", 50, 1)));
}

TEST(build, result_does_not_depend_on_order_or_common_shift) {
    for (const char* kind : {"fcc", "sc"}) {
        auto rows = lattice_sites(kind, 4);
        Complex<3> first(true);
        ASSERT_TRUE(first.build(rows));
        const Edges expected = edges_of(first);
        std::reverse(rows.begin(), rows.end());
        for (Row& row : rows) {
            row.c[0] += 1000;
            row.c[1] -= 77;
            row.c[2] += 5;
        }
        Complex<3> second(true);
        ASSERT_TRUE(second.build(rows));
        Edges edges = edges_of(second);
        const auto last = static_cast<Index>(rows.size() - 1);
        for (auto& [a, b] : edges) {
            a = last - a;
            b = last - b;
            if (a > b) std::swap(a, b);
        }
        std::sort(edges.begin(), edges.end());
        EXPECT_TRUE(edges == expected) << kind;
    }
}

}  // namespace
}  // namespace scree::tri
