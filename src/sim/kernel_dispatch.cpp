#include "contact/all_laws.h"
#include "core/instruction_set.h"
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
    CollideFunction (*functions)(LawKind, bool);
    BallFunction (*balls)(LawKind, bool);
    TurnFunction (*turns)();
};

Variant choose() {
#ifdef SCREE_X86_VARIANTS
    if (instruction_set() == InstructionSet::avx512) return {collide_function_avx512, ball_function_avx512, turn_function_avx512};
    if (instruction_set() == InstructionSet::avx2) return {collide_function_avx2, ball_function_avx2, turn_function_avx2};
#endif
    return {collide_function_baseline, ball_function_baseline, turn_function_baseline};
}

}  // namespace

CollideFunction collide_function(LawKind law, bool rolling) { return choose().functions(law, rolling); }

BallFunction ball_function(LawKind law, bool rolling) { return choose().balls(law, rolling); }

TurnFunction turn_function() { return choose().turns(); }

const char* kernel_instruction_set() { return name_of(instruction_set()); }

int law_memory_width(LawKind law, bool rolling) {
    int width = 0;
    with_law(law, [&](auto chosen) { width = decltype(chosen)::memory; });
    return width + (rolling ? 3 : 0);
}

}  // namespace scree
