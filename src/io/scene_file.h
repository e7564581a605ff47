// Reading and writing of scenes, and what describes them: JSON Schema and reference page. docs/scene.md has the format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scree/scene.h"

namespace scree {

struct SceneReading {
    std::vector<std::string> overrides;  // "key=value", as given by --set
    bool check_files = true;             // complain about files of the scene that do not exist
};

// Reads the scene in a file; "-" is standard input. Throws Error(bad_input) with one line per fault,
//     file:line:column: key "walls.funnel.radus" = 3: unknown key; nearest is "radius"; allowed here: ...
// and Error(file) when the file cannot be read.
Scene read_scene(const std::string& path, const SceneReading& how = {});

// The same for a scene in memory; `file` names it in messages, and relative paths in it start at its folder.
Scene parse_scene(std::string_view text, const std::string& file, const SceneReading& how = {});

// The scene as TOML with every default written out; reading it back gives an equal scene.
std::string write_scene(const Scene& scene);
// The same as JSON.
std::string write_scene_json(const Scene& scene);

// JSON Schema (draft 2020-12) of a scene.
std::string scene_schema();
// The reference page docs/scene.md.
std::string scene_reference_page();

}  // namespace scree
