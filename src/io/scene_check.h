// Checks that look at a whole scene: names met twice, what a group needs from elsewhere, sizes against the period.
#pragma once

#include "io/scene_reader.h"

namespace scree {

// Fills in names and materials that were left out, and adds complaints to the reader.
void complete_scene(Scene& scene, SceneReader& reader);

}  // namespace scree
