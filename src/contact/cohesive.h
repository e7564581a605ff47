// The cohesive contact of Lazarevic, Dvornik and Fresl (001 section 3.7, eq. 20-22).
//
//   d > 0                            the linear law: spring and dashpot, F >= 0, friction
//   -N_c/k <= d <= 0, moving apart   F = k d, a pull that grows to N_c
//   -N_c/k <= d <= 0, approaching    F = 0
//
// 001's own dampers are far past any stable step (seeds' errata); here they follow from restitution and contact_time as
// in the linear law. A pull acts only against the motion, so that its work is always lost: separating costs
// N_c^2/(2k), approaching gives nothing back, and nothing of it is elastic energy. A rebound at speed e v therefore
// leaves with sqrt((e v)^2 - N_c^2/(k m*)), or stays.
#pragma once

#include "contact/law.h"
#include "contact/tangential.h"

namespace scree {

struct CohesiveLaw {
    static constexpr int memory = 3;  // tangential spring
    static constexpr bool may_pull = true;

    struct Coefficients {
        double stiffness, damping, tangential_stiffness, tangential_damping;  // per effective mass
        double friction;
        double cohesion;  // N_c
    };

    static Coefficients calibrate(const PairMaterial& pair);
    static TimeStepLimit time_step(const PairMaterial& pair, const GrainSize& smallest);

    SCREE_LANE double reach(const Coefficients& c, double inverse_mass) {
        return c.cohesion * inverse_mass / c.stiffness;
    }

    SCREE_LANE ContactForce force(const Coefficients& c, const ContactState& state, double (&memory)[3]) {
        ContactForce force;
        const double spring = state.mass * c.stiffness * state.overlap;
        const double trial = spring + state.mass * c.damping * state.damping_weight * state.approach;
        const double push = trial > 0 ? trial : 0.0;
        const double pull = state.approach < 0 ? spring : 0.0;
        force.normal = state.overlap > 0 ? push : pull;
        const double pressing = force.normal > 0 ? force.normal : 0.0;
        spring_friction(state.mass * c.tangential_stiffness, state.mass * c.tangential_damping, c.friction * pressing,
                        state, memory, force);
        return force;
    }

    SCREE_LANE double elastic_energy(const Coefficients& c, double overlap, double inverse_mass, double,
                                     const double (&memory)[3]) {
        const double pressed = overlap > 0 ? overlap : 0.0;
        return 0.5 / inverse_mass * (c.stiffness * pressed * pressed + c.tangential_stiffness * spring_square(memory));
    }
};

}  // namespace scree
