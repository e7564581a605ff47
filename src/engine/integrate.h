// Motion of the grains: velocity Verlet with velocities synchronised to positions before forces are evaluated.
//
//   kick   v(t)        = v_pred + (a(t) - a(t-dt)) dt/2          a(t) from the forces at x(t), v_pred
//   move   x(t+dt)     = x(t) + v(t) dt + a(t) dt^2/2
//          v_pred      = v(t) + a(t) dt                          the velocity that the forces at t+dt see
//
// The scheme of Ferrez 2001 eq. 3.20-3.21 (Integrator::taylor) is the same without the correction in the kick. Rotation
// of spheres and discs goes alike, with radius times spin in place of velocity.
//
// Both work on one chunk of grains, so that a chunk can be kicked and moved while it is still in the cache, as soon as
// all forces on it are known (contacts.h).
#pragma once

#include <vector>

#include "engine/contacts.h"
#include "neighbor/neighborhood.h"
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

// Work done in one kick, in joule per second.
struct KickPowers {
    double contact = 0, sliding = 0, damping = 0;
};

// Ends the step for the grains of a chunk: forces become accelerations, velocities those of the end of the step.
KickPowers kick(Grains& grains, const Contacts& contacts, const MotionParameters& parameters, std::size_t chunk);
// Begins the next one. Returns the largest distance moved.
double move(Grains& grains, const MotionParameters& parameters, std::size_t chunk);
// Both in one sweep; same bits. Adds the largest distance moved to `travel`.
KickPowers kick_and_move(Grains& grains, const Contacts& contacts, const MotionParameters& parameters,
                         std::size_t chunk, double& travel);

}  // namespace scree
