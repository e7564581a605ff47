// Hertz's elastic spheres with Tsuji's damping and Mindlin's tangential force.
//
//   F_n = max(0, 4/3 E* a d + c v_n),  a = sqrt(R* d),  c = alpha sqrt(m* 4/3 E* a)
//
// c grows as d^(1/4), which makes restitution independent of the speed (Tsuji et al. 1992). In the variables
// y = d^(5/4) and dtau = (5/4)^(1/2) d^(1/4) dt (in units in which m* and 4/3 E* sqrt(R*) are 1) a collision is that of
// a linear oscillator with the damping ratio alpha/sqrt(5), and its force vanishes when the oscillator's does: so the
// calibration of the linear law, which ends at F = 0, holds exactly for alpha = sqrt(5) * damping ratio. No fit, no
// table. The damper in the contact plane has the same damping ratio as the normal one, for the stiffness k_t and the
// mass m* / (1 + 1/beta) that swings there. (Tsuji takes c itself, twice as much; either is a choice without a theory.)
#pragma once

#include <cmath>

#include "contact/law.h"
#include "contact/mindlin.h"

namespace scree {

struct HertzLaw {
    static constexpr LawKind kind = LawKind::hertz;
    static constexpr int memory = 3;  // tangential force over the root of its stiffness
    static constexpr bool may_pull = false;
    static constexpr bool damped_by_mass = true;
    static constexpr bool loses_at_once = false;

    struct Coefficients {
        double stiffness;                 // 4/3 E*
        double damping_square;            // alpha^2 4/3 E*
        double tangential_root;           // sqrt(8 G*)
        double tangential_damping_ratio;  // of the dampers, c_t / c
        double lead_rate;                 // m*/a times that of lead_time()
        double friction;
    };

    static Coefficients calibrate(const PairMaterial& pair);
    static TimeStepLimit time_step(const PairMaterial& pair, const GrainSize& smallest);

    SCREE_LANE double reach(const Coefficients&, double) { return 0; }

    // Sets force.normal and force.elastic; returns the damper's c. `a` is the radius of the contact.
    SCREE_LANE double normal_force(const Coefficients& c, const ContactState& state, double a, ContactForce& force) {
        const double damping = std::sqrt(c.damping_square * a * state.mass) * weight_of_rising(state, 0.8);
        force.elastic = c.stiffness * a * state.overlap;
        const double trial = force.elastic + damping * state.approach;
        force.normal = trial > 0 ? trial : 0.0;
        return damping;
    }

    SCREE_LANE ContactForce force(const Coefficients& c, const ContactState& state, double (&memory)[3]) {
        ContactForce force;
        const double a = std::sqrt(state.radius * state.overlap);
        const double damping = normal_force(c, state, a, force);
        mindlin_friction(c.tangential_root * std::sqrt(a), c.tangential_damping_ratio * damping,
                         c.lead_rate * a * state.inverse_mass, c.friction, state, memory, force);
        return force;
    }

    SCREE_LANE double spring_unit(const Coefficients& c, double overlap, double radius) {
        return c.tangential_root * std::sqrt(std::sqrt(radius * overlap));
    }

    SCREE_LANE double elastic_energy(const Coefficients& c, double overlap, double, double radius,
                                     const double (&memory)[3]) {
        return hertz_mindlin_energy(c.stiffness, overlap, radius, memory);
    }
};

}  // namespace scree
