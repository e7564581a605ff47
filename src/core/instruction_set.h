// The instruction set that kernels compiled for several are chosen by: the widest this processor has, or the one that
// SCREE_ISA names in the environment (baseline, avx2, avx512), if the processor has it. All give the same bits.
#pragma once

namespace scree {

enum class InstructionSet { baseline, avx2, avx512 };

InstructionSet instruction_set();
const char* name_of(InstructionSet set);

}  // namespace scree
