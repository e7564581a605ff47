// The faces of a Laguerre cell, cut out of a box by its planes.
#pragma once

#include <vector>

#include "measure/structure.h"

namespace scree {

struct CellFace {
    std::vector<Vec3> corners;  // in order; seen from outside counter-clockwise
    std::int64_t neighbor;      // row of the snapshot, -1 at a border
};
// Of a cell around `center`; the size must be larger than its extension. In 2D one face, the cell itself, at z = 0.
std::vector<CellFace> cell_faces(const std::vector<LaguerreCells::Plane>& planes, Vec3 center, double size,
                                 int dimension);

}  // namespace scree
