// The time step of soft grains: as short as the shortest contact, bond or damping in the scene asks for.
#pragma once

#include "engine/setting.h"

namespace scree {

// Sets the time step, and what goes by it: the coefficients of the laws and how far they reach. Throws Error(bad_input)
// when the scene gives one past stability.
void choose_time_step(Setting& setting);

// A duration of no steps, or of more than can be counted, is a slip of the pen in one of the two. Throws
// Error(bad_input).
void check_duration(const Scene& scene, const TimeStepChoice& time_step);

}  // namespace scree
