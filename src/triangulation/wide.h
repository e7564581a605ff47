// Integers beyond 128 bits for the exact stage of the predicates: Int256, two's complement modulo 2^256 for values
// whose bound is proved in predicates.cpp, and BigInt, of any length, for doubles whose exponents lie far apart.
#pragma once

#include <cstdint>
#include <vector>

namespace scree::tri {

using Int128 = __int128;
using Uint128 = unsigned __int128;

class Int256 {
  public:
    Int256() = default;
    Int256(Int128 value)  // NOLINT: widening on purpose
        : limb_{static_cast<std::uint64_t>(value), static_cast<std::uint64_t>(value >> 64), value < 0 ? ~0ull : 0,
                value < 0 ? ~0ull : 0} {}

    friend Int256 operator+(const Int256& a, const Int256& b) {
        Int256 sum;
        Uint128 carry = 0;
        for (int k = 0; k < 4; ++k) {
            carry += static_cast<Uint128>(a.limb_[k]) + b.limb_[k];
            sum.limb_[k] = static_cast<std::uint64_t>(carry);
            carry >>= 64;
        }
        return sum;
    }
    friend Int256 operator-(const Int256& a) {
        Int256 flipped;
        for (int k = 0; k < 4; ++k) flipped.limb_[k] = ~a.limb_[k];
        return flipped + Int256(1);
    }
    friend Int256 operator-(const Int256& a, const Int256& b) { return a + -b; }
    friend Int256 operator*(const Int256& a, const Int256& b) {
        Int256 product;
        for (int i = 0; i < 4; ++i) {
            Uint128 carry = 0;
            for (int k = 0; i + k < 4; ++k) {
                carry += static_cast<Uint128>(a.limb_[i]) * b.limb_[k] + product.limb_[i + k];
                product.limb_[i + k] = static_cast<std::uint64_t>(carry);
                carry >>= 64;
            }
        }
        return product;
    }
    int sign() const {
        if (limb_[3] >> 63) return -1;
        return (limb_[0] | limb_[1] | limb_[2] | limb_[3]) != 0;
    }

  private:
    std::uint64_t limb_[4] = {0, 0, 0, 0};  // lowest first
};

// Sign and magnitude, schoolbook arithmetic: it runs only when nothing faster can decide.
class BigInt {
  public:
    BigInt() = default;
    BigInt(std::int64_t value);  // NOLINT: widening on purpose
    // value · 2^-exponent, which must be an integer.
    static BigInt from_double(double value, int exponent);

    BigInt operator+(const BigInt& b) const;
    BigInt operator-() const;
    BigInt operator-(const BigInt& b) const { return *this + -b; }
    BigInt operator*(const BigInt& b) const;
    int sign() const { return limbs_.empty() ? 0 : negative_ ? -1 : 1; }

  private:
    void trim();
    static int compare_magnitude(const BigInt& a, const BigInt& b);

    std::vector<std::uint64_t> limbs_;  // lowest first, no leading zeros; empty is zero
    bool negative_ = false;
};

// The exponent e of the lowest set bit of a finite value: value is an odd multiple of 2^e. Zero gives a large number.
int lowest_bit(double value);

inline int sign_of(Int128 value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }
inline int sign_of(const Int256& value) { return value.sign(); }
inline int sign_of(const BigInt& value) { return value.sign(); }

}  // namespace scree::tri
