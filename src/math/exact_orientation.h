// The side of a plane or line on which a point lies, without error: a double filter first, integers when it cannot
// tell.
#pragma once

#include "math/vec.h"

namespace scree {

// Sign of (b - a) x (c - a) . (d - a): +1 when d is on the side from which a, b, c turn counterclockwise.
int orientation(Vec3 a, Vec3 b, Vec3 c, Vec3 d);

// The same in integers at once, for callers with a filter of their own.
int orientation_exact(Vec3 a, Vec3 b, Vec3 c, Vec3 d);

// True when the three points lie on one line (or coincide).
bool collinear(Vec3 a, Vec3 b, Vec3 c);

// Sign of (b - a) x (c - a) in the plane left when `axis` is dropped, axes kept in cyclic order.
int orientation_dropping(int axis, Vec3 a, Vec3 b, Vec3 c);

}  // namespace scree
