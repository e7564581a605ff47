// Periodic axes: edges of close pairs equal brute force over all images, cells fill the box, motion across borders.
#include "triangulation/periodic.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "reference.h"

namespace scree::tri {
namespace {

std::vector<PeriodicTriangulation::Edge> touching(const std::vector<Row>& rows, const std::array<double, 3>& period,
                                                  int dimension) {
    std::vector<PeriodicTriangulation::Edge> list;
    const int most[3] = {period[0] > 0, period[1] > 0, dimension == 3 && period[2] > 0};
    for (Index i = 0; i < static_cast<Index>(rows.size()); ++i)
        for (Index j = i; j < static_cast<Index>(rows.size()); ++j)
            for (int a = -most[0]; a <= most[0]; ++a)
                for (int b = -most[1]; b <= most[1]; ++b)
                    for (int c = -most[2]; c <= most[2]; ++c) {
                        const std::array<int, 3> shift = {a, b, c};
                        if (i == j && !(shift > std::array<int, 3>{0, 0, 0})) continue;
                        double square = 0;
                        const Row &p = rows[static_cast<std::size_t>(i)], &q = rows[static_cast<std::size_t>(j)];
                        for (std::size_t k = 0; k < 3; ++k)
                            square += std::pow(q.c[k] + shift[k] * period[k] - p.c[k], 2);
                        if (std::sqrt(square) <= std::sqrt(p.c[3]) + std::sqrt(q.c[3])) list.push_back({i, j, shift});
                    }
    std::sort(list.begin(), list.end());
    return list;
}

// Spheres in a periodic box that touch or overlap a little: all touching pairs must be edges (theorem 4 holds for the
// set of sites and images).
template <int D>
std::vector<Row> spaced_sites(const std::array<double, 3>& period, int n, unsigned seed) {
    Random random(seed, 5);
    std::vector<Row> rows;
    for (int attempt = 0; attempt < 40 * n && static_cast<int>(rows.size()) < n; ++attempt) {
        Row row{{0, 0, 0, std::pow(std::floor(random.uniform(500, 800)), 2)}};
        for (int k = 0; k < D; ++k) row.c[k] = std::floor(random.uniform(0, 10'000));
        bool free = true;
        for (const Row& other : rows)
            for (int image = 0; image < 27 && free; ++image) {
                const int shift[3] = {image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1};
                double square = 0;
                for (std::size_t k = 0; k < 3; ++k) square += std::pow(other.c[k] + shift[k] * period[k] - row.c[k], 2);
                free = square > 1.05 * (row.c[3] + other.c[3]);
            }
        if (free) rows.push_back(row);
    }
    return rows;
}

template <int D>
void follow(std::array<double, 3> period, unsigned seed) {
    std::vector<Row> rows = spaced_sites<D>(period, D == 3 ? 250 : 60, seed);
    PeriodicTriangulation periodic(D, period, 1700, true);
    periodic.build(rows);
    Random random(seed, 6);
    std::vector<Row> moving = rows;
    int crossings = 0;
    for (int step = 0; step < 12; ++step) {
        std::vector<Row> now = moving;
        for (Row& row : now)
            for (std::size_t k = 0; k < 3; ++k)
                if (period[k] > 0) {
                    const double turn = std::floor(row.c[k] / period[k]);
                    row.c[k] -= turn * period[k];
                    crossings += turn != 0;
                }
        if (step) periodic.update(now);
        ASSERT_EQ(periodic.triangulation().validate(), "") << step;
        const auto edges = periodic.edges();
        for (const auto& pair : touching(now, period, D))
            ASSERT_TRUE(std::binary_search(edges.begin(), edges.end(), pair)) << "step " << step;
        // All drift, far enough to cross borders, without changing their distances much.
        for (Row& row : moving)
            for (int k = 0; k < D; ++k)
                row.c[k] += std::floor(period[static_cast<std::size_t>(k)] > 0 ? 1200 + random.uniform(-5, 5)
                                                                               : random.uniform(-5, 5));
    }
    EXPECT_GT(crossings, 100);
}

TEST(periodic, touching_pairs_are_edges_while_sites_cross_the_borders) {
    follow<3>({10'000, 10'000, 10'000}, 1);
    follow<3>({10'000, 10'000, 0}, 2);
    follow<3>({10'000, 0, 0}, 3);
    follow<2>({10'000, 10'000, 0}, 4);
    follow<2>({10'000, 0, 0}, 5);
}

TEST(periodic, cells_fill_the_box) {
    for (const int dimension : {2, 3})
        for (const int n : {1, 2, 5, 60}) {
            Random random(static_cast<std::uint64_t>(n), 9);
            std::array<double, 3> period = {1000, 1500, dimension == 3 ? 800.0 : 0};
            std::vector<Row> rows;
            for (int i = 0; i < n; ++i) {
                Row row{{0, 0, 0, std::floor(random.uniform(0, 3000))}};
                for (int k = 0; k < dimension; ++k) row.c[k] = std::floor(random.uniform(-2000, 2000));
                rows.push_back(row);
            }
            PeriodicTriangulation periodic(dimension, period, 100, true);
            periodic.build(rows);
            const std::vector<double> volumes = periodic.volumes();
            double sum = 0;
            for (const double volume : volumes) sum += volume;
            EXPECT_NEAR(sum / (1000.0 * 1500 * (dimension == 3 ? 800 : 1)), 1, 1e-9) << dimension << " " << n;
        }
}

}  // namespace
}  // namespace scree::tri
