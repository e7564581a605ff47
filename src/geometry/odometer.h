// Skipping distance queries that cannot matter (Montanari 2017 eq. 3.14).
//
// A query leaves the distance d of a pair; from then on the distance is at least d less all that both bodies have
// moved. Instead of lowering a bound per pair and step, each body carries an odometer: the sum over steps of how far
// its fastest point went. A pair notes its mark, d + odometer a + odometer b, at its query; the lower bound at any time
// is the mark less both odometers. Pairs that are skipped cost one subtraction and one comparison, and nothing need be
// touched in between.
#pragma once

#include "core/inline.h"
#include "math/vec.h"

namespace scree {

// How far the points of a rigid body went in one step at most: its origin by `shift`, the rest by turning, with no
// point farther than `reach` from the origin. `chord`: how far a point at distance 1 went by turning, twice the sine of
// half the angle, or more.
SCREE_INLINE double motion_bound(Vec3 shift, double chord, double reach) {
    return (norm(shift) + chord * reach) * (1 + 1e-14);
}

// The sum is kept with its rounding error (Kahan): good to two units in the last place after any number of steps.
struct Odometer {
    double travelled = 0, rest = 0;
    void add(double motion) {
        const double addend = motion - rest, sum = travelled + addend;
        rest = (sum - travelled) - addend;
        travelled = sum;
    }
};

}  // namespace scree
