#pragma once

#include <limits>

namespace scree {

constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace scree
