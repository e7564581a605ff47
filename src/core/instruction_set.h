// The one way in which code is compiled for several instruction sets and chosen when the program runs.
//
// A file that is named as VARIANTS of its layer (CMakeLists.txt) is compiled once per instruction set. There `isa` is
// its own set, and it defines specialisations of templates that a header declares:
//
//     kernel.h             template <InstructionSet> Kernel kernel_for();
//     kernel.cpp           template <> Kernel kernel_for<isa>() { ... }
//     who wants one        for_processor([](auto set) { return kernel_for<set>(); })
//
// A header that chooses itself names the specialisations first, for a use would make one of the template.
//
// All else in such a file is local to it or vanishes into its callers: the linker keeps one of several functions of the
// same name, and it must not be one that the processor does not understand (tests/core/instruction_sets.py looks). All
// variants give the same bits: no contraction, no reordering.
//
// The set is the widest that this processor has, or the one that SCREE_ISA names in the environment (baseline, avx2,
// avx512), if the processor has it. Rejected: target_clones, whose choice is made by the loader and cannot be asked
// for.
#pragma once

#include <atomic>
#include <type_traits>

namespace scree {

enum class InstructionSet { baseline, avx2, avx512 };

// Looks at the environment; then what last_instruction_set() tells from now on.
InstructionSet instruction_set();
const char* name_of(InstructionSet set);

// The same without a look at the environment, for functions that are called often. Every new Simulation looks.
inline std::atomic<int> chosen_instruction_set{-1};
inline InstructionSet last_instruction_set() {
    const int chosen = chosen_instruction_set.load(std::memory_order_relaxed);
    return chosen < 0 ? instruction_set() : static_cast<InstructionSet>(chosen);
}

template <InstructionSet Set>
using InstructionSetConstant = std::integral_constant<InstructionSet, Set>;

// Calls pick(constant) with the set as a constant, for_processor() after a look at the environment.
template <class Pick>
auto for_instruction_set([[maybe_unused]] InstructionSet set, Pick&& pick) {
#ifdef __x86_64__
    if (set == InstructionSet::avx512) return pick(InstructionSetConstant<InstructionSet::avx512>{});
    if (set == InstructionSet::avx2) return pick(InstructionSetConstant<InstructionSet::avx2>{});
#endif
    return pick(InstructionSetConstant<InstructionSet::baseline>{});
}
template <class Pick>
auto for_processor(Pick&& pick) {
    return for_instruction_set(instruction_set(), pick);
}

#ifdef SCREE_ISA
namespace {
constexpr InstructionSet isa = InstructionSet::SCREE_ISA;  // that this file is compiled for
}
#endif

}  // namespace scree
