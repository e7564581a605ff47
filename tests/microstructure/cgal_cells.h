// Volumes of cells by CGAL, for tests.
#pragma once

#include <vector>

#include "microstructure/seeds.h"

namespace scree::micro {

struct CgalCell {
    bool inside = false;  // of the box, so that the box cuts nothing off
    double volume = 0;
    std::vector<std::int32_t> neighbors;  // rising
};
// Of a box that is not periodic; hidden seeds have no neighbors.
std::vector<CgalCell> cgal_cells(const Seeds& seeds);

}  // namespace scree::micro
