#pragma once

#include <string>

#include "commands.h"

namespace scree::app {

// The command of this name, also as people ask for help and version elsewhere; a wrong name is answered with the
// nearest.
const Command& find_command(const std::string& name);

}  // namespace scree::app
