#include "contact/cohesive.h"

#include <algorithm>

#include "contact/calibration.h"
#include "contact/linear.h"

namespace scree {

CohesiveLaw::Coefficients CohesiveLaw::calibrate(const PairMaterial& pair) {
    const LinearLaw::Coefficients c = LinearLaw::calibrate(pair);
    return {c.stiffness, c.damping,  c.tangential_stiffness, c.tangential_damping,
            c.lead_rate, c.friction, pair.cohesion};
}

// The pulling spring is stiffer than the contact: it lowers the stable step, not the automatic one.
TimeStepLimit CohesiveLaw::time_step(const PairMaterial& pair, const GrainSize& smallest) {
    TimeStepLimit limit = LinearLaw::time_step(pair, smallest);
    if (pair.cohesion > 0) {
        const Coefficients c = calibrate(pair);
        limit.stable = std::min(limit.stable, stable_step(series * c.stiffness, c.damping));
        limit.possible = std::min(limit.possible, stable_step(series * c.stiffness, c.damping, 1));
        limit.automatic = std::min(limit.automatic, 0.8 * limit.stable);
    }
    return limit;
}

}  // namespace scree
