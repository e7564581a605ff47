// Registers of doubles: whole rows are loaded, turned into lanes by transposition, and back. For files that are
// compiled once per instruction set (core/instruction_set.h) and for headers that serve them; names are local to each
// file, as its code is, so that the linker cannot take one variant for another.
#pragma once

#include <cstring>
#ifdef __x86_64__
#    include <immintrin.h>
#endif
#if defined(__AVX512F__) && !defined(__clang__)
#    pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC 12 warns of its own header
#endif

#include "core/inline.h"

namespace scree {
namespace {

// ---- Four doubles ---------------------------------------------------------------------------------------------------

using V2 = double __attribute__((vector_size(16)));
using V4 = double __attribute__((vector_size(32)));
using M4 = long long __attribute__((vector_size(32)));
constexpr long long sign_bit = static_cast<long long>(1ull << 63);

template <class V>
SCREE_INLINE V load(const double* p) {
    V v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
SCREE_INLINE V4 load4(const double* p) { return load<V4>(p); }
SCREE_INLINE void store4(double* p, V4 v) { std::memcpy(p, &v, sizeof v); }
SCREE_INLINE V4 flip_first_three(V4 v) { return (V4)((M4)v ^ M4{sign_bit, sign_bit, sign_bit, 0}); }
SCREE_INLINE V4 drop_last(V4 v) { return (V4)((M4)v & M4{-1, -1, -1, 0}); }
SCREE_INLINE void transpose(V4& a, V4& b, V4& c, V4& d) {
    const V4 ab_low = __builtin_shuffle(a, b, M4{0, 4, 2, 6}), ab_high = __builtin_shuffle(a, b, M4{1, 5, 3, 7});
    const V4 cd_low = __builtin_shuffle(c, d, M4{0, 4, 2, 6}), cd_high = __builtin_shuffle(c, d, M4{1, 5, 3, 7});
    a = __builtin_shuffle(ab_low, cd_low, M4{0, 1, 4, 5});
    b = __builtin_shuffle(ab_high, cd_high, M4{0, 1, 4, 5});
    c = __builtin_shuffle(ab_low, cd_low, M4{2, 3, 6, 7});
    d = __builtin_shuffle(ab_high, cd_high, M4{2, 3, 6, 7});
}
SCREE_INLINE void transpose(V4 (&v)[4]) { transpose(v[0], v[1], v[2], v[3]); }

// ---- Eight doubles --------------------------------------------------------------------------------------------------

// Sums and products of these cost nothing where registers are narrower, shuffles and comparisons do.
using V8 = double __attribute__((vector_size(64)));
using M8 = long long __attribute__((vector_size(64)));

SCREE_INLINE V8 join(V4 low, V4 high) { return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7); }
SCREE_INLINE V4 low_half(V8 v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3); }
SCREE_INLINE V4 high_half(V8 v) { return __builtin_shufflevector(v, v, 4, 5, 6, 7); }
// Of the low halves and of the high ones, each for itself.
SCREE_INLINE void transpose_halves(V8& a, V8& b, V8& c, V8& d) {
    const V8 ab_low = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
    const V8 ab_high = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
    const V8 cd_low = __builtin_shufflevector(c, d, 0, 8, 2, 10, 4, 12, 6, 14);
    const V8 cd_high = __builtin_shufflevector(c, d, 1, 9, 3, 11, 5, 13, 7, 15);
    a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 8, 9, 4, 5, 12, 13);
    b = __builtin_shufflevector(ab_high, cd_high, 0, 1, 8, 9, 4, 5, 12, 13);
    c = __builtin_shufflevector(ab_low, cd_low, 2, 3, 10, 11, 6, 7, 14, 15);
    d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 10, 11, 6, 7, 14, 15);
}

// A row of eight doubles: one register with AVX-512, two halves otherwise. Shuffles stay within the halves.
#ifdef __AVX512F__
using Row8 = V8;

