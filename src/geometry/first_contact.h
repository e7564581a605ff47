// When two moving bodies meet first: conservative advancement (Mirtich 1996).
//
// A distance and a bound of the speed at which it can fall give a time for which the bodies cannot meet; the bodies are
// moved by it, and asked again. Convex bodies fall together no faster than along the normal of their closest points,
// and by what they turn; of others nothing better is known than the whole relative speed.
#pragma once

#include "geometry/compound.h"

namespace scree {

// x -> center + turn(spin t) (x - center) + velocity t.
struct SteadyMotion {
    Vec3 velocity, spin, center;
    bool rests() const { return norm2(velocity) == 0 && norm2(spin) == 0; }
};

Compound moved(const Compound& body, const SteadyMotion& motion, double time);

struct FirstContact {
    // The bodies do not meet before; then they are nearer than the tolerance, or the time asked for is over.
    double time = 0;
    bool meets = false;
    CompoundDistance then;
    int rounds = 0;
};

// Bodies nearer than the tolerance (a length, above zero) count as meeting.
FirstContact first_contact(const Compound& a, const SteadyMotion& motion_a, const Compound& b,
                           const SteadyMotion& motion_b, double until, double tolerance);

}  // namespace scree
