// Registers of as many doubles as the instruction set has, for files that are compiled once for each: SCREE_ISA names
// it. All here is of the file that includes it, so that the linker cannot take one variant for another.
#pragma once

#include <cstring>
#ifdef __x86_64__
#    include <immintrin.h>
#endif
#ifdef __AVX512F__
#    pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC 12 warns of its own header
#endif

#include "core/variant.h"

namespace scree::events {
namespace {

#ifdef __AVX512F__
constexpr int width = 8;
#elif defined(__AVX2__)
constexpr int width = 4;
#else
constexpr int width = 2;
#endif
using Two = double __attribute__((vector_size(16)));
using Four = double __attribute__((vector_size(32)));
using FourPlaces = long long __attribute__((vector_size(32)));
using Lanes = double __attribute__((vector_size(8 * width)));

template <class V>
SCREE_INLINE V load(const double* p) {
    V v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

SCREE_INLINE Lanes all(double x) { return x - Lanes{}; }

// Four numbers from `first` on of each row, one register per number.
#ifdef __AVX2__
SCREE_INLINE void transpose_four(const double* const* rows, int first, Four* out) {
    const Four a = load<Four>(rows[0] + first), b = load<Four>(rows[1] + first), c = load<Four>(rows[2] + first),
               d = load<Four>(rows[3] + first);
    const Four ab_low = __builtin_shuffle(a, b, FourPlaces{0, 4, 2, 6}),
               ab_high = __builtin_shuffle(a, b, FourPlaces{1, 5, 3, 7});
    const Four cd_low = __builtin_shuffle(c, d, FourPlaces{0, 4, 2, 6}),
               cd_high = __builtin_shuffle(c, d, FourPlaces{1, 5, 3, 7});
    out[0] = __builtin_shuffle(ab_low, cd_low, FourPlaces{0, 1, 4, 5});
    out[1] = __builtin_shuffle(ab_high, cd_high, FourPlaces{0, 1, 4, 5});
    out[2] = __builtin_shuffle(ab_low, cd_low, FourPlaces{2, 3, 6, 7});
    out[3] = __builtin_shuffle(ab_high, cd_high, FourPlaces{2, 3, 6, 7});
}
#endif
SCREE_INLINE void transpose(const double* const* rows, int first, Lanes* out) {
#ifdef __AVX512F__
    Four low[4], high[4];
    transpose_four(rows, first, low);
    transpose_four(rows + 4, first, high);
    for (int k = 0; k < 4; ++k) out[k] = __builtin_shufflevector(low[k], high[k], 0, 1, 2, 3, 4, 5, 6, 7);
#elif defined(__AVX2__)
    transpose_four(rows, first, out);
#else
    for (int k = 0; k < 4; k += 2) {
        const Two a = load<Two>(rows[0] + first + k), b = load<Two>(rows[1] + first + k);
        out[k] = Two{a[0], b[0]}, out[k + 1] = Two{a[1], b[1]};
    }
#endif
}

SCREE_INLINE Lanes root_of(Lanes x) {
#ifdef __AVX512F__
    return _mm512_sqrt_pd(x);
#elif defined(__AVX2__)
    return _mm256_sqrt_pd(x);
#elif defined(__x86_64__)
    return _mm_sqrt_pd(x);
#else
    return Lanes{__builtin_sqrt(x[0]), __builtin_sqrt(x[1])};
#endif
}

// A bit for each lane in which two numbers are equal.
SCREE_INLINE unsigned equal_lanes(Lanes a, Lanes b) {
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

SCREE_INLINE double least_of(Lanes v) {
#ifdef __AVX512F__
    return _mm512_reduce_min_pd(v);
#else
    double least = v[0];
    for (int k = 1; k < width; ++k) least = least < v[k] ? least : v[k];
    return least;
#endif
}

}  // namespace
}  // namespace scree::events
