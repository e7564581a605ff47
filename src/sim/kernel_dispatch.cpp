#include <cstdlib>
#include <cstring>

#include "contact/all_laws.h"
#include "sim/body_kernel.h"
#include "sim/kernel.h"

namespace scree {

CollideFunction collide_function_baseline(LawKind law, bool rolling);
BallFunction ball_function_baseline(LawKind law, bool rolling);
TurnFunction turn_function_baseline();
#ifdef SCREE_X86_VARIANTS
CollideFunction collide_function_avx2(LawKind law, bool rolling);
CollideFunction collide_function_avx512(LawKind law, bool rolling);
BallFunction ball_function_avx2(LawKind law, bool rolling);
TurnFunction turn_function_avx2();
BallFunction ball_function_avx512(LawKind law, bool rolling);
TurnFunction turn_function_avx512();
#endif

namespace {

struct Variant {
    const char* name;
    CollideFunction (*functions)(LawKind, bool);
    BallFunction (*balls)(LawKind, bool);
    TurnFunction (*turns)();
};

Variant choose() {
    const char* wanted = std::getenv("SCREE_ISA");
    const auto allowed = [&](const char* name) { return !wanted || std::strcmp(wanted, name) == 0; };
#ifdef SCREE_X86_VARIANTS
    __builtin_cpu_init();
    if (allowed("avx512") && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return {"avx512", collide_function_avx512, ball_function_avx512, turn_function_avx512};
    if (allowed("avx2") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma"))
        return {"avx2", collide_function_avx2, ball_function_avx2, turn_function_avx2};
#endif
    (void)allowed;
    return {"baseline", collide_function_baseline, ball_function_baseline, turn_function_baseline};
}

}  // namespace

CollideFunction collide_function(LawKind law, bool rolling) { return choose().functions(law, rolling); }

BallFunction ball_function(LawKind law, bool rolling) { return choose().balls(law, rolling); }

TurnFunction turn_function() { return choose().turns(); }

const char* kernel_instruction_set() { return choose().name; }

int law_memory_width(LawKind law, bool rolling) {
    int width = 0;
    with_law(law, [&](auto chosen) { width = decltype(chosen)::memory; });
    return width + (rolling ? 3 : 0);
}

}  // namespace scree
