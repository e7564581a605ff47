// The contact law over the points of one patch, and what keeps the energy of bodies that touch in patches.
//
// Two bodies touch piece by piece (shape/patch.h), a body and a wall vertex by vertex: a rounded corner is a ball. Each
// point of a patch goes through the contact law with its own overlap d_i, speed and memory, and its force is multiplied
// by
//     W_i = w_i (d_i / D)^e,     D^4 = sum w_i d_i^4,
// w_i the weight of the point (1 when no other is near). One point alone is one contact of the law. Four corners of a
// face are twice as stiff, not four times, and since W_i law(d_i) is the gradient of the law's energy at D for the
// linear law with e = 2 and for Hertz's with e = 3/2, tipping from a face onto an edge and a corner neither gains nor
// loses energy. Rejected: weights normalised over the points that touch (their forces have no potential: elastic cubes
// heat up), and the one closest point (it jumps from corner to corner of a face, and no stack comes to rest). The speed
// of approach is divided by the root of sum W_i, so that a face that falls flat rebounds with the restitution asked
// for.
//
// Off the center. A law with a dashpot is made for the mass m* of two bodies that meet head on. Hit elsewhere, they
// also turn, and the smaller mass 1/(1/m* + t J t) answers, t the moment of the patch's force for a force of one, J the
// inverse inertia of each. The speed of approach is multiplied by the root of the ratio of the two masses, so that the
// restitution asked for comes out wherever bodies meet.
//
// All this has a potential as long as a patch keeps its corners. When it turns into another one the energy jumps, so a
// pair of bodies, or a body and a wall (that is not flat, or if corners share weights), counts the work it has taken
// and gives back no more (paid_share). Rejected: to let jumps be, since they cancel on the mean; they walk, and elastic
// cubes gained up to 12 %.
#pragma once

#include <cstdint>
#include <vector>

#include "contact/materials.h"
#include "engine/kernels/body_kernel.h"
#include "math/vec.h"

namespace scree {

struct LawPoint {
    Vec3 point, normal;  // about the center of body a; the normal from b to a
    Vec3 velocity;       // of a relative to b there
    double overlap, weight, inverse_radius;
    double* memory;
    bool fresh;
    double force_share = 0, elastic = 0;
    Vec3 force;
};

// What the law gives for the points of one patch.
struct PatchSum {
    Vec3 force, moment;  // on body a, about its center
    Vec3 couple;         // of rolling resistance on a; -couple on b
    double power = 0;    // taken from the motion
    double slipped = 0;  // energy lost in sliding in this step
    double pressed = 0;  // energy stored along the normals, if asked for by `watch`
    bool watch = false;
};

// The bodies that share a patch; b is none for a wall.
struct Touching {
    double inverse_mass;  // 1/m*
    const InertiaRow *a, *b;
    Vec3 offset;  // of the center of b from that of a
};

class PatchLaw {
  public:
    PatchLaw(const MaterialTable& materials, double law_reach, double time_step);

    // With a step of 0 all memory stays as it is: forces at the start of a run.
    void set_time_step(double time_step) { time_step_ = time_step; }
    double time_step() const { return time_step_; }
    std::size_t width() const { return static_cast<std::size_t>(width_); }  // numbers of memory per point
    double reach() const { return reach_; }                                 // beyond touching, of the farthest law
    double reach(std::uint16_t type) const { return pulls_[type] ? reach_ : 0; }
    bool pulls() const { return some_pulls_; }

    // Forces of the points, which share them, and new memory. `turn`: angular velocity of a relative to b. `look`: as
    // things are now, and nothing is stored.
    void apply(LawPoint* points, int count, const Touching& bodies, std::uint16_t type, Vec3 turn, bool look,
               PatchSum& sum) const {
        (this->*apply_[type])(points, count, bodies, type, turn, look, sum);
    }
    // The same for the kernel.
    PointLaw of_type(std::uint16_t type) const;

    // The part of the forces of a pair that has been paid for. `taken` (below zero when it is not known) and `power`
    // are the account of the pair, `touched` says whether it has one yet.
    double paid_share(const PatchSum& sum, bool touched, double& taken, double& power) const;

  private:
    template <class Law, bool Rolling>
    void apply_law(LawPoint* points, int count, const Touching& bodies, std::uint16_t type, Vec3 turn, bool look,
                   PatchSum& sum) const;
    template <bool Pulls>
    static double share_forces(double exponent, LawPoint* points, int count);

    const MaterialTable& materials_;
    double reach_, time_step_;
    int width_ = 0;
    std::vector<bool> pulls_;  // of each type of pair
    bool some_pulls_ = false;
    using Apply = void (PatchLaw::*)(LawPoint*, int, const Touching&, std::uint16_t, Vec3, bool, PatchSum&) const;
    std::vector<Apply> apply_;  // of each type of pair
};

}  // namespace scree
