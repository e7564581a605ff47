#include "contact/pournin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contact/calibration.h"
#include "math/elementary.h"

namespace scree {
namespace {

struct Slopes {
    double loading, unloading, reloading, damping;
};

// A single collision is Walton and Braun's: Pournin 2005 eq. (2.23).
Slopes slopes(double restitution, double duration) {
    const double rate = pi * (1 + restitution) / (2 * duration);
    const double loading = rate * rate, unloading = loading / (restitution * restitution);
    // A tremble on the slope k_r keeps the part e of its amplitude per half swing, at least 0.62: a stiffer dashpot
    // would only ask for a smaller step.
    const double decay = std::min(-2 / pi * same_log(restitution), 0.3);
    return {loading, unloading, 4 * unloading, decay * std::sqrt(4 * unloading)};
}

}  // namespace

PourninLaw::Coefficients PourninLaw::calibrate(const PairMaterial& pair) {
    const Slopes s = slopes(pair.restitution, pair.contact_time);
    const Oscillator tangential = oscillator(least_tangential(pair), pair.contact_time);
    const double share = 1 / (1 + 1 / pair.inertia_factor());
    return {s.loading,
            s.unloading,
            s.reloading,
            1 - pair.restitution * pair.restitution,
            s.damping,
            share * tangential.stiffness,
            share * tangential.damping,
            lead_rate(s.loading, tangential.stiffness),
            pair.friction};
}

TimeStepLimit PourninLaw::time_step(const PairMaterial& pair, const GrainSize&) {
    const Slopes s = slopes(pair.restitution, pair.contact_time);
    const Oscillator tangential = oscillator(least_tangential(pair), pair.contact_time);
    const auto limit = [&](double crowd) {
        return std::min(stable_step(s.reloading, s.damping, crowd),
                        stable_step_of_spring(tangential.stiffness, tangential.damping, crowd));
    };
    const double stable = limit(crowding);
    // Sixteen steps for a quarter swing on the slope k2.
    const double fine = pair.contact_time / 50, quarter = std::min(pi / 32 / std::sqrt(s.unloading), 0.8 * stable);
    if (fine <= quarter)
        return {fine, stable,
                fmt::format("contact of {}: contact_time {:g} s in 50 steps", name_of(pair), pair.contact_time),
                limit(1)};
    return {quarter, stable,
            fmt::format("contact of {}: the steep unloading of restitution {:g} within contact_time {:g} s",
                        name_of(pair), pair.restitution, pair.contact_time),
            limit(1)};
}

}  // namespace scree
