#include "math/exact_integer.h"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/random.h"
#include "math/exact_orientation.h"

namespace scree {
namespace {

// A number of up to 1500 bits, often with runs of zeros and ones, where carries go wrong.
ExactInteger draw(Random& r) {
    ExactInteger value = 0;
    for (auto words = 1 + r.below(24); words > 0; --words) {
        const auto kind = r.below(4);
        const std::int64_t word = kind == 0   ? 0
                                  : kind == 1 ? std::numeric_limits<std::int64_t>::max()
                                              : static_cast<std::int64_t>(r.bits() >> 1);
        value = value.shifted_left(static_cast<int>(r.below(66))) + ExactInteger(word);
    }
    return r.below(2) == 0 ? value : -value;
}

mpz_class big(const ExactInteger& value) { return mpz_class(value.decimal()); }

TEST(ExactInteger, computes_as_gmp_does) {
    Random r(1, 1);
    for (int k = 0; k < 20000; ++k) {
        const ExactInteger a = draw(r), b = r.below(10) == 0 ? a : draw(r);
        ASSERT_EQ(big(a + b), big(a) + big(b));
        ASSERT_EQ(big(a - b), big(a) - big(b));
        ASSERT_EQ(big(a * b), big(a) * big(b));
        ASSERT_EQ(compare(a, b), cmp(big(a), big(b)) < 0 ? -1 : cmp(big(a), big(b)) > 0);
        const int shift = static_cast<int>(r.below(300));
        ASSERT_EQ(big(a.shifted_left(shift)), big(a) << static_cast<mp_bitcnt_t>(shift));
        ASSERT_EQ(a.sign(), sgn(big(a)));
        ASSERT_EQ(static_cast<std::size_t>(a.bits()), a.sign() == 0 ? 0 : mpz_sizeinbase(big(a).get_mpz_t(), 2));
    }
}

TEST(ExactInteger, holds_every_double) {
    Random r(2, 1);
    for (int k = 0; k < 20000; ++k) {
        const double x = std::ldexp(r.uniform(-1, 1), static_cast<int>(r.below(1800)) - 1060);
        const int exponent = exponent_of(x);
        ASSERT_EQ(nearest_double(ExactInteger::from_double(x, exponent), 1, exponent), x);
        ASSERT_EQ(nearest_double(ExactInteger::from_double(x, exponent - 70), 1, exponent - 70), x);
    }
    for (const double x :
         {0.0, 5e-324, -5e-324, std::numeric_limits<double>::max(), std::numeric_limits<double>::min()})
        EXPECT_EQ(nearest_double(ExactInteger::from_double(x, -1074), 1, -1074), x);
}

TEST(ExactInteger, quotients_round_to_the_nearest_double) {
    Random r(3, 1);
    for (int k = 0; k < 20000; ++k) {
        const double p = std::nearbyint(std::ldexp(r.uniform(-1, 1), 53)),
                     q = std::nearbyint(std::ldexp(r.uniform(0.1, 1), 53));
        ASSERT_EQ(nearest_double(ExactInteger::from_double(p, 0), ExactInteger::from_double(q, 0), 0), p / q);
    }
}

TEST(ExactInteger, square_roots_in_decimal) {
    EXPECT_EQ(decimal_sqrt(2, 1, 0, 25), "1.414213562373095048801689");  // ...4 8801688724: rounded up
    EXPECT_EQ(decimal_sqrt(1, 4, 0, 25), "0.5000000000000000000000000");
    EXPECT_EQ(decimal_sqrt(0, 7, 0, 25), "0");
    EXPECT_EQ(decimal_sqrt(3, 1, -100, 10), "1.366347168e-30");
    EXPECT_EQ(decimal_sqrt(ExactInteger(9999999999), 1, 0, 5), "1.0000e5");
    EXPECT_EQ(decimal_sqrt(144, 1, 0, 4), "12.00");
}

TEST(ExactOrientation, decides_where_doubles_see_zero) {
    // Points of a plane, one of them moved by one unit in the last place.
    const Vec3 a{0.1, 0.2, 0.3}, b{1.1, 0.2, 0.3}, c{0.1, 1.2, 0.3};
    Vec3 d{0.7, 0.9, 0.3};
    EXPECT_EQ(orientation(a, b, c, d), 0);
    d.z = std::nextafter(0.3, 1);
    EXPECT_EQ(orientation(a, b, c, d), 1);
    d.z = std::nextafter(0.3, 0);
    EXPECT_EQ(orientation(a, b, c, d), -1);
    EXPECT_TRUE(collinear({0, 0, 0}, {1e-200, 1e-200, 1e-200}, {3e-200, 3e-200, 3e-200}));
    EXPECT_FALSE(collinear({0, 0, 0}, {1e-200, 1e-200, 1e-200}, {3e-200, 3e-200, std::nextafter(3e-200, 1)}));
    EXPECT_EQ(orientation({0, 0, 0}, {1e200, 0, 0}, {0, 1e200, 0}, {0, 0, 1e-200}), 1);
}

}  // namespace
}  // namespace scree
