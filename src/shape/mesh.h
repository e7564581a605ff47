// Surfaces of triangles: reading, checking, and cutting into convex pieces.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "math/vec.h"

namespace scree {

struct TriangleMesh {
    std::vector<Vec3> points;                   // each once
    std::vector<std::array<int, 3>> triangles;  // counterclockwise seen from outside
};

// STL (text or binary) or OBJ, by its name; polygons of OBJ are cut into triangles, equal points are joined, triangles
// without area are left out. Throws Error (file, or bad_input with the line).
TriangleMesh read_mesh(const std::string& path);
std::string stl_bytes(const TriangleMesh& mesh, const std::string& name);

// Throws Error (bad_input) unless the triangles bound a solid: no borders, one side everywhere, a volume that is not zero,
// outside out, no crossings. `name` begins the message.
void require_solid(const TriangleMesh& mesh, const std::string& name);

// Convex clouds of points whose hulls together fill the solid and its hollows up to the depth `tolerance` (a length).
// The solid is cut by planes where that saves the most volume; `reached` tells the depth of the deepest hollow filled.
std::vector<std::vector<Vec3>> convex_pieces(const TriangleMesh& mesh, double tolerance, double* reached = nullptr);

}  // namespace scree
