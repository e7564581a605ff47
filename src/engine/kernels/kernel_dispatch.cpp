#include "contact/all_laws.h"
#include "contact/rolling.h"
#include "core/instruction_set.h"
#include "engine/kernels/body_kernel.h"
#include "engine/kernels/kernel.h"

namespace scree {

CollideFunction collide_function(LawKind law, bool rolling) {
    return for_processor([&](auto set) { return collide_function_for<set()>(law, rolling); });
}

BodyKernel body_kernel(LawKind law, bool rolling) {
    return for_processor([&](auto set) { return body_kernel_for<set()>(law, rolling); });
}

const char* kernel_instruction_set() { return name_of(instruction_set()); }

int law_memory_width(LawKind law, bool rolling) {
    int width = 0;
    with_law(law, [&](auto chosen) { width = decltype(chosen)::memory; });
    return width + (rolling ? rolling_memory : 0);
}

}  // namespace scree
