#include "contact/pournin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contact/calibration.h"
#include "math/elementary.h"

namespace scree {
namespace {

struct Slopes {
    double loading, unloading, reloading, returning;
};

// Slopes with which a single collision returns e^2 of its energy and lasts `duration`.
Slopes slopes(double e, double duration) {
    // For k1 = 1. The return line holds a quarter of what is returned; k2 then follows from the energy of the unloading.
    const double k0 = 0.25 * e * e;
    const double k2 = k0 + (1 - k0) * (1 - k0) / (e * e - k0);
    // From (1, 1) along k2 to (x, k0 x) on the return line, then to 0. Harmonic motion on each.
    const double x = (k2 - 1) / (k2 - k0), rest = 1 - 1 / k2;
    const double from = 1 - rest, to = x - rest;
    const double speed = std::sqrt(k2 * (from * from - to * to));
    const double loading_time = pi / 2;
    const double unloading_time = same_atan2(std::sqrt(from * from - to * to), to) / std::sqrt(k2);
    const double return_time = same_atan2(std::sqrt(k0) * x, speed) / std::sqrt(k0);
    const double rate = (loading_time + unloading_time + return_time) / duration;
    const double unit = rate * rate;
    return {unit, unit * k2, 4 * unit * k2, unit * k0};
}

}  // namespace

PourninLaw::Coefficients PourninLaw::calibrate(const PairMaterial& pair) {
    const Slopes s = slopes(pair.restitution, pair.contact_time);
    const Oscillator tangential = oscillator(pair.tangential_restitution, pair.contact_time);
    const double share = 1 / (1 + 1 / pair.inertia_factor());
    return {s.loading, s.unloading, s.reloading, s.returning, 1 - pair.restitution * pair.restitution,
            share * tangential.stiffness, share * tangential.damping, pair.friction};
}

TimeStepLimit PourninLaw::time_step(const PairMaterial& pair, const GrainSize&) {
    const Slopes s = slopes(pair.restitution, pair.contact_time);
    const Oscillator tangential = oscillator(pair.tangential_restitution, pair.contact_time);
    const double stable = std::min(stable_step(s.reloading, 0), stable_step(tangential.stiffness, tangential.damping));
    // Ten steps for a quarter swing on the slope k2.
    const double fine = pair.contact_time / 50, quarter = std::min(0.05 * pi / std::sqrt(s.unloading), 0.8 * stable);
    if (fine <= quarter)
        return {fine, stable, fmt::format("contact of {}: contact_time {:g} s in 50 steps", name_of(pair), pair.contact_time)};
    return {quarter, stable, fmt::format("contact of {}: the steep unloading of restitution {:g} within contact_time {:g} s",
                                         name_of(pair), pair.restitution, pair.contact_time)};
}

}  // namespace scree
