// Integers of any size, for the few decisions that doubles cannot make.
//
// Every finite double is an integer times a power of two, so a formula without divisions has an exact value once its
// inputs are brought to a common exponent. Expansions of doubles would do the same work with fewer bits, but they
// overflow and underflow with the range of doubles; integers have no range, so the answer needs no precondition.
// Numbers of up to 14 words live in the object itself: the products of a distance query fit, and nothing is allocated.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "math/vec.h"

namespace scree {

class ExactInteger {
  public:
    ExactInteger() = default;
    ExactInteger(std::int64_t value);  // NOLINT: integers convert without loss
    ExactInteger(const ExactInteger& other);
    ExactInteger(ExactInteger&& other) noexcept;
    ExactInteger& operator=(const ExactInteger& other);
    ExactInteger& operator=(ExactInteger&& other) noexcept;
    ~ExactInteger() = default;

    // value / 2^exponent, which must be an integer (exponent at most exponent_of(value)).
    static ExactInteger from_double(double value, int exponent);

    int sign() const { return size_ == 0 ? 0 : negative_ ? -1 : 1; }
    int bits() const;  // of the magnitude; 0 for zero
    ExactInteger operator-() const;
    ExactInteger abs() const { return negative_ ? -*this : *this; }
    friend ExactInteger operator+(const ExactInteger& a, const ExactInteger& b) { return sum(a, b, b.negative_); }
    friend ExactInteger operator-(const ExactInteger& a, const ExactInteger& b) { return sum(a, b, !b.negative_); }
    friend ExactInteger operator*(const ExactInteger& a, const ExactInteger& b);
    ExactInteger shifted_left(int count) const;
    friend int compare(const ExactInteger& a, const ExactInteger& b);
    friend bool operator==(const ExactInteger& a, const ExactInteger& b) { return compare(a, b) == 0; }
    friend bool operator<(const ExactInteger& a, const ExactInteger& b) { return compare(a, b) < 0; }

    // The value times 2^-(bits() - 53), cut to a double: |result| < 2^53.
    double leading() const;
    std::string decimal() const;

  private:
    static constexpr std::uint32_t inline_words = 14;

    static ExactInteger sum(const ExactInteger& a, const ExactInteger& b, bool b_negative);
    static int compare_magnitude(const ExactInteger& a, const ExactInteger& b);
    void reserve(std::uint32_t words);  // drops the value
    void trim();
    std::uint64_t* words() { return heap_ ? heap_.get() : inline_; }
    const std::uint64_t* words() const { return heap_ ? heap_.get() : inline_; }

    std::uint32_t size_ = 0;  // words in use; the highest is not zero
    bool negative_ = false;
    std::unique_ptr<std::uint64_t[]> heap_;
    std::uint64_t inline_[inline_words];
};

// The largest e such that value is an integer times 2^e; a large number for zero.
int exponent_of(double value);

// The double nearest to numerator / denominator * 2^exponent (denominator > 0); ties to even, as the hardware does.
double nearest_double(const ExactInteger& numerator, const ExactInteger& denominator, int exponent);

// `digits` significant decimal digits of sqrt(numerator / denominator) * 2^exponent (numerator >= 0, denominator > 0),
// correctly rounded.
std::string decimal_sqrt(const ExactInteger& numerator, const ExactInteger& denominator, int exponent, int digits);

struct ExactVec3 {
    ExactInteger x, y, z;
    bool is_zero() const { return x.sign() == 0 && y.sign() == 0 && z.sign() == 0; }
};

ExactVec3 operator+(const ExactVec3& a, const ExactVec3& b);
ExactVec3 operator-(const ExactVec3& a, const ExactVec3& b);
ExactVec3 operator-(const ExactVec3& a);
ExactVec3 operator*(const ExactInteger& s, const ExactVec3& a);
ExactInteger dot(const ExactVec3& a, const ExactVec3& b);
ExactVec3 cross(const ExactVec3& a, const ExactVec3& b);
inline ExactInteger norm2(const ExactVec3& a) { return dot(a, a); }

// v / 2^exponent; the exponent must not exceed that of any component.
ExactVec3 exact_vector(Vec3 v, int exponent);
int common_exponent(std::span<const Vec3> vectors);

// A vector of doubles along v, its largest component in [2^52, 2^53): each component is cut towards zero by less
// than 1.
Vec3 leading_direction(const ExactVec3& v);

}  // namespace scree
