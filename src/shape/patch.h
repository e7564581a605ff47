// Where two convex pieces touch: the closest points, or a patch of several points where they lie flat on each other.
//
// The distance of the skeletons comes with a normal n. When sides of both lie nearly at right angles to n, the part
// that their projections along n have in common is a polygon (a segment in 2D, or of a rod): its corners are the points
// of the contact, each with its own gap along n. A corner is a corner of one side or a crossing of two edges, and is
// known by that from step to step. The closest points are always among them, so nothing jumps when a body tips from its
// face onto an edge or a corner: the other points lose their overlap one by one.
//
// A pair that touches keeps the features its closest points lie on. As long as these still carry them (checked against
// all vertices of both pieces, which costs two support queries) there is no need for GJK.
#pragma once

#include <cstdint>
#include <vector>

#include "math/vec.h"
#include "shape/patch_weights.h"
#include "shape/piece.h"

namespace scree {

struct Pose {
    Mat3 rotation;
    Vec3 position;
    double scale = 1;
    Vec3 operator()(Vec3 local) const { return position + rotation * (scale * local); }
};

struct PatchPoint {
    Vec3 a, b;          // on the skeletons
    Vec3 normal;        // unit, from b to a
    double gap;         // of the skeletons there, along the normal
    double weight;      // 1 for a point by itself, shared by points that are close together
    std::uint32_t key;  // which features meet
};

struct Patch {
    static constexpr int most = 64;
    int count = 0;  // 0: farther apart than asked for
    PatchPoint point[most];
    double distance = 0;    // of the skeletons; 0 when they overlap
    bool overlap = false;   // skeletons have met: there is no normal
    bool searched = false;  // GJK was needed
};

// The points of contact of pieces whose skeletons are nearer than `reach`. `feature` is the memory of a touching pair,
// 0 for a pair that did not touch before: then the answer depends on the two poses alone.
void find_patch(const Piece& a, const Pose& pose_a, const Piece& b, const Pose& pose_b, double reach, int dimension,
                double& feature, Patch& out);

// See shape/patch_weights.h; depth(k): of point k.
template <class Depth>
void share_weights(PatchPoint* points, int count, double near, Depth&& depth) {
    thread_local std::vector<double> crowd;
    if (crowd.size() < static_cast<std::size_t>(count)) crowd.resize(static_cast<std::size_t>(count));
    share_weights(
        count, near, crowd.data(),
        [&](int k) {
            return WeighedPoint{points[k].a.x, points[k].a.y, points[k].a.z, points[k].gap, depth(k)};
        },
        [&](int k) -> double& { return points[k].weight; });
}

}  // namespace scree
