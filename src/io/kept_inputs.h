// The files that a scene reads (meshes of walls and grains, spheres of clusters, lists of grains), copied into the folder of its run.
#pragma once

#include "io/run_folder.h"
#include "scree/scene.h"

namespace scree {

// Copies them to RUN/scene-files and returns the scene with the names of the copies, relative to the folder: the run can be continued, measured and repeated,
// whatever becomes of the originals. A file is copied once, however often it is named.
Scene keep_inputs(Scene scene, const RunFolder& folder);

}  // namespace scree
