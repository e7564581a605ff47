// One compiled version of a function per instruction set, chosen at start-up. Only for filters, whose answers are certified
// and therefore need not have equal bits everywhere. Sanitizers do not survive the resolver.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define SCREE_CLONES __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define SCREE_CLONES
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

}  // namespace scree::tri
