// Walton and Braun's elastoplastic contact (Pournin 2005 eq. 2.13-2.14, calibrated by 2.23).
//
//   loading      F = k1 d
//   unloading    F = k2 (d - p) down to 0, k2 = k1 / e^2
//   reloading    along k2 from where it began, until it meets k1 d
//
// All branches of (2.13) are one statement: F = k2 (d - p) where the plastic overlap p is kept and moved only as far as
// 0 <= F <= k1 d demands. One number of memory, no turning points to detect. Energy k2 (d - p)^2 / 2; what is lost is
// F dp, which is zero or more, so the law is passive whatever the path. The same statement for the length |xi| of the
// tangential spring is (2.14) with the force along the spring. Its work F.dxi is f d|xi|, turning of the spring
// works nothing, so it is passive too. Coulomb scales spring, plastic part and force alike.
#pragma once

#include <cmath>

#include "contact/law.h"
#include "contact/tangential.h"

namespace scree {

struct WaltonLaw {
    static constexpr LawKind kind = LawKind::walton;
    static constexpr int memory = 5;  // tangential spring (3), its plastic length, plastic overlap
    static constexpr bool may_pull = false;
    static constexpr bool damped_by_mass = false;
    static constexpr bool loses_at_once = true;

    struct Coefficients {
        double stiffness, plastic;                        // k2 per effective mass, 1 - k1/k2
        double tangential_stiffness, tangential_plastic;  // the same for the tangential spring
        double lead_rate, friction;
    };

    static Coefficients calibrate(const PairMaterial& pair);
    static TimeStepLimit time_step(const PairMaterial& pair, const GrainSize& smallest);

    SCREE_LANE double reach(const Coefficients&, double) { return 0; }

    // The plastic part p of a length x, moved as little as 0 <= x - p and k2 (x - p) <= k1 x demand.
    SCREE_LANE double yield(double p, double x, double plastic) {
        const double least = plastic * x;
        const double raised = p > least ? p : least;
        return raised < x ? raised : x;
    }

    // What was lost, per stiffness k2, while a plastic part grew on the line of first loading; when it shrinks the
    // force is zero. F = k1 x and x = p / plastic there.
    SCREE_LANE double yield_loss(double before, double after, double plastic) {
        const double growth = after * after - before * before;
        return 0.5 * (1 - plastic) / (plastic > 1e-300 ? plastic : 1e-300) * (growth > 0 ? growth : 0.0);
    }

    SCREE_LANE ContactForce force(const Coefficients& c, const ContactState& state, double (&memory)[5]) {
        ContactForce force;
        const double plastic = yield(memory[4], state.overlap, c.plastic);
        const double pressed_in = yield_loss(memory[4], plastic, c.plastic);
        memory[4] = plastic;
        force.normal = force.elastic = state.mass * c.stiffness * (state.overlap - plastic);

        const double lead = lead_time(state, c.lead_rate);
        const double grow = state.spring_time + lead, ahead = state.half_step - lead;
        const double x = memory[0] + grow * state.vt[0];
        const double y = memory[1] + grow * state.vt[1];
        const double z = memory[2] + grow * state.vt[2];
        const double length = std::sqrt(x * x + y * y + z * z);
        const double p = yield(memory[3], length, c.tangential_plastic);
        const double trial = state.mass * c.tangential_stiffness * (length - p);
        const double scale = coulomb_scale(trial, c.friction * force.normal);
        const double along = scale * trial / (length > 1e-300 ? length : 1e-300);
        force.tangential[0] = -along * x;
        force.tangential[1] = -along * y;
        force.tangential[2] = -along * z;
        memory[0] = scale * x + ahead * state.vt[0];
        memory[1] = scale * y + ahead * state.vt[1];
        memory[2] = scale * z + ahead * state.vt[2];
        const double before = memory[3];
        memory[3] = scale * p;

        // Along the spring: what it grew by in the step, its elastic part before and after, and all that is lost.
        const double along_x = x * state.vt[0] + y * state.vt[1] + z * state.vt[2];
        const double growth = (grow + ahead) * along_x / (length > 1e-300 ? length : 1e-300);
        const double held = length - growth - before, last = held > 0 ? held : 0.0, now = scale * (length - p);
        const double yielded = yield_loss(before, memory[3], c.tangential_plastic);
        const double rest = 0.5 * (now + last) * (growth - (now - last)) - yielded;
        force.lost = state.mass * (c.stiffness * pressed_in + c.tangential_stiffness * yielded);
        force.slipped = (scale < 1) & (rest > 0) & (c.friction > 0) ? state.mass * c.tangential_stiffness * rest : 0.0;
        return force;
    }

    SCREE_LANE double spring_unit(const Coefficients&, double, double) { return 1; }

    SCREE_LANE double elastic_energy(const Coefficients& c, double overlap, double inverse_mass, double,
                                     const double (&memory)[5]) {
        const double normal = overlap - yield(memory[4], overlap, c.plastic);
        const double length = std::sqrt(spring_square(memory));
        const double tangential = length - yield(memory[3], length, c.tangential_plastic);
        return 0.5 / inverse_mass * (c.stiffness * normal * normal + c.tangential_stiffness * tangential * tangential);
    }
};

}  // namespace scree
