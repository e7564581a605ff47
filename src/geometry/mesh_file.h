// Surfaces of triangles in files.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "math/vec.h"

namespace scree {

struct TriangleMesh {
    std::vector<Vec3> points;                   // each once
    std::vector<std::array<int, 3>> triangles;  // counterclockwise seen from outside
    std::vector<std::array<int, 3>> slivers;    // of three different points on one line: left out above
    int read = 0;                               // triangles in the file
    int flat = 0, first_flat = 0;               // those without area, which are left out; number of the first, from 1
};

// STL (text or binary) or OBJ, by its name; polygons of OBJ are cut into triangles, equal points are joined, triangles
// without area are left out. Throws Error (file, or bad_input with the line).
TriangleMesh read_mesh(const std::string& path);
// The same of a text that has been read; `path` is for messages.
enum class MeshFormat { stl, obj };
TriangleMesh mesh_of_text(const std::string& text, const std::string& path, MeshFormat format);
std::string stl_bytes(const TriangleMesh& mesh, const std::string& name);

}  // namespace scree
