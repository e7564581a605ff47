// Scenes as text: read, written, checked. The format is TOML; docs/scene.md describes every key.
//
// Reading fills in all defaults and checks what can be checked without making a simulation, so a Scene that was read
// has no typing mistakes. It takes about a millisecond, and longer when the scene names large files of meshes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scree/export.h"
#include "scree/scene.h"

namespace scree {

// How to read a scene.
struct SceneReading {
    // Values in place of those in the text, as "key=value" in the words of `scree run --set`: "simulation.duration=2".
    std::vector<std::string> overrides;
    // Whether files that the scene names must exist now. A simulation that is made later needs them in any case.
    bool check_files = true;
};

// Reads the scene in a file; "-" is standard input. Relative names of files in it start at its folder.
// Throws Error(bad_input) with a line for every fault, not only the first:
//     file:line:column: key "walls.funnel.radus" = 3: unknown key; nearest is "radius"; allowed here: ...
// and Error(file) when the file cannot be read.
SCREE_EXPORT Scene read_scene(const std::string& path, const SceneReading& how = {});

// The same for a text in memory. `file` stands for it in messages, and relative names of files start at its folder.
SCREE_EXPORT Scene parse_scene(std::string_view text, const std::string& file = "scene", const SceneReading& how = {});

// The scene as TOML with every default written out. Reading it back gives an equal scene: numbers have as many digits
// as that takes.
SCREE_EXPORT std::string write_scene(const Scene& scene);

}  // namespace scree
