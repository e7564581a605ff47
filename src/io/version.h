// What was built: for run.json, checkpoints and `scree --version`.
#pragma once

#include <string>

#include "scree/version.h"

namespace scree {

const char* compiler();       // name and version
const char* compile_flags();  // of this build, with its kind in front
std::string hdf5_version();   // of the library in use

}  // namespace scree
