// Tangential force between elastic spheres while the normal load changes, and friction on it.
//
//   k_t = 8 G* a,  a = sqrt(R* d)      Mindlin's stiffness without slip, a the contact radius
//
// The memory is y = T / sqrt(k_t), T the elastic force: y grows by sqrt(k_t) dxi, the energy is y^2/2, and its change
// y dy = T dxi is exactly the work done, however d and with it k_t change in the meantime. Of all rules
// T ~ k_t^p at fixed xi only p = 1/2 has this property: keeping T (p = 0) loses energy on loading and gains it on
// unloading, keeping the displacement (p = 1, the usual k_t(d) xi) gains on loading. Switching between p = 0 on loading
// and p = 1 on unloading is passive too, but loses energy in every collision and needs a number more of memory. Coulomb
// scales y and the force alike, as in tangential.h.
#pragma once

#include <cmath>

#include "contact/law.h"
#include "contact/tangential.h"

namespace scree {

// `root` is sqrt(k_t) at the present contact radius; `damping` already carries its weight at first touch.
SCREE_LANE void mindlin_friction(double root, double damping, double lead_rate, double friction,
                                 const ContactState& state, double (&memory)[3], ContactForce& force) {
    limited_spring(root, root, friction > 0 ? 1.0 : 0.0, damping, lead_rate, friction * force.normal, state, memory,
                   force);
}

// Recoverable energy of a contact of Hertz's spheres; `stiffness` is 4/3 E*.
template <int N>
SCREE_LANE double hertz_mindlin_energy(double stiffness, double overlap, double radius, const double (&memory)[N]) {
    const double a = std::sqrt(radius * overlap);
    return 0.4 * stiffness * a * overlap * overlap + 0.5 * spring_square(memory);
}

}  // namespace scree
