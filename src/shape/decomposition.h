// The convex pieces of a solid, with what a user wants to know of them.
#pragma once

#include <vector>

#include "geometry/convex_hull.h"
#include "geometry/mesh_file.h"

namespace scree {

struct ConvexPiece {
    ConvexHull hull;
    double volume = 0;     // of the hull; the hulls have no inner points in common
    double depth = 0;      // of the deepest place of the piece's surface below the nearest side of the hull
    double convexity = 0;  // ... below the hull along the surface's normal (Montanari 2017, eq. 3.11 with the maximum)
};

// As shape/mesh.h's convex_pieces().
std::vector<ConvexPiece> described_pieces(const TriangleMesh& mesh, double tolerance);

}  // namespace scree
