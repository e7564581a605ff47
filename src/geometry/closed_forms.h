// Distances of points, segments and triangles without iteration.
//
// Each answer is certified before it is believed: the difference of the closest points, taken as a direction, must
// separate the corners of both bodies by as much as it is long (the same bound that ends GJK), and by more than
// rounding. What fails the test (bodies that cross, nearly parallel edges, gaps of the size of rounding errors) belongs
// to GJK and its exact solver; `distance` sends it there, so its verdicts are the same as theirs.
#pragma once

#include "geometry/gjk.h"

namespace scree {

struct Segment {
    Vec3 a, b;
};

struct Triangle {
    Vec3 a, b, c;
};

struct ClosestPoints {
    bool certain = false;  // if not, nothing else here counts
    double distance = 0;
    Vec3 point_a, point_b;  // in the world
};

ClosestPoints closest_points(Vec3 p, const Segment& s);
ClosestPoints closest_points(Vec3 p, const Triangle& t);
ClosestPoints closest_points(const Segment& s, const Segment& t);
ClosestPoints closest_points(const Segment& s, const Triangle& t);
ClosestPoints closest_points(const Triangle& s, const Triangle& t);

// The same for every input, in the words of GJK (without features where the closed form answers).
Distance distance(Vec3 p, Vec3 q);
Distance distance(Vec3 p, const Segment& s);
Distance distance(Vec3 p, const Triangle& t);
Distance distance(const Segment& s, const Segment& t);
Distance distance(const Segment& s, const Triangle& t);
Distance distance(const Triangle& s, const Triangle& t);

}  // namespace scree
