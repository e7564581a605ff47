// Frames by the times that users give.
#pragma once

#include <cstddef>

#include "io/run_reader.h"

namespace scree::app {

// The frame nearest to a time; warns where the run has none there.
std::size_t frame_at(const RunReader& run, double time);

}  // namespace scree::app
