#include "engine/integrate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/simd.h"

namespace scree {
namespace {

SCREE_INLINE double square3(V4 v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

// Six numbers as two vectors; their last elements are not ours.
SCREE_INLINE V4 load_linear(const AccelerationRow& row) { return load4(&row.x); }
SCREE_INLINE V4 load_rim(const AccelerationRow& row) { return shuffled<1, 2, 3, 0>(load4(&row.z)); }
SCREE_INLINE void store(AccelerationRow& row, V4 linear, V4 rim) {
    store4(&row.x, linear);
    store4(&row.z, shuffled<2, 4, 5, 6>(linear, rim));
}

struct Factors {
    double dt;
    double correction;  // half a step with Verlet's scheme
    double half_dt2, inverse_inertia_factor;
    V4 gravity;
    V4 low, high;  // of periodic axes; infinite for the others
};

// The arrays a sweep runs through, as plain pointers: stores through them would make the compiler read those of vectors
// anew.
struct Arrays {
    GrainRow* row;
    SpinRow* spin;
    AccelerationRow* acceleration;
    Images* images;
};

// A grain on its way through a step, in registers.
struct Moving {
    V4 v, rim;    // velocities; their last elements are not ours
    V4 a, alpha;  // accelerations
};

// The accelerations of a grain at the end of the step; its velocities become those of the end of the step, and the sum
// of forces zero, for the next chunk.
template <bool Damped>
SCREE_INLINE void kick_grain(Moving& m, AccelerationRow& before, ForceRow& sum, double damping, double rotation_damping,
                             const Factors& f, KickPowers& powers) {
    const V4 force = load4(&sum.fx), torque = load4(&sum.tx);
    store4(&sum.fx, V4{});
    store4(&sum.tx, V4{});
    powers.lost += force[3];
    powers.slipped += torque[3];
    const double inverse_mass = m.v[3];
    // Torque over radius, divided by the inertia over radius squared.
    const double turn = inverse_mass * f.inverse_inertia_factor;
    const V4 gravity = inverse_mass > 0 ? f.gravity : V4{};
    m.a = drop_last(force * inverse_mass) + gravity;
    m.alpha = drop_last(torque * turn);
    if constexpr (Damped) {
        m.a -= drop_last(m.v * (damping * inverse_mass));
        const double rotation = rotation_damping * m.rim[3] * m.rim[3];
        m.alpha -= drop_last(m.rim * (rotation * turn));
        powers.damping += damping * square3(m.v) + rotation * square3(m.rim);
    }
    m.v += drop_last(m.a - load_linear(before)) * f.correction;
    m.rim += drop_last(m.alpha - load_rim(before)) * f.correction;
    store(before, m.a, m.alpha);
}

// Returns the squared way it moved, the same in all lanes.
template <bool Periodic>
SCREE_INLINE V4 move_grain(Moving& m, double* position, Images& images, const MotionParameters& p, const Factors& f) {
    const V4 d = drop_last(m.v * f.dt + m.a * f.half_dt2), x = load4(position) + d;
    store4(position, x);
    m.v += m.a * f.dt;
    m.rim += m.alpha * f.dt;
    if constexpr (Periodic) {
        const M4 outside = (M4)(x >= f.high) | (M4)(x < f.low);
        if (__builtin_expect((outside[0] | outside[1] | outside[2]) != 0, 0)) {
            for (int axis = 0; axis < 3; ++axis) {
                const double length = p.periodicity.length[axis];
                auto& count = images.count[static_cast<std::size_t>(axis)];
                if (x[axis] >= f.high[axis]) {
                    position[axis] -= length;
                    ++count;
                } else if (x[axis] < f.low[axis]) {
                    position[axis] += length;
                    --count;
                }
            }
        }
    }
    const V4 squares = d * d, pairs = squares + shuffled<1, 0, 3, 2>(squares);
    return pairs + shuffled<2, 3, 0, 1>(pairs);
}

Factors factors(const MotionParameters& p) {
    const double dt = p.time_step, infinity = std::numeric_limits<double>::infinity();
    Factors f{dt,
              p.integrator == Integrator::verlet ? 0.5 * dt : 0.0,
              0.5 * dt * dt,
              1 / p.inertia_factor,
              {p.gravity.x, p.gravity.y, p.gravity.z, 0},
              {-infinity, -infinity, -infinity, -infinity},
              {infinity, infinity, infinity, infinity}};
    for (int axis = 0; axis < 3; ++axis)
        if (p.periodicity.length[axis] > 0) {
            f.low[axis] = p.periodicity.low[axis];
            f.high[axis] = p.periodicity.low[axis] + p.periodicity.length[axis];
        }
    return f;
}

template <bool Kick, bool Move, bool Damped, bool Periodic>
SCREE_INLINE KickPowers sweep(Grains& all, ForceRow* force, const MotionParameters& p, const Factors& given,
                              std::size_t begin, std::size_t end, double& travel) {
    const Arrays grains{all.row.data(), all.spin.data(), all.acceleration.data(), all.images.data()};
    const Factors f = given;
    const double damping = p.damping, rotation_damping = p.rotation_damping;
    KickPowers powers;
    V4 farthest{};  // squared, the same in all lanes
    for (std::size_t g = begin; g < end; ++g) {
        AccelerationRow& acceleration = grains.acceleration[g];
        double *const velocity = &grains.row[g].vx, *const rim = &grains.spin[g].x;
        Moving m{load4(velocity), load4(rim), {}, {}};
        if constexpr (Kick)
            kick_grain<Damped>(m, acceleration, force[g - begin], damping, rotation_damping, f, powers);
        else {
            m.a = drop_last(load_linear(acceleration));
            m.alpha = drop_last(load_rim(acceleration));
        }
        if constexpr (Move) {
            const V4 moved = move_grain<Periodic>(m, &grains.row[g].x, grains.images[g], p, f);
            farthest = moved > farthest ? moved : farthest;
        }
        store4(velocity, m.v);
        store4(rim, m.rim);
    }
    if constexpr (Move) travel += std::sqrt(farthest[0]);
    return powers;
}

// Without periodic axes and damping, the most common case, there is less to do.
template <bool Kick, bool Move>
SCREE_INLINE KickPowers sweep(Grains& grains, ForceRow* force, const MotionParameters& p, const Factors& f,
                              std::size_t begin, std::size_t end, double& travel) {
    const bool damped = p.damping > 0 || p.rotation_damping > 0,
               periodic = p.periodicity.length[0] > 0 || p.periodicity.length[1] > 0 || p.periodicity.length[2] > 0;
    if (damped) return sweep<Kick, Move, true, true>(grains, force, p, f, begin, end, travel);
    return periodic ? sweep<Kick, Move, false, true>(grains, force, p, f, begin, end, travel)
                    : sweep<Kick, Move, false, false>(grains, force, p, f, begin, end, travel);
}

KickPowers kick_some(Grains& grains, ForceRow* sums, const MotionParameters& p, std::size_t begin, std::size_t end) {
    double travel = 0;
    return sweep<true, false>(grains, sums, p, factors(p), begin, end, travel);
}

KickPowers kick_and_move_some(Grains& grains, ForceRow* sums, const MotionParameters& p, std::size_t begin,
                              std::size_t end, double& travel) {
    return sweep<true, true>(grains, sums, p, factors(p), begin, end, travel);
}

double move_some(Grains& grains, const MotionParameters& p, std::size_t begin, std::size_t end) {
    double travel = 0;
    sweep<false, true>(grains, nullptr, p, factors(p), begin, end, travel);
    return travel;
}

}  // namespace

template <>
const MotionKernel MotionKernelOf<isa>::table = {kick_some, move_some, kick_and_move_some};

}  // namespace scree
