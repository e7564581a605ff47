// Bodies of many pieces: the tree finds every pair of pieces that brute force finds, and looks at few.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "geometry/gjk.h"
#include "shape/piece_tree.h"
#include "shape/shape.h"

namespace scree {
namespace {

// A sea urchin: short rods on a ball, pointing outwards.
std::vector<Piece> urchin(int spines) {
    std::vector<Piece> pieces;
    const double golden = 2.399963229728653;
    for (int k = 0; k < spines; ++k) {
        const double z = 1 - (2 * k + 1.0) / spines, r = std::sqrt(1 - z * z);
        const Vec3 out{r * std::cos(golden * k), r * std::sin(golden * k), z};
        const Vec3 ends[] = {0.7 * out, out};
        pieces.push_back(make_piece(ends, 0.03, 3));
    }
    return pieces;
}

TEST(piece_tree, finds_all_pairs_of_brute_force_and_few_others) {
    const std::vector<Piece> pieces = urchin(120);
    const PieceTree tree(pieces);
    Random random(3, 0);
    std::size_t near = 0, listed = 0, looked = 0, trials = 60;
    for (std::size_t trial = 0; trial < trials; ++trial) {
        const auto turn = [&] {
            return matrix_of(uniform_rotation(random.uniform(), random.uniform(), random.uniform()));
        };
        const Vec3 way = turn() * Vec3{1, 0, 0};
        const double scale = random.uniform(0.5, 1.5), reach = 0.02;
        const Pose a{turn(), {0.1, -0.2, 0.3}, 1},
            b{turn(), a.position + random.uniform(0.75, 0.95) * (1 + scale) * way, scale};
        std::vector<std::pair<std::uint16_t, std::uint16_t>> found;
        looked += near_pieces(tree, a, tree, b, reach, found);
        EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
        EXPECT_EQ(std::adjacent_find(found.begin(), found.end()), found.end());
        listed += found.size();
        for (std::size_t p = 0; p < pieces.size(); ++p)
            for (std::size_t q = 0; q < pieces.size(); ++q) {
                const Vec3 pa[] = {a(pieces[p].vertex[0]), a(pieces[p].vertex[1])},
                           pb[] = {b(pieces[q].vertex[0]), b(pieces[q].vertex[1])};
                // Far apart by their balls: no need to ask.
                if (norm(a(pieces[p].middle) - b(pieces[q].middle)) > pieces[p].reach + scale * pieces[q].reach + reach)
                    continue;
                const Distance d = distance(Polyhedron(pa), Polyhedron(pb));
                if (d.gap - 0.03 * (1 + scale) > reach) continue;
                ++near;
                EXPECT_TRUE(std::binary_search(found.begin(), found.end(),
                                               std::pair{static_cast<std::uint16_t>(p), static_cast<std::uint16_t>(q)}))
                    << p << ' ' << q;
            }
    }
    EXPECT_GT(near, trials);
    // All pairs would be 14 400 each time; boxes let through few that are not near.
    EXPECT_LT(looked, trials * 14400 / 20);
    EXPECT_LT(listed, 8 * near);
    RecordProperty("nodes_per_pair_of_bodies", static_cast<int>(looked / trials));
}

}  // namespace
}  // namespace scree
