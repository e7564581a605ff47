// Four doubles in a register: whole rows are loaded, turned into lanes by 4x4 transposition, and back. For files that
// are compiled once per instruction set; names are local to each of them, as its code is.
#pragma once

#include <cstring>

#include "core/variant.h"

namespace scree {
namespace {

using V4 = double __attribute__((vector_size(32)));
using M4 = long long __attribute__((vector_size(32)));
constexpr long long sign_bit = static_cast<long long>(1ull << 63);

SCREE_INLINE V4 load4(const double* p) {
    V4 v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
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

}  // namespace
}  // namespace scree
