// The grains that a scene takes over from another run ([start] from).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "engine/simulation.h"

namespace scree {

// Nothing when the scene starts by itself. Refuses a start from the run in `folder`, which would be overwritten. Tells
// `warn` of damaged checkpoints that are passed over. Throws Error located at the scene's key.
std::optional<Simulation::Inherited> inherited_state(const Scene& scene, const std::filesystem::path& folder,
                                                     const std::function<void(const std::string&)>& warn);

}  // namespace scree
