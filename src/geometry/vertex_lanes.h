// The farthest of many vertices along a direction, eight at a time: blocks of 8 x, 8 y, 8 z. The last block of a body
// is filled up with copies of its vertex 0.
//
// Lanes and their order do not depend on the machine, so neither does the vertex chosen among equals.
#pragma once

#include <array>
#include <bit>

#include "core/simd.h"
#include "math/vec.h"

namespace scree {

constexpr int scan_width = 8;

// x, y, z of a block along d.
SCREE_INLINE TwoV4 along(const double* block, Vec3 d) {
    return load_two(block) * d.x + load_two(block + scan_width) * d.y + load_two(block + 2 * scan_width) * d.z;
}
SCREE_INLINE void store_along(const double* block, Vec3 d, double* to) {
    store(to, load<V8>(block) * d.x + load<V8>(block + scan_width) * d.y + load<V8>(block + 2 * scan_width) * d.z);
}

// A running maximum per lane, and whose it is.
struct Farthest {
    TwoV4 best;
    M4 low, high;

    SCREE_INLINE Farthest(const TwoV4& values, long long first)
        : best(values),
          low(M4{0, 1, 2, 3} + first),
          high(M4{4, 5, 6, 7} + first) {}
    // All lanes of one name.
    SCREE_INLINE Farthest(double value, const M4& name)
        : best{{value, value, value, value}, {value, value, value, value}},
          low(name),
          high(name) {}
    SCREE_INLINE void meet(const TwoV4& values, long long first) {
        low = values.low > best.low ? M4{0, 1, 2, 3} + first : low;
        high = values.high > best.high ? M4{4, 5, 6, 7} + first : high;
        best = {larger(values.low, best.low), larger(values.high, best.high)};
    }
    // The name at the largest of all, the lower lane winning ties.
    SCREE_INLINE int winner() const {
        const V4 best4 = larger(best.high, best.low);
        const M4 name4 = best.high > best.low ? high : low;
        const V4 other2 = shuffled<2, 3, 2, 3>(best4);
        const V4 best2 = larger(other2, best4);
        const M4 name2 = other2 > best4 ? shuffled<2, 3, 2, 3>(name4) : name4;
        return static_cast<int>(best2[1] > best2[0] ? name2[1] : name2[0]);
    }
};

// The vertex farthest along d (where a filler never wins: it can only tie with vertex 0, which is in the lowest lane).
SCREE_INLINE int scan_lanes(const double* block, int padded, Vec3 d) {
    Farthest farthest(along(block, d), 0);
    for (int k = scan_width; k < padded; k += scan_width) farthest.meet(along(block + 3 * k, d), k);
    return farthest.winner();
}

// The two vertices farthest along d, but for the last digits: names replace the lowest bits of the products, so that
// maxima carry them along. At most 128 vertices; a filler may come second.
SCREE_INLINE std::array<int, 2> scan_for_two(const double* block, int padded, Vec3 d) {
    constexpr long long names = 127;
    V4 first{}, second{};
    // The best two of what is there and of a pair, the larger first.
    const auto meet = [&](const V4& more, const V4& less) __attribute__((always_inline)) {
        const V4 runner_up = smaller(first, more);
        second = larger(second, less);
        second = larger(second, runner_up);
        first = larger(first, more);
    };
#pragma GCC unroll 2
    for (int k = 0; k < padded; k += scan_width) {
        const TwoV4 values = along(block + 3 * k, d);
        const auto low = (V4)(((M4)values.low & ~names) | (M4{0, 1, 2, 3} + k));
        const auto high = (V4)(((M4)values.high & ~names) | (M4{4, 5, 6, 7} + k));
        if (k == 0) {
            first = larger(low, high);
            second = smaller(low, high);
        } else {
            meet(larger(low, high), smaller(low, high));
        }
    }
    // Four lanes to two and to one.
    meet(shuffled<2, 3, 2, 3>(first), shuffled<2, 3, 2, 3>(second));
    meet(shuffled<1, 0, 3, 2>(first), shuffled<1, 0, 3, 2>(second));
    const auto name = [](double value) { return static_cast<int>(std::bit_cast<long long>(value) & names); };
    return {name(first[0]), name(second[0])};
}

}  // namespace scree
