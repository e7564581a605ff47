// Tangential force between elastic spheres at fixed and changing normal load, and friction on it.
//
//   k_t = 8 G* a,  a = sqrt(R* d)      Mindlin's stiffness without slip, a the contact radius
//
// The memory is a force T, not a displacement: while the contact area grows T stays as it is and grows by k_t dxi; while
// the area shrinks T shrinks with k_t. A displacement times the present stiffness would create energy on every loading,
// a force that keeps its value on unloading would create energy there; each of the two in its place only loses some.
// Elastic energy T^2 / (2 k_t). Coulomb scales T and the force alike, as in tangential.h.
#pragma once

#include <cmath>

#include "contact/law.h"
#include "contact/tangential.h"

namespace scree {

// Memory: force T (3), contact radius a of the last step. `stiffness` is k_t at the present contact radius.
SCREE_LANE void mindlin_friction(double stiffness, double damping, double limit, double contact_radius,
                                 const ContactState& state, double (&memory)[4], ContactForce& force) {
    const double shrink = coulomb_scale(memory[3], contact_radius);  // a / a_last, at most 1
    const double grown = stiffness * state.spring_time, ahead = stiffness * state.half_step;
    const double x = shrink * memory[0] + grown * state.vt[0];
    const double y = shrink * memory[1] + grown * state.vt[1];
    const double z = shrink * memory[2] + grown * state.vt[2];
    const double viscous = damping * state.damping_weight;
    const double fx = x + viscous * state.vt[0];
    const double fy = y + viscous * state.vt[1];
    const double fz = z + viscous * state.vt[2];
    const double scale = coulomb_scale(std::sqrt(fx * fx + fy * fy + fz * fz), limit);
    force.tangential[0] = -scale * fx;
    force.tangential[1] = -scale * fy;
    force.tangential[2] = -scale * fz;
    memory[0] = scale * x + ahead * state.vt[0];
    memory[1] = scale * y + ahead * state.vt[1];
    memory[2] = scale * z + ahead * state.vt[2];
    memory[3] = contact_radius;
}

SCREE_LANE double mindlin_energy(double stiffness, const double (&memory)[4]) {
    return 0.5 * spring_square(memory) / (stiffness > 1e-300 ? stiffness : 1e-300);
}

}  // namespace scree
