// Numbers of a scene that nothing reads, and numbers that are mostly slips of a unit: odd, not wrong.
#pragma once

#include <string>
#include <vector>

namespace scree {

class Simulation;

// Appends: values that the law of contact does not use; moduli, frictions, densities and lengths in other units than
// those of scree; outputs more often than steps.
void tell_of_values(const Simulation& simulation, std::vector<std::string>& said);

}  // namespace scree
