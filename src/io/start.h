// The grains that a scene takes over from another run ([start] from).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "engine/simulation.h"

namespace scree {

// What a user should know of a start from another run, of which so many grains come: that the scene has added some.
std::optional<std::string> start_remark(const Simulation& simulation, std::size_t inherited);

// Nothing when the scene starts by itself. Refuses a start from the run in `folder`, which would be overwritten. Tells
// `warn` of damaged checkpoints that are passed over, and of walls that had moved and are put back. Throws Error
// located at the scene's key.
std::optional<Simulation::Inherited> inherited_state(const Scene& scene, const std::filesystem::path& folder,
                                                     const std::function<void(const std::string&)>& warn);

}  // namespace scree
