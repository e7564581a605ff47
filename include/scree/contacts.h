// Contacts as they are at one moment.
#pragma once

#include <cstdint>

#include "scree/vec.h"

namespace scree {

// One contact between the grains a and b, or between grain a and a wall. SI units.
struct ContactView {
    std::uint32_t a = 0, b = 0;  // identities of grains (Grain::id); b means nothing at a wall
    std::int32_t wall = -1;    // number of the wall in Scene::walls, with copies at periodic borders; -1 between grains
    std::int32_t feature = 0;  // part of the wall: a face, an edge, a triangle of a mesh
    double overlap = 0;        // m
    Vec3 point;                // where it acts
    Vec3 normal;               // unit, from b (or the wall) to a
    Vec3 force;                // N, on a; the opposite on b or the wall; dampers at the velocities of this moment
    double elastic_energy = 0;  // J, stored

    bool is_wall() const { return wall >= 0; }
};

}  // namespace scree
