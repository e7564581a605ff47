// What bodies carry that are not spheres, beside the fields of all grains (world/world.h): how they are turned and how
// fast they turn, where their balls and corners are, how far they have come. All of it follows from the grains; the
// contact families (families/) read it, and it changes when bodies move.
//
// Motion is velocity Verlet: for the center as in integrate.h, for the rotation the same with angular momentum in place
// of velocity; between two kicks a body turns freely (shape/rotation.h). Where the three moments of every shape are the
// same (cubes, dice, balls), a body simply turns about its momentum.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/integrate.h"
#include "engine/kernels/body_kernel.h"
#include "geometry/odometer.h"
#include "shape/patch.h"
#include "shape/shape_table.h"
#include "world/world.h"

namespace scree {

struct Bodies {
    struct Corner {  // of a piece, at scale 1
        Vec3 x;
        double radius;
        std::uint32_t key;  // piece and vertex
    };
    struct Features {  // of a shape
        std::vector<Corner> corners;
        bool is_clump;                // all its pieces are balls
        std::vector<BodyBall> balls;  // at scale 1, if so
        // Corners are so near to each other that those that touch a wall share weights; their forces have no potential
        // then.
        bool is_crowded;
    };
    // How near two points on a wall are that share a weight, of the ball around the body.
    static constexpr double weights_reach = 0.5;

    Bodies(const ShapeTable& shapes, const BodyKernel& kernel);

    // What depends on the orientation of each grain, from the given one on; after every change of their order or
    // number.
    void turn(const Grains& grains, std::size_t first = 0);
    void reset_odometers();

    // The given bodies end their step: their sums, from sums[0] on, become zero. `spin` makes the angular velocities
    // that go with the new momenta; for observers, since the next move makes new ones.
    void kick(Grains& grains, const MotionParameters& parameters, ForceRow* sums, std::size_t begin, std::size_t end,
              KickPowers& powers);
    void spin(Grains& grains, std::size_t begin, std::size_t end);
    // They begin the next one.
    void move(Grains& grains, const MotionParameters& parameters, std::size_t begin, std::size_t end);
    // Of these bodies, how far the one that went farthest has come.
    double travelled(std::size_t begin, std::size_t end) const;

    double rotational_energy(const Grains& grains, std::size_t g) const {
        return 0.5 * dot(grains.momentum[g], omega[g].w);
    }
    Pose pose(const Grains& grains, std::size_t g, Vec3 position) const {
        return {rotation[g], position, grains.scale[g]};
    }
    bool is_clump(const Grains& grains, std::size_t g) const { return features[grains.shape[g]].is_clump; }
    const BodyBall& ball(std::size_t g, std::size_t piece) const { return balls[ball_first[g] + piece]; }
    Vec3 corner_at(const Grains& grains, std::size_t g, std::size_t k) const {
        const Features& of = features[grains.shape[g]];
        return grains.position(g) + (of.is_clump ? ball(g, k).x : rotation[g] * (grains.scale[g] * of.corners[k].x));
    }

    const ShapeTable& shapes;
    const BodyKernel& kernel;
    std::vector<Features> features;  // by shape
    bool all_even = true;            // the principal moments of each shape are the same
    // By grain.
    std::vector<Mat3> rotation;
    std::vector<Vec3> inverse_inertia;  // principal
    std::vector<OmegaRow> omega;
    std::vector<InertiaRow> inertia;
    std::vector<Odometer> odometer;
    std::vector<std::uint32_t> ball_first;  // into balls
    std::vector<BodyBall> balls;

  private:
    Vec3 omega_of(const Grains& grains, std::size_t g) const {
        return all_even ? inverse_inertia[g].x * grains.momentum[g]
                        : angular_velocity(rotation[g], grains.momentum[g], inverse_inertia[g]);
    }
    void place_balls(const Grains& grains, std::size_t g);
    MovingBodies moving(Grains& grains, double time_step);
};

}  // namespace scree
