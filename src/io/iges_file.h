// Curves and surfaces in IGES files (version 5.3, fixed format): 126 and 128, and the simple ones, which are NURBS too.
#pragma once

#include <string>
#include <vector>

#include "geometry/nurbs/nurbs.h"

namespace scree {

// By the letter in column 73 of the first line.
bool is_iges(const std::string& text);

// All that is not part of something else, moved to where it belongs: lines and polylines (106, 110), arcs and conics
// (100, 104), composite curves (102), ruled surfaces (118), surfaces of revolution (120), tabulated cylinders (122),
// spline curves and surfaces (126, 128). What would be lost (trimmed surfaces, solids) is refused. Numbers count as
// they stand, in whatever unit. Throws Error (bad_input with file:line).
std::vector<Nurbs> nurbs_of_iges(const std::string& text, const std::string& path);

}  // namespace scree
