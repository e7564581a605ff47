// Removes short edges from a complex of cells, which no mesh of good elements could resolve.
//
// The two corners of a short edge become one. It is placed where the sum of the squared distances to the planes of all
// faces around it is least, on the sides of the box that the corners lay on. A merge that would bend a face too far,
// turn a cell inside out or change which cells are there is not done. Where it fails, corners around are moved such
// that their faces become flatter, which makes room for it; where that fails, too, the edge is made longer.
#pragma once

#include "complex_shape.h"

namespace scree::micro {

struct RegulariseOptions {
    double shortest = 0.2;  // length of edges to be reached, in mean diameters
    double most_bend = 20;  // of a face (complex_shape.h), degrees
};

struct Regularised {
    CellComplex complex;
    double threshold = 0;       // length that edges should have at least
    std::size_t merged = 0;     // edges
    std::size_t stretched = 0;  // edges
    std::size_t left = 0;       // edges that are still too short
};

// Throws Error(usage) for periodic boxes.
Regularised regularise(const CellComplex& complex, const RegulariseOptions& options);

}  // namespace scree::micro
