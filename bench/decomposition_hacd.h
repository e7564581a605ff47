// Convex pieces by HACD (Mamou and Ghorbel 2009). In a file of its own: its headers and scree's do not meet.
#pragma once

#include <vector>

#include "geometry/mesh_file.h"

namespace scree::bench {

// Clouds whose hulls are the pieces; no surface is deeper below its piece, along its normal, than `concavity`.
std::vector<std::vector<Vec3>> hacd_pieces(const TriangleMesh& mesh, double concavity);

}  // namespace scree::bench
