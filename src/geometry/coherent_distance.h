// Skipping distance queries that cannot matter (Montanari 2017 eq. 3.14).
//
// A query leaves the distance d of a pair; from then on the distance is at least d less all that both bodies have
// moved. Instead of lowering a bound per pair and step, each body carries an odometer: the sum over steps of how far
// its fastest point went. A pair notes d + odometer a + odometer b at its query; the lower bound at any time is this
// mark less both odometers. Pairs that are skipped cost one subtraction and one comparison, and nothing need be touched
// in between.
#pragma once

#include <cstdint>
#include <limits>

#include "math/vec.h"

namespace scree {

// How far the points of a rigid body went in one step at most: its origin by `shift`, the rest by turning through
// `angle` (radians, or any upper bound of it) with no point farther than `reach` from the origin.
inline double motion_bound(Vec3 shift, double angle, double reach) {
    return (norm(shift) + std::fabs(angle) * reach) * (1 + 1e-14);
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

// What a pair keeps. A fresh one asks for a query at once.
struct DistanceMark {
    double mark = -std::numeric_limits<double>::infinity();
};

class CoherentDistance {
  public:
    // A lower bound of the pair's distance now, before rounding is allowed for; -infinity before the first query.
    static double lower_bound(const DistanceMark& pair, const Odometer& a, const Odometer& b) {
        return pair.mark - (a.travelled + b.travelled);
    }

    // True when the pair may be closer than `threshold` and must be asked; counts either way.
    bool must_query(const DistanceMark& pair, const Odometer& a, const Odometer& b, double threshold) {
        // The sums round by a few units in the last place.
        const double slack =
            8 * std::numeric_limits<double>::epsilon() * (a.travelled + b.travelled + std::fabs(threshold));
        const bool must = !(lower_bound(pair, a, b) - slack > threshold);
        ++(must ? made_ : saved_);
        return must;
    }

    // After a query: `distance` is the pair's (signed gap, less the error of the query).
    static void note(DistanceMark& pair, const Odometer& a, const Odometer& b, double distance) {
        pair.mark = distance + (a.travelled + b.travelled);
    }

    std::uint64_t made() const { return made_; }
    std::uint64_t saved() const { return saved_; }

  private:
    std::uint64_t made_ = 0, saved_ = 0;
};

}  // namespace scree
