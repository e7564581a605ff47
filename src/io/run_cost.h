// What a run will take, as far as it can be told before it: for users who decide whether to start it.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/simulation.h"

namespace scree {

struct RunCost {
    std::int64_t steps = 0, frames = 0;
    double grains_at_end = 0;       // with all that will be poured
    double bytes = 0;               // of the run folder
    std::optional<double> seconds;  // with the threads of the simulation; none where there is nothing to go by
};

// Moves the simulation on for a moment of the machine's time, to see how fast it is.
RunCost estimate_cost(Simulation& simulation);

}  // namespace scree
