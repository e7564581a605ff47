// NURBS curves and surfaces in files: JSON and IGES.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "geometry/nurbs/nurbs.h"

namespace scree {

// Throws Error (file, or bad_input that names the key or the line).
std::vector<Nurbs> read_nurbs(const std::string& path);

// One body, or all in the "shape" of geomdl's files.
std::vector<Nurbs> nurbs_of_json(const nlohmann::json& document, const std::string& path);
// Whether a document of JSON is about NURBS.
bool is_nurbs(const nlohmann::json& document);

}  // namespace scree
