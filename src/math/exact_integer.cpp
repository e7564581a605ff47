#include "math/exact_integer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace scree {
namespace {

constexpr int no_exponent = std::numeric_limits<int>::max() / 2;

struct Parts {
    std::uint64_t mantissa;
    int exponent;  // value = mantissa * 2^exponent
};

Parts parts_of(double value) {
    const auto word = std::bit_cast<std::uint64_t>(value);
    const int biased = static_cast<int>(word >> 52 & 0x7ff);
    const std::uint64_t fraction = word & 0xfffffffffffffu;
    if (biased == 0) return {fraction, -1074};
    return {fraction | 1ull << 52, biased - 1075};
}

}  // namespace

ExactInteger::ExactInteger(std::int64_t value) {
    if (value == 0) return;
    negative_ = value < 0;
    size_ = 1;
    inline_[0] = negative_ ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
}

ExactInteger::ExactInteger(const ExactInteger& other) { *this = other; }

ExactInteger::ExactInteger(ExactInteger&& other) noexcept { *this = std::move(other); }

ExactInteger& ExactInteger::operator=(const ExactInteger& other) {
    if (this == &other) return *this;
    reserve(other.size_);
    size_ = other.size_;
    negative_ = other.negative_;
    std::copy_n(other.words(), size_, words());
    return *this;
}

ExactInteger& ExactInteger::operator=(ExactInteger&& other) noexcept {
    if (this == &other) return *this;
    size_ = other.size_;
    negative_ = other.negative_;
    heap_ = std::move(other.heap_);
    if (!heap_) std::copy_n(other.inline_, size_, inline_);
    other.size_ = 0;
    other.negative_ = false;
    return *this;
}

void ExactInteger::reserve(std::uint32_t words) {
    if (words <= inline_words)
        heap_.reset();
    else
        heap_.reset(new std::uint64_t[words]);
}

void ExactInteger::trim() {
    const std::uint64_t* w = words();
    while (size_ > 0 && w[size_ - 1] == 0) --size_;
    if (size_ == 0) negative_ = false;
}

int ExactInteger::bits() const {
    return size_ == 0 ? 0 : static_cast<int>(64 * size_) - std::countl_zero(words()[size_ - 1]);
}

ExactInteger ExactInteger::from_double(double value, int exponent) {
    const Parts parts = parts_of(value);
    if (parts.mantissa == 0) return {};
    ExactInteger result;
    result.size_ = 1;
    result.negative_ = std::signbit(value);
    const int shift = parts.exponent - exponent;
    if (shift >= 0) {
        result.inline_[0] = parts.mantissa;
        return result.shifted_left(shift);
    }
    result.inline_[0] = parts.mantissa >> -shift;
    return result;
}

ExactInteger ExactInteger::operator-() const {
    ExactInteger result = *this;
    if (size_ > 0) result.negative_ = !negative_;
    return result;
}

ExactInteger ExactInteger::shifted_left(int count) const {
    if (size_ == 0 || count == 0) return *this;
    const std::uint32_t whole = static_cast<std::uint32_t>(count) / 64;
    const int part = count % 64;
    ExactInteger result;
    result.reserve(size_ + whole + 1);
    result.size_ = size_ + whole + 1;
    result.negative_ = negative_;
    const std::uint64_t* from = words();
    std::uint64_t* to = result.words();
    std::fill_n(to, whole, 0);
    std::uint64_t carry = 0;
    for (std::uint32_t k = 0; k < size_; ++k) {
        to[k + whole] = from[k] << part | carry;
        carry = part == 0 ? 0 : from[k] >> (64 - part);
    }
    to[size_ + whole] = carry;
    result.trim();
    return result;
}

int ExactInteger::compare_magnitude(const ExactInteger& a, const ExactInteger& b) {
    if (a.size_ != b.size_) return a.size_ < b.size_ ? -1 : 1;
    const std::uint64_t *p = a.words(), *q = b.words();
    for (std::uint32_t k = a.size_; k-- > 0;)
        if (p[k] != q[k]) return p[k] < q[k] ? -1 : 1;
    return 0;
}

int compare(const ExactInteger& a, const ExactInteger& b) {
    if (a.sign() != b.sign()) return a.sign() < b.sign() ? -1 : 1;
    const int magnitude = ExactInteger::compare_magnitude(a, b);
    return a.negative_ ? -magnitude : magnitude;
}

