#include "math/elementary.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace scree {
namespace {

// ln 2 and pi/2 in two and three parts: the leading ones have trailing zero bits, so that products with small integers
// are exact (Cody and Waite).
constexpr double ln2_high = 0x1.62e42fefa3800p-1, ln2_low = 0x1.ef35793c76730p-45;
constexpr double half_pi_1 = 0x1.921fb54400000p+0, half_pi_2 = 0x1.0b4611a600000p-34, half_pi_3 = 0x1.3198a2e037073p-69;

double power_of_two(int k) { return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52); }

// Round to the nearest integer, for |x| < 2^51.
double round_to_integer(double x) { return (x + 0x1.8p52) - 0x1.8p52; }

}  // namespace

double same_exp(double x) {
    if (!(x < 709.8)) return x > 0 ? std::numeric_limits<double>::infinity() : x;
    if (x < -745.2) return 0;
    const double k = round_to_integer(x / (ln2_high + ln2_low));
    const double high = x - k * ln2_high, low = k * ln2_low;
    const double r = high - low;
    // Taylor series of exp(r) - 1 - r for |r| <= ln(2)/2; the terms past r^14 are below half an ulp.
    double tail = 0;
    for (int n = 14; n >= 2; --n) tail = (tail + 1) * (r / n);
    const double value = 1 + (r + (r * tail + ((high - r) - low)));
    const int exponent = static_cast<int>(k);
    const int half = exponent / 2;
    return value * power_of_two(half) * power_of_two(exponent - half);
}

double same_log(double x) {
    if (!(x > 0)) return x == 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    if (!std::isfinite(x)) return x;
    int exponent = 0;
    if (x < 0x1p-1000) {
        x *= 0x1p100;
        exponent = -100;
    }
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
    exponent += static_cast<int>(bits >> 52) - 1023;
    double m = std::bit_cast<double>((bits & 0x000fffffffffffffu) | 0x3ff0000000000000u);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        ++exponent;
    }
    // log(m) = 2 artanh(s), s = (m-1)/(m+1), |s| < 0.172.
    const double f = m - 1, s = f / (2 + f), s2 = s * s;
    double series = 0;
    for (int n = 23; n >= 3; n -= 2) series = s2 * (series + 1.0 / n);
    // 2s = f - s f keeps the leading term exact.
    const double tail = s * (2 * series - f);
    return exponent * ln2_high + (f + (tail + exponent * ln2_low));
}

double same_pow(double base, double power) { return base == 0 ? 0 : same_exp(power * same_log(base)); }

SinCos same_sincos(double x) {
    const double k = round_to_integer(x * (2 / pi));
    const double r = ((x - k * half_pi_1) - k * half_pi_2) - k * half_pi_3;
    const double r2 = r * r;
    double s = 0, c = 0;
    for (int n = 18; n >= 2; n -= 2) {
        s = (1 + s) * (-r2 / (n * (n + 1)));
        c = (1 + c) * (-r2 / (n * (n - 1)));
    }
    const double sine = r + r * s, cosine = 1 + c;
    switch (static_cast<std::int64_t>(k) & 3) {
        case 0:
            return {sine, cosine};
        case 1:
            return {cosine, -sine};
        case 2:
            return {-sine, -cosine};
        default:
            return {-cosine, sine};
    }
}

double same_atan(double x) {
    const double a = std::fabs(x);
    // Reduce to |t| <= tan(pi/16) by atan(1/x) = pi/2 - atan(x) and twice atan(x) = 2 atan(x / (1 + sqrt(1 + x^2))).
    const bool inverted = a > 1;
    double t = inverted ? 1 / a : a;
    t = t / (1 + std::sqrt(1 + t * t));
    t = t / (1 + std::sqrt(1 + t * t));
    const double t2 = t * t;
    double series = 0;
    for (int n = 25; n >= 3; n -= 2) series = t2 * (((n / 2) % 2 ? -1.0 : 1.0) / n + series);
    const double angle = 4 * (t + t * series);
    const double result = inverted ? half_pi_1 - (angle - (half_pi_2 + half_pi_3)) : angle;
    return x < 0 ? -result : result;
}

double same_atan2(double y, double x) {
    if (x == 0 && y == 0) return 0;
    if (std::fabs(x) >= std::fabs(y)) {
        const double angle = same_atan(y / x);
        return x > 0 ? angle : y >= 0 ? angle + pi : angle - pi;
    }
    const double angle = same_atan(x / y);
    return y > 0 ? pi / 2 - angle : -pi / 2 - angle;
}

}  // namespace scree
