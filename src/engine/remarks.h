// What is odd about a scene without being wrong: told to the user, who may have meant it.
#pragma once

#include <string>
#include <vector>

namespace scree {

class Simulation;

std::vector<std::string> remarks(const Simulation& simulation);

}  // namespace scree
