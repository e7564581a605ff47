// The grains that a scene takes over from another run ([start] from).
#pragma once

#include <filesystem>
#include <optional>

#include "engine/simulation.h"

namespace scree::app {

// Nothing when the scene starts by itself. Refuses a start from the run in `folder`, which would be overwritten.
// Throws Error located at the scene's key.
std::optional<Simulation::Inherited> inherited_state(const Scene& scene, const std::filesystem::path& folder = {});

}  // namespace scree::app
