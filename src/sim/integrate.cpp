#include "sim/integrate.h"

#include <algorithm>
#include <cmath>
#include <cstring>


// Compiled for several instruction sets; the loader picks one.
#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define SCREE_CLONES __attribute__((target_clones("default", "avx2")))
#else
#define SCREE_CLONES
#endif

namespace scree {
namespace {

// Rows as vectors of four doubles: element by element the same operations, and so the same bits, for any instruction set.
using V4 = double __attribute__((vector_size(32)));
using M4 = long long __attribute__((vector_size(32)));

#define SCREE_INLINE inline __attribute__((always_inline))

SCREE_INLINE V4 load4(const double* p) {
    V4 v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
SCREE_INLINE void store4(double* p, V4 v) { std::memcpy(p, &v, sizeof v); }
SCREE_INLINE V4 load3(const Vec3& v) { return V4{v.x, v.y, v.z, 0}; }
SCREE_INLINE void store3(Vec3& to, V4 v) { to = {v[0], v[1], v[2]}; }
SCREE_INLINE double square3(V4 v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

struct Factors {
    double dt, half_dt, half_dt2, inverse_inertia_factor;
};

SCREE_INLINE void kick_grain(Grains& grains, const Contacts& contacts, const MotionParameters& p, const Factors& f, std::size_t g, KickPowers& powers) {
    V4 force = load4(&grains.force[g].fx), torque = load4(&grains.force[g].tx);
    contacts.add_incoming(g, [&](const ForceRow& row) __attribute__((always_inline)) { force += load4(&row.fx), torque += load4(&row.tx); });
    powers.contact += force[3];
    powers.sliding += torque[3];
    double* const velocity = &grains.row[g].vx;
    double* const rim = &grains.spin[g].x;
    const V4 v = load4(velocity), s = load4(rim);
    const double inverse_mass = v[3];
    const M4 first_three{-1, -1, -1, 0};
    // Torque over radius, divided by the inertia over radius squared.
    const double turn = inverse_mass * f.inverse_inertia_factor;
    V4 a = (V4)((M4)(force * inverse_mass) & first_three), alpha = (V4)((M4)(torque * turn) & first_three);
    if (inverse_mass > 0) a += load3(p.gravity);
    if (p.damping > 0 || p.rotation_damping > 0) {
        a -= (V4)((M4)(v * (p.damping * inverse_mass)) & first_three);
        const double rotation = p.rotation_damping * s[3] * s[3];
        alpha -= (V4)((M4)(s * (rotation * turn)) & first_three);
        powers.damping += p.damping * square3(v) + rotation * square3(s);
    }
    if (p.integrator == Integrator::verlet) {
        store4(velocity, v + (a - load3(grains.acceleration[g])) * f.half_dt);
        store4(rim, s + (alpha - load3(grains.rim_acceleration[g])) * f.half_dt);
    }
    store3(grains.acceleration[g], a);
    store3(grains.rim_acceleration[g], alpha);
}

SCREE_INLINE double move_grain(Grains& grains, const MotionParameters& p, const Factors& f, std::size_t g) {
    double* const position = &grains.row[g].x;
    double* const velocity = &grains.row[g].vx;
    double* const rim = &grains.spin[g].x;
    const V4 a = load3(grains.acceleration[g]), alpha = load3(grains.rim_acceleration[g]), v = load4(velocity);
    const V4 d = (V4)((M4)(v * f.dt + a * f.half_dt2) & M4{-1, -1, -1, 0});
    store4(position, load4(position) + d);
    store4(velocity, v + a * f.dt);
    store4(rim, load4(rim) + alpha * f.dt);
    if (p.periodicity.any()) {
        for (int axis = 0; axis < 3; ++axis) {
            const double length = p.periodicity.length[axis], low = p.periodicity.low[axis];
            if (length == 0) continue;
            if (position[axis] >= low + length) position[axis] -= length, ++grains.images[g].count[static_cast<std::size_t>(axis)];
            else if (position[axis] < low) position[axis] += length, --grains.images[g].count[static_cast<std::size_t>(axis)];
        }
    }
    return square3(d);
}

template <bool Kick, bool Move>
SCREE_INLINE KickPowers sweep(Grains& grains, const Contacts* contacts, const MotionParameters& p, std::size_t chunk, double* travel) {
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

SCREE_CLONES KickPowers kick(Grains& grains, const Contacts& contacts, const MotionParameters& parameters, std::size_t chunk) {
    return sweep<true, false>(grains, &contacts, parameters, chunk, nullptr);
}

SCREE_CLONES double move(Grains& grains, const MotionParameters& parameters, std::size_t chunk) {
    double travel = 0;
    sweep<false, true>(grains, nullptr, parameters, chunk, &travel);
    return travel;
}

SCREE_CLONES KickPowers kick_and_move(Grains& grains, const Contacts& contacts, const MotionParameters& parameters, std::size_t chunk, double& travel) {
    return sweep<true, true>(grains, &contacts, parameters, chunk, &travel);
}

}  // namespace scree
