// Rolling resistance, to be added to any law: an elastic-plastic spring and a dashpot on the relative rotation.
//
//   torque on i = -(k theta + c w),  |torque| <= rolling_friction * F_n * R*,  w the tangential part of w_i - w_j
//
// With u = R* theta it is a force k' u + c' du/dt with the limit rolling_friction F_n, scaled with its spring by the
// rule of tangential.h and passive for the same reason. Both grains get opposite torques, so angular momentum is kept.
// The dashpot brings a grain to rest that rocks below the limit. Rejected: a torque of constant size against the
// rotation (it never comes to rest but flips sign every step).
#pragma once

#include <cmath>

#include "contact/law.h"
#include "contact/tangential.h"

namespace scree {

struct RollingCoefficients {
    double stiffness = 0, damping = 0;  // of u, per effective mass
    double lead_rate = 0, friction = 0;
    double given_stiffness = 0, given_damping = 0;  // of u; the damping per root of the effective mass
    double given_lead_rate = 0;                     // per inverse mass
};

inline constexpr int rolling_memory = 3;  // numbers a contact keeps for it, after those of its law

struct RollingTorque {
    double x, y, z;  // on i
    double lost;     // energy in this step, by its dashpot and beyond its limit
};

// `duration` is the time of half a swing of the rolling spring: contact_time for laws that have it, 50 automatic steps
// for the others. Equal for all grains of the pair of materials, like the other coefficients. A stiffness that is given
// counts in place of a duration.
RollingCoefficients calibrate_rolling(const PairMaterial& pair, double duration);

// `turn` is the tangential part of w_i - w_j; `spring` holds its time integral (half a step ahead, as in law.h), which
// the kernel turns with the contact plane.
SCREE_LANE RollingTorque rolling_torque(const RollingCoefficients& c, const ContactState& state, double normal_force,
                                        const double (&turn)[3], double (&spring)[3]) {
    const double square = state.radius * state.radius, lever = state.mass * state.radius * state.radius;
    const double stiffness = lever * c.stiffness + square * c.given_stiffness;
    const double damping =
        (lever * c.damping + square * std::sqrt(state.mass) * c.given_damping) * state.damping_weight;
    const double lead = lead_time(state, c.lead_rate + c.given_lead_rate * state.inverse_mass);
    const double grow = state.spring_time + lead, ahead = state.half_step - lead;
    const double x = spring[0] + grow * turn[0];
    const double y = spring[1] + grow * turn[1];
    const double z = spring[2] + grow * turn[2];
    const double tx = stiffness * x + damping * turn[0];
    const double ty = stiffness * y + damping * turn[1];
    const double tz = stiffness * z + damping * turn[2];
    const double pressing = normal_force > 0 ? normal_force : 0.0;
    const double scale = coulomb_scale(std::sqrt(tx * tx + ty * ty + tz * tz), c.friction * pressing * state.radius);
    spring[0] = scale * x + ahead * turn[0];
    spring[1] = scale * y + ahead * turn[1];
    spring[2] = scale * z + ahead * turn[2];
    const double wx = turn[0], wy = turn[1], wz = turn[2];
    const double lost = scale * damping * (wx * wx + wy * wy + wz * wz) * (2 * state.half_step) +
                        slip_loss(stiffness, scale, x * x + y * y + z * z, (grow + ahead) * (x * wx + y * wy + z * wz));
    return {-scale * tx, -scale * ty, -scale * tz, lost};
}

SCREE_LANE double rolling_energy(const RollingCoefficients& c, double inverse_mass, double radius,
                                 const double (&spring)[3]) {
    return 0.5 * radius * radius * (c.stiffness / inverse_mass + c.given_stiffness) * spring_square(spring);
}

}  // namespace scree
