// Bodies covered by several balls each: where the triangulation vouches for its list, every pair is there, and the
// condition that the proof rests on holds for all pairs of balls, not only for the edges looked at.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "neighbor/living_triangulation.h"

namespace scree {
namespace {

// Chains of one to four balls of unequal radii, bent at random, in a box of edge 1.
struct Chains {
    Periodicity periodicity;
    std::vector<double> around, balls;
    std::vector<std::uint32_t> body, ids;
    std::vector<std::int16_t> periods;

    // Balls of different bodies stay `apart` times the sum of their radii apart; 0.71 is about orthogonal.
    Chains(std::uint64_t seed, std::uint32_t count, double size, bool periodic, double unequal, double apart) {
        Random random(seed, 0);
        if (periodic) periodicity = {{0, 0, 0}, {1, 1, 1}};
        for (int attempt = 0; attempt < 5000 && around.size() < 8 * count; ++attempt) {
            const auto b = static_cast<std::uint32_t>(around.size() / 8);
            const Vec3 middle{random.uniform(), random.uniform(), random.uniform()};
            const std::size_t before = body.size();
            Vec3 at = middle, way;
            double reach = 0;
            bool fits = true;
            for (std::uint32_t k = 0; k <= b % 4 && fits; ++k) {
                const double radius = size * random.uniform(1 - unequal, 1);
                reach = std::max(reach, norm(at - middle) + radius);
                Vec3 x = at;
                int shift[3] = {0, 0, 0};
                for (int axis = 0; axis < 3 && periodic; ++axis) {
                    if (x[axis] < 0) {
                        x[axis] += 1;
                        shift[axis] = 1;
                    }
                    if (x[axis] >= 1) {
                        x[axis] -= 1;
                        shift[axis] = -1;
                    }
                }
                for (std::size_t j = 0; j < before; ++j)
                    fits =
                        fits && norm(periodicity.nearest(Vec3{balls[8 * j], balls[8 * j + 1], balls[8 * j + 2]} - x)) >
                                    apart * (radius + balls[8 * j + 3]);
                balls.insert(balls.end(), {x.x, x.y, x.z, radius, 0, 0, 0, 1});
                body.push_back(b);
                ids.push_back(4 * b + k);
                periods.push_back(static_cast<std::int16_t>(periods_code(shift[0], shift[1], shift[2])));
                way = normalized(way + Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
                at += 0.9 * size * way;
            }
            if (fits)
                around.insert(around.end(), {middle.x, middle.y, middle.z, reach, 0, 0, 0, 1});
            else {
                balls.resize(8 * before);
                body.resize(before);
                ids.resize(before);
                periods.resize(before);
            }
        }
    }
    BallRows rows() const { return {balls.data(), 8, body.size()}; }
    CoveredBodies bodies() const { return {{around.data(), 8, around.size() / 8}, body, periods}; }
};

TEST(covered_bodies, a_certified_list_is_complete_and_its_condition_holds_everywhere) {
    int certified = 0, refused = 0;
    std::size_t near = 0;
    for (std::uint64_t seed = 0; seed < 140; ++seed) {
        const bool periodic = seed % 2;
        const Chains chains(seed, 60, 0.06 + 0.02 * static_cast<double>(seed % 3), periodic, seed % 5 == 0 ? 0 : 0.25,
                            seed % 7 < 3 ? 0.7 : 0.8);
        LivingTriangulation living(3, chains.periodicity);
        double reach = 0.01;
        PairList pairs;
        const CoveredBodies bodies = chains.bodies();
        const Refusal refusal = living.update(chains.rows(), chains.ids, reach, 1e-6, pairs, &bodies);
        if (refusal != Refusal::none) {
            ++refused;
            continue;
        }
        ++certified;
        for (std::size_t i = 0; i < chains.body.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                const double *p = chains.rows()[i], *q = chains.rows()[j];
                if (chains.body[i] == chains.body[j]) continue;
                const Vec3 d = chains.periodicity.nearest({p[0] - q[0], p[1] - q[1], p[2] - q[2]});
                const double rp = p[3] + 0.5 * reach, rq = q[3] + 0.5 * reach;
                EXPECT_GT(norm2(d), rp * rp + rq * rq) << "seed " << seed;
                if (norm(d) > p[3] + q[3] + reach) continue;
                ++near;
                const auto row = pairs.of(std::min(chains.body[i], chains.body[j]));
                EXPECT_TRUE(std::binary_search(row.begin(), row.end(), std::max(chains.body[i], chains.body[j])))
                    << "seed " << seed;
            }
    }
    // Both happen often, or nothing was tested.
    EXPECT_GT(certified, 30);
    EXPECT_GT(refused, 30);
    EXPECT_GT(near, 1000u);
}

}  // namespace
}  // namespace scree
