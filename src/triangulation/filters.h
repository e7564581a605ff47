// Filters of the predicates for whole cells, compiled once per instruction set (filters.cpp). See predicates.h for
// their errors.
#pragma once

#include "complex.h"
#include "core/instruction_set.h"

namespace scree::tri {

constexpr Index filter_group = 8;  // cells that cells_in_doubt looks at together

struct Filters {
    // power3 for the cell with vertices v.
    double (*power3_of_cell)(const Row* rows, const Index* v, const Row& p);
    // The same for the eight cells in `list`; values must be aligned to 64 bytes. False when one of them has the
    // infinite vertex (its value means nothing) or a value not beyond the bound.
    bool (*power3_of_cells)(const Cell* cells, const Row* rows, const Index* list, const Row& p, double bound,
                            double* values);
    // For the finite cell with vertices v, the orientations with vertex k replaced by p; sides must be aligned to 32
    // bytes.
    void (*sides_in_cell)(const Row* rows, const Index* v, const Row& p, double* sides);
    // Looks at `count` groups of cells from number `first` on (check.cpp). Writes the cells in doubt; there must be
    // room for all.
    std::size_t (*cells_in_doubt)(const Cell* cells, const Row* rows, Index first, std::size_t count, double weights,
                                  const Row& watch, Index* doubtful);
};

template <InstructionSet>
struct FiltersOf {
    static const Filters table;
};
template <>
const Filters FiltersOf<InstructionSet::baseline>::table;
template <>
const Filters FiltersOf<InstructionSet::avx2>::table;
template <>
const Filters FiltersOf<InstructionSet::avx512>::table;

inline const Filters& filters() {
    return *for_instruction_set(last_instruction_set(), [](auto set) { return &FiltersOf<set()>::table; });
}

}  // namespace scree::tri
