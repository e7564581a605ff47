#include "contact/elastic_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contact/calibration.h"
#include "math/elementary.h"

namespace scree {
namespace {

// Overlap, in radii of the smaller grain, at which the step must still be stable.
constexpr double deepest = 0.1;

}  // namespace

TimeStepLimit elastic_time_step(const PairMaterial& pair, const GrainSize& smallest, double ratio, double delay) {
    // Time that a Rayleigh wave takes around the grain. Its density is that of the sphere with the grain's mass: a disc
    // meets the same forces with another mass.
    const double r = smallest.radius, m = smallest.mass;
    const double density = m / (4.0 / 3 * pi * r * r * r);
    const double poisson = 0.5 * (pair.poisson[0] + pair.poisson[1]);
    const double shear = 2 * (2 - poisson) * pair.shear_star;
    const double rayleigh = pi * r * std::sqrt(density / shear) / (0.1631 * poisson + 0.8766);

    // Two of the smallest grains, pressed into one another.
    const double mass = 0.5 * m, a = std::sqrt(0.5 * r * deepest * r);
    const double stiffness = 2 * pair.young_star * a;
    const double damping = ratio * std::sqrt(mass * stiffness * 2 / 3) + delay * stiffness;
    const double tangential = 8 * pair.shear_star * a * (1 + 1 / pair.inertia_factor());
    const double stable = std::min(stable_step(stiffness / mass, damping / mass),
                                   stable_step_of_spring(tangential / mass, damping / mass));

    const double wave = 0.1 * rayleigh;
    if (wave <= 0.8 * stable)
        return {wave, stable,
                fmt::format("contact of {}: a tenth of the time {:.3g} s of a Rayleigh wave around the smallest "
                            "grain (radius {:g} m)",
                            name_of(pair), rayleigh, r)};
    return {0.8 * stable, stable,
            fmt::format("contact of {}: stiffness and damping of the smallest grain (radius {:g} m) at an "
                        "overlap of a tenth of its radius",
                        name_of(pair), r)};
}

}  // namespace scree
