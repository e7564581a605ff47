// Compiled once per instruction set, with SCREE_ISA naming the variant.
//
// Flights lie as rows in memory; those of a few neighbors are read whole and transposed, so that each coordinate is one
// register of as many lanes. Rejected: hardware gathers, which read every number by itself, and a loop over arrays filled
// number by number, which waits for them to be written.
#include "events/meetings.h"

#include <cstring>
#ifdef __x86_64__
#include <immintrin.h>
#endif
#ifdef __AVX512F__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC 12 warns of its own header
#endif

#ifndef SCREE_ISA
#error "define SCREE_ISA, the name of the instruction set this file is compiled for"
#endif
#define SCREE_JOIN2(a, b) a##b
#define SCREE_JOIN(a, b) SCREE_JOIN2(a, b)
#define SCREE_INLINE inline __attribute__((always_inline))

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
    const Four a = load<Four>(rows[0] + first), b = load<Four>(rows[1] + first), c = load<Four>(rows[2] + first), d = load<Four>(rows[3] + first);
    const Four ab_low = __builtin_shuffle(a, b, FourPlaces{0, 4, 2, 6}), ab_high = __builtin_shuffle(a, b, FourPlaces{1, 5, 3, 7});
    const Four cd_low = __builtin_shuffle(c, d, FourPlaces{0, 4, 2, 6}), cd_high = __builtin_shuffle(c, d, FourPlaces{1, 5, 3, 7});
    out[0] = __builtin_shuffle(ab_low, cd_low, FourPlaces{0, 1, 4, 5}), out[1] = __builtin_shuffle(ab_high, cd_high, FourPlaces{0, 1, 4, 5});
    out[2] = __builtin_shuffle(ab_low, cd_low, FourPlaces{2, 3, 6, 7}), out[3] = __builtin_shuffle(ab_high, cd_high, FourPlaces{2, 3, 6, 7});
}
#endif
SCREE_INLINE void transpose(const double* const* rows, int first, Lanes* out) {
#ifdef __AVX512F__
    Four low[4], high[4];
    transpose_four(rows, first, low), transpose_four(rows + 4, first, high);
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

// Whether any of so many neighbors is an image.
SCREE_INLINE bool any_image(const Neighbor* others) {
#ifdef __AVX512F__
    return _mm512_test_epi32_mask(_mm512_loadu_si512(others), _mm512_set1_epi64(static_cast<long long>(0xffffffff00000000))) != 0;
#elif defined(__AVX2__)
    return !_mm256_testz_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(others)), _mm256_set1_epi64x(static_cast<long long>(0xffffffff00000000)));
#else
    std::uint64_t bits[width];
    std::memcpy(bits, others, sizeof bits);
    return ((bits[0] | bits[1]) >> 32) != 0;
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

template <int D, bool weightless>
SCREE_INLINE Meetings meet_falling(const MeetingFrame<D>& frame, std::uint32_t own, const Neighbor* others, std::size_t n, double* times, std::uint32_t* which) {
    const Flight<D>& a = frame.flights[own];
    const Lanes zero = all(0), never = all(forever), half = all(0.5), own_time = all(a.t), own_radius = all(a.radius);
    Lanes first = never, least_gap = never, lane;
    for (int m = 0; m < width; ++m) lane[m] = m;
    for (std::size_t k = 0; k < n; k += width) {
        const Neighbor* const some = others + k;
        const double* rows[width];
        for (int m = 0; m < width; ++m) rows[m] = frame.flights[some[m].grain].x;
        const bool images = any_image(some);
        Lanes row[8];
        transpose(rows, 0, row), transpose(rows, 4, row + 4);
        const Lanes t = row[2 * D], s = own_time > t ? own_time : t, sa = s - own_time, sb = s - t, reach = own_radius + row[2 * D + 1];
        Lanes du = zero, dd = zero, uu = zero;
        for (int c = 0; c < D; ++c) {
            const Lanes ax = all(a.x[c]), av = all(a.v[c]), pull = all(frame.g[c]);
            const Lanes xa = ax + sa * (weightless ? av : av + half * sa * pull), xb = row[c] + sb * (weightless ? row[D + c] : row[D + c] + half * sb * pull);
            const Lanes va = weightless ? av : av + sa * pull, vb = weightless ? row[D + c] : row[D + c] + sb * pull;
            Lanes d = xb - xa;
            if (images) {
                Lanes shift;
                for (int m = 0; m < width; ++m) shift[m] = some[m].image[static_cast<std::size_t>(c)] * frame.length[c];
                d += shift;
            }
            const Lanes u = vb - va;
            du += d * u, dd += d * d, uu += u * u;
        }
        const Lanes gap = dd - reach * reach, root = du * du - uu * gap;
        const auto counts = lane < all(static_cast<double>(n - k));  // those after the last do not
        const auto meets = counts & (du < zero) & (du * du > all(1e-28) * uu * reach * reach) & (root >= zero);
        const Lanes safe = meets ? root : all(1);  // roots of negative numbers are slow
        const Lanes later = s + gap / (root_of(safe) - du), time = meets ? (gap <= zero ? s : later) : never;
        std::memcpy(times + k, &time, sizeof time);
        first = time < first ? time : first;
        least_gap = counts & (gap < least_gap) ? gap : least_gap;
    }
    Meetings result{least_of(first), least_of(least_gap), 0};
    if (result.first == forever) return result;
    const Lanes wanted = all(result.first);
    for (std::size_t k = 0; k < n; k += width)
        for (unsigned bits = equal_lanes(load<Lanes>(times + k), wanted); bits; bits &= bits - 1)
            which[result.count++] = static_cast<std::uint32_t>(k) + static_cast<std::uint32_t>(__builtin_ctz(bits));
    return result;
}

template <int D>
Meetings meet(const MeetingFrame<D>& frame, std::uint32_t own, const Neighbor* others, std::size_t n, double* times, std::uint32_t* which) {
    return frame.weightless ? meet_falling<D, true>(frame, own, others, n, times, which) : meet_falling<D, false>(frame, own, others, n, times, which);
}

}  // namespace

MeetFunction<2> SCREE_JOIN(meet_in_plane_, SCREE_ISA)() { return meet<2>; }
MeetFunction<3> SCREE_JOIN(meet_in_space_, SCREE_ISA)() { return meet<3>; }

}  // namespace scree::events
