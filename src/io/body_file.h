// Bodies in files, for distances: surfaces (OBJ, STL), clouds of points, splines (JSON, IGES), and descriptions in TOML
// or JSON.
#pragma once

#include <string>

#include "geometry/first_contact.h"

namespace scree {

struct BodyFile {
    Compound body;
    std::string kind;     // "points", "mesh", "sheet", "nurbs", or the `kind` of a description
    SteadyMotion motion;  // of descriptions; about their position
};

// `path` may be - for standard input. STL and OBJ are told by their content; surfaces that bound a convex body become
// hulls, as all clouds are. `hulls`: the hulls of meshes in place of them. Throws Error (file, or bad_input with the
// place).
BodyFile read_body(const std::string& path, bool hulls = false);
// The same of a text that has been read; `path` is for messages, for its ending, and for files named in it.
BodyFile body_of_text(const std::string& text, const std::string& path, bool hulls = false);

}  // namespace scree
