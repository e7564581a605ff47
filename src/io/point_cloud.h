// Clouds of points in text: the vertices of an OBJ file, or plain rows x y z.
#pragma once

#include <string>
#include <vector>

#include "math/vec.h"

namespace scree {

// Numbers are separated by blanks, tabs, commas or semicolons; # starts a comment; a first row of names is skipped. A
// text with lines that start with `v` is read as OBJ: its vertices count, the rest is passed over. `path` is for
// messages. Throws Error (bad_input with file:line:column).
std::vector<Vec3> points_of_text(const std::string& text, const std::string& path);

}  // namespace scree
