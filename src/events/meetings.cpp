// Compiled once per instruction set, with SCREE_ISA naming the variant.
//
// Flights lie as rows in memory; those of a few neighbors are read whole and transposed, so that each coordinate is one
// register of as many lanes. Rejected: hardware gathers, which read every number by itself, and a loop over arrays
// filled number by number, which waits for them to be written.
#include "events/meetings.h"

#include "core/simd_wide.h"

namespace scree::events {
namespace {

// Whether any of so many neighbors is an image.
SCREE_INLINE bool any_image(const Neighbor* others) {
#ifdef __AVX512F__
    return _mm512_test_epi32_mask(_mm512_loadu_si512(others),
                                  _mm512_set1_epi64(static_cast<long long>(0xffffffff00000000))) != 0;
#elif defined(__AVX2__)
    return !_mm256_testz_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(others)),
                               _mm256_set1_epi64x(static_cast<long long>(0xffffffff00000000)));
#else
    std::uint64_t bits[wide];
    std::memcpy(bits, others, sizeof bits);
    return ((bits[0] | bits[1]) >> 32) != 0;
#endif
}

template <int D, bool weightless>
SCREE_INLINE Meetings meet_falling(const MeetingFrame<D>& frame, std::uint32_t own, const Neighbor* others,
                                   std::size_t n, double* times, std::uint32_t* which) {
    const Flight<D>& a = frame.flights[own];
    const Wide zero = all(0), never = all(forever), half = all(0.5), own_time = all(a.t), own_radius = all(a.radius);
    Wide first = never, least_gap = never, lane;
    for (int m = 0; m < wide; ++m) lane[m] = m;
    const auto time_of = [&](std::size_t k) __attribute__((always_inline)) {
        const Neighbor* const some = others + k;
        const double* rows[wide];
        for (int m = 0; m < wide; ++m) rows[m] = frame.flights[some[m].grain].x;
        const bool images = any_image(some);
        Wide row[8];
        load_columns(rows, 0, row);
        load_columns(rows, 4, row + 4);
        const Wide t = row[2 * D], s = own_time > t ? own_time : t, sa = s - own_time, sb = s - t,
                   reach = own_radius + row[2 * D + 1];
        Wide du = zero, dd = zero, uu = zero;
        for (int c = 0; c < D; ++c) {
            const Wide ax = all(a.x[c]), av = all(a.v[c]), pull = all(frame.g[c]);
            const Wide xa = ax + sa * (weightless ? av : av + half * sa * pull),
                       xb = row[c] + sb * (weightless ? row[D + c] : row[D + c] + half * sb * pull);
            const Wide va = weightless ? av : av + sa * pull, vb = weightless ? row[D + c] : row[D + c] + sb * pull;
            Wide d = xb - xa;
            if (images) {
                Wide shift;
                for (int m = 0; m < wide; ++m) shift[m] = some[m].image[static_cast<std::size_t>(c)] * frame.length[c];
                d += shift;
            }
            const Wide u = vb - va;
            du += d * u;
            dd += d * d;
            uu += u * u;
        }
        const Wide gap = dd - reach * reach, root = du * du - uu * gap;
        const auto counts = lane < all(static_cast<double>(n - k));  // those after the last do not
        const auto meets = counts & (du < zero) & (du * du > all(1e-28) * uu * reach * reach) & (root >= zero);
        const Wide safe = meets ? root : all(1);  // roots of negative numbers are slow
        const Wide later = s + gap / (root_of(safe) - du), time = meets ? (gap <= zero ? s : later) : never;
        first = time < first ? time : first;
        least_gap = counts & (gap < least_gap) ? gap : least_gap;
        return time;
    };
    if (n <= static_cast<std::size_t>(wide)) {  // most lists: what has been computed is still at hand
        const Wide time = time_of(0);
        std::memcpy(times, &time, sizeof time);
        Meetings result{least_of(first), least_of(least_gap), 0};
        if (result.first == forever) return result;
        for (unsigned bits = equal_lanes(time, all(result.first)); bits; bits &= bits - 1)
            which[result.count++] = static_cast<std::uint32_t>(__builtin_ctz(bits));
        return result;
    }
    for (std::size_t k = 0; k < n; k += wide) {
        const Wide time = time_of(k);
        std::memcpy(times + k, &time, sizeof time);
    }
    Meetings result{least_of(first), least_of(least_gap), 0};
    if (result.first == forever) return result;
    const Wide wanted = all(result.first);
    for (std::size_t k = 0; k < n; k += wide)
        for (unsigned bits = equal_lanes(load<Wide>(times + k), wanted); bits; bits &= bits - 1)
            which[result.count++] = static_cast<std::uint32_t>(k) + static_cast<std::uint32_t>(__builtin_ctz(bits));
    return result;
}

template <int D>
Meetings meet(const MeetingFrame<D>& frame, std::uint32_t own, const Neighbor* others, std::size_t n, double* times,
              std::uint32_t* which) {
    return frame.weightless ? meet_falling<D, true>(frame, own, others, n, times, which)
                            : meet_falling<D, false>(frame, own, others, n, times, which);
}

}  // namespace

template <>
MeetFunction<2> meet_function_for<2, isa>() {
    return meet<2>;
}
template <>
MeetFunction<3> meet_function_for<3, isa>() {
    return meet<3>;
}

}  // namespace scree::events
