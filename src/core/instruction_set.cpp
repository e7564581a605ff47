#include "core/instruction_set.h"

#include <cstdlib>
#include <cstring>

namespace scree {

const char* name_of(InstructionSet set) {
    return set == InstructionSet::avx512 ? "avx512" : set == InstructionSet::avx2 ? "avx2" : "baseline";
}

namespace {

InstructionSet look() {
#ifdef __x86_64__
    const char* wanted = std::getenv("SCREE_ISA");
    const auto allowed = [&](InstructionSet set) { return !wanted || std::strcmp(wanted, name_of(set)) == 0; };
    __builtin_cpu_init();
    if (allowed(InstructionSet::avx512) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return InstructionSet::avx512;
    if (allowed(InstructionSet::avx2) && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("fma"))
        return InstructionSet::avx2;
#endif
    return InstructionSet::baseline;
}

}  // namespace

InstructionSet instruction_set() {
    const InstructionSet set = look();
    chosen_instruction_set.store(static_cast<int>(set), std::memory_order_relaxed);
    return set;
}

}  // namespace scree
