#include "contact/all_laws.h"
#include "contact/rolling.h"
#include "core/instruction_set.h"
#include "engine/kernels/body_kernel.h"
#include "engine/kernels/kernel.h"

namespace scree {

CollideFunction collide_function(std::span<const LawKind> laws, bool rolling) {
    return for_processor([&](auto set) { return collide_function_for<set()>(laws, rolling); });
}

BodyKernel body_kernel() {
    return for_processor([&](auto set) { return body_kernel_for<set()>(); });
}

const char* kernel_instruction_set() { return name_of(instruction_set()); }

int law_memory_width(std::span<const LawKind> laws, bool rolling) {
    int width = largest_law_memory;
    if (laws.size() == 1) with_law(laws[0], [&](auto chosen) { width = decltype(chosen)::memory; });
    return width + (rolling ? rolling_memory : 0);
}

}  // namespace scree
