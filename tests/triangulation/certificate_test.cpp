// What the certificate of a list of pairs rests on: the lemma, and that broken complexes are noticed.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "core/random.h"
#include "reference.h"
#include "triangulation/triangulation.h"

namespace scree::tri {
namespace {

// Orthogonality of the edges implies orthogonality of all pairs (the lemma), whatever the spheres.
TEST(certificate, orthogonal_edges_imply_orthogonal_pairs) {
    const auto property = [](int dimension) {
        const int n = *rc::gen::inRange(dimension + 2, 30);
        std::vector<Row> rows;
        for (int k = 0; k < n; ++k) {
            Row row{{0, 0, 0, 0}};
            for (int m = 0; m < dimension; ++m) row.c[m] = *rc::gen::inRange(0, 40);
            row.c[3] = *rc::gen::inRange(0, *rc::gen::elementOf(std::vector<int>{2, 20, 200}));
            rows.push_back(row);
        }
        Triangulation triangulation(dimension, true);
        triangulation.build(rows);
        if (triangulation.dimension() < dimension) return;
        const auto orthogonal = [&](Index a, Index b) {
            double value = -rows[static_cast<std::size_t>(a)].c[3] - rows[static_cast<std::size_t>(b)].c[3];
            for (int k = 0; k < 3; ++k)
                value += std::pow(rows[static_cast<std::size_t>(a)].c[k] - rows[static_cast<std::size_t>(b)].c[k], 2);
            return value > 0;
        };
        bool edges = triangulation.hidden().empty(), pairs = true;
        for (const auto& [a, b] : triangulation.edges()) edges = edges && orthogonal(a, b);
        for (Index a = 0; a < n; ++a)
            for (Index b = 0; b < a; ++b) pairs = pairs && orthogonal(a, b);
        RC_CLASSIFY(edges);
        RC_ASSERT(!edges || pairs);
    };
    EXPECT_TRUE(rc::check("in the plane", [&] { property(2); }));
    EXPECT_TRUE(rc::check("in space", [&] { property(3); }));
}

// A star that winds twice around a vertex has symmetric links, positive cells and a locally convex border. Only the
// count of coverings shows it. Ten sites on a circle, met in the order of a pentagram; the hull is the same star.
TEST(certificate, pentagram_is_refused) {
    std::vector<Row> rows = {{{0, 0, 0, 0}}};
    constexpr int x[5] = {1000, 309, -809, -809, 309}, y[5] = {0, 951, 588, -588, -951};
    for (int k = 0; k < 5; ++k) rows.push_back({{static_cast<double>(x[k]), static_cast<double>(y[k]), 0, 0}});
    Complex<2> complex(true);
    ASSERT_TRUE(complex.build(rows));
    ASSERT_EQ(complex.validate(), "");
    // Move the five outer sites so that the cycle of the star visits every second corner.
    for (int k = 0; k < 5; ++k) {
        Row& row = to_damage(complex.rows())[static_cast<std::size_t>(k) + 1];
        row.c[0] = x[2 * k % 5];
        row.c[1] = y[2 * k % 5];
    }
    const auto findings = complex.check();
    EXPECT_TRUE(findings.inverted.empty());
    EXPECT_FALSE(complex.covers_once());
    EXPECT_EQ(complex.validate(), "the cells do not cover space exactly once");
}

TEST(certificate, corrupted_complexes_are_refused) {
    Random random(4, 4);
    std::vector<Row> rows;
    for (int k = 0; k < 200; ++k)
        rows.push_back({{std::floor(random.uniform(0, 1000)), std::floor(random.uniform(0, 1000)),
                         std::floor(random.uniform(0, 1000)), 100}});
    for (int trial = 0; trial < 100; ++trial) {
        Complex<3> complex(true);
        ASSERT_TRUE(complex.build(rows));
        auto& cells = to_damage(complex.cells());
        Index c;
        do c = static_cast<Index>(random.below(cells.size()));
        while (complex.is_free(c));
        Cell& cell = cells[static_cast<std::size_t>(c)];
        switch (trial % 4) {
            case 0:
                std::swap(cell.n[0], cell.n[1]);
                break;  // swapped neighbors
            case 1:
                std::swap(cell.v[0], cell.v[1]);
                break;  // turned inside out
            case 2:
                cell.v[random.below(4)] = static_cast<Index>(random.below(rows.size()));
                break;  // another vertex
            default: {  // a moved site
                Row& row = to_damage(complex.rows())[random.below(rows.size())];
                row.c[0] += 500;
            }
        }
        if (trial % 4 == 2 && complex.validate().empty()) continue;  // the same vertex was drawn
        EXPECT_NE(complex.validate(), "") << trial;
    }
}

}  // namespace
}  // namespace scree::tri
