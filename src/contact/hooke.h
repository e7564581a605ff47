// The linear law with coefficients as given (contact/linear.h has the one that is made for a duration).
//
//   F_n = max(0, k d + c v_n),  F_t = -(k_t xi + c_t v_t), limited by Coulomb
//
// k and k_t are the same for all pairs of grains. A dashpot is given for all pairs alike, per effective mass, or by the
// restitution to be achieved: then it is the damping ratio times 2 sqrt(k m*). The three add up, and are kept apart
// because the mass is that of the pair.
#pragma once

#include <cmath>

#include "contact/law.h"
#include "contact/tangential.h"

namespace scree {

struct HookeLaw {
    static constexpr LawKind kind = LawKind::hooke;
    static constexpr int memory = 3;  // tangential spring
    static constexpr bool may_pull = false;
    static constexpr bool damped_by_mass = true;
    static constexpr bool loses_at_once = false;

    struct Dashpot {
        double fixed, by_mass, by_root;  // c = fixed + by_mass m* + by_root sqrt(m*)
        SCREE_INLINE double operator()(double mass, double root) const {
            return fixed + by_mass * mass + by_root * root;
        }
    };
    struct Coefficients {
        double stiffness, tangential_stiffness;
        Dashpot damping, tangential_damping;
        double lead_rate;  // m* times that of lead_time()
        double friction;
    };

    static Coefficients calibrate(const PairMaterial& pair);
    static TimeStepLimit time_step(const PairMaterial& pair, const GrainSize& smallest);

    SCREE_LANE double reach(const Coefficients&, double) { return 0; }

    SCREE_LANE ContactForce force(const Coefficients& c, const ContactState& state, double (&memory)[3]) {
        ContactForce force;
        const double root = std::sqrt(state.mass);
        const double damping = c.damping(state.mass, root);
        force.elastic = c.stiffness * state.overlap;
        const double trial = force.elastic + damping * state.damping_weight * state.approach;
        force.normal = trial > 0 ? trial : 0.0;
        spring_friction(c.tangential_stiffness, c.tangential_damping(state.mass, root),
                        c.lead_rate * state.inverse_mass, c.friction, force.normal, state, memory, force);
        force.lost += damper_correction(c.stiffness * state.inverse_mass, damping * state.inverse_mass, state, force);
        return force;
    }

    SCREE_LANE double spring_unit(const Coefficients&, double, double) { return 1; }

    SCREE_LANE double elastic_energy(const Coefficients& c, double overlap, double, double, const double (&memory)[3]) {
        return 0.5 * (c.stiffness * overlap * overlap + c.tangential_stiffness * spring_square(memory));
    }
};

}  // namespace scree
