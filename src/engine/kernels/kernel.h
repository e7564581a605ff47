// The force kernel: contact geometry, law and gather for all pairs of one chunk of grains. It is compiled once per
// instruction set and chosen when the program starts; all give the same bits (no contraction, no reordering).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/instruction_set.h"
#include "engine/kernels/tiles.h"
#include "scree/scene.h"
#include "world/world.h"

namespace scree {

struct KernelArguments {
    // Bodies i (grains) and j (grains, or ghosts at the foot points of walls, of radius 0 and inverse mass 0).
    const GrainRow* rows;
    const SpinRow* spins;
    const std::uint8_t* materials;
    const GrainRow* other_rows;
    const SpinRow* other_spins;
    const std::uint8_t* other_materials;

    // Coefficients of the law per pair type; the type of materials a and b is types[a * material_count + b].
    const void* coefficients;
    std::size_t coefficient_bytes;  // from one type to the next
    const LawKind* laws;            // of the types, if there are several
    const void* rolling;
    const std::uint16_t* types;
    std::size_t material_count;
    bool one_type;  // all pairs are of the same type, that of the first pair
    bool sparse;    // many pairs do not touch; a hint that changes no bit

    double periods[3];  // 0 for axes that are not periodic
    double time_step;

    const PairTiles* tiles;
    ForceRow* force;  // of the grains from index `first` on; sums are added
    Index first;
    ForceRow* outgoing;  // one row per pair, the force on j; null if j has its row in `force` too
};

struct KernelResult {
    double max_overlap = 0;  // of the smaller radius
    std::size_t contacts = 0;
};

using CollideFunction = void (*)(const KernelArguments&, KernelResult&);

// The kernel for a law, or for pairs of several laws, with or without rolling resistance, for this processor.
CollideFunction collide_function(std::span<const LawKind> laws, bool rolling);
template <InstructionSet>
CollideFunction collide_function_for(std::span<const LawKind> laws, bool rolling);
// Name of the instruction set in use; SCREE_ISA in the environment asks for another one (baseline, avx2, avx512).
const char* kernel_instruction_set();

// Numbers of memory per contact. Where there are several laws each has room for that of any.
int law_memory_width(std::span<const LawKind> laws, bool rolling);

}  // namespace scree
