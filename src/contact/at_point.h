// How a law acts at one point of contact: the only place for it. Spheres (engine/kernels/kernel.cpp), points of bodies
// (engine/kernels/body_kernel.cpp, engine/families/patch_law.cpp) and observers (engine/families/tile_scene.cpp) find
// the point, its velocity and its memory, each in the way that suits them, and come here.
//
//   set_times     how long the spring has grown, and the weight of a damper that jumps, in the first step of a contact
//   slip_of       v_t
//   turn_spring   the memory turns with the contact plane
//   law           the force (contact/law.h)
//   force_of      the force as a vector
//   lost_of       energy lost in the step, and that lost in sliding
//   roll_at       rolling resistance, its power and what it loses
//
// act_at() is all of it. The kernel of spheres runs the stages in loops of their own, because the processor looks about
// a hundred operations ahead. Everything is inlined and free of branches, so that a loop over lanes vectorises. For the
// same reason structures are passed whole and by reference: GCC does not vectorise over copies, nor over members that
// are passed by reference.
//
// A point may be one of several that share the force of a patch (engine/families/patch_law.h): all it does is
// multiplied by its share. Its springs are kept times the root of the share: their energy then does not change when the
// load shifts from point to point. Of a point by itself both are 1, which costs nothing where the compiler knows it.
#pragma once

#include "contact/law.h"
#include "contact/rolling.h"
#include "scree/vec.h"