SCREE_INLINE Row8 load_row(const double* p) { return load<V8>(p); }
SCREE_INLINE void store_row(double* p, Row8 v) { std::memcpy(p, &v, sizeof v); }
SCREE_INLINE Row8 from_halves(const double* low, const double* high) { return join(load4(low), load4(high)); }
SCREE_INLINE void store_halves(Row8 v, double* low, double* high) {
    store4(low, low_half(v));
    store4(high, high_half(v));
}
// The first three numbers of each half with their signs turned.
SCREE_INLINE Row8 flip_vectors(Row8 v) {
    return (Row8)((M8)v ^ M8{sign_bit, sign_bit, sign_bit, 0, sign_bit, sign_bit, sign_bit, 0});
}
// Of the lower half alone, and the last numbers dropped.
SCREE_INLINE Row8 reaction(Row8 v) {
    return (Row8)(((M8)v ^ M8{sign_bit, sign_bit, sign_bit, 0, 0, 0, 0, 0}) & M8{-1, -1, -1, 0, -1, -1, -1, 0});
}
SCREE_INLINE Row8 plus_high(Row8 v, V4 add) { return v + join(V4{}, add); }
#else
struct Row8 {
    V4 low, high;
};
SCREE_INLINE Row8 operator+(const Row8& a, const Row8& b) { return {a.low + b.low, a.high + b.high}; }
SCREE_INLINE Row8 load_row(const double* p) { return {load4(p), load4(p + 4)}; }
SCREE_INLINE void store_row(double* p, const Row8& v) {
    store4(p, v.low);
    store4(p + 4, v.high);
}
SCREE_INLINE Row8 from_halves(const double* low, const double* high) { return {load4(low), load4(high)}; }
SCREE_INLINE void store_halves(const Row8& v, double* low, double* high) {
    store4(low, v.low);
    store4(high, v.high);
}
SCREE_INLINE Row8 flip_vectors(const Row8& v) { return {flip_first_three(v.low), flip_first_three(v.high)}; }
SCREE_INLINE Row8 reaction(const Row8& v) { return {drop_last(flip_first_three(v.low)), drop_last(v.high)}; }
SCREE_INLINE Row8 plus_high(const Row8& v, V4 add) { return {v.low, v.high + add}; }
SCREE_INLINE void transpose_halves(Row8& a, Row8& b, Row8& c, Row8& d) {
    transpose(a.low, b.low, c.low, d.low);
    transpose(a.high, b.high, c.high, d.high);
}
#endif

// ---- As many doubles as a register has ------------------------------------------------------------------------------

#ifdef __AVX512F__
constexpr int wide = 8;
#elif defined(__AVX2__)
constexpr int wide = 4;
#else
constexpr int wide = 2;
#endif
using Wide = double __attribute__((vector_size(8 * wide)));

SCREE_INLINE Wide all(double x) { return x - Wide{}; }

// Four numbers from `first` on of each of `wide` rows, one register per number.
SCREE_INLINE void transpose(const double* const* rows, int first, Wide* out) {
#ifdef __AVX2__
    const auto four = [&](const double* const* some, V4(&to)[4]) __attribute__((always_inline)) {
        for (int k = 0; k < 4; ++k) to[k] = load4(some[k] + first);
        transpose(to);
    };
#    ifdef __AVX512F__
    V4 low[4], high[4];
    four(rows, low);
    four(rows + 4, high);
    for (int k = 0; k < 4; ++k) out[k] = join(low[k], high[k]);
#    else
    V4 columns[4];
    four(rows, columns);
    for (int k = 0; k < 4; ++k) out[k] = columns[k];
#    endif
#else
    for (int k = 0; k < 4; k += 2) {
        const V2 a = load<V2>(rows[0] + first + k), b = load<V2>(rows[1] + first + k);
        out[k] = V2{a[0], b[0]};
        out[k + 1] = V2{a[1], b[1]};
    }
#endif
}

SCREE_INLINE Wide root_of(Wide x) {
#ifdef __AVX512F__
    return _mm512_sqrt_pd(x);
#elif defined(__AVX2__)
    return _mm256_sqrt_pd(x);
#elif defined(__x86_64__)
    return _mm_sqrt_pd(x);
#else
    return Wide{__builtin_sqrt(x[0]), __builtin_sqrt(x[1])};
#endif
}

// A bit for each lane in which two numbers are equal.
SCREE_INLINE unsigned equal_lanes(Wide a, Wide b) {
#ifdef __AVX512F__
    return _mm512_cmpeq_pd_mask(a, b);
#elif defined(__AVX2__)
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_EQ_OQ)));
#elif defined(__x86_64__)
    return static_cast<unsigned>(_mm_movemask_pd(_mm_cmpeq_pd(a, b)));
#else
    return static_cast<unsigned>(a[0] == b[0]) | static_cast<unsigned>(a[1] == b[1]) << 1;
#endif
}

// A bit for each lane of the result of a comparison.
template <class Mask>
SCREE_INLINE unsigned bits_of(Mask mask) {
#ifdef __AVX512F__
    return _mm512_movepi64_mask((__m512i)mask);
#elif defined(__AVX2__)
    return static_cast<unsigned>(_mm256_movemask_pd((__m256d)mask));
#elif defined(__x86_64__)
    return static_cast<unsigned>(_mm_movemask_pd((__m128d)mask));
#else
    return static_cast<unsigned>(mask[0] != 0) | static_cast<unsigned>(mask[1] != 0) << 1;
#endif
}

SCREE_INLINE double least_of(Wide v) {
#ifdef __AVX512F__
    return _mm512_reduce_min_pd(v);
#else
    double least = v[0];
    for (int k = 1; k < wide; ++k) least = least < v[k] ? least : v[k];
    return least;
#endif
}

}  // namespace
}  // namespace scree
