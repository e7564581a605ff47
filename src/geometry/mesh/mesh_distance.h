// Distance of two bodies bounded by triangles, concave ones included.
//
// Both trees of boxes are descended together, nearest boxes first; what cannot be nearer than the best pair of
// triangles so far is passed over, by boxes and by the corners' extents, each with an allowance for its rounding. The
// distance of two triangles is certified (geometry/closed_forms.h) or decided in integers, so nothing but the last
// digits of the triangles' own distance is left in doubt. Surfaces that do not meet may lie one in the other: then a
// point of each part of a surface is looked up in the other body, exactly.
//
// Queries of one pair that follow each other share their work (MeshStart): every pair of boxes that was passed over
// keeps its lower bound, less what the bodies have moved since (as in geometry/odometer.h, box by box). Only
// where this is no longer enough the search goes on, from there.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "geometry/mesh/mesh_body.h"
#include "geometry/mesh/mesh_pose.h"

namespace scree {

struct MeshDistance {
    // overlapping: solids have inner points in common, or a sheet runs through a surface. touching: they meet, and no
    // common inner point was found (searched for around each place of contact).
    Relation relation = Relation::separated;
    double distance = std::numeric_limits<double>::infinity();  // infinite: not below the largest asked for
    double error = 0;                                           // of the distance, at most
    Vec3 point_a, point_b;                                      // closest points, or a common point
    Vec3 normal;                                                // unit, from a to b; zero when they meet
    int triangle_a = -1, triangle_b = -1;                       // in the order of the trees; -1: one lies in the other
    int boxes = 0, triangles = 0;                               // pairs looked at
};

// What a query leaves for the next one of the same pair; for another pair it starts anew by itself.
struct MeshStart {
    int triangle_a = -1, triangle_b = -1;
    std::uint64_t body_a = 0, body_b = 0;
    // Where b was last, seen from a, and how far its points have moved in all queries together, at most.
    MeshPose seen;
    double travelled = 0;
    double apart = 0;  // distance of the surfaces then, if the bodies were separated
    // Four boxes of a node beside a box of the other tree: lower bounds of their distances plus `travelled` of that
    // time; infinite where the boxes within are listed.
    struct PassedOver {
        std::int32_t node;
        PatchTree::Place other;
        bool node_of_b;
        std::array<double, PatchTree::width> mark;
    };
    std::vector<PassedOver> passed;
    std::size_t usual = 0;  // how many there were after a search from the roots
};

// Distances of `longest` and above need not be found.
MeshDistance distance(const MeshBody& a, const MeshPose& pose_a, const MeshBody& b, const MeshPose& pose_b,
                      MeshStart* start = nullptr, double longest = std::numeric_limits<double>::infinity());

}  // namespace scree
