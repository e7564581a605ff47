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
    const double tangential = 8 * pair.shear_star / (1 + 1 / pair.inertia_factor());  // k_t/a times its share of m*
    const double normal = 2 * pair.young_star;                                         // dF/dd / a
    return {stiffness, alpha * alpha * stiffness, std::sqrt(8 * pair.shear_star), std::sqrt(tangential / normal),
            pair.friction};
}

TimeStepLimit HertzLaw::time_step(const PairMaterial& pair, const GrainSize& smallest) {
    return elastic_time_step(pair, smallest, tsuji_alpha(pair.restitution), 0);
}

}  // namespace scree
