// What the command says: results on stdout, everything else on stderr.
#pragma once

#include <string>

namespace scree::app {

// Prints to stdout and makes sure it arrived; throws Error(file) otherwise.
void print_result(const std::string& text);

// Prints to stderr. That nobody listens there any more is no reason to end a run.
void tell(const std::string& text);
// A warning on stderr.
void warn(const std::string& text);
void tell_error(const std::string& text);

}  // namespace scree::app