ExactInteger ExactInteger::sum(const ExactInteger& a, const ExactInteger& b, bool b_negative) {
    if (b.size_ == 0) return a;
    if (a.size_ == 0) {
        ExactInteger result = b;
        result.negative_ = b_negative;
        return result;
    }
    const bool add = a.negative_ == b_negative;
    const bool swap = add ? a.size_ < b.size_ : compare_magnitude(a, b) < 0;
    const ExactInteger &large = swap ? b : a, &small = swap ? a : b;
    ExactInteger result;
    result.reserve(large.size_ + 1);
    result.size_ = large.size_ + 1;
    result.negative_ = swap ? b_negative : a.negative_;
    const std::uint64_t *p = large.words(), *q = small.words();
    std::uint64_t* to = result.words();
    unsigned __int128 carry = 0;
    if (add) {
        for (std::uint32_t k = 0; k < large.size_; ++k) {
            carry += static_cast<unsigned __int128>(p[k]) + (k < small.size_ ? q[k] : 0);
            to[k] = static_cast<std::uint64_t>(carry);
            carry >>= 64;
        }
    } else {
        std::uint64_t borrow = 0;
        for (std::uint32_t k = 0; k < large.size_; ++k) {
            const std::uint64_t subtrahend = k < small.size_ ? q[k] : 0;
            const std::uint64_t first = p[k] - subtrahend;
            to[k] = first - borrow;
            borrow = static_cast<std::uint64_t>(p[k] < subtrahend) | static_cast<std::uint64_t>(first < borrow);
        }
    }
    to[large.size_] = static_cast<std::uint64_t>(carry);
    result.trim();
    return result;
}

ExactInteger operator*(const ExactInteger& a, const ExactInteger& b) {
    ExactInteger result;
    if (a.size_ == 0 || b.size_ == 0) return result;
    result.reserve(a.size_ + b.size_);
    result.size_ = a.size_ + b.size_;
    result.negative_ = a.negative_ != b.negative_;
    const std::uint64_t *p = a.words(), *q = b.words();
    std::uint64_t* to = result.words();
    std::fill_n(to, result.size_, 0);
    for (std::uint32_t i = 0; i < a.size_; ++i) {
        std::uint64_t carry = 0;
        for (std::uint32_t j = 0; j < b.size_; ++j) {
            const unsigned __int128 product = static_cast<unsigned __int128>(p[i]) * q[j] + to[i + j] + carry;
            to[i + j] = static_cast<std::uint64_t>(product);
            carry = static_cast<std::uint64_t>(product >> 64);
        }
        to[i + b.size_] = carry;
    }
    result.trim();
    return result;
}

double ExactInteger::leading() const {
    if (size_ == 0) return 0;
    const std::uint64_t* w = words();
    const int zeros = std::countl_zero(w[size_ - 1]);
    std::uint64_t top = w[size_ - 1] << zeros;
    if (zeros > 0 && size_ > 1) top |= w[size_ - 2] >> (64 - zeros);
    const double value = static_cast<double>(top >> 11);
    return negative_ ? -value : value;
}

std::string ExactInteger::decimal() const {
    if (size_ == 0) return "0";
    constexpr std::uint64_t chunk = 1000000000000000000u;
    ExactInteger rest = *this;
    std::string reversed;
    while (rest.size_ > 0) {
        unsigned __int128 remainder = 0;
        for (std::uint32_t k = rest.size_; k-- > 0;) {
            remainder = remainder << 64 | rest.words()[k];
            rest.words()[k] = static_cast<std::uint64_t>(remainder / chunk);
            remainder %= chunk;
        }
        rest.trim();
        auto digits = static_cast<std::uint64_t>(remainder);
        for (int k = 0; k < 18; ++k, digits /= 10) reversed += static_cast<char>('0' + digits % 10);
    }
    reversed.resize(reversed.find_last_not_of('0') + 1);
    if (negative_) reversed += '-';
    return {reversed.rbegin(), reversed.rend()};
}

int exponent_of(double value) {
    const Parts parts = parts_of(value);
    return parts.mantissa == 0 ? no_exponent : parts.exponent + std::countr_zero(parts.mantissa);
}

