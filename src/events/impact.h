// What a collision of hard grains does to their velocities and spins: Walton's law of three parameters.
//
// n points from b to a, u is the velocity of the surface of a relative to that of b where they touch. The normal part
// comes back reduced by e. Sideways there are two cases: surfaces that slide get Coulomb's impulse, mu times the normal
// one; surfaces that stick get the impulse that turns the sideways velocity to -beta times itself. The smaller impulse
// is the right one, so no energy can be gained. Both bodies have the moment of inertia q m r^2 (1/2 for discs, 2/5 for
// spheres), which makes the sideways effective mass a fixed part q/(1 + q) of the normal one, whatever the sizes.
//
// Restitution may depend on the speed of impact, as in Bizon et al. (1998): 1 - (1 - e)(v/v0)^(3/4) below v0, e above.
#pragma once

#include <algorithm>
#include <cmath>

#include "scree/vec.h"

namespace scree::events {

struct ImpactLaw {
    double restitution = 1, tangential_restitution = 1, friction = 0;
    double restitution_speed = 0;  // v0; 0: restitution is constant
};

struct Impact {
    Vec3 impulse;           // on a; the opposite on b
    double dissipated = 0;  // energy
    double sliding = 0;     // part of it lost in sliding
};

inline double restitution_at(const ImpactLaw& law, double speed) {
    if (!(speed < law.restitution_speed)) return law.restitution;
    const double root = std::sqrt(speed / law.restitution_speed);
    return 1 - (1 - law.restitution) * root * std::sqrt(root);
}

// inverse_mass: sum of both (0 for walls and fixed grains). elastic: the normal part loses nothing. least_speed: normal
// speed of parting at least.
inline Impact impact(const ImpactLaw& law, Vec3 n, Vec3 u, double inverse_mass, double q, bool elastic,
                     double least_speed = 0) {
    const double un = dot(u, n);
    const double e = elastic ? 1.0 : restitution_at(law, -un);
    const double parting = std::max(un < 0 ? -e * un : un, least_speed);
    const double normal = (parting - un) / inverse_mass;
    Impact result;
    result.dissipated = 0.5 * (un * un - parting * parting) / inverse_mass;
    result.impulse = normal * n;
    const Vec3 ut = u - un * n;
    const double speed = norm(ut);
    if (law.friction > 0 && speed > 0) {
        const double inverse_side = inverse_mass * (1 + 1 / q);
        const double stick = (1 + law.tangential_restitution) * speed / inverse_side, slide = law.friction * normal;
        const double side = std::min(stick, slide);
        result.impulse -= (side / speed) * ut;
        const double lost = side * (speed - 0.5 * side * inverse_side);
        result.dissipated += lost;
        if (slide < stick) result.sliding = lost;
    }
    return result;
}

}  // namespace scree::events
