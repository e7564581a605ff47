// The certified pair list holds every close pair, and the certificate refuses when it must.
#include "triangulation/pairs.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"

namespace scree::tri {
namespace {

struct Spheres {
    std::vector<Vec3> centers;
    std::vector<double> radii;
};

// Spheres dropped at random and kept if they overlap nothing by more than a little.
Spheres random_packing(int dimension, int n, double ratio, double fraction, double overlap, unsigned seed) {
    Random random(seed, 21);
    Spheres spheres;
    double volume = 0;
    std::vector<double> radii;
    for (int k = 0; k < n; ++k) {
        radii.push_back(1 / (1 - random.uniform() * (1 - 1 / ratio)));
        volume += dimension == 3 ? 4.19 * std::pow(radii.back(), 3) : 3.14 * std::pow(radii.back(), 2);
    }
    std::sort(radii.rbegin(), radii.rend());
    const double side = std::pow(volume / fraction, 1.0 / dimension);
    for (const double r : radii)
        for (int attempt = 0; attempt < 200; ++attempt) {
            const Vec3 x{random.uniform(0, side), random.uniform(0, side),
                         dimension == 3 ? random.uniform(0, side) : 0};
            bool free = true;
            for (std::size_t k = 0; k < spheres.radii.size() && free; ++k)
                free = norm(x - spheres.centers[k]) > (r + spheres.radii[k]) * (1 - overlap);
            if (!free) continue;
            spheres.centers.push_back(x);
            spheres.radii.push_back(r);
            break;
        }
    return spheres;
}

std::vector<Pair> brute_pairs(const Spheres& spheres, double skin) {
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < spheres.radii.size(); ++i)
        for (std::size_t j = i + 1; j < spheres.radii.size(); ++j)
            if (norm(spheres.centers[i] - spheres.centers[j]) - spheres.radii[i] - spheres.radii[j] <= 2 * skin)
                pairs.push_back({static_cast<Index>(i), static_cast<Index>(j)});
    return pairs;
}

PairList listed(const Spheres& spheres, int dimension, double skin, double coarseness = 1) {
    Snap snap = choose_snap(spheres.centers, *std::min_element(spheres.radii.begin(), spheres.radii.end()), dimension);
    snap.unit *= coarseness;
    std::vector<Row> rows;
    for (std::size_t k = 0; k < spheres.radii.size(); ++k)
        rows.push_back(snapped_row(snap, spheres.centers[k], spheres.radii[k] + skin));
    Triangulation triangulation(dimension, true);
    triangulation.build(rows);
    EXPECT_EQ(triangulation.validate(), "");
    return certified_pairs(triangulation, spheres.centers, spheres.radii, skin);
}

TEST(certificate, list_equals_brute_force_when_certified) {
    int certified = 0, refused = 0;
    for (const int dimension : {2, 3})
        for (const double ratio : {1.0, 3.0, 10.0})
            for (const double overlap : {0.0, 0.1, 0.3})
                for (const double skin : {0.01, 0.1, 0.3})
                    for (const double coarseness :
                         {1.0, 256.0})  // up to r/16: the snapping length is then as large as a skin
                        for (unsigned seed = 0; seed < 3; ++seed) {
                            const Spheres spheres = random_packing(dimension, 300, ratio, 0.3, overlap, seed);
                            const PairList list = listed(spheres, dimension, skin, coarseness);
                            if (list.certified()) {
                                ++certified;
                                EXPECT_TRUE(list.pairs == brute_pairs(spheres, skin))
                                    << dimension << " ratio " << ratio << " skin " << skin;
                            } else {
                                ++refused;
                            }
                        }
    EXPECT_GT(certified, 100);
    EXPECT_GT(refused, 50);  // large skins and overlaps break orthogonality; both answers must occur
}

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

TEST(certificate, refuses_hidden_and_flat_and_overlapping_spheres) {
    Spheres spheres{{{0, 0, 0}, {10, 0, 0}, {0, 10, 0}, {0, 0, 10}, {9, 9, 9}, {4, 4, 4}, {4.01, 4, 4}},
                    {1, 1, 1, 1, 1, 3, 0.5}};
    EXPECT_EQ(listed(spheres, 3, 0.1).refusal, Refusal::hidden_vertex);
    spheres.centers[6] = {7.6, 4, 4};
    spheres.radii[6] = 2;
    EXPECT_EQ(listed(spheres, 3, 0.1).refusal, Refusal::not_orthogonal);
    spheres.centers[6] = {9.4, 4, 4};
    EXPECT_EQ(listed(spheres, 3, 0.1).refusal, Refusal::none);
    for (Vec3& x : spheres.centers) x.z = 0;
    EXPECT_EQ(listed(spheres, 3, 0.1).refusal, Refusal::flat);
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
        Row& row = complex.mutable_rows()[static_cast<std::size_t>(k) + 1];
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
        auto& cells = complex.mutable_cells();
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
                Row& row = complex.mutable_rows()[random.below(rows.size())];
                row.c[0] += 500;
            }
        }
        if (trial % 4 == 2 && complex.validate().empty()) continue;  // the same vertex was drawn
        EXPECT_NE(complex.validate(), "") << trial;
    }
}

}  // namespace
}  // namespace scree::tri
