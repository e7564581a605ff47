// Viscoelastic spheres of Kuwabara and Kono (1987): Hertz's force with a delay A.
//
//   F_n = max(0, 4/3 E* a (d + 3/2 A v_n)),  a = sqrt(R* d)
//
// Restitution follows from A and falls with speed, 1 - e ~ A v^(1/5), as that of real viscoelastic spheres does; the
// material's restitution is not used. Tangential: Mindlin, with the same delay, c_t = A k_t: in a Kelvin solid every
// elastic stress sigma is accompanied by A dsigma/dt.
#pragma once

#include <cmath>

#include "contact/law.h"
#include "contact/mindlin.h"

namespace scree {

struct KuwabaraKonoLaw {
    static constexpr LawKind kind = LawKind::kuwabara_kono;
    static constexpr int memory = 3;  // tangential force over the root of its stiffness
    static constexpr bool may_pull = false;
    static constexpr bool damped_by_mass = false;
    static constexpr bool loses_at_once = false;

    struct Coefficients {
        double stiffness;        // 4/3 E*
        double viscosity;        // A
        double tangential_root;  // sqrt(8 G*)
        double lead_rate;        // m*/a times that of lead_time()
        double friction;
    };

    static Coefficients calibrate(const PairMaterial& pair);
    static TimeStepLimit time_step(const PairMaterial& pair, const GrainSize& smallest);

    SCREE_LANE double reach(const Coefficients&, double) { return 0; }

    SCREE_LANE ContactForce force(const Coefficients& c, const ContactState& state, double (&memory)[3]) {
        ContactForce force;
        const double a = std::sqrt(state.radius * state.overlap);
        const double delay = c.viscosity * weight_of_rising(state, 2.0 / 3);
        const double delayed = state.overlap + 1.5 * delay * state.approach;
        force.normal = c.stiffness * a * (delayed > 0 ? delayed : 0.0);
        force.elastic = c.stiffness * a * state.overlap;
        const double root = c.tangential_root * std::sqrt(a);
        mindlin_friction(root, delay * root * root, c.lead_rate * a * state.inverse_mass, c.friction, state, memory,
                         force);
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
