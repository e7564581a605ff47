#include "contact/kuwabara_kono.h"

#include "contact/calibration.h"
#include "contact/elastic_step.h"

namespace scree {

KuwabaraKonoLaw::Coefficients KuwabaraKonoLaw::calibrate(const PairMaterial& pair) {
    return {4.0 / 3 * pair.young_star, pair.viscosity, std::sqrt(8 * pair.shear_star),
            lead_rate(2 * pair.young_star, 8 * pair.shear_star * (1 + 1 / pair.inertia_factor())), pair.friction};
}

TimeStepLimit KuwabaraKonoLaw::time_step(const PairMaterial& pair, const GrainSize& smallest) {
    return elastic_time_step(pair, smallest, 0, pair.viscosity);
}

}  // namespace scree
