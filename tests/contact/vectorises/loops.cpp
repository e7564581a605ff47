// One loop per law as the kernel runs it; vectorises.py compiles this file and reads the compiler's report.
#include <cstddef>

#include "contact/cohesive.h"
#include "contact/hertz.h"
#include "contact/hertz_slip.h"
#include "contact/kuwabara_kono.h"
#include "contact/linear.h"
#include "contact/pournin.h"
#include "contact/rolling.h"
#include "contact/walton.h"

namespace scree {

constexpr std::size_t width = 64;

struct Lanes {
    double overlap[width], approach[width], vt[3][width], inverse_mass[width], mass[width], radius[width];
    double spring_time[width], weight[width], half_step;
    double normal[width], tangential[3][width];
};

template <class Law>
__attribute__((always_inline)) inline void run(const typename Law::Coefficients& c, Lanes& lanes, double* memory) {
    const typename Law::Coefficients own = c;
    const double half_step = lanes.half_step;
#pragma omp simd
    for (std::size_t k = 0; k < width; ++k) {
        ContactState s;
        s.overlap = lanes.overlap[k], s.approach = lanes.approach[k], s.inverse_mass = lanes.inverse_mass[k];
        s.mass = lanes.mass[k], s.radius = lanes.radius[k], s.spring_time = lanes.spring_time[k];
        s.half_step = half_step, s.damping_weight = lanes.weight[k];
        for (int m = 0; m < 3; ++m) s.vt[m] = lanes.vt[m][k];
        double remembered[Law::memory];
        for (int m = 0; m < Law::memory; ++m) remembered[m] = memory[static_cast<std::size_t>(m) * width + k];
        const ContactForce f = Law::force(own, s, remembered);
        for (int m = 0; m < Law::memory; ++m) memory[static_cast<std::size_t>(m) * width + k] = remembered[m];
        lanes.normal[k] = f.normal;
        for (int m = 0; m < 3; ++m) lanes.tangential[m][k] = f.tangential[m];
    }
}

#ifndef LAW
#    error "define LAW"
#endif
void run_law(const LAW::Coefficients& c, Lanes& lanes, double* memory) { run<LAW>(c, lanes, memory); }

}  // namespace scree
