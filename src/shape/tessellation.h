// Rounded bodies as triangles, for pictures and exports.
#pragma once

#include "shape/mesh.h"
#include "shape/piece.h"

namespace scree {

// How finely roundings are cut: edges of triangles span about 63, 32, 16 or 8 degrees, balls have 20, 80, 320 or 1280
// of them.
enum class Fineness { least, coarse, medium, fine };
// The largest distance of the triangles from the true surface, as a part of the radius of rounding.
constexpr double deviation(Fineness fineness) {
    constexpr double parts[] = {0.35, 0.1, 0.03, 0.008};
    return parts[static_cast<int>(fineness)];
}

// A closed convex polyhedron inside the rounded piece with all its corners on the surface. Flat faces stay where they
// are. In 2D a plate as thick as the radius of rounding.
TriangleMesh rounded_surface(const Piece& piece, int dimension, Fineness fineness);
void append(TriangleMesh& mesh, const TriangleMesh& other);

}  // namespace scree
