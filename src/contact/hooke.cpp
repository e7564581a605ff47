#include "contact/hooke.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contact/calibration.h"
#include "math/elementary.h"

namespace scree {
namespace {

// As given, or else such that the restitution is achieved by the mass `share` m*.
HookeLaw::Dashpot dashpot(std::optional<double> damping, std::optional<double> rate, double restitution,
                          double stiffness, double share) {
    if (damping || rate) return {damping.value_or(0), rate.value_or(0), 0};
    return {0, 0, 2 * oscillator(restitution, 1).damping_ratio() * std::sqrt(stiffness * share)};
}

// The part of m* that swings in the contact plane.
double tangential_share(const PairMaterial& pair) { return 1 / (1 + 1 / pair.inertia_factor()); }

}  // namespace

HookeLaw::Coefficients HookeLaw::calibrate(const PairMaterial& pair) {
    const LinearCoefficients& given = pair.linear;
    const double share = tangential_share(pair), k = given.stiffness.value();
    const double kt = given.tangential_stiffness.value_or(given.stiffness_ratio.value_or(share) * k);
    return {k,
            kt,
            dashpot(given.damping, given.damping_rate, pair.restitution, k, 1),
            dashpot(given.tangential_damping, given.tangential_damping_rate, least_tangential(pair), kt, share),
            lead_rate(k, kt / share),
            pair.friction};
}

TimeStepLimit HookeLaw::time_step(const PairMaterial& pair, const GrainSize& smallest) {
    const Coefficients c = calibrate(pair);
    const double mass = 0.5 * smallest.mass, root = std::sqrt(mass), swinging = tangential_share(pair) * mass;
    const auto limit = [&](double crowd) {
        return std::min(stable_step(c.stiffness / mass, c.damping(mass, root) / mass, crowd),
                        stable_step_of_spring(c.tangential_stiffness / swinging,
                                              c.tangential_damping(mass, root) / swinging, crowd));
    };
    const double stable = limit(crowding);
    const double duration = pi / std::sqrt(std::max(c.stiffness / mass, c.tangential_stiffness / swinging));
    if (duration / 50 <= 0.8 * stable)
        return {duration / 50, stable,
                fmt::format("contact of {}: half a swing of the smallest grain (mass {:.3g} kg), {:.3g} s, in 50 steps",
                            name_of(pair), smallest.mass, duration),
                limit(1)};
    return {0.8 * stable, stable,
            fmt::format("contact of {}: damping of the smallest grain (mass {:.3g} kg)", name_of(pair), smallest.mass),
            limit(1)};
}

}  // namespace scree
