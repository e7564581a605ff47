// Clouds of points from files: the vertices of an OBJ file, or plain rows x y z.
#pragma once

#include <string>
#include <vector>

#include "math/vec.h"

namespace scree::app {

// `path` may be - for standard input. Numbers are separated by blanks, tabs, commas or semicolons; # starts a comment;
// a first row of names is skipped. A file with lines that start with `v` is read as OBJ: its vertices count, the rest
// is passed over. Throws Error (file, or bad_input with file:line:column).
std::vector<Vec3> read_point_cloud(const std::string& path);

}  // namespace scree::app
