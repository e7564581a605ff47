// What a step of bodies that are not spheres does many times over, a batch of lanes at a time: free rotation, and contacts between
// the balls of clumps, one point each and without a patch. Compiled once per instruction set like sim/kernel.h, whose loop over
// lanes that of the contacts resembles; balls sit on bodies that turn about other points than their centers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scree/scene.h"

namespace scree {

constexpr std::size_t ball_lanes = 32;
constexpr std::size_t ball_memory = 12;  // numbers of memory per contact, at most

// Lanes of one pair of materials. Coordinates are about the center of body a, the normal points from b to a.
struct alignas(64) BallLanes {
    static constexpr std::size_t W = ball_lanes;
    double dx[W], dy[W], dz[W];              // from the ball of b to that of a
    double ax[W], ay[W], az[W];              // center of the ball of a
    double ox[W], oy[W], oz[W];              // center of body b
    double ra[W], rb[W];
    double vx[W], vy[W], vz[W];              // velocity of a less that of b
    double wax[W], way[W], waz[W], wbx[W], wby[W], wbz[W];
    double inverse_mass[W], fresh[W];
    double memory[ball_memory][W];
    double px[W], py[W], pz[W], nx[W], ny[W], nz[W], ux[W], uy[W], uz[W];  // point, normal, velocity there
    double overlap[W], distance[W];
    double fx[W], fy[W], fz[W], tax[W], tay[W], taz[W], tbx[W], tby[W], tbz[W], power[W], sliding[W];
    double ratio[W];                         // overlap, of the smaller radius
};

struct BallLaw {
    const void* coefficients;                // of the pair of materials
    const void* rolling;
    double friction, time_step;
};

// One step of free rotation (shape/rotation.h) of several bodies.
struct alignas(64) TurnLanes {
    static constexpr std::size_t W = 8;
    double qw[W], qx[W], qy[W], qz[W];       // orientation before, and after
    double mx[W], my[W], mz[W];              // angular momentum in the middle of the step
    double ex[W], ey[W], ez[W];              // at its end
    double ix[W], iy[W], iz[W];              // inverse principal moments
    double m00[W], m01[W], m02[W], m10[W], m11[W], m12[W], m20[W], m21[W], m22[W];  // rotation after
    double wx[W], wy[W], wz[W];              // angular velocity after
    double angle[W];                         // twice the sine of half of what it has turned
};
using TurnFunction = void (*)(TurnLanes&, double time_step);
TurnFunction turn_function();

using BallFunction = void (*)(const BallLaw&, BallLanes&, std::size_t count);
BallFunction ball_function(LawKind law, bool rolling);

}  // namespace scree
