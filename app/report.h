// The end of a run as told to the user: summary or JSON document, resume command, exit code.
#pragma once

#include <filesystem>
#include <string>

#include "io/run.h"

namespace scree::app {

// Prints to stdout and makes sure it arrived; throws Error(file) otherwise.
void print_result(const std::string& text);

// Prints to stderr. That nobody listens there any more is no reason to end a run.
void tell(const std::string& text);
// A warning on stderr.
void warn(const std::string& text);
void tell_error(const std::string& text);

// Tells how the run ended and returns the exit code.
int report_run(const RunResult& result, const std::filesystem::path& folder, bool json, bool quiet);

}  // namespace scree::app
