// The predicates against plain rational arithmetic, in every stage, and the symbolic order.
#include "triangulation/predicates.h"

#include <gmpxx.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "triangulation/wide.h"

namespace scree::tri {
namespace {

using Rational = mpq_class;

// Determinant by cofactors, over rationals.
Rational determinant(const std::vector<std::vector<Rational>>& m) {
    if (m.size() == 1) return m[0][0];
    Rational sum = 0;
    for (std::size_t k = 0; k < m.size(); ++k) {
        std::vector<std::vector<Rational>> minor;
        for (std::size_t i = 1; i < m.size(); ++i) {
            minor.emplace_back();
            for (std::size_t j = 0; j < m.size(); ++j)
                if (j != k) minor.back().push_back(m[i][j]);
        }
        sum += (k % 2 ? -1 : 1) * m[0][k] * determinant(minor);
    }
    return sum;
}

// Rows (1, coordinates, lift with an explicit raise) of the sites.
std::vector<std::vector<Rational>> lifted(const std::vector<Row>& sites, const std::vector<int>& axes,
                                          const std::vector<Rational>& raise) {
    std::vector<std::vector<Rational>> m;
    for (std::size_t i = 0; i < sites.size(); ++i) {
        m.push_back({1});
        for (const int axis : axes) m.back().push_back(Rational(sites[i].c[axis]));
        if (raise.empty()) continue;
        Rational h = raise[i] - Rational(sites[i].c[3]);
        for (int k = 0; k < 3; ++k) h += Rational(sites[i].c[k]) * Rational(sites[i].c[k]);
        m.back().push_back(h);
    }
    return m;
}

// The sign of the power test after raising each lift by a power of a tiny number, the larger the later in the order.
int perturbed_sign(const std::vector<Row>& sites, const std::vector<int>& axes) {
    std::vector<std::size_t> order(sites.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return compare_centers(sites[a], sites[b]) < 0; });
    std::vector<Rational> raise(sites.size(), 0);
    // With all entries below 2^60, a factor of 2^-1000 between successive raises settles every comparison.
    for (std::size_t k = 0; k < order.size(); ++k) {
        mpz_class power;
        mpz_ui_pow_ui(power.get_mpz_t(), 2, 1000 * static_cast<unsigned long>(order.size() - k));
        raise[order[k]] = Rational(1) / power;
    }
    // The last site is above the hyperplane of the others if orientation and lifted determinant agree in sign.
    std::vector<Row> simplex(sites.begin(), sites.end() - 1);
    const int orientation = sgn(determinant(lifted(simplex, axes, {})));
    int sign = sgn(determinant(lifted(sites, axes, std::vector<Rational>(sites.size(), 0))));
    if (sign == 0) sign = sgn(determinant(lifted(sites, axes, raise)));
    return -sign * orientation;
}

Row drawn_row(Random& random, int kind) {
    Row row;
    for (double& x : row.c) {
        switch (kind) {
            case 0:
                x = static_cast<double>(random.below(3));
                break;  // ties
            case 1:
                x = static_cast<double>(random.below(1 << 23));
                break;  // 128 bits
            case 2:
                x = static_cast<double>(random.below(1ull << 47));
                break;  // 256 bits
            case 3:
                x = random.uniform(-1, 1);
                break;  // doubles as given
            case 4:
                x = std::ldexp(random.uniform(-1, 1), static_cast<int>(random.below(200)) - 100);
                break;  // any length
            default:
                x = 1e6 + 1e-9 * static_cast<double>(random.below(5));  // small on large
        }
    }
    return row;
}

TEST(predicates, signs_equal_rational_arithmetic_in_every_stage) {
    Random random(17, 3);
    stage_counts() = {};
    for (int kind = 0; kind < 6; ++kind)
        for (int trial = 0; trial < 500; ++trial) {
            std::vector<Row> sites(5);
            for (Row& row : sites) row = drawn_row(random, kind);
            // Half of the time put the last site on a sphere, plane or line of the others, or nearly so.
            if (kind != 4 && trial % 2) {
                for (int k = 0; k < 3; ++k) sites[4].c[k] = sites[0].c[k] + sites[1].c[k] - sites[2].c[k];
                if (trial % 4 == 1) sites[3].c[2] = sites[4].c[2];
            }
            if (kind == 2 && trial % 2) {
                // Ties, planes and spheres of sites far apart.
                for (Row& row : sites) {
                    for (int k = 0; k < 3; ++k) row.c[k] = std::ldexp(static_cast<double>(random.below(3)), 40);
                    row.c[3] = std::ldexp(static_cast<double>(random.below(3)), 80);
                }
            }
            for (const bool integral : {false, true}) {
                if (integral && kind > 2) continue;
                Bounds bounds(integral);
                for (const Row& row : sites) bounds.cover(row);
                std::vector<Row> four(sites.begin(), sites.begin() + 4), three(sites.begin(), sites.begin() + 3);
                const int sign3 = sgn(determinant(lifted(four, {0, 1, 2}, {})));
                ASSERT_EQ(orientation3(bounds, sites[0], sites[1], sites[2], sites[3]), sign3) << kind;
                ASSERT_EQ(orientation2(bounds, sites[0], sites[1], sites[2]),
                          sgn(determinant(lifted(three, {0, 1}, {}))))
                    << kind;
                bool coincident = false;
                for (int i = 0; i < 5; ++i)
                    for (int j = 0; j < i; ++j)
                        coincident = coincident || compare_centers(sites[static_cast<std::size_t>(i)],
                                                                   sites[static_cast<std::size_t>(j)]) == 0;
                if (coincident) continue;
                if (sign3 != 0) {
                    if (sign3 < 0) std::swap(sites[0], sites[1]);
                    ASSERT_EQ(power3(bounds, sites[0], sites[1], sites[2], sites[3], sites[4]),
                              perturbed_sign(sites, {0, 1, 2}))
                        << kind << " " << trial;
                }
                const int sign2 = sgn(determinant(lifted(three, {0, 1}, {})));
                std::vector<Row> planar = {sites[0], sites[1], sites[2], sites[3]};
                // A flat set: z is zero, or an affine function of x and y.
                for (Row& row : planar) row.c[2] = kind <= 1 && trial % 3 ? 2 * row.c[0] - 3 * row.c[1] + 5 : 0;
                const int again = sgn(determinant(lifted({planar[0], planar[1], planar[2]}, {0, 1}, {})));
                // In the plane sites are told apart by x and y.
                bool distinct = true;
                for (std::size_t i = 0; i < 4; ++i)
                    for (std::size_t j = 0; j < i; ++j)
                        distinct = distinct && (planar[i].c[0] != planar[j].c[0] || planar[i].c[1] != planar[j].c[1]);
                for (const Row& row : planar) bounds.cover(row);
                if (distinct && sign2 != 0 && again != 0) {
                    if (again < 0) std::swap(planar[0], planar[1]);
                    ASSERT_EQ(power2(bounds, planar[0], planar[1], planar[2], planar[3]),
                              perturbed_sign(planar, {0, 1}))
                        << kind;
                }
                const Rational gap = [&] {
                    Rational sum = -Rational(sites[0].c[3]) - Rational(sites[1].c[3]);
                    for (int k = 0; k < 3; ++k)
                        sum += (Rational(sites[0].c[k]) - Rational(sites[1].c[k])) *
                               (Rational(sites[0].c[k]) - Rational(sites[1].c[k]));
                    return sum;
                }();
                ASSERT_EQ(orthogonality(bounds, sites[0], sites[1]), sgn(gap)) << kind;
            }
        }
    // Each stage has been entered.
    EXPECT_GT(stage_counts().dynamic, 1000u);
    EXPECT_GT(stage_counts().int128, 1000u);
    EXPECT_GT(stage_counts().int256, 100u);
    EXPECT_GT(stage_counts().big, 100u);
    EXPECT_GT(stage_counts().ties, 100u);
}

TEST(predicates, wide_integers_equal_gmp) {
    Random random(2, 9);
    for (int trial = 0; trial < 2000; ++trial) {
        const double a = std::ldexp(std::floor(random.uniform(-1, 1) * 0x1p53), static_cast<int>(random.below(200)));
        const double b = std::ldexp(std::floor(random.uniform(-1, 1) * 0x1p53), static_cast<int>(random.below(200)));
        const double c = std::ldexp(std::floor(random.uniform(-1, 1) * 0x1p53), static_cast<int>(random.below(400)));
        const mpz_class expected = mpz_class(a) * mpz_class(b) - mpz_class(c) * mpz_class(a) + mpz_class(c);
        const BigInt x = BigInt::from_double(a, 0), y = BigInt::from_double(b, 0), z = BigInt::from_double(c, 0);
        ASSERT_EQ((x * y - z * x + z).sign(), sgn(expected));
        ASSERT_EQ((x * y - y * x).sign(), 0);
        ASSERT_EQ(((x * y - z * x) + z * x - x * y).sign(), 0);
        const auto p = static_cast<std::int64_t>(random.bits() >> 2), q = static_cast<std::int64_t>(random.bits());
        const Int256 u = Int256(Int128(p) * q), v = Int256(Int128(q) * 3);
        const mpz_class gp(std::to_string(p)), gq(std::to_string(q));
        ASSERT_EQ((u * v - v * Int256(p)).sign(), sgn(gp * gq * gq * 3 - gq * 3 * gp));
        ASSERT_EQ((u * v - v * u).sign(), 0);
    }
}

// Three sites on a line, lifts in line: the middle one stays visible, whatever the numbering.
TEST(predicates, middle_of_a_tied_line_is_in_conflict) {
    const Row a{{0, 0, 0, 0}}, b{{2, 0, 0, 0}}, middle{{1, 0, 0, -1}};
    Bounds bounds(true);
    for (const Row& row : {a, b, middle}) bounds.cover(row);
    EXPECT_EQ(power_on_line(bounds, a, b, middle), 1);
    EXPECT_EQ(power_on_line(bounds, b, a, middle), 1);
    EXPECT_EQ(power_on_line(bounds, a, middle, b), -1);
}

}  // namespace
}  // namespace scree::tri
