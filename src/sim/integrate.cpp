#include "sim/integrate.h"

#include <algorithm>
#include <cmath>


namespace scree {
namespace {

struct Factors {
    double dt, half_dt, half_dt2, inverse_inertia_factor;
};

inline __attribute__((always_inline)) void kick_grain(Grains& grains, const Contacts& contacts, const MotionParameters& p, const Factors& f, std::size_t g, KickPowers& powers) {
    const ForceRow force = contacts.total_force(grains, g);
    GrainRow& row = grains.row[g];
    SpinRow& spin = grains.spin[g];
    const double inverse_mass = row.inverse_mass;
    powers.contact += force.power;
    powers.sliding += force.sliding;
    Vec3 a{force.fx * inverse_mass, force.fy * inverse_mass, force.fz * inverse_mass};
    // Torque over radius, divided by the inertia over radius squared.
    const double turn = inverse_mass * f.inverse_inertia_factor;
    Vec3 alpha{force.tx * turn, force.ty * turn, force.tz * turn};
    if (inverse_mass > 0) a += p.gravity;
    if (p.damping > 0 || p.rotation_damping > 0) {
        const Vec3 v{row.vx, row.vy, row.vz}, s{spin.x, spin.y, spin.z};
        a -= (p.damping * inverse_mass) * v;
        const double rim = p.rotation_damping * spin.inverse_radius * spin.inverse_radius;
        alpha -= (rim * turn) * s;
        powers.damping += p.damping * norm2(v) + rim * norm2(s);
    }
    if (p.integrator == Integrator::verlet) {
        const Vec3 old = grains.acceleration[g], old_alpha = grains.rim_acceleration[g];
        row.vx += (a.x - old.x) * f.half_dt, row.vy += (a.y - old.y) * f.half_dt, row.vz += (a.z - old.z) * f.half_dt;
        spin.x += (alpha.x - old_alpha.x) * f.half_dt, spin.y += (alpha.y - old_alpha.y) * f.half_dt, spin.z += (alpha.z - old_alpha.z) * f.half_dt;
    }
    grains.acceleration[g] = a;
    grains.rim_acceleration[g] = alpha;
}

inline __attribute__((always_inline)) double move_grain(Grains& grains, const MotionParameters& p, const Factors& f, std::size_t g) {
    GrainRow& row = grains.row[g];
    SpinRow& spin = grains.spin[g];
    const Vec3 a = grains.acceleration[g], alpha = grains.rim_acceleration[g];
    const Vec3 d{row.vx * f.dt + a.x * f.half_dt2, row.vy * f.dt + a.y * f.half_dt2, row.vz * f.dt + a.z * f.half_dt2};
    row.x += d.x, row.y += d.y, row.z += d.z;
    row.vx += a.x * f.dt, row.vy += a.y * f.dt, row.vz += a.z * f.dt;
    spin.x += alpha.x * f.dt, spin.y += alpha.y * f.dt, spin.z += alpha.z * f.dt;
    if (p.periodicity.any()) {
        double* const x = &row.x;
        for (int axis = 0; axis < 3; ++axis) {
            const double length = p.periodicity.length[axis], low = p.periodicity.low[axis];
            if (length == 0) continue;
            if (x[axis] >= low + length) x[axis] -= length, ++grains.images[g].count[static_cast<std::size_t>(axis)];
            else if (x[axis] < low) x[axis] += length, --grains.images[g].count[static_cast<std::size_t>(axis)];
        }
    }
    return norm2(d);
}

template <bool Kick, bool Move>
KickPowers sweep(Grains& grains, const Contacts* contacts, const MotionParameters& p, std::size_t chunk, double* travel) {
    const double dt = p.time_step;
    const Factors f{dt, 0.5 * dt, 0.5 * dt * dt, 1 / p.inertia_factor};
    KickPowers powers;
    double farthest = 0;
    for (std::size_t g = chunk * grain_chunk; g < std::min(grains.size(), (chunk + 1) * grain_chunk); ++g) {
        if constexpr (Kick) kick_grain(grains, *contacts, p, f, g, powers);
        if constexpr (Move) farthest = std::max(farthest, move_grain(grains, p, f, g));
    }
    if constexpr (Move) *travel += std::sqrt(farthest);
    return powers;
}

}  // namespace

KickPowers kick(Grains& grains, const Contacts& contacts, const MotionParameters& parameters, std::size_t chunk) {
    return sweep<true, false>(grains, &contacts, parameters, chunk, nullptr);
}

double move(Grains& grains, const MotionParameters& parameters, std::size_t chunk) {
    double travel = 0;
    sweep<false, true>(grains, nullptr, parameters, chunk, &travel);
    return travel;
}

KickPowers kick_and_move(Grains& grains, const Contacts& contacts, const MotionParameters& parameters, std::size_t chunk, double& travel) {
    return sweep<true, true>(grains, &contacts, parameters, chunk, &travel);
}

}  // namespace scree
