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

// That of an impact of two of the smallest grains, without damping, and of the load on one of them (Hertz 1882).
double reached_overlap(const PairMaterial& pair, const GrainSize& smallest) {
    if (smallest.speed == forever) return forever;
    const double stiffness = 4.0 / 3 * pair.young_star * std::sqrt(0.5 * smallest.radius);           // F / d^(3/2)
    const double impact = 1.25 * 0.5 * smallest.mass * smallest.speed * smallest.speed / stiffness;  // d^(5/2)
    const double load = smallest.load / stiffness;                                                   // d^(3/2)
    return std::max(impact > 0 ? same_pow(impact, 0.4) : 0, load > 0 ? same_pow(load, 2.0 / 3) : 0);
}

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
    const double mass = 0.5 * m;
    const auto limit = [&](double overlap, double crowd) {
        const double a = std::sqrt(0.5 * r * overlap);
        const double stiffness = 2 * pair.young_star * a;
        const double damping = ratio * std::sqrt(mass * stiffness * 2 / 3) + delay * stiffness;
        const double tangential = 8 * pair.shear_star * a * (1 + 1 / pair.inertia_factor());
        return std::min(stable_step(stiffness / mass, damping / mass, crowd),
                        stable_step_of_spring(tangential / mass, damping / mass, crowd));
    };
    const double stable = limit(deepest * r, crowding),
                 possible = limit(std::min(deepest * r, reached_overlap(pair, smallest)), 1);

    const double wave = 0.1 * rayleigh;
    if (wave <= 0.8 * stable)
        return {wave, stable,
                fmt::format("contact of {}: a tenth of the time {:.3g} s of a Rayleigh wave around the smallest "
                            "grain (radius {:g} m)",
                            name_of(pair), rayleigh, r),
                possible};
    return {0.8 * stable, stable,
            fmt::format("contact of {}: stiffness and damping of the smallest grain (radius {:g} m) at an "
                        "overlap of a tenth of its radius",
                        name_of(pair), r),
            possible};
}

}  // namespace scree
