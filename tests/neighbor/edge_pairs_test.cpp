// The list of a triangulation holds every close pair, or is refused.
#include "neighbor/edge_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/random.h"
#include "triangulation/snap.h"

namespace scree {
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

std::vector<double> rows_of(const Spheres& spheres) {
    std::vector<double> rows;
    for (std::size_t k = 0; k < spheres.radii.size(); ++k) {
        const Vec3 x = spheres.centers[k];
        rows.insert(rows.end(), {x.x, x.y, x.z, spheres.radii[k], 0, 0, 0, 1});
    }
    return rows;
}

// The pairs closer than `reach`, on a grid coarser than usual.
Refusal list(const Spheres& spheres, int dimension, double reach, PairList& pairs, double coarseness = 1) {
    tri::Snap snap =
        tri::choose_snap(spheres.centers, *std::min_element(spheres.radii.begin(), spheres.radii.end()), dimension);
    snap.unit *= coarseness;
    std::vector<tri::Row> sites;
    for (std::size_t k = 0; k < spheres.radii.size(); ++k)
        sites.push_back(tri::snapped_row(snap, spheres.centers[k], spheres.radii[k] + 0.5 * reach));
    tri::Triangulation triangulation(dimension, true);
    triangulation.build(sites);
    EXPECT_EQ(triangulation.validate(), "");
    std::vector<std::int32_t> site(sites.size());
    std::iota(site.begin(), site.end(), 0);
    const std::vector<std::uint8_t> no_images(site.size(), 0);
    const std::vector<double> rows = rows_of(spheres);
    EdgePairs edges;
    return edges.list(triangulation, {site, no_images, no_images}, {rows.data(), 8, site.size()}, nullptr, {}, reach,
                      pairs);
}

TEST(edge_pairs, equal_brute_force_when_certified) {
    int certified = 0, refused = 0;
    for (const int dimension : {2, 3})
        for (const double ratio : {1.0, 3.0, 10.0})
            for (const double overlap : {0.0, 0.1, 0.3})
                for (const double reach : {0.02, 0.2, 0.6})
                    // Up to r/16: the snapping length is then as large as half the reach.
                    for (const double coarseness : {1.0, 256.0})
                        for (unsigned seed = 0; seed < 3; ++seed) {
                            const Spheres spheres = random_packing(dimension, 300, ratio, 0.3, overlap, seed);
                            PairList pairs, brute;
                            if (list(spheres, dimension, reach, pairs, coarseness) != Refusal::none) {
                                ++refused;
                                continue;
                            }
                            ++certified;
                            const std::vector<double> rows = rows_of(spheres);
                            brute_pairs({rows.data(), 8, spheres.radii.size()}, {}, reach, brute);
                            EXPECT_EQ(pairs.first, brute.first) << dimension << "D, ratio " << ratio;
                            EXPECT_EQ(pairs.partners, brute.partners) << dimension << "D, ratio " << ratio;
                        }
    EXPECT_GT(certified, 100);
    EXPECT_GT(refused, 50);  // large reaches and overlaps break orthogonality; both answers must occur
}

TEST(edge_pairs, refuse_hidden_and_flat_and_overlapping_spheres) {
    Spheres spheres{{{0, 0, 0}, {10, 0, 0}, {0, 10, 0}, {0, 0, 10}, {9, 9, 9}, {4, 4, 4}, {4.01, 4, 4}},
                    {1, 1, 1, 1, 1, 3, 0.5}};
    PairList pairs;
    EXPECT_EQ(list(spheres, 3, 0.2, pairs), Refusal::hidden_vertex);
    spheres.centers[6] = {7.6, 4, 4};
    spheres.radii[6] = 2;
    EXPECT_EQ(list(spheres, 3, 0.2, pairs), Refusal::not_orthogonal);
    spheres.centers[6] = {9.4, 4, 4};
    EXPECT_EQ(list(spheres, 3, 0.2, pairs), Refusal::none);
    for (Vec3& x : spheres.centers) x.z = 0;
    EXPECT_EQ(list(spheres, 3, 0.2, pairs), Refusal::flat);
}

}  // namespace
}  // namespace scree
