// Friction between two bodies that touch: a spring and a dashpot in the contact plane, limited by Coulomb's law.
//
// When the trial force exceeds friction * normal, spring and force are scaled by the same factor. That never gains
// energy (docs/laws.md has the short proof), whatever the step, the damping and the history of the normal force.
// The rejected alternatives: a force that is cut while its spring grows on stores energy that friction has already
// spent; a spring recomputed as (force - damping)/stiffness may grow when the damper is strong.
#pragma once

#include <cmath>

#include "contact/law.h"

namespace scree {

// Factor that brings a force of length `length` down to `limit`; exactly 1 below the limit, 0 at limit 0.
SCREE_LANE double coulomb_scale(double length, double limit) {
    const double larger = length > limit ? length : limit;
    return limit / (larger > 1e-300 ? larger : 1e-300);
}

// Sets force.tangential and the memory y in memory[0..2], of which `unit` is the growth per length that the contact
// slides (1: the memory is the spring) and `stiffness` the force per unit; `viscous` is the damper. Returns the factor
// by which Coulomb's law scaled both.
template <int N>
SCREE_LANE double limited_spring(double unit, double stiffness, double viscous, double lead_rate, double limit,
                                 const ContactState& state, double (&memory)[N], ContactForce& force) {
    const double lead = lead_time(state, lead_rate);
    const double grow = unit * (state.spring_time + lead), ahead = unit * (state.half_step - lead);
    const double x = memory[0] + grow * state.vt[0];
    const double y = memory[1] + grow * state.vt[1];
    const double z = memory[2] + grow * state.vt[2];
    const double fx = stiffness * x + viscous * state.vt[0];
    const double fy = stiffness * y + viscous * state.vt[1];
    const double fz = stiffness * z + viscous * state.vt[2];
    const double scale = coulomb_scale(std::sqrt(fx * fx + fy * fy + fz * fz), limit);
    force.tangential[0] = -scale * fx;
    force.tangential[1] = -scale * fy;
    force.tangential[2] = -scale * fz;
    memory[0] = scale * x + ahead * state.vt[0];
    memory[1] = scale * y + ahead * state.vt[1];
    memory[2] = scale * z + ahead * state.vt[2];
    return scale;
}

// A linear spring; its damper jumps at first touch.
template <int N>
SCREE_LANE double spring_friction(double stiffness, double damping, double lead_rate, double limit,
                                  const ContactState& state, double (&memory)[N], ContactForce& force) {
    return limited_spring(1.0, stiffness, damping * state.damping_weight, lead_rate, limit, state, memory, force);
}

template <int N>
SCREE_LANE double spring_square(const double (&memory)[N]) {
    return memory[0] * memory[0] + memory[1] * memory[1] + memory[2] * memory[2];
}

}  // namespace scree