namespace scree {

// The first three numbers of a law's memory are a vector in the contact plane.
inline constexpr int spring_numbers = 3;

struct PointForce {
    Vec3 force;            // on i
    Vec3 couple;           // of rolling resistance on i; the opposite is on j
    double power;          // taken from the motion
    double rolling_power;  // put into it by rolling resistance
    double lost, slipped;  // energy in this step, by sliding and otherwise
};

// The overlap as a law takes it.
template <class Law>
SCREE_LANE double depth_of(double overlap) {
    return Law::may_pull ? overlap : (overlap > 0 ? overlap : 0);
}

// `since` is the time that has passed since the contact began, if it begins in this step; `part` that of a step.
SCREE_LANE void set_times(ContactState& state, bool begins, double since, double part, double dt) {
    state.half_step = 0.5 * dt;
    state.spring_time = begins ? since : 0.5 * dt;
    state.damping_weight = begins ? 0.5 + part : 1;
}

// For observers: memory is half a step ahead (contact/law.h); this goes back to now.
SCREE_LANE void set_times_to_look(ContactState& state, double dt) {
    state.half_step = 0.5 * dt;
    state.spring_time = -0.5 * dt;
    state.damping_weight = 1;
}

// v_t
SCREE_LANE Vec3 slip_of(const Vec3& n, const Vec3& u, double approach) {
    return {u.x + approach * n.x, u.y + approach * n.y, u.z + approach * n.z};
}

// The part of a vector that is in the contact plane.
SCREE_LANE Vec3 in_plane(const Vec3& v, const Vec3& n) {
    const double along = v.x * n.x + v.y * n.y + v.z * n.z;
    return {v.x - along * n.x, v.y - along * n.y, v.z - along * n.z};
}

// The springs of a memory, as they were kept, become springs as a law takes them.
template <int N>
SCREE_LANE void turn_spring(double (&memory)[N], double root, const Vec3& n) {
    const Vec3 kept{memory[0] / root, memory[1] / root, memory[2] / root};
    const Vec3 turned = in_plane(kept, n);
    memory[0] = turned.x;
    memory[1] = turned.y;
    memory[2] = turned.z;
}

// And become what is kept.
template <int N>
SCREE_LANE void keep_spring(double (&memory)[N], double root) {
    for (int m = 0; m < spring_numbers; ++m) memory[m] = memory[m] * root;
}

SCREE_LANE Vec3 force_of(const ContactForce& force, const Vec3& n) {
    return {force.normal * n.x + force.tangential[0], force.normal * n.y + force.tangential[1],
            force.normal * n.z + force.tangential[2]};
}

SCREE_LANE double power_of(const ContactForce& force, const Vec3& slip, double approach) {
    const double x = force.tangential[0], y = force.tangential[1], z = force.tangential[2];
    return force.normal * approach - (x * slip.x + y * slip.y + z * slip.z);
}

// What is lost otherwise than by sliding. `approach` is that of the bodies, whatever the law was told. A contact that
// ends within the step that follows does not lose for all of it.
SCREE_LANE double lost_of(const ContactForce& force, double overlap, double approach, double dt) {
    const double way = approach * dt, left = overlap > 0 ? -overlap : way, last = way > left ? way : left;
    return force.lost + (force.normal - force.elastic) * (0.5 * (way + last));
}

// What a contact loses in the step in which it has ended: `lost`, what the law says when it is asked once more; if it
// pulled, what the pull still held by the last memory.
template <class Law>
SCREE_LANE double left_behind(const typename Law::Coefficients& c, double inverse_mass,
                              const double (&memory)[Law::memory], double lost) {
    if constexpr (Law::may_pull) return Law::torn_energy(c, inverse_mass, memory);
    return lost;
}

struct PointRoll {
    double x, y, z;  // couple on i
    double power;    // put into the motion
    double lost;     // energy in this step
};
// `spring` is as turn_spring() leaves it.
SCREE_LANE PointRoll roll_at(const RollingCoefficients& c, const ContactState& state, double normal_force,
                             const Vec3& n, const Vec3& w, double share, double (&spring)[rolling_memory]) {
    const Vec3 in = in_plane(w, n);
    const double turn[3] = {in.x, in.y, in.z};
    const RollingTorque torque = rolling_torque(c, state, normal_force, turn, spring);
    const double x = share * torque.x, y = share * torque.y, z = share * torque.z;
    return {x, y, z, x * in.x + y * in.y + z * in.z, share * torque.lost};
}

// All that happens at a point: n points from j to i, u and w are the velocity at the point and the angular velocity of
// i relative to j, approach = -u.n. Of `state` the overlap, masses, radius and times are given; `softer` multiplies the
// speed of approach that the law gets. Memory, that of the law and that of rolling resistance, is as turn_spring()
// leaves it.
template <class Law, bool Rolling>
SCREE_LANE PointForce act_at(const typename Law::Coefficients& c, const RollingCoefficients& rolling, const Vec3& n,
                             const Vec3& u, const Vec3& w, double approach, double share, double softer,
                             ContactState& state, double (&memory)[Law::memory], double (&spring)[rolling_memory]) {
    const Vec3 slip = slip_of(n, u, approach);
    state.approach = approach * softer;
    state.vt[0] = slip.x;
    state.vt[1] = slip.y;
    state.vt[2] = slip.z;
    const ContactForce force = Law::force(c, state, memory);
    const Vec3 whole = force_of(force, n);
    PointForce out;
    out.force.x = share * whole.x;
    out.force.y = share * whole.y;
    out.force.z = share * whole.z;
    out.power = share * power_of(force, slip, approach);
    out.rolling_power = 0;
    out.lost = share * lost_of(force, state.overlap, approach, 2 * state.half_step);
    out.slipped = share * force.slipped;
    if constexpr (Rolling) {
        const PointRoll roll = roll_at(rolling, state, force.normal, n, w, share, spring);
        out.couple.x = roll.x;
        out.couple.y = roll.y;
        out.couple.z = roll.z;
        out.rolling_power = roll.power;
        out.lost += roll.lost;
    }
    return out;
}

// Recoverable energy stored at a point now, with v_t and the angular velocity in the plane: springs are kept half a
// step ahead and would count for more than they have.
template <class Law, bool Rolling>
SCREE_LANE double energy_at(const typename Law::Coefficients& c, const RollingCoefficients& rolling,
                            const ContactState& state, const Vec3& slip, const Vec3& turn, double share,
                            const double (&memory)[Law::memory], const double (&spring)[rolling_memory]) {
    const double overlap = depth_of<Law>(state.overlap);
    double now[Law::memory];
    for (int m = 0; m < Law::memory; ++m) now[m] = memory[m];
    const double back = Law::spring_unit(c, overlap, state.radius) * state.half_step;
    now[0] -= back * slip.x;
    now[1] -= back * slip.y;
    now[2] -= back * slip.z;
    double energy = share * Law::elastic_energy(c, overlap, state.inverse_mass, state.radius, now);
    if constexpr (Rolling) {
        const double ago = state.half_step;
        const double rolled[rolling_memory] = {spring[0] - ago * turn.x, spring[1] - ago * turn.y,
                                               spring[2] - ago * turn.z};
        energy += share * rolling_energy(rolling, state.inverse_mass, state.radius, rolled);
    }
    return energy;
}

// Of it that which is stored along the normal, by the memory of half a step ahead.
template <class Law>
SCREE_LANE double pressed_at(const typename Law::Coefficients& c, double overlap, double inverse_mass, double radius,
                             double share, const double (&memory)[Law::memory]) {
    double pressed[Law::memory];
    for (int m = 0; m < Law::memory; ++m) pressed[m] = m < spring_numbers ? 0 : memory[m];
    return share * Law::elastic_energy(c, depth_of<Law>(overlap), inverse_mass, radius, pressed);
}

}  // namespace scree
