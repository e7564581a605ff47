// The convex pieces of a mesh drawn in by the rounding radius, so that the rounded body keeps its size.
//
// Only what is a side of the body is drawn in. Where a piece lies against others it was cut, and drawn in there too it
// would leave a groove across every flat face: there the skeletons of neighbors meet. A neighbor that cannot come to
// the cut, because its side goes on past the other piece (the inner corner of an L), is met where it ends. The ball at
// the end of a skeleton is in the neighbor's place, and must not stick out of it: what does is cut off along the
// neighbor's sides, and where that would take from the piece itself, its skeleton ends before the cut.
//
// Pieces thinner than twice the radius cannot be drawn in by it, and are lost. That does no harm to slivers that lie
// along other pieces; it does where a fin sticks out. Giving each thin piece a smaller radius was rejected: a contact
// across several pieces would then be as deep as the thinnest sliver allows, and the run would end there.
#pragma once

#include <vector>

#include "math/vec.h"

namespace scree {

struct DrawnIn {
    std::vector<std::vector<Vec3>> clouds;
    double lost = 0;       // part of the volume of all pieces
    double thickness = 0;  // of the thickest piece lost, between the sides that are drawn in
    double reach = 0;      // how far the pieces lost stick out of the others
    double fitting = 0;    // a radius below this keeps the body in shape; 0: what is lost does no harm
};

DrawnIn drawn_in(const std::vector<std::vector<Vec3>>& pieces, double radius);

}  // namespace scree
