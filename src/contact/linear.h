// Linear spring and dashpot, normal and tangential (Ferrez 2001 section 3.3.1, Pournin 2005 eq. 2.11-2.12).
//
//   F_n = max(0, k d + c v_n)          the contact ends at F = 0: it never pulls
//   F_t = -(k_t xi + c_t v_t)          limited by Coulomb
//
// All coefficients are per unit effective mass, so that every pair of grains has the same contact_time. They are
// calibrated so that one collision lasts contact_time and *achieves* the asked restitutions, the tangential one with
// 1/m* (1 + 1/beta) in place of 1/m* (I = beta m r^2): both forces vanish together when the contact ends.
#pragma once

#include "contact/law.h"
#include "contact/tangential.h"

namespace scree {

struct LinearLaw {
    static constexpr LawKind kind = LawKind::linear;
    static constexpr int memory = 3;  // tangential spring
    static constexpr bool may_pull = false;
    static constexpr bool damped_by_mass = true;
    static constexpr bool loses_at_once = false;

    struct Coefficients {
        double stiffness, damping, tangential_stiffness, tangential_damping;  // per effective mass
        double lead_rate, friction;
    };

    static Coefficients calibrate(const PairMaterial& pair);
    static TimeStepLimit time_step(const PairMaterial& pair, const GrainSize& smallest);

    SCREE_LANE double reach(const Coefficients&, double) { return 0; }

    SCREE_LANE ContactForce force(const Coefficients& c, const ContactState& state, double (&memory)[3]) {
        ContactForce force;
        const double elastic = c.stiffness * state.overlap;
        const double trial = state.mass * (elastic + c.damping * state.damping_weight * state.approach);
        force.normal = trial > 0 ? trial : 0.0;
        force.elastic = state.mass * elastic;
        spring_friction(state.mass * c.tangential_stiffness, state.mass * c.tangential_damping, c.lead_rate, c.friction,
                        force.normal, state, memory, force);
        force.lost += damper_correction(c.stiffness, c.damping, state, force);
        return force;
    }

    SCREE_LANE double spring_unit(const Coefficients&, double, double) { return 1; }

    SCREE_LANE double elastic_energy(const Coefficients& c, double overlap, double inverse_mass, double,
                                     const double (&memory)[3]) {
        return 0.5 / inverse_mass * (c.stiffness * overlap * overlap + c.tangential_stiffness * spring_square(memory));
    }
};

}  // namespace scree
