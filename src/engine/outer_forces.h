// What a host program puts on grains (Simulation::set_forces), added to the sums of their contacts.
#pragma once

#include "world/world.h"

namespace scree {

// For the grains from `first` to `end`, whose sums begin at `sums`. Returns the power, in W.
inline double add_outer_forces(const Grains& grains, std::size_t first, std::size_t end, ForceRow* sums) {
    if (!grains.driven()) return 0;
    double power = 0;
    for (std::size_t g = first; g < end; ++g) {
        if (grains.row[g].inverse_mass == 0) continue;
        const Vec3 force = grains.outer_force[g], torque = grains.outer_torque[g];
        // Spheres have torques over their radius there, bodies have them as they are.
        const Vec3 turning = grains.shaped() ? torque : grains.spin[g].inverse_radius * torque;
        ForceRow& sum = sums[g - first];
        sum.fx += force.x;
        sum.fy += force.y;
        sum.fz += force.z;
        sum.tx += turning.x;
        sum.ty += turning.y;
        sum.tz += turning.z;
        power += dot(force, grains.velocity(g)) + dot(torque, grains.angular_velocity(g));
    }
    return power;
}

}  // namespace scree
