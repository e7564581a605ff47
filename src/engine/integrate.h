// Motion of the grains: velocity Verlet with velocities synchronised to positions before forces are evaluated.
//
//   kick   v(t)        = v_pred + (a(t) - a(t-dt)) dt/2          a(t) from the forces at x(t), v_pred
//   move   x(t+dt)     = x(t) + v(t) dt + a(t) dt^2/2
//          v_pred      = v(t) + a(t) dt                          the velocity that the forces at t+dt see
//
// The scheme of Ferrez 2001 eq. 3.20-3.21 (Integrator::taylor) is the same without the correction in the kick. Rotation
// of spheres and discs goes alike, with radius times spin in place of velocity.
//
// Both work on some grains at a time, so that a block can be kicked and moved while it is still in the cache, as soon
// as all forces on it are known (rows.h).
#pragma once

#include "core/instruction_set.h"
#include "neighbor/neighborhood.h"
#include "scree/scene.h"
#include "world/world.h"

namespace scree {

struct MotionParameters {
    double time_step = 0;
    Vec3 gravity;
    double inertia_factor = 0.4;  // I = factor * m * r^2
    double damping = 0, rotation_damping = 0;
    Integrator integrator = Integrator::verlet;
    Periodicity periodicity;
};

// What contacts and damping take in one kick: energy of the step that is lost, and powers.
struct KickPowers {
    double lost = 0, slipped = 0;                  // as of ForceRow
    double contact = 0, damping = 0, outside = 0;  // of bodies, taken by all forces; by linear damping; put in
};

// The sweeps of integrate.cpp, compiled once per instruction set.
struct MotionKernel {
    KickPowers (*kick)(Grains&, ForceRow* sums, const MotionParameters&, std::size_t begin, std::size_t end);
    double (*move)(Grains&, const MotionParameters&, std::size_t begin, std::size_t end);
    KickPowers (*kick_and_move)(Grains&, ForceRow* sums, const MotionParameters&, std::size_t begin, std::size_t end,
                                double& travel);
};
template <InstructionSet>
struct MotionKernelOf {
    static const MotionKernel table;
};
template <>
const MotionKernel MotionKernelOf<InstructionSet::baseline>::table;
template <>
const MotionKernel MotionKernelOf<InstructionSet::avx2>::table;
template <>
const MotionKernel MotionKernelOf<InstructionSet::avx512>::table;
inline const MotionKernel& motion_kernel() {
    return *for_instruction_set(last_instruction_set(), [](auto set) { return &MotionKernelOf<set()>::table; });
}

// Ends the step for spheres that follow each other in storage, with their sums from sums[0] on: the sums of their
// forces become accelerations, and zero; velocities become those of the end of the step.
inline KickPowers kick(Grains& grains, ForceRow* sums, const MotionParameters& parameters, std::size_t begin,
                       std::size_t end) {
    return motion_kernel().kick(grains, sums, parameters, begin, end);
}
// Begins the next one. Returns the largest distance moved.
inline double move(Grains& grains, const MotionParameters& parameters, std::size_t begin, std::size_t end) {
    return motion_kernel().move(grains, parameters, begin, end);
}
// Both in one sweep; same bits. Adds the largest distance moved to `travel`.
inline KickPowers kick_and_move(Grains& grains, ForceRow* sums, const MotionParameters& parameters, std::size_t begin,
                                std::size_t end, double& travel) {
    return motion_kernel().kick_and_move(grains, sums, parameters, begin, end, travel);
}

}  // namespace scree
