// Hertz's elastic spheres whose rim of contact slips before the whole does (Mindlin and Deresiewicz 1953).
//
// Under a tangential force T the ring around the area of contact slips and only a core sticks, so the contact is softer
// than Mindlin's k_t the nearer T is to Coulomb's limit: on loading from a turning point T' the stiffness is
//
//   k_t ((mu F_n - T) / (mu F_n - T'))^(1/3)
//
// in the incremental form of Walton and Braun (1986). T' is 0 for a new contact and follows T while T falls; so small
// swings around a load are elastic to first order, and noise does not creep. On unloading the stiffness is k_t itself:
// what the memory y = T / sqrt(k_t) gives back is then exactly the work done, and on loading less is stored than was
// spent, so the law is passive (mindlin.h). The softening after a reversal that theory also has would give back more
// than was stored in this account. The rest is hertz.h; one number of memory and a cube root more.
#pragma once

#include <cmath>

#include "contact/hertz.h"
#include "contact/law.h"
#include "contact/mindlin.h"

namespace scree {

struct HertzSlipLaw {
    static constexpr LawKind kind = LawKind::hertz_slip;
    static constexpr int memory = 4;  // as HertzLaw, and the length of those three at the last turning point
    static constexpr bool may_pull = false;
    static constexpr bool damped_by_mass = true;
    static constexpr bool loses_at_once = false;

    using Coefficients = HertzLaw::Coefficients;
    static Coefficients calibrate(const PairMaterial& pair) { return HertzLaw::calibrate(pair); }
    static TimeStepLimit time_step(const PairMaterial& pair, const GrainSize& smallest) {
        return HertzLaw::time_step(pair, smallest);
    }

    SCREE_LANE double reach(const Coefficients&, double) { return 0; }

    // The cube root of u in [0, 1], to 0.002: laws call nothing but square roots. A rational function of sqrt(u), found
    // by least squares with weights that level its errors.
    SCREE_LANE double cube_root(double u) {
        const double s = std::sqrt(u);
        const double root = s * (0.01894691 + s * (0.69592907 + s * 0.61116491)) / (0.00205533 + s * (0.3214026 + s));
        return root < 1 ? root : 1.0;
    }

    SCREE_LANE ContactForce force(const Coefficients& c, const ContactState& state, double (&memory)[4]) {
        ContactForce force;
        const double a = std::sqrt(state.radius * state.overlap);
        const double damping = HertzLaw::normal_force(c, state, a, force);
        const double root = c.tangential_root * std::sqrt(a), limit = c.friction * force.normal;

        const double held = std::sqrt(spring_square(memory)), turned = memory[3] < held ? memory[3] : held;
        const double left = limit - root * held, whole = limit - root * turned;
        const double ratio = (left > 0 ? left : 0.0) / (whole > 1e-300 ? whole : 1e-300);
        const double along = memory[0] * state.vt[0] + memory[1] * state.vt[1] + memory[2] * state.vt[2];
        const double soft = along < 0 ? 1.0 : cube_root(ratio < 1 ? ratio : 1.0);
        const double square = spring_square(memory);
        limited_spring(soft * root, root, 1, c.tangential_damping_ratio * damping, c.lead_rate * a * state.inverse_mass,
                       limit, state, memory, force);
        // The ring slips too: all work of the spring that is not stored, from middle to middle of the steps, where the
        // memory is.
        const double span = state.half_step + state.spring_time;
        const double power = -(force.tangential[0] * state.vt[0] + force.tangential[1] * state.vt[1] +
                               force.tangential[2] * state.vt[2]);
        force.slipped = power * span - force.lost - 0.5 * (spring_square(memory) - square);
        const double now = std::sqrt(spring_square(memory));
        memory[3] = along < 0 || now < turned ? now : turned;
        return force;
    }

    SCREE_LANE double spring_unit(const Coefficients& c, double overlap, double radius) {
        return HertzLaw::spring_unit(c, overlap, radius);
    }

    SCREE_LANE double elastic_energy(const Coefficients& c, double overlap, double, double radius,
                                     const double (&memory)[4]) {
        return hertz_mindlin_energy(c.stiffness, overlap, radius, memory);
    }
};

}  // namespace scree
