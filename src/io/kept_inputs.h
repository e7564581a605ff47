// The files that a scene reads (meshes of walls and grains, spheres of clusters, lists of grains), copied into the
// folder of its run.
#pragma once

#include <filesystem>
#include <string>

#include "io/run_folder.h"
#include "scree/scene.h"

namespace scree {

// Copies them to RUN/scene-files and returns the scene with the names of the copies, relative to the folder: the run
// can be continued, measured and repeated, whatever becomes of the originals. A file is copied once, however often it
// is named.
Scene keep_inputs(Scene scene, const RunFolder& folder);

// Comments to stand below the text of a scene with the names of the copies: a hash of each one that is read again when
// the run goes on.
std::string hashes_of_inputs(const Scene& kept, const RunFolder& folder);
// Throws Error(bad_input) when a copy is no longer what the comments in the text of the scene say: the run would go on
// with other bodies or walls.
void refuse_changed_inputs(const std::string& scene_text, const std::filesystem::path& folder);

// The scene with the whole names of its files, for a text that is kept elsewhere.
Scene with_whole_names(Scene scene);

}  // namespace scree
