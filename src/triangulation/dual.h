// The dual of the triangulation: Laguerre (power) cells, with volumes, facet areas and neighbors, optionally clipped by
// a box. The neighbors come from the exact triangulation; the measures are ordinary doubles, in the units of the rows.
#pragma once

#include <vector>

#include "math/vec.h"
#include "triangulation.h"

namespace scree::tri {

struct Box {
    double low[3], high[3];
};

struct DualFacet {
    Index neighbor;  // or -2 − k for the side k of the box: x low, x high, y low, ...
    double area;     // length in the plane, 1 on a line
};

struct DualCell {
    bool bounded = true;
    double volume = 0;  // of the dimension of the sites' affine hull; 0 for hidden sites; infinite when unbounded
    std::vector<DualFacet> facets;  // those of positive area; empty when unbounded
    std::vector<Vec3> outline;      // in the plane: the corners, counter-clockwise
};

// The cell of one visible or hidden vertex. A box clips it in the ambient space; it is not available for flat sets.
DualCell dual_cell(const Triangulation& triangulation, Index v, const Box* clip = nullptr);

// All cells' volumes, in parallel: infinite when unbounded, 0 when hidden or absent.
std::vector<double> dual_volumes(const Triangulation& triangulation, const Box* clip = nullptr);

}  // namespace scree::tri
