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

// Energy lost in sliding when a spring x is scaled: the way slid, (1 - scale) x, times the mean of the force before and
// after. `square` is x.x and `grown` what it grew by in the step, times x.
SCREE_LANE double slip_loss(double stiffness, double scale, double square, double grown) {
    const double after = scale * square, before = square - grown;
    return 0.5 * stiffness * (1 - scale) * (after + (before > 0 ? before : 0.0));
}

// Sets force.tangential and the memory y in memory[0..2], of which `unit` is the growth per length that the contact
// slides (1: the memory is the spring), `stiffness` the force per unit and `energy` twice the energy of a unit, 0 where
// there is no friction; `viscous` is the damper. Says what is lost.
template <int N>
SCREE_LANE void limited_spring(double unit, double stiffness, double energy, double viscous, double lead_rate,
                               double limit, const ContactState& state, double (&memory)[N], ContactForce& force) {
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
    const double vx = state.vt[0], vy = state.vt[1], vz = state.vt[2];
    // While a contact slides its damper is a part of the friction.
    const double damped = scale * viscous * (vx * vx + vy * vy + vz * vz) * (2 * state.half_step);
    force.lost = scale < 1 ? 0.0 : damped;
    force.slipped = slip_loss(energy, scale, x * x + y * y + z * z, (grow + ahead) * (x * vx + y * vy + z * vz)) +
                    (scale < 1 ? damped : 0.0);
}

// A linear spring; its damper jumps at first touch.
template <int N>
SCREE_LANE void spring_friction(double stiffness, double damping, double lead_rate, double friction, double pressing,
                                const ContactState& state, double (&memory)[N], ContactForce& force) {
    limited_spring(1.0, stiffness, friction > 0 ? stiffness : 0.0, damping * state.damping_weight, lead_rate,
                   friction * pressing, state, memory, force);
}

template <int N>
SCREE_LANE double spring_square(const double (&memory)[N]) {
    return memory[0] * memory[0] + memory[1] * memory[1] + memory[2] * memory[2];
}

}  // namespace scree
