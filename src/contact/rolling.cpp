#include "contact/rolling.h"

#include <cmath>

#include "contact/calibration.h"
#include "math/elementary.h"

namespace scree {

RollingCoefficients calibrate_rolling(const PairMaterial& pair, double duration) {
    // u'' = -R*^2 (1/I_i + 1/I_j) F, and R*^2/I_i <= 1/(beta m_i): with beta m* in place of the true inertia the swing
    // of any pair lasts at least 2 duration. A damping ratio of 0.3 ends rocking within a few swings.
    const double rate = pi / duration, beta = pair.inertia_factor();
    if (const auto given = pair.rolling_stiffness)
        return {0,
                0,
                0,
                pair.rolling_friction,
                *given,
                2 * 0.3 * std::sqrt(beta * *given),
                lead_rate(*given / beta, *given / beta)};
    return {
        beta * rate * rate, beta * 2 * 0.3 * rate, lead_rate(rate * rate, rate * rate), pair.rolling_friction, 0, 0, 0};
}

}  // namespace scree
