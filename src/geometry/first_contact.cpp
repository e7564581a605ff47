#include "geometry/first_contact.h"

#include <cmath>

#include "math/rotation.h"

namespace scree {
namespace {

// Largest distance of a point of the body from the center of its motion.
double reach_from(const Compound& body, Vec3 center) {
    double reach = 0;
    for (const CompoundPart& part : body.parts) reach = std::fmax(reach, reach_about(part, center) + part.radius);
    return reach;
}

bool is_convex(const Compound& body) { return body.parts.size() == 1 && body.parts[0].convex(); }

}  // namespace

Compound moved(const Compound& body, const SteadyMotion& motion, double time) {
    const double rate = norm(motion.spin);
    const Mat3 turn = rate > 0 ? rotation_about(motion.spin, rate * time) : Mat3{};
    const MeshPose pose{turn, motion.center - turn * motion.center + time * motion.velocity};
    Compound result = body;
    for (CompoundPart& part : result.parts) part.pose = pose * part.pose;
    return result;
}

FirstContact first_contact(const Compound& a, const SteadyMotion& motion_a, const Compound& b,
                           const SteadyMotion& motion_b, double until, double tolerance) {
    const bool convex = is_convex(a) && is_convex(b);
    const double turning =
        norm(motion_a.spin) * reach_from(a, motion_a.center) + norm(motion_b.spin) * reach_from(b, motion_b.center);
    const Vec3 velocity = motion_a.velocity - motion_b.velocity;
    CompoundStart start;
    FirstContact found;
    for (;;) {
        ++found.rounds;
        found.then = distance(moved(a, motion_a, found.time), moved(b, motion_b, found.time),
                              std::numeric_limits<double>::infinity(), &start);
        const double apart = found.then.distance - found.then.error;
        found.meets = apart <= tolerance;
        if (found.meets || found.time >= until) return found;
        const double speed = turning + (convex ? std::fmax(0, dot(found.then.normal, velocity)) : norm(velocity));
        // Not all the way: rounding must not carry the bodies into each other.
        const double next = speed > 0 ? found.time + (apart - 0.5 * tolerance) / speed : until;
        found.meets = !(next > found.time);  // nearer than time can tell
        if (found.meets) return found;
        found.time = std::fmin(next, until);
    }
}

}  // namespace scree
