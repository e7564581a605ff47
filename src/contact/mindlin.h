// Tangential force between elastic spheres while the normal load changes, and friction on it.
//
//   k_t = 8 G* a,  a = sqrt(R* d)      Mindlin's stiffness without slip, a the contact radius
//
// The memory is y = T / sqrt(k_t), T the elastic force: y grows by sqrt(k_t) dxi, the energy is y^2/2, and its change
// y dy = T dxi is exactly the work done, however d and with it k_t change in the meantime. Of all rules
// T ~ k_t^p at fixed xi only p = 1/2 has this property: keeping T (p = 0) loses energy on loading and gains it on
// unloading, keeping the displacement (p = 1, the usual k_t(d) xi) gains on loading. Switching between p = 0 on loading and
// p = 1 on unloading is passive too, but loses energy in every collision and needs a number more of memory. Coulomb scales
// y and the force alike, as in tangential.h.
#pragma once

#include <cmath>

#include "contact/law.h"
#include "contact/tangential.h"

namespace scree {

// `root` is sqrt(k_t) at the present contact radius; `damping` already carries its weight at first touch.
SCREE_LANE void mindlin_friction(double root, double damping, double lead_rate, double limit, const ContactState& state,
                                 double (&memory)[3], ContactForce& force) {
    const double lead = lead_time(state, lead_rate);
    const double grown = root * (state.spring_time + lead), ahead = root * (state.half_step - lead);
    const double x = memory[0] + grown * state.vt[0];
    const double y = memory[1] + grown * state.vt[1];
    const double z = memory[2] + grown * state.vt[2];
    const double fx = root * x + damping * state.vt[0];
    const double fy = root * y + damping * state.vt[1];
    const double fz = root * z + damping * state.vt[2];
    const double scale = coulomb_scale(std::sqrt(fx * fx + fy * fy + fz * fz), limit);
    force.tangential[0] = -scale * fx;
    force.tangential[1] = -scale * fy;
    force.tangential[2] = -scale * fz;
    memory[0] = scale * x + ahead * state.vt[0];
    memory[1] = scale * y + ahead * state.vt[1];
    memory[2] = scale * z + ahead * state.vt[2];
}

}  // namespace scree
