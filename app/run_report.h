// The end of a run as told to the user: summary or JSON document, resume command, exit code.
#pragma once

#include <filesystem>

#include "io/run.h"

namespace scree::app {

// Returns the exit code.
int report_run(const RunResult& result, const std::filesystem::path& folder, bool json, bool quiet);

}  // namespace scree::app
