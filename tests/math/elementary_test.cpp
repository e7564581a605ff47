#include "math/elementary.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"

namespace scree {
namespace {

// Error in units of the last place of the true value.
double ulps(double got, long double want) {
    const double unit =
        std::nextafter(std::fabs(static_cast<double>(want)), INFINITY) - std::fabs(static_cast<double>(want));
    return static_cast<double>(std::fabs(got - want)) / unit;
}

TEST(elementary, agrees_with_long_double_libm) {
    Random random(3, 1);
    double worst_exp = 0, worst_log = 0, worst_atan = 0, worst_sin = 0;
    for (int k = 0; k < 200'000; ++k) {
        const double x = random.uniform(-700, 700), p = std::exp(random.uniform(-600, 600));
        worst_exp = std::max(worst_exp, ulps(same_exp(x), std::exp(static_cast<long double>(x))));
        worst_log = std::max(worst_log, ulps(same_log(p), std::log(static_cast<long double>(p))));
        const double near_one = random.uniform(0.5, 2);
        worst_log = std::max(worst_log, ulps(same_log(near_one), std::log(static_cast<long double>(near_one))));
        const double t = random.uniform(-20, 20);
        worst_atan = std::max(worst_atan, ulps(same_atan(t), std::atan(static_cast<long double>(t))));
        const double angle = random.uniform(-1000, 1000);
        worst_sin = std::max(
            worst_sin,
            static_cast<double>(std::fabs(same_sin(angle) - std::sin(static_cast<long double>(angle)))) / 0x1p-53);
        worst_sin = std::max(
            worst_sin,
            static_cast<double>(std::fabs(same_cos(angle) - std::cos(static_cast<long double>(angle)))) / 0x1p-53);
        const double y = random.uniform(-2, 2), u = random.uniform(-2, 2);
        EXPECT_NEAR(same_atan2(y, u), std::atan2(y, u), 2e-15);
    }
    EXPECT_LT(worst_exp, 2);
    EXPECT_LT(worst_log, 3);
    EXPECT_LT(worst_atan, 4);
    EXPECT_LT(worst_sin, 4);
}

TEST(elementary, special_values) {
    EXPECT_EQ(same_exp(0), 1);
    EXPECT_EQ(same_exp(-1000), 0);
    EXPECT_EQ(same_exp(1000), INFINITY);
    EXPECT_EQ(same_log(1), 0);
    EXPECT_EQ(same_sin(0), 0);
    EXPECT_EQ(same_cos(0), 1);
    EXPECT_NEAR(same_exp(-740), std::exp(-740), 1e-322);
    EXPECT_NEAR(same_log(1e-310), std::log(1e-310), 1e-12);
    EXPECT_EQ(same_atan2(0, -1), pi);
}

}  // namespace
}  // namespace scree
