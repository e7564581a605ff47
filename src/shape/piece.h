// A convex piece of a body: the hull of some points (its skeleton) swept by a ball, with what contact queries need.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "geometry/polyhedron.h"
#include "math/vec.h"

namespace scree {

// A side of the skeleton that can lie flat on another body: a facet; in 2D and for segments an edge.
struct Face {
    std::vector<int> corners;  // counterclockwise seen from outside
    Vec3 normal;               // outwards; zero for a segment in space
    double offset = 0;         // normal . x on the face
    std::vector<Vec3> inward;  // of each edge from corner k to k + 1, in the plane of the face, unit
    std::vector<double> inward_offset;
};

struct Piece {
    Polyhedron body;
    double radius;             // of the ball
    int dimension = 0;         // of the skeleton
    std::vector<Vec3> vertex;  // by the numbers of `body`
    std::vector<Face> faces;
    std::vector<std::vector<int>> faces_at;  // of each vertex
    std::vector<std::array<int, 2>> edges;   // in rising order
    Vec3 middle;                             // of a ball around the rounded piece
    double reach = 0;                        // its radius

    int face_with(std::span<const int> vertices) const;  // one that has them all, or -1
};

// Throws Error (bad_input) for an empty or infinite cloud. In 2D all z are zero and faces are edges.
Piece make_piece(std::span<const Vec3> cloud, double radius, int dimension);

}  // namespace scree
