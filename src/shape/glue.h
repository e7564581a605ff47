// Clusters of spheres that are glued, not rigid: every sphere is a grain of its own, and spheres that touch in the
// cluster as it was given pull and push each other (Ferrez 2001 section 3.5). Bending, waves and breaking loads are
// then those of the bonds.
//
//   potential   V = A x^-alpha + B x^-beta of the distance x of the centers (Ferrez 2001 eq. 3.26), A = -strength,
//               and B such that the bond is at rest at the length it was given with (eq. 3.28, 3.29)
//   power       force strength |x - rest|^alpha, back to rest (eq. 3.25)
//
// Who is glued to whom follows from the numbers of the grains: those of a cluster of n spheres begin at a multiple of
// n. So checkpoints hold nothing about bonds, and a bond whose partner has left is gone.
#pragma once

#include <cstdint>
#include <vector>

#include "math/vec.h"
#include "scree/scene.h"

namespace scree {

struct GluedCluster {  // at scale 1, about its center of mass
    struct Bond {
        std::uint32_t other;
        double rest;
    };
    Glue glue;
    std::vector<Vec3> at;
    std::vector<double> radius;
    std::vector<std::uint32_t> first;  // bonds of member m: first[m] ... first[m + 1], by rising partner
    std::vector<Bond> bonds;
    double reach = 0;  // of a ball around all

    std::uint32_t size() const { return static_cast<std::uint32_t>(at.size()); }
    bool bonded(std::uint32_t a, std::uint32_t b) const;
};

// Throws Error (bad_input) when the spheres do not hang together.
GluedCluster make_glued(const Scene& scene, const GrainShape& about);

struct BondForce {
    double repulsion, energy;
};
BondForce bond_force(const Glue& glue, double distance, double rest);
// At rest; of the power law, at a strain of one percent.
double bond_stiffness(const Glue& glue, double rest);
// In N s/m, of two spheres whose inverse masses add up to this.
double bond_damping(const Glue& glue, double stiffness, double inverse_mass);
// Upper bounds of how fast a cluster swings and of how fast its damping stops a motion (1/s), at a scale and density.
struct BondRates {
    double swing, damping;
};
BondRates highest_rates(const GluedCluster& cluster, double scale, double density, int dimension);

}  // namespace scree
