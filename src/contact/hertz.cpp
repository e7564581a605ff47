#include "contact/hertz.h"

#include "contact/calibration.h"
#include "contact/elastic_step.h"

namespace scree {
namespace {

// Tsuji's alpha for which the restitution is achieved when the force never pulls.
double tsuji_alpha(double restitution) { return std::sqrt(5.0) * oscillator(restitution, 1).damping_ratio(); }

}  // namespace

HertzLaw::Coefficients HertzLaw::calibrate(const PairMaterial& pair) {
    const double alpha = tsuji_alpha(pair.restitution);
    const double stiffness = 4.0 / 3 * pair.young_star;
    // Per contact radius: dF/dd, k_t, and the part of m* that swings in the contact plane.
    const double normal = 2 * pair.young_star, tangential = 8 * pair.shear_star;
    const double share = 1 / (1 + 1 / pair.inertia_factor());
    return {stiffness,
            alpha * alpha * stiffness,
            std::sqrt(tangential),
            std::sqrt(tangential * share / normal),
            lead_rate(normal, tangential / share),
            pair.friction};
}

TimeStepLimit HertzLaw::time_step(const PairMaterial& pair, const GrainSize& smallest) {
    return elastic_time_step(pair, smallest, tsuji_alpha(pair.restitution), 0);
}

}  // namespace scree
