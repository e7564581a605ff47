// Time step of laws with elastic moduli, whose stiffness grows with the overlap.
#pragma once

#include "contact/law.h"

namespace scree {

// `ratio` and `delay` describe the damper: c = ratio sqrt(m* 4/3 E* a) + delay 2 E* a.
TimeStepLimit elastic_time_step(const PairMaterial& pair, const GrainSize& smallest, double ratio, double delay);

}  // namespace scree
