// Surfaces of triangles: checking, and cutting into convex pieces.
#pragma once

#include <string>
#include <vector>

#include "geometry/mesh_file.h"

namespace scree {

// Leaves out what bounds nothing: triangles without area (the neighbor is cut at the corner between), and faces in
// which two parts lie against each other.
void mend(TriangleMesh& mesh);

// Throws Error (bad_input) unless the triangles bound a solid: no borders, one side everywhere, a volume that is not
// zero, outside out, no two triangles that have more in common than a corner or an edge, no part inside another but
// hollows. Decided exactly, so ask before the points are scaled. `name` begins the message.
void require_solid(const TriangleMesh& mesh, const std::string& name);

// Convex clouds of points whose hulls together fill the solid and its hollows up to the depth `tolerance` (a length).
// The solid is cut by planes where that saves the most volume; `reached` tells the depth of the deepest hollow filled.
std::vector<std::vector<Vec3>> convex_pieces(const TriangleMesh& mesh, double tolerance, double* reached = nullptr);

}  // namespace scree
