// What a contact law is.
//
// A law is a struct of static functions on the scalars of one contact, so that the kernel (engine/kernels/kernel) can
// run it over 64 pairs at once as one vector loop. No branches that a compiler cannot turn into selects, no calls but
// sqrt, fabs, min, max; no allocation. Required of a law L:
//
//   static constexpr LawKind kind          its entry in scree/law_list.h
//   static constexpr int memory            numbers of memory per contact; the first three are a vector in the contact
//                                          plane (spring or force), which the kernel turns with the plane. All are zero
//                                          when a contact begins and again when it has ended
//   static constexpr bool may_pull         true if it also acts across a gap, up to reach(); overlap is then negative.
//                                          Otherwise the kernel passes an overlap of at least 0
//   static constexpr bool damped_by_mass   true if a dashpot made for the mass m* gives the restitution: where a body
//                                          is hit off its center less mass answers, and the approach is then passed
//                                          softened (engine/families/patch_law.h)
//   struct Coefficients                    of a pair of materials, doubles only
//   static Coefficients calibrate(const PairMaterial&)
//   static double reach(const Coefficients&, double inverse_mass)   distance beyond touching at which it still acts
//                                          (0 for most); memory lives while gap < reach
//   static ContactForce force(const Coefficients&, const ContactState&, double (&memory)[L::memory])
//   static double elastic_energy(const Coefficients&, double overlap, double inverse_mass, double radius,
//                                const double (&memory)[L::memory])   recoverable energy stored in the contact
//   static double spring_unit(const Coefficients&, double overlap, double radius)   growth of the vector in the contact
//                                plane per length that the contact slides
//   static double torn_energy(const Coefficients&, double inverse_mass, const double (&memory)[L::memory])   of laws
//   that
//                                pull: what the pull still held when the contact got out of reach, by its last memory
//   static constexpr bool loses_at_once    true if what force() says is lost has been lost since the last step, as by
//                                          plastic parts; otherwise it is a power at this moment times the step
//   static TimeStepLimit time_step(const PairMaterial&, const GrainSize& smallest)
//
// Notation: i and j the two bodies, n the unit normal from j to i, overlap d > 0 when touching, v the velocity of i
// relative to j at the contact point. v_n = -v.n = dd/dt is the speed of approach, v_t = v + v_n n.
//
// Half a step ahead. The kernel knows the velocity at the end of a step, predicted from the last acceleration, not the
// one in its middle. A spring that grows by v_t dt per step with that velocity runs half a step ahead of the positions,
// which acts as a damper k dt/2 and spoils the asked tangential restitution by several percent. So a law keeps in
// memory the spring half a step ahead on purpose: it adds v_t * spring_time to get the spring of now (the trapezoid
// rule), and v_t * half_step to get what it stores. With predicted velocities the trapezoid rule is not quite neutral:
// a swing of phase w per step grows by w^4/8 per step, enough to keep packed grains rattling. lead_time() reads the
// spring ahead by the part w^2/4 of a step, w^2 that of the fastest mode of a packing: then no mode grows, and a single
// collision loses no more than 1e-3 of its tangential speed in 50 steps. Rejected: middle velocities for all grains,
// one more row to load; the contact's own last acceleration alone, which damps a packing by percents per step.
//
// Energy is lost by mechanisms, each with its own work: what the normal force has beyond the elastic one, dampers,
// plastic parts, sliding. Rejected: the work of the whole force less the energy stored. The error of that quadrature
// is always positive and looks like dissipation where there is none. A contact that has just ended is asked once more:
// its springs, which no force holds any longer, lose what they had.
#pragma once

#include <string>

#include "core/inline.h"
#include "scree/scene.h"

// What runs inside the kernel's vector loop must vanish into it.
#define SCREE_LANE static SCREE_INLINE

namespace scree {

// Contact values of a pair of materials, combined from both and from the scene's [[interactions]].
struct PairMaterial {
    LawKind law;  // of this pair
    double restitution, tangential_restitution, friction, contact_time, rolling_friction, cohesion, viscosity;
    double restitution_speed;  // read by the event engine alone
    bool contact_time_given;
    LinearCoefficients linear;
    std::optional<double> rolling_stiffness;
    double young_star;  // 1/E* = (1-nu1^2)/E1 + (1-nu2^2)/E2
    double shear_star;  // 1/G* = (2-nu1)/G1 + (2-nu2)/G2, G = E/(2(1+nu))
    double young[2], poisson[2], density[2];
    std::string name[2];  // of the materials, for messages
    int dimension;        // I = beta m r^2, beta = 2/5 for spheres (3), 1/2 for discs (2)
    double inertia_factor() const { return dimension == 3 ? 0.4 : 0.5; }
};

struct GrainSize {  // of the smallest grain that can meet in this pair of materials
    double radius, mass;
    double speed = forever, load = 0;  // m/s and N, with which it may meet others; forever: nothing is known
};

// The step the program would choose, the step past which a grain in a deep packing may be unstable, and why, as a user
// may read it; and the step past which not even two grains stay stable at the overlaps that they can reach.
struct TimeStepLimit {
    double automatic, stable;
    std::string reason;
    double possible;
};

struct ContactState {
    double overlap;
    double approach;      // v_n
    double vt[3];         // v_t
    double inverse_mass;  // 1/m_i + 1/m_j (0 for a wall or fixed body)
    double mass;          // m* = 1 / inverse_mass
    double radius;        // R*: 1/R* = 1/r_i + 1/r_j; r_i at a flat wall
    // Time for which the spring has grown since the memory was stored: half a step; in the step in which the contact
    // begins the time since it began, touch_time = d / v_n, at most a step.
    double spring_time;
    double half_step;
    // Forces that depend on velocity jump at first touch. In that step they are weighted by 1/2 + touch_time / dt (1 in
    // all others): then the impulse of the jump is right to second order in dt, and the asked restitution comes out
    // whatever the phase of the first step.
    double damping_weight;
};

// Time by which a tangential spring is read ahead, for a packing whose fastest mode has the square frequency 4 `rate`.
SCREE_LANE double lead_time(const ContactState& state, double rate) {
    const double dt = 2 * state.half_step, share = rate * dt * dt;
    return (share < 0.5 ? share : 0.5) * dt;
}

// damping_weight for a damper that does not jump but rises as d^p: its impulse up to now is touch_time/(1 + p) times
// its present force, share = 1/(1 + p).
SCREE_LANE double weight_of_rising(const ContactState& state, double share) {
    return state.spring_time == state.half_step ? 1.0 : 0.5 + share * (state.damping_weight - 0.5);
}

struct ContactForce {
    double normal;         // on i along n, >= 0 unless the law pulls
    double tangential[3];  // on i
    double elastic;        // of `normal` that which comes out of the stored energy; what is beyond it dissipates
    double lost;           // energy lost in this step by dampers in the contact plane and by plastic parts
    double slipped;        // by sliding
};

// What a dashpot in the normal direction loses beside its power at the predicted velocity: it works at that of the end
// of the step, which differs by half of what the acceleration has changed by, in the first step by all of it.
SCREE_LANE double damper_correction(double stiffness, double damping, const ContactState& state,
                                    const ContactForce& force) {
    const double dt = 2 * state.half_step, acceleration = force.normal * state.inverse_mass;
    const double change = state.spring_time == state.half_step
                              ? dt * (stiffness * state.approach - damping * acceleration)
                              : acceleration;
    return force.normal > 0 ? -0.5 * dt * dt * change * (force.normal - force.elastic) : 0.0;
}

}  // namespace scree
