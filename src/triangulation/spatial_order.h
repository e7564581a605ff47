// An order of insertion that keeps walks short and memory warm: rounds of random subsets, each larger than the one
// before, and within a round the order along a Hilbert curve.
#pragma once

#include <vector>

#include "complex.h"

namespace scree::tri {

// The numbers in `which`, ordered by their rows; `dimensions` of the coordinates count. A pure function of its input.
// curve: if given, all of them in one order along the curve.
std::vector<Index> spatial_order(const std::vector<Row>& rows, const std::vector<Index>& which, int dimensions,
                                 std::vector<Index>* curve = nullptr);

}  // namespace scree::tri
