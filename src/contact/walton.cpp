#include "contact/walton.h"

#include <fmt/format.h>

#include <algorithm>

#include "contact/calibration.h"
#include "math/elementary.h"

namespace scree {
namespace {

// k2 of Pournin 2005 eq. (2.23), per effective mass.
double unloading_stiffness(double restitution, double duration) {
    const double rate = pi * (1 + restitution) / (2 * duration * restitution);
    return rate * rate;
}

}  // namespace

WaltonLaw::Coefficients WaltonLaw::calibrate(const PairMaterial& pair) {
    const double e = pair.restitution, es = pair.tangential_restitution;
    const double share = 1 / (1 + 1 / pair.inertia_factor());
    const double normal = unloading_stiffness(e, pair.contact_time),
                 tangential = unloading_stiffness(es, pair.contact_time);
    return {normal, 1 - e * e, share * tangential, 1 - es * es, lead_rate(normal, tangential), pair.friction};
}

TimeStepLimit WaltonLaw::time_step(const PairMaterial& pair, const GrainSize&) {
    // The unloading quarter of a swing is the short one, contact_time e/(1+e). At restitution 1: contact_time in 50
    // steps.
    const double least = std::min(pair.restitution, pair.tangential_restitution);
    return {
        pair.contact_time * least / (1 + least) / 25,
        stable_step_of_spring(unloading_stiffness(least, pair.contact_time), 0),
        fmt::format("contact of {}: the unloading phase of restitution {:g} within contact_time {:g} s, in 25 steps",
                    name_of(pair), least, pair.contact_time),
        stable_step_of_spring(unloading_stiffness(least, pair.contact_time), 0, 1)};
}

}  // namespace scree
