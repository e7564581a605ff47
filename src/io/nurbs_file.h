// NURBS curves and surfaces in JSON.
#pragma once

#include <string>
#include <vector>

#include "geometry/nurbs/nurbs.h"

namespace scree {

// One body, or all in the "shape" of geomdl's files. Throws Error (file, or bad_input that names the key).
std::vector<Nurbs> read_nurbs(const std::string& path);

}  // namespace scree