double nearest_double(const ExactInteger& numerator, const ExactInteger& denominator, int exponent) {
    if (numerator.sign() == 0) return 0;
    // Scale so that the quotient lies in [2^62, 2^64), take its integer part by long division, keep the rest as sticky
    // bit.
    const int scale = numerator.bits() - denominator.bits() - 63;
    ExactInteger rest = numerator.abs(), step = denominator;
    if (scale > 0)
        step = step.shifted_left(scale);
    else
        rest = rest.shifted_left(-scale);
    std::uint64_t quotient = 0;
    for (int bit = 63; bit >= 0; --bit) {
        const ExactInteger part = step.shifted_left(bit);
        if (rest < part) continue;
        rest = rest - part;
        quotient |= 1ull << bit;
    }
    // Drop all bits the double cannot hold, at least 10, rounding to nearest even.
    const int width = 64 - std::countl_zero(quotient);
    const int lowest = std::max(scale + exponent + width - 53, -1074) - (scale + exponent);
    if (lowest > 63) return 0;
    const std::uint64_t half = 1ull << (lowest - 1), below = quotient & (2 * half - 1);
    std::uint64_t kept = quotient >> lowest;
    if (below > half || (below == half && (rest.sign() > 0 || (kept & 1) != 0))) ++kept;
    const double value = std::ldexp(static_cast<double>(kept), lowest + scale + exponent);
    return numerator.sign() < 0 ? -value : value;
}

std::string decimal_sqrt(const ExactInteger& numerator, const ExactInteger& denominator, int exponent, int digits) {
    if (numerator.sign() == 0) return "0";
    // sqrt(p / q) with the power of two inside.
    ExactInteger p = numerator, q = denominator;
    if (exponent > 0)
        p = p.shifted_left(2 * exponent);
    else
        q = q.shifted_left(-2 * exponent);

    // Find the decimal exponent with 10^e <= sqrt(p / q) < 10^(e+1), from an estimate by bit length.
    const auto power10 = [](int n) {
        ExactInteger value = 1;
        for (; n >= 18; n -= 18) value = value * ExactInteger(1000000000000000000);
        for (; n > 0; --n) value = value * ExactInteger(10);
        return value;
    };
    const auto at_least = [&](int e) {  // 10^(2e) q <= p
        return e >= 0 ? !(p < power10(2 * e) * q) : !(p * power10(-2 * e) < q);
    };
    int e = static_cast<int>(std::floor(0.5 * 0.30102999566398120 * (p.bits() - q.bits())));
    while (!at_least(e)) --e;
    while (at_least(e + 1)) ++e;

    // Build the digits of the largest x with x^2 q <= 10^(2(digits-1-e)) p.
    const int scale = digits - 1 - e;
    if (scale >= 0)
        p = p * power10(2 * scale);
    else
        q = q * power10(-2 * scale);
    ExactInteger x = 0;
    for (int place = digits - 1; place >= 0; --place) {
        const ExactInteger unit = power10(place);
        for (int digit = 0; digit < 9; ++digit) {
            const ExactInteger next = x + unit;
            if (p < next * next * q) break;
            x = next;
        }
    }
    // Round: x + 1/2 <= sqrt exactly when (2x + 1)^2 q <= 4 p.
    const ExactInteger twice = x + x + ExactInteger(1);
    if (!(p.shifted_left(2) < twice * twice * q)) x = x + ExactInteger(1);
    std::string text = x.decimal();
    if (static_cast<int>(text.size()) > digits) {
        text.pop_back();
        ++e;
    }
    if (e >= -5 && e < digits - 1) {
        if (e >= 0) return text.insert(static_cast<std::size_t>(e) + 1, ".");
        return "0." + std::string(static_cast<std::size_t>(-e - 1), '0') + text;
    }
    return text.insert(1, ".") + "e" + std::to_string(e);
}

ExactVec3 operator+(const ExactVec3& a, const ExactVec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
ExactVec3 operator-(const ExactVec3& a, const ExactVec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
ExactVec3 operator-(const ExactVec3& a) { return {-a.x, -a.y, -a.z}; }
ExactVec3 operator*(const ExactInteger& s, const ExactVec3& a) { return {s * a.x, s * a.y, s * a.z}; }
ExactInteger dot(const ExactVec3& a, const ExactVec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
ExactVec3 cross(const ExactVec3& a, const ExactVec3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

ExactVec3 exact_vector(Vec3 v, int exponent) {
    return {ExactInteger::from_double(v.x, exponent), ExactInteger::from_double(v.y, exponent),
            ExactInteger::from_double(v.z, exponent)};
}

int common_exponent(std::span<const Vec3> vectors) {
    int exponent = no_exponent;
    for (const Vec3& v : vectors) exponent = std::min({exponent, exponent_of(v.x), exponent_of(v.y), exponent_of(v.z)});
    return exponent == no_exponent ? 0 : exponent;
}

Vec3 leading_direction(const ExactVec3& v) {
    const int top = std::max({v.x.bits(), v.y.bits(), v.z.bits()});
    const auto part = [&](const ExactInteger& c) { return std::trunc(std::ldexp(c.leading(), c.bits() - top)); };
    return {part(v.x), part(v.y), part(v.z)};
}

}  // namespace scree
