// Registers as wide as the processor's, for files that are compiled once per instruction set.
#pragma once

#ifdef __x86_64__
#    include <immintrin.h>
#endif

#include "core/simd.h"

namespace scree {
namespace {

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
SCREE_INLINE void load_columns(const double* const* rows, int first, Wide* out) {
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
