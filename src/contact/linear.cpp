#include "contact/linear.h"

#include <fmt/format.h>

#include <algorithm>

#include "contact/calibration.h"

namespace scree {

LinearLaw::Coefficients LinearLaw::calibrate(const PairMaterial& pair) {
    const Oscillator normal = oscillator(pair.restitution, pair.contact_time);
    const Oscillator tangential = oscillator(least_tangential(pair), pair.contact_time);
    const double share = 1 / (1 + 1 / pair.inertia_factor());  // 2/7 for spheres, 1/3 for discs
    return {normal.stiffness,
            normal.damping,
            share * tangential.stiffness,
            share * tangential.damping,
            lead_rate(normal.stiffness, tangential.stiffness),
            pair.friction};
}

TimeStepLimit LinearLaw::time_step(const PairMaterial& pair, const GrainSize&) {
    const Oscillator normal = oscillator(pair.restitution, pair.contact_time);
    const Oscillator tangential = oscillator(least_tangential(pair), pair.contact_time);
    const auto limit = [&](double crowd) {
        return std::min(stable_step(normal.stiffness, normal.damping, crowd),
                        stable_step_of_spring(tangential.stiffness, tangential.damping, crowd));
    };
    const double stable = limit(crowding);
    const double fine = pair.contact_time / 50;
    if (fine <= 0.8 * stable)
        return {fine, stable,
                fmt::format("contact of {}: contact_time {:g} s in 50 steps", name_of(pair), pair.contact_time),
                limit(1)};
    return {
        0.8 * stable, stable,
        fmt::format("contact of {}: damping for restitution {:g} and tangential_restitution {:g} within contact_time "
                    "{:g} s",
                    name_of(pair), pair.restitution, pair.tangential_restitution, pair.contact_time),
        limit(1)};
}

}  // namespace scree
