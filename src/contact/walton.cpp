#include "contact/walton.h"

#include <fmt/format.h>

#include <algorithm>

#include "contact/calibration.h"
#include "math/elementary.h"

namespace scree {
namespace {

// k2 of 003 eq. (2.23), per effective mass.
double unloading_stiffness(double restitution, double duration) {
    const double rate = pi * (1 + restitution) / (2 * duration * restitution);
    return rate * rate;
}

}  // namespace

WaltonLaw::Coefficients WaltonLaw::calibrate(const PairMaterial& pair) {
    const double e = pair.restitution, es = pair.tangential_restitution;
    const double share = 1 / (1 + 1 / pair.inertia_factor());
    return {unloading_stiffness(e, pair.contact_time), 1 - e * e, share * unloading_stiffness(es, pair.contact_time),
            1 - es * es, pair.friction};
}

TimeStepLimit WaltonLaw::time_step(const PairMaterial& pair, const GrainSize&) {
    // The unloading quarter of a swing lasts contact_time e/(1+e) and must be resolved too.
    const double least = std::min(pair.restitution, pair.tangential_restitution);
    const double stiffness = unloading_stiffness(least, pair.contact_time);
    const double fine = pair.contact_time / 50, quarter = pair.contact_time * least / (1 + least) / 10;
    const double stable = stable_step(stiffness, 0);
    if (fine <= quarter)
        return {fine, stable, fmt::format("contact of {}: contact_time {:g} s in 50 steps", name_of(pair), pair.contact_time)};
    return {quarter, stable, fmt::format("contact of {}: the unloading of restitution {:g}, steep within contact_time {:g} s, in 10 "
                                         "steps", name_of(pair), least, pair.contact_time)};
}

}  // namespace scree
