// What describes scenes, beside reading and writing them (scree/scene_file.h): JSON, JSON Schema and the reference
// page. docs/scene.md has the format.
#pragma once

#include <string>

#include "scree/scene_file.h"

namespace scree {

// A scene as JSON, with every default written out.
std::string write_scene_json(const Scene& scene);

// JSON Schema (draft 2020-12) of a scene.
std::string scene_schema();
// The reference page docs/scene.md.
std::string scene_reference_page();

}  // namespace scree
