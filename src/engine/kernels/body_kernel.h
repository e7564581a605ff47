// What a step of bodies that are not spheres does many times over, a batch of lanes at a time: free rotation, contacts
// between the balls of clumps, one point each and without a patch, and the law at points on walls. Compiled once per
// instruction set like engine/kernels/kernel.h, whose stages those of the contacts resemble; balls sit on bodies that
// turn about other points than their centers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/instruction_set.h"
#include "engine/integrate.h"
#include "geometry/odometer.h"
#include "scree/scene.h"
#include "world/world.h"

namespace scree {

constexpr std::size_t body_lanes = 64;  // a body may have that many points on a wall
constexpr std::size_t few_lanes =
    32;  // what is at work at once, where it can be divided: all of it stays in the nearest cache
constexpr std::size_t point_memory = 12;  // numbers of memory per contact, at most

struct PointLaw {
    LawKind law;
    bool rolls;
    const void* coefficients;  // of the pair of materials
    const void* rolling;
    double time_step;
    double exponent;  // of the shares of a patch, see engine/families/patch_law.h
    double reach;     // distance beyond touching at which the law acts
};

// Points where a body a touches another or a wall b, of one pair of materials. Coordinates are about the center of body
// a, the normal points from b to a.
template <std::size_t Lanes>
struct alignas(64) PointLanes {
    static constexpr std::size_t W = Lanes;
    double px[W], py[W], pz[W], nx[W], ny[W], nz[W];
    double vx[W], vy[W], vz[W];                             // velocity of a; between bodies less that of b
    double wax[W], way[W], waz[W], wbx[W], wby[W], wbz[W];  // angular; of a wall its velocity at the point
    double ux[W], uy[W], uz[W];                             // velocity of a relative to b at the point
    double overlap[W], radius[W];                           // R*
    double inverse_mass[W], mass[W], fresh[W];
    double share[W];   // of a point of a patch, see engine/families/patch_law.h
    double softer[W];  // what the approach is multiplied by
    double memory[point_memory][W];
    double fx[W], fy[W], fz[W], cx[W], cy[W], cz[W], power[W], slipped[W];  // force on a, couple of rolling resistance
    double tax[W], tay[W], taz[W];                                          // torque on a

