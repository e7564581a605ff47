// The energy-controlled contact of Pournin et al. 2001, as Ferrez 2001 section 3.3.2 describes it (figures 3.4, 3.5).
//
// Ferrez gives the model in words; this is our reading. The force f (per effective mass) never exceeds the line k1 d of
// first loading, and every phase below it has a slope of its own:
//
//   loading      slope k_r up to k1 d, then along it. The work of loading is booked as stored energy E
//   unloading    at its start the contact decides what to give back: E <- E (1 - (1 - e^2) s^2), where s = 1 - f_m/f_M
//                is the depth of the loading phase that went from f_m to f_M: s = 1 in a first loading, small for a
//                tremble under a steady load, where s^2 E is the energy of the tremble. The slope is the one with
//                which an unloading down to f = 0 returns exactly that: E = f^2/(2 k_u)
//   return       at f = 0 back to d = 0, the "non-plastic return": whatever was plastic is forgotten on the way, since
//                a new loading meets k1 d again. Overlaps stay below f/k1 + what the unloading under way has spared
//
// So a first unloading returns e^2 of what came in, as in Walton and Braun's law; each reloading dissipates a further,
// marginal amount, where Walton's law dissipates none; the total is bounded because a decision never takes k_u past
// k2 = k1/e^2, the slope of a single collision. Reloading with k_r = 4 k2 is steeper than any unloading decided upon,
// so small loops close on k1 d, lose about (1 - e^2) of their energy, and do not creep: with reloading flatter than
// unloading a contact under a steady load sinks in with every tremble. A return line f = k0 d with k0 > 0 in place of f
// = 0 was rejected: the slow way back along it takes most of contact_time at low restitution and makes everything else
// stiffer.
//
// Far below k1 d, after a load that was larger, repeated small loops end on the slope k_r both ways and lose nothing.
// From the first reloading on a dashpot damps such trembles, within 0 <= f <= k1 d; a single collision never feels it.
//
// Passive by bookkeeping: E is the work put in less what was returned or written off, it only pays out what it holds,
// and since no slope exceeds k_r, E never falls short of the f^2/(2 k_r) that the steepest unloading returns.
#pragma once

#include "contact/law.h"
#include "contact/tangential.h"

namespace scree {

struct PourninLaw {
    static constexpr LawKind kind = LawKind::pournin;
    static constexpr int memory = 8;  // tangential spring (3), then as named below
    static constexpr bool may_pull = false;
    static constexpr bool damped_by_mass = false;
    static constexpr bool loses_at_once = true;

    struct Coefficients {
        double loading, unloading, reloading;  // k1, k2, k_r per effective mass
        double loss;                           // 1 - e^2
        double damping;                        // of trembles
        double tangential_stiffness, tangential_damping, lead_rate, friction;
    };

    static Coefficients calibrate(const PairMaterial& pair);
    static TimeStepLimit time_step(const PairMaterial& pair, const GrainSize& smallest);

    SCREE_LANE double reach(const Coefficients&, double) { return 0; }

    SCREE_LANE double lesser(double a, double b) { return a < b ? a : b; }
    SCREE_LANE double greater(double a, double b) { return a > b ? a : b; }

    SCREE_LANE ContactForce force(const Coefficients& c, const ContactState& state, double (&memory)[8]) {
        // Of the last step: overlap, force, stored energy; slope of the unloading under way (0 while loading); force at
        // which the last loading began.
        const double d0 = memory[3], f0 = memory[4], stored = memory[5], slope = memory[6], began = memory[7];
        const double d = state.overlap, change = d - d0;
        const bool was_loading = !(slope > 0);
        const bool loading = (change > 0) | ((change == 0) & was_loading);

        // What an unloading from (d0, f0) shall return, and the slope that does so, k1 at the flattest.
        const double depth = 1 - began / greater(f0, 1e-300);
        const double square = 0.5 * f0 * f0;
        const double aim = greater(stored * (1 - c.loss * depth * depth), square / c.unloading);
        const double decided = lesser(lesser(stored, aim), square / c.loading);
        const double new_slope = lesser(square / greater(decided, 1e-300), c.reloading);
        const bool turns = !loading & was_loading;
        const double k = turns ? new_slope : slope;
        const double energy = turns ? decided : stored;

        const double up = lesser(f0 + c.reloading * change, c.loading * d);
        const double down = greater(f0 + k * change, 0.0);
        const double f = loading ? up : down;
        memory[3] = d;
        memory[4] = f;
        memory[5] = greater(energy + 0.5 * (f + f0) * change, 0.0);
        memory[6] = loading ? 0.0 : k;
        memory[7] = loading & !was_loading ? f0 : began;
        const double written_off = stored + 0.5 * (f + f0) * change - memory[5];

        const double damped = f + (memory[7] > 0 ? c.damping * state.approach : 0.0);
        ContactForce force;
        force.normal = state.mass * lesser(greater(damped, 0.0), c.loading * d);
        force.elastic = state.mass * f;
        spring_friction(state.mass * c.tangential_stiffness, state.mass * c.tangential_damping, c.lead_rate, c.friction,
                        force.normal, state, memory, force);
        force.lost += state.mass * written_off;
        return force;
    }

    SCREE_LANE double spring_unit(const Coefficients&, double, double) { return 1; }

    SCREE_LANE double elastic_energy(const Coefficients& c, double, double inverse_mass, double,
                                     const double (&memory)[8]) {
        return (memory[5] + 0.5 * c.tangential_stiffness * spring_square(memory)) / inverse_mass;
    }
};

}  // namespace scree
