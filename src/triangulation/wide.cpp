#include "wide.h"

#include <bit>

namespace scree::tri {

namespace {

struct Parts {
    std::uint64_t mantissa;
    int exponent;
    bool negative;
};

// value = ± mantissa · 2^exponent.
Parts split(double value) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
    const int biased = static_cast<int>(bits >> 52 & 0x7ff);
    const std::uint64_t fraction = bits & ((1ull << 52) - 1);
    return {biased ? fraction | 1ull << 52 : fraction, (biased ? biased : 1) - 1075, (bits >> 63) != 0};
}

}  // namespace

int lowest_bit(double value) {
    const Parts parts = split(value);
    return parts.mantissa ? parts.exponent + std::countr_zero(parts.mantissa) : 1 << 20;
}

BigInt::BigInt(std::int64_t value) : negative_(value < 0) {
    if (value) limbs_.push_back(value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value));
}

BigInt BigInt::from_double(double value, int exponent) {
    Parts parts = split(value);
    BigInt result;
    if (!parts.mantissa) return result;
    const int zeros = std::countr_zero(parts.mantissa);
    const int shift = parts.exponent + zeros - exponent;
    parts.mantissa >>= zeros;
    result.limbs_.assign(static_cast<std::size_t>(shift / 64), 0);
    const Uint128 shifted = static_cast<Uint128>(parts.mantissa) << (shift % 64);
    result.limbs_.push_back(static_cast<std::uint64_t>(shifted));
    result.limbs_.push_back(static_cast<std::uint64_t>(shifted >> 64));
    result.negative_ = parts.negative;
    result.trim();
    return result;
}

void BigInt::trim() {
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
    if (limbs_.empty()) negative_ = false;
}

int BigInt::compare_magnitude(const BigInt& a, const BigInt& b) {
    if (a.limbs_.size() != b.limbs_.size()) return a.limbs_.size() < b.limbs_.size() ? -1 : 1;
    for (std::size_t k = a.limbs_.size(); k-- > 0;)
        if (a.limbs_[k] != b.limbs_[k]) return a.limbs_[k] < b.limbs_[k] ? -1 : 1;
    return 0;
}

BigInt BigInt::operator-() const {
    BigInt result = *this;
    if (!limbs_.empty()) result.negative_ = !negative_;
    return result;
}

BigInt BigInt::operator+(const BigInt& b) const {
    const bool swap = compare_magnitude(*this, b) < 0;
    const BigInt& large = swap ? b : *this;
    const BigInt& small = swap ? *this : b;
    BigInt result = large;
    std::uint64_t carry = 0;
    const bool add = large.negative_ == small.negative_;
    for (std::size_t k = 0; k < result.limbs_.size() && (carry || k < small.limbs_.size()); ++k) {
        const std::uint64_t other = k < small.limbs_.size() ? small.limbs_[k] : 0;
        const Uint128 value = add ? static_cast<Uint128>(result.limbs_[k]) + other + carry
                                  : static_cast<Uint128>(result.limbs_[k]) - other - carry;
        result.limbs_[k] = static_cast<std::uint64_t>(value);
        carry = static_cast<std::uint64_t>(value >> 64) & 1;
    }
    if (add && carry) result.limbs_.push_back(1);
    result.trim();
    return result;
}

BigInt BigInt::operator*(const BigInt& b) const {
    BigInt result;
    result.limbs_.assign(limbs_.size() + b.limbs_.size(), 0);
    for (std::size_t i = 0; i < limbs_.size(); ++i) {
        Uint128 carry = 0;
        for (std::size_t k = 0; k < b.limbs_.size(); ++k) {
            carry += static_cast<Uint128>(limbs_[i]) * b.limbs_[k] + result.limbs_[i + k];
            result.limbs_[i + k] = static_cast<std::uint64_t>(carry);
            carry >>= 64;
        }
        result.limbs_[i + b.limbs_.size()] = static_cast<std::uint64_t>(carry);
    }
    result.negative_ = negative_ != b.negative_;
    result.trim();
    return result;
}

}  // namespace scree::tri
