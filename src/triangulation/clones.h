// One compiled version of a function per instruction set, chosen at start-up. Only for filters, whose answers are
// certified and therefore need not have equal bits everywhere. Sanitizers do not survive the resolver.
#pragma once

#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__clang__)
#    define SCREE_CLONES __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#    define SCREE_CLONES
#endif

namespace scree::tri {

typedef double Four __attribute__((vector_size(32)));
typedef long long FourInts __attribute__((vector_size(32)));

// Rows to columns of a 4×4 matrix held in four vectors.
#define SCREE_TRANSPOSE(r0, r1, r2, r3)                                  \
    {                                                                    \
        const Four t0 = __builtin_shuffle(r0, r1, FourInts{0, 4, 2, 6}); \
        const Four t1 = __builtin_shuffle(r0, r1, FourInts{1, 5, 3, 7}); \
        const Four t2 = __builtin_shuffle(r2, r3, FourInts{0, 4, 2, 6}); \
        const Four t3 = __builtin_shuffle(r2, r3, FourInts{1, 5, 3, 7}); \
        r0 = __builtin_shuffle(t0, t2, FourInts{0, 1, 4, 5});            \
        r1 = __builtin_shuffle(t1, t3, FourInts{0, 1, 4, 5});            \
        r2 = __builtin_shuffle(t0, t2, FourInts{2, 3, 6, 7});            \
        r3 = __builtin_shuffle(t1, t3, FourInts{2, 3, 6, 7});            \
    }

typedef double Eight __attribute__((vector_size(64)));
typedef long long EightInts __attribute__((vector_size(64)));
typedef std::int32_t EightIndices __attribute__((vector_size(32), may_alias));
typedef std::int32_t FourIndices __attribute__((vector_size(16), may_alias));
typedef double SiteRow __attribute__((vector_size(32), may_alias));

// Rows of eight sites as columns; their places (in doubles) are at[0], at[stride], ...
__attribute__((always_inline)) inline void columns(const double* rows, const std::int32_t* at, int stride,
                                                   Eight (&out)[4]) {
    Eight p[4];
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
        const SiteRow low = *reinterpret_cast<const SiteRow*>(rows + at[k * stride]);
        const SiteRow high = *reinterpret_cast<const SiteRow*>(rows + at[(k + 4) * stride]);
        p[k] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
    }
    const Eight t0 = __builtin_shufflevector(p[0], p[1], 0, 8, 2, 10, 4, 12, 6, 14);
    const Eight t1 = __builtin_shufflevector(p[0], p[1], 1, 9, 3, 11, 5, 13, 7, 15);
    const Eight t2 = __builtin_shufflevector(p[2], p[3], 0, 8, 2, 10, 4, 12, 6, 14);
    const Eight t3 = __builtin_shufflevector(p[2], p[3], 1, 9, 3, 11, 5, 13, 7, 15);
    out[0] = __builtin_shufflevector(t0, t2, 0, 1, 8, 9, 4, 5, 12, 13);
    out[1] = __builtin_shufflevector(t1, t3, 0, 1, 8, 9, 4, 5, 12, 13);
    out[2] = __builtin_shufflevector(t0, t2, 2, 3, 10, 11, 6, 7, 14, 15);
    out[3] = __builtin_shufflevector(t1, t3, 2, 3, 10, 11, 6, 7, 14, 15);
}

// The compiler would keep what was just stored in vectors and take it out again piece by piece; loads are faster.
#define SCREE_IN_MEMORY(x) __asm__ volatile("" : "+m"(x))

}  // namespace scree::tri
