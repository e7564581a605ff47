// Bodies in files, for distances: surfaces (OBJ, STL), clouds of points, and descriptions in TOML or JSON.
#pragma once

#include <string>

#include "geometry/compound.h"

namespace scree {

struct BodyFile {
    Compound body;
    std::string kind;  // "points", "mesh", "sheet", or the `kind` of a description
};

// `path` may be - for standard input. STL and OBJ are told by their content; surfaces that bound a convex body become
// hulls, as all clouds are. `hulls`: the hulls of meshes in place of them. Throws Error (file, or bad_input with the
// place).
BodyFile read_body(const std::string& path, bool hulls = false);

}  // namespace scree
