// Points of a body's edges and sides that may touch a wall where no corner of the body does.
//
// A rounded corner is a ball, and WallSet::contacts says what a ball touches. On planes and inside containers that is
// all. Over a rim, an edge or a ball of a wall (ConvexPart) the middle of an edge or a side may touch first. The points
// offered here are those of the skeleton closest to such parts; each is then asked as a corner is, as a ball of the
// rounding radius. So the wall decides about distance, normal and double counting as it does for spheres, and a point
// too many changes nothing but how the load is shared. The points are closest to the rim itself, not to the wall: a bar
// across a small table rests on both of the rim's crossings, though one of them is always a little higher.
//
// Rejected: distances from body to wall by GJK. The answer is one point, which jumps from end to end of a bar that lies
// flat, and holes are not convex.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/surface.h"
#include "shape/piece.h"

namespace scree {

struct RimPoint {
    Vec3 point;
    double weight;      // 0 where it would jump about (lines nearly parallel), else up to 1
    int feature;        // of the wall that it may touch, -1: any
    std::uint32_t key;  // which edge or side, which part
};

// False when no convex body about x, within `reach` of it, can touch the part with an edge or a side.
bool is_near(const Surface& surface, const ConvexPart& part, Vec3 x, double reach);
// `vertex` are the corners of the piece in the wall's coordinates. Points farther than `reach` from the part are left
// out.
void rim_points(const Piece& piece, const std::vector<Vec3>& vertex, const Surface& surface, const ConvexPart& part,
                double reach, std::vector<RimPoint>& out);

}  // namespace scree
