// From the restitution and duration that a user asks for to the coefficients that achieve them, and how large a step
// the integrator stands.
#pragma once

#include <string>

#include "contact/law.h"

namespace scree {

// The oscillator x'' = -stiffness x - damping x' (per unit mass) that starts at x = 0 and whose force first vanishes
// after the time `duration`, with the speed -restitution times the first one. Restitution in (0, 1].
//
// With beta = damping/2: the force vanishes at w t = pi - 2 atan(beta/w) for w^2 = stiffness - beta^2 > 0, and at
// s t = 2 atanh(s/beta) for s^2 = beta^2 - stiffness > 0; in both cases the speed is then exactly exp(-beta t) of the
// first. So beta = -ln(e)/t, and one equation is left for the other number; critical damping is e = exp(-2).
struct Oscillator {
    double stiffness, damping;
    // beta / w0; Tsuji's damping of a Hertz contact depends on it alone.
    double damping_ratio() const;
};
Oscillator oscillator(double restitution, double duration);

// What a collision of that oscillator comes to: the inverse of the above.
struct Collision {
    double duration, restitution;
};
Collision collision_of(const Oscillator& given);

// The tangential restitution that laws with a dashpot are made for: 0 would take an infinite one.
double least_tangential(const PairMaterial& pair);

// The largest step at which velocity Verlet with predicted velocities holds a grain among a dozen neighbors.
//
// For x'' = -W^2 x - G x' the scheme is stable while W^2 dt^2/4 + G dt < 1. A grain in a dense packing feels several
// contacts at once, so that W^2 and G are a multiple of those of one pair. With the stiffness k per effective mass of
// normal and 2/7 k of tangential springs, close-packed equal spheres have modes of 4 k (zone boundary), 5.7 k (all
// spins alike) and a small grain caught by twelve heavy ones 6.3 k; ten leaves a margin for overlapping modes.
constexpr double crowding = 10;
double stable_step(double stiffness, double damping, double crowd = crowding);
// The same for tangential springs, which grow by predicted velocities: stable while W^2 dt^2/2 + G dt < 1, W^2 up to 7
// k.
double stable_step_of_spring(double stiffness, double damping, double crowd = crowding);

// A quarter of the square frequency of the fastest mode that feels tangential springs, for lead_time(): a small grain
// caught by twelve heavy ones (translation 4 k + 2.3 k_t, spin 5.7 k_t), k and k_t per m* and per the mass that swings.
double lead_rate(double stiffness, double tangential_stiffness);

std::string name_of(const PairMaterial& pair);  // `sand` with itself, `sand` and `steel`

}  // namespace scree
