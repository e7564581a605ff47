// The unit of ownership, and its parts.
#pragma once

#include <cstddef>

namespace scree {

// Grains that follow each other in storage and belong together: to one task of spheres, one machine, one sum.
constexpr std::size_t grain_chunk = 4096;
// Bodies are twenty to thirty times as dear as spheres: their tasks are parts of a chunk. Their sums do not depend on
// it.
constexpr std::size_t body_block = 64;
static_assert(grain_chunk % body_block == 0);

}  // namespace scree
