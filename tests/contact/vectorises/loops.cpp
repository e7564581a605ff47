// One loop over all that a law does at a point; vectorises.py compiles this file and reads the compiler's report.
#include <cstddef>

#include "contact/all_laws.h"
#include "contact/at_point.h"

namespace scree {

constexpr std::size_t width = 64;

struct Lanes {
    double nx[width], ny[width], nz[width], ux[width], uy[width], uz[width], wx[width], wy[width], wz[width];
    double overlap[width], approach[width], inverse_mass[width], mass[width], radius[width], share[width];
    double spring_time[width], weight[width], half_step;
    double memory[12][width];
    double force[3][width], couple[3][width], power[width], lost[width], slipped[width];
};

template <class Law>
__attribute__((always_inline)) inline void run(const typename Law::Coefficients& c,
                                               const RollingCoefficients& rolling_coefficients, Lanes& lanes) {
    const typename Law::Coefficients own = c;
    const RollingCoefficients rolling = rolling_coefficients;
    const double half_step = lanes.half_step;
#pragma omp simd
    for (std::size_t k = 0; k < width; ++k) {
        const Vec3 n{lanes.nx[k], lanes.ny[k], lanes.nz[k]}, u{lanes.ux[k], lanes.uy[k], lanes.uz[k]},
            w{lanes.wx[k], lanes.wy[k], lanes.wz[k]};
        const double share = lanes.share[k], root = std::sqrt(share);
        ContactState state;
        state.overlap = lanes.overlap[k];
        state.inverse_mass = lanes.inverse_mass[k];
        state.mass = lanes.mass[k];
        state.radius = lanes.radius[k];
        state.spring_time = lanes.spring_time[k];
        state.half_step = half_step;
        state.damping_weight = lanes.weight[k];
        double memory[Law::memory], spring[rolling_memory];
        for (int m = 0; m < Law::memory; ++m) memory[m] = lanes.memory[m][k];
        for (int m = 0; m < rolling_memory; ++m) spring[m] = lanes.memory[Law::memory + m][k];
        turn_spring(memory, root, n);
        turn_spring(spring, root, n);
        const PointForce f =
            act_at<Law, true>(own, rolling, n, u, w, lanes.approach[k], share, 1, state, memory, spring);
        keep_spring(memory, root);
        keep_spring(spring, root);
        for (int m = 0; m < Law::memory; ++m) lanes.memory[m][k] = memory[m];
        for (int m = 0; m < rolling_memory; ++m) lanes.memory[Law::memory + m][k] = spring[m];
        lanes.force[0][k] = f.force.x;
        lanes.force[1][k] = f.force.y;
        lanes.force[2][k] = f.force.z;
        lanes.couple[0][k] = f.couple.x;
        lanes.couple[1][k] = f.couple.y;
        lanes.couple[2][k] = f.couple.z;
        lanes.power[k] = f.power - f.rolling_power;
        lanes.lost[k] = f.lost;
        lanes.slipped[k] = f.slipped;
    }
}

#ifndef LAW
#    error "define LAW"
#endif
template <class... Law>
void run_chosen(const void* c, const RollingCoefficients& rolling, Lanes& lanes, LawTypes<Law...>) {
    const auto one = [&]<class Each>(Each) {
        if constexpr (Each::kind == LAW) run<Each>(*static_cast<const typename Each::Coefficients*>(c), rolling, lanes);
    };
    (one(Law{}), ...);
}
void run_law(const void* c, const RollingCoefficients& rolling, Lanes& lanes) {
    run_chosen(c, rolling, lanes, AllLaws{});
}

}  // namespace scree