    static void put(double* xs, double* ys, double* zs, std::size_t k, Vec3 value) {
        xs[k] = value.x;
        ys[k] = value.y;
        zs[k] = value.z;
    }
};

// Points on walls, patch by patch.
struct alignas(64) PatchLanes : PointLanes<body_lanes> {
    double distance[W], weight[W];  // see PatchPoint
    double* kept[W];                // where the memory is
    double pressed[W];              // energy stored along the normal, if `watched`
    double near[W];                 // of a patch: how near two points are that share a weight; 0: no two are
    double jxx[W], jyy[W], jzz[W], jxy[W], jxz[W], jyz[W];  // of the body of a patch, see InertiaRow
    std::uint32_t first[W + 1];                             // of a patch; the end of the last one
    std::size_t patches = 0;
    bool watched = false;
};

// A piece that is a ball, about the center of its body, as it is turned now.
struct BodyBall {
    Vec3 x;
    double radius;
};
struct OmegaRow {
    Vec3 w;                     // angular velocity
    double inverse_moment = 0;  // about the first principal axis
};
// Inverse inertia in the world's axes.
struct InertiaRow {
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0, unused[2] = {};
};
// A face of a flat wall, and where the wall is (WallPlacement and Surface::Face in plain numbers).
struct FlatFace {
    Mat3 rotation;  // of the wall, about the pivot
    Vec3 pivot, shift, velocity, spin;
    Vec3 point, normal;  // of the face, in the coordinates of the wall
    Vec3 outwards;       // its normal in the world
    int axis;            // along which a box ends there, -1 of a plane
    bool turned, moves;
    bool open;     // nothing touches it
    double reach;  // distance beyond touching at which the law acts
    bool acts(double overlap) const { return !open && -overlap < reach; }
};
// Corners that may touch a face, about the centers of their bodies as they are turned, at most as many as there are
// lanes.
struct FlatCorners {
    std::size_t count;
    const std::uint32_t* bodies;
    const BodyBall* const* corners;
    double* overlap;  // out, of all of them
};
// Two bodies, and their pairs of pieces. Body a is the one of the lower id.
struct BodyPair {
    std::uint32_t a, b;  // storage
    std::uint32_t first, end;
    bool balls;  // both are made of balls alone: pairs of balls, else of pieces
    std::uint32_t last_stored() const { return a < b ? b : a; }
};
// Between two bodies; that on b is the opposite.
struct PairForce {
    ForceRow on_a{};  // with what is lost in sliding
    Vec3 torque_b{};
    double unused = 0;
    ForceRow on_b() const { return {-on_a.fx, -on_a.fy, -on_a.fz, 0, torque_b.x, torque_b.y, torque_b.z, 0}; }
};

// Two balls that may touch.
struct BallPair {
    std::uint32_t a, b, ball_a, ball_b;  // bodies and balls
    std::uint32_t body;                  // pair of bodies
    std::uint16_t type;                  // of materials
};
// Numbers kept of two balls: the memory of the law (room for that of any if there are several), and at its end 1 if
// they touch, else 0. Whole registers.
constexpr std::size_t ball_row(std::size_t law_memory) { return (law_memory + 4) / 4 * 4; }

// Pairs of balls under way. Those that do not touch leave zeros as forces and memory.
struct alignas(64) BallLanes : PointLanes<few_lanes> {
    double ax[W], ay[W], az[W], ra[W], bx[W], by[W], bz[W], rb[W];  // balls
    double ox[W], oy[W], oz[W];                                     // center of body b
    double tbx[W], tby[W], tbz[W];                                  // torque on b
    double ja[W], jb[W];                                            // inverse moments
    double jxx[2][W], jyy[2][W], jzz[2][W], jxy[2][W], jxz[2][W],
        jyz[2][W];  // of a and b if they are not even, see InertiaRow
    double travelled[W], mark[W], touches[W];
};

struct BallBodies {
    const GrainRow* rows;
    const OmegaRow* omega;
    const InertiaRow* inertia;
    const BodyBall* balls;
    const Odometer* odometer;
    double periods[3];
    double reach;  // distance beyond touching at which the law acts
    bool even;     // the principal moments of each body are the same
    const BallPair* pairs;
    double *marks, *memory;   // of pairs; memory in rows
    std::size_t width;        // numbers of memory; the row has ball_row() of them
    PairForce* forces;        // of pairs of bodies
    std::uint8_t* has_force;  // whether something is there that has to be added to
};

struct BallSum {
    double contacts = 0, ratio = 0;  // largest overlap, of the smaller radius
    bool sunk = false;               // centers have met
};

// One step of free motion (rotation: shape/rotation.h) of several bodies.
struct alignas(64) TurnLanes {
    static constexpr std::size_t W = 32;
    double qw[W], qx[W], qy[W], qz[W];  // orientation before, and after
    double mx[W], my[W], mz[W];         // angular momentum in the middle of the step
    double ex[W], ey[W], ez[W];         // at its end
    double ix[W], iy[W], iz[W];         // inverse principal moments
    double m00[W], m01[W], m02[W], m10[W], m11[W], m12[W], m20[W], m21[W], m22[W];  // rotation after
    double wx[W], wy[W], wz[W];                                                     // angular velocity after
    double jxx[W], jyy[W], jzz[W], jxy[W], jxz[W], jyz[W];  // inverse inertia in the world's axes after
    double sx[W], sy[W], sz[W], radius[W];                  // by what it is shifted; of the ball around it
    double motion[W];                                       // how far its points went, see motion_bound
};
// Bodies on their way from one step to the next.
struct MovingBodies {
    double time_step;
    bool even;  // the principal moments of each body are the same
    GrainRow* rows;
    AccelerationRow* last;  // its second half is the torque
    Vec3* momentum;
    Quaternion* orientation;
    SpinRow* spin;
    const Vec3* inverse_inertia;  // principal
    Mat3* rotation;
    InertiaRow* inertia;
    OmegaRow* omega;
};
// What ends their step.
struct BodyKick {
    ForceRow* sums;  // of these bodies, from the first on; zero afterwards
    Vec3 gravity;
    double damping, rotation_damping;
    bool verlet;
};
struct BodyKernel {
    // Which of the pairs from `first` to `end` may touch: those whose marks their bodies have used up. Returns how
    // many; `out` has room for eight more than there are pairs. Of all bodies: the largest radius, and the way of the
    // one that went farthest.
    std::size_t (*used_up)(const BallBodies&, double largest, double farthest, std::size_t first, std::size_t end,
                           std::uint32_t* out);
    // The given pairs, at most BallLanes::W.
    void (*balls)(const PointLaw&, const BallBodies&, const std::uint32_t* pairs, std::size_t count, BallLanes&,
                  BallSum&);
    void (*points)(const PointLaw&, PatchLanes&);
    // Puts geometry and velocities of corners that touch a face into the lanes from the given one on.
    void (*flat)(const FlatFace&, const GrainRow*, const OmegaRow*, const FlatCorners&, PatchLanes&, std::size_t from);
    // Adds the forces of pairs that touch to the rows of their bodies, as far as these are among the bodies from
    // `first` on that have rows.
    void (*add)(const BodyPair*, const PairForce*, const std::uint8_t* touching, std::size_t count, ForceRow* rows,
                std::size_t first, std::size_t row_count);
    void (*kick)(const MovingBodies&, const BodyKick&, std::size_t begin, std::size_t end, KickPowers&);
    // At most TurnLanes::W of them. Those of infinite mass stay; borders are for the caller.
    void (*move)(const MovingBodies&, std::size_t first, std::size_t count, TurnLanes&);
    // The balls of a body, given at scale 1, as it is turned.
    void (*place)(const Mat3& rotation, double scale, const BodyBall* balls, std::size_t count, BodyBall* out);
};
BodyKernel body_kernel();
template <InstructionSet>
BodyKernel body_kernel_for();

}  // namespace scree
