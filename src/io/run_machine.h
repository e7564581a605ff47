// The machine a run is on, and what this process takes of it.
#pragma once

#include <cstddef>
#include <string>

namespace scree {

std::string processor_name();       // as the system tells it, or "unknown"
std::string system_name();          // kernel and architecture
std::size_t resident_bytes();       // memory of this process now
std::size_t peak_resident_bytes();  // and at most so far

}  // namespace scree
