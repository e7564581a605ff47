// Grains where nothing will hold them: odd, not wrong.
#pragma once

#include <string>
#include <vector>

namespace scree {

class Simulation;

// Appends: a scene without walls under gravity; grains with nothing below them; grains on both sides of a tube.
void tell_of_places(const Simulation& simulation, std::vector<std::string>& said);

}  // namespace scree
