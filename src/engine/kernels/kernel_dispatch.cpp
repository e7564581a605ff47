#include "contact/all_laws.h"
#include "contact/rolling.h"
#include "core/instruction_set.h"
#include "engine/kernels/body_kernel.h"
#include "engine/kernels/kernel.h"

namespace scree {

CollideFunction collide_function_baseline(LawKind law, bool rolling);
BodyKernel body_kernel_baseline(LawKind law, bool rolling);
#ifdef SCREE_X86_VARIANTS
CollideFunction collide_function_avx2(LawKind law, bool rolling);
CollideFunction collide_function_avx512(LawKind law, bool rolling);
BodyKernel body_kernel_avx2(LawKind law, bool rolling);
BodyKernel body_kernel_avx512(LawKind law, bool rolling);
#endif

namespace {

struct Variant {
    CollideFunction (*functions)(LawKind, bool);
    BodyKernel (*bodies)(LawKind, bool);
};

Variant choose() {
#ifdef SCREE_X86_VARIANTS
    if (instruction_set() == InstructionSet::avx512) return {collide_function_avx512, body_kernel_avx512};
    if (instruction_set() == InstructionSet::avx2) return {collide_function_avx2, body_kernel_avx2};
#endif
    return {collide_function_baseline, body_kernel_baseline};
}

}  // namespace

CollideFunction collide_function(LawKind law, bool rolling) { return choose().functions(law, rolling); }

BodyKernel body_kernel(LawKind law, bool rolling) { return choose().bodies(law, rolling); }

const char* kernel_instruction_set() { return name_of(instruction_set()); }

int law_memory_width(LawKind law, bool rolling) {
    int width = 0;
    with_law(law, [&](auto chosen) { width = decltype(chosen)::memory; });
    return width + (rolling ? rolling_memory : 0);
}

}  // namespace scree
