#include "contact/cohesive.h"

#include "contact/linear.h"

namespace scree {

CohesiveLaw::Coefficients CohesiveLaw::calibrate(const PairMaterial& pair) {
    const LinearLaw::Coefficients c = LinearLaw::calibrate(pair);
    return {c.stiffness, c.damping, c.tangential_stiffness, c.tangential_damping, c.friction, pair.cohesion};
}

// A pull is as stiff as the push: the step of the linear law.
TimeStepLimit CohesiveLaw::time_step(const PairMaterial& pair, const GrainSize& smallest) {
    return LinearLaw::time_step(pair, smallest);
}

}  // namespace scree
