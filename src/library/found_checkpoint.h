// The checkpoint that a simulation goes on from.
#pragma once

#include <string>

#include "io/checkpoint.h"

namespace scree {

// A checkpoint file, or the last good one of a run folder. Throws Error when there is none.
FoundCheckpoint find_run_checkpoint(const std::string& checkpoint_or_run_folder);

}  // namespace scree
