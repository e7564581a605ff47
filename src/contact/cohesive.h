// The cohesive contact of Lazarević et al. 2002 (section 3.7, eq. 20-22).
//
//   d > 0                            the linear law: spring and dashpot, F >= 0, friction
//   -N_c/k <= d <= 0, moving apart   F = k d, a pull that grows to N_c
//   -N_c/k <= d <= 0, approaching    F = 0
//
// The published dampers are far past any stable step; here they follow from restitution and contact_time as
// in the linear law. The pull acts only against the motion, so that its work is lost: separating costs N_c^2/(2k) and
// approaching gives nothing back. A rebound at speed e v leaves with sqrt((e v)^2 - N_c^2/(k m*)), or stays.
//
// A force that switches with the sign of a velocity chatters at rest: a hanging grain, pulled in every other step,
// would slowly creep out of reach under half of its cohesion. So the switch is a spring in series, four times as stiff
// as k, with the stretch x = gap - p: the pull is 4 k x, and p moves as little as 0 <= 4 k x <= k gap demands. It
// reaches k gap a quarter of the way out, fades when the bodies approach, and holds a steady load at rest, with the
// dashpot to calm it. Both are passive.
#pragma once

#include "contact/law.h"
#include "contact/tangential.h"

namespace scree {

struct CohesiveLaw {
    static constexpr LawKind kind = LawKind::cohesive;
    static constexpr int memory = 4;  // tangential spring, reach less the plastic part of the gap
    static constexpr bool may_pull = true;
    static constexpr bool damped_by_mass = true;
    static constexpr bool loses_at_once = false;

    struct Coefficients {
        double stiffness, damping, tangential_stiffness, tangential_damping;  // per effective mass
        double lead_rate, friction;
        double cohesion;  // N_c
    };
    static constexpr double series = 4;  // stiffness of the pulling spring over k

    static Coefficients calibrate(const PairMaterial& pair);
    static TimeStepLimit time_step(const PairMaterial& pair, const GrainSize& smallest);

    SCREE_LANE double reach(const Coefficients& c, double inverse_mass) {
        return c.cohesion * inverse_mass / c.stiffness;
    }

    SCREE_LANE double clamp(double x, double low, double high) {
        const double raised = x > low ? x : low;
        return raised < high ? raised : high;
    }

    SCREE_LANE ContactForce force(const Coefficients& c, const ContactState& state, double (&memory)[4]) {
        ContactForce force;
        const bool pressed = state.overlap > 0;
        const double stiffness = state.mass * c.stiffness;
        const double viscous = state.mass * c.damping * state.damping_weight * state.approach;
        const double trial = stiffness * state.overlap + viscous;
        const double push = trial > 0 ? trial : 0.0;

        const double gap = pressed ? 0.0 : -state.overlap;
        const double farthest = reach(c, state.inverse_mass);
        const double plastic = clamp(farthest - memory[3], (1 - 1 / series) * gap, gap);
        const double pull = clamp(series * stiffness * (gap - plastic) - viscous, 0.0, stiffness * gap);
        const double before = farthest - memory[3], growth = plastic * plastic - before * before;
        memory[3] = farthest - plastic;

        force.normal = pressed ? push : -pull;
        force.elastic = stiffness * (pressed ? state.overlap : -series * (gap - plastic));
        spring_friction(state.mass * c.tangential_stiffness, state.mass * c.tangential_damping, c.lead_rate, c.friction,
                        pressed ? push : 0.0, state, memory, force);
        // The plastic part grows where the pull is k gap and it is (1 - 1/series) gap itself.
        force.lost += 0.5 * stiffness / (1 - 1 / series) * (growth > 0 ? growth : 0.0) +
                      damper_correction(c.stiffness, c.damping, state, force);
        return force;
    }

    SCREE_LANE double spring_unit(const Coefficients&, double, double) { return 1; }

    // What a pull still held when the contact tore: it grew on the line k gap to the end.
    SCREE_LANE double torn_energy(const Coefficients& c, double inverse_mass, const double (&memory)[4]) {
        const double stretch = (reach(c, inverse_mass) - memory[3]) / (series - 1);
        return 0.5 / inverse_mass * c.stiffness * series * stretch * stretch;
    }

    SCREE_LANE double elastic_energy(const Coefficients& c, double overlap, double inverse_mass, double,
                                     const double (&memory)[4]) {
        const double pressed = overlap > 0 ? overlap : 0.0;
        const double gap = pressed - overlap;
        const double stretch = gap - clamp(reach(c, inverse_mass) - memory[3], (1 - 1 / series) * gap, gap);
        return 0.5 / inverse_mass *
               (c.stiffness * (pressed * pressed + series * stretch * stretch) +
                c.tangential_stiffness * spring_square(memory));
    }
};

}  // namespace scree
