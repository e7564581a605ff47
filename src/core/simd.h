// Registers of doubles: whole rows are loaded, turned into lanes by transposition, and back.
//
// Functions vanish into their callers (SCREE_INLINE), in all files with the same meaning. What depends on the
// instruction set that a file is compiled for (core/instruction_set.h) is local to the file, as its code is, so that
// the linker cannot take one variant for another. core/simd_wide.h has registers as wide as the processor's.
#pragma once

#include <cstring>

#include "core/inline.h"

// Vectors as arguments: nothing here is ever called, and GCC 12 takes halves that are joined for uninitialised.
#pragma GCC diagnostic ignored "-Wpsabi"
#if defined(__AVX512F__) && !defined(__clang__)
#    pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace scree {

template <class V>
SCREE_INLINE V load(const double* p) {
    V v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
template <class V>
SCREE_INLINE void store(double* p, const V& v) {
    std::memcpy(p, &v, sizeof v);
}
// The numbers at the given places, of one vector or of two in a row.
template <int... from, class V>
SCREE_INLINE V shuffled(const V& v) {
    return __builtin_shufflevector(v, v, from...);
}
template <int... from, class V>
SCREE_INLINE V shuffled(const V& a, const V& b) {
    return __builtin_shufflevector(a, b, from...);
}
template <class V>
SCREE_INLINE V larger(const V& a, const V& b) {
    return a > b ? a : b;
}
template <class V>
SCREE_INLINE V smaller(const V& a, const V& b) {
    return a < b ? a : b;
}

// ---- Four doubles ---------------------------------------------------------------------------------------------------

using V2 = double __attribute__((vector_size(16)));
using V4 = double __attribute__((vector_size(32)));
using M4 = long long __attribute__((vector_size(32)));
constexpr long long sign_bit = static_cast<long long>(1ull << 63);

SCREE_INLINE V4 load4(const double* p) { return load<V4>(p); }
SCREE_INLINE void store4(double* p, V4 v) { store(p, v); }
SCREE_INLINE V4 flip_first_three(V4 v) { return (V4)((M4)v ^ M4{sign_bit, sign_bit, sign_bit, 0}); }
SCREE_INLINE V4 drop_last(V4 v) { return (V4)((M4)v & M4{-1, -1, -1, 0}); }
SCREE_INLINE void transpose(V4& a, V4& b, V4& c, V4& d) {
    const V4 ab_low = shuffled<0, 4, 2, 6>(a, b), ab_high = shuffled<1, 5, 3, 7>(a, b);
    const V4 cd_low = shuffled<0, 4, 2, 6>(c, d), cd_high = shuffled<1, 5, 3, 7>(c, d);
    a = shuffled<0, 1, 4, 5>(ab_low, cd_low);
    b = shuffled<0, 1, 4, 5>(ab_high, cd_high);
    c = shuffled<2, 3, 6, 7>(ab_low, cd_low);
    d = shuffled<2, 3, 6, 7>(ab_high, cd_high);
}
SCREE_INLINE void transpose(V4 (&v)[4]) { transpose(v[0], v[1], v[2], v[3]); }

// ---- Eight doubles --------------------------------------------------------------------------------------------------

// In one vector: sums and products cost nothing where registers are narrower, but compilers take shuffles and
// comparisons apart, lane by lane.
using V8 = double __attribute__((vector_size(64)));
using M8 = long long __attribute__((vector_size(64)));

SCREE_INLINE V8 join(V4 low, V4 high) { return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7); }
SCREE_INLINE V4 low_half(V8 v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3); }
SCREE_INLINE V4 high_half(V8 v) { return __builtin_shufflevector(v, v, 4, 5, 6, 7); }
// Of the low halves and of the high ones, each for itself.
SCREE_INLINE void transpose_halves(V8& a, V8& b, V8& c, V8& d) {
    const V8 ab_low = shuffled<0, 8, 2, 10, 4, 12, 6, 14>(a, b), ab_high = shuffled<1, 9, 3, 11, 5, 13, 7, 15>(a, b);
    const V8 cd_low = shuffled<0, 8, 2, 10, 4, 12, 6, 14>(c, d), cd_high = shuffled<1, 9, 3, 11, 5, 13, 7, 15>(c, d);
    a = shuffled<0, 1, 8, 9, 4, 5, 12, 13>(ab_low, cd_low);
    b = shuffled<0, 1, 8, 9, 4, 5, 12, 13>(ab_high, cd_high);
    c = shuffled<2, 3, 10, 11, 6, 7, 14, 15>(ab_low, cd_low);
    d = shuffled<2, 3, 10, 11, 6, 7, 14, 15>(ab_high, cd_high);
}
SCREE_INLINE void store_halves(V8 v, double* low, double* high) {
    store4(low, low_half(v));
    store4(high, high_half(v));
}
// The first three numbers of each half with their signs turned.
SCREE_INLINE V8 flip_vectors(V8 v) {
    return (V8)((M8)v ^ M8{sign_bit, sign_bit, sign_bit, 0, sign_bit, sign_bit, sign_bit, 0});
}
// Of the lower half alone, and the last numbers dropped.
SCREE_INLINE V8 reaction(V8 v) {
    return (V8)(((M8)v ^ M8{sign_bit, sign_bit, sign_bit, 0, 0, 0, 0, 0}) & M8{-1, -1, -1, 0, -1, -1, -1, 0});
}
SCREE_INLINE V8 plus_high(V8 v, V4 add) { return v + join(V4{}, add); }

// In two vectors of four.
struct TwoV4 {
    V4 low, high;
};
SCREE_INLINE TwoV4 load_two(const double* p) { return {load4(p), load4(p + 4)}; }
SCREE_INLINE void store(double* p, const TwoV4& v) {
    store4(p, v.low);
    store4(p + 4, v.high);
}
SCREE_INLINE TwoV4 operator+(const TwoV4& a, const TwoV4& b) { return {a.low + b.low, a.high + b.high}; }
SCREE_INLINE TwoV4 operator*(const TwoV4& a, double b) { return {a.low * b, a.high * b}; }
SCREE_INLINE void transpose_halves(TwoV4& a, TwoV4& b, TwoV4& c, TwoV4& d) {
    transpose(a.low, b.low, c.low, d.low);
    transpose(a.high, b.high, c.high, d.high);
}
SCREE_INLINE void store_halves(const TwoV4& v, double* low, double* high) {
    store4(low, v.low);
    store4(high, v.high);
}
SCREE_INLINE TwoV4 flip_vectors(const TwoV4& v) { return {flip_first_three(v.low), flip_first_three(v.high)}; }
SCREE_INLINE TwoV4 reaction(const TwoV4& v) { return {drop_last(flip_first_three(v.low)), drop_last(v.high)}; }
SCREE_INLINE TwoV4 plus_high(const TwoV4& v, V4 add) { return {v.low, v.high + add}; }

// A row of eight doubles: one register with AVX-512, two halves otherwise.
namespace {
#ifdef __AVX512F__
using Row8 = V8;
SCREE_INLINE Row8 load_row(const double* p) { return load<V8>(p); }
SCREE_INLINE Row8 from_halves(const double* low, const double* high) { return join(load4(low), load4(high)); }
#else
using Row8 = TwoV4;
SCREE_INLINE Row8 load_row(const double* p) { return load_two(p); }
SCREE_INLINE Row8 from_halves(const double* low, const double* high) { return {load4(low), load4(high)}; }
#endif
SCREE_INLINE void store_row(double* p, const Row8& v) { store(p, v); }
}  // namespace

}  // namespace scree
