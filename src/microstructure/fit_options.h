// What can be said about a fit (fit.h has the equation).
#pragma once

#include <cstddef>
#include <vector>

namespace scree::micro {

struct FitOptions {
    double regularisation = 0.3;                                    // λ/τ², in units of the mean spacing
    std::vector<double> softness = {3, 1, 0.4, 0.15, 0.06, 0.025};  // δ of the stages: τ = 2 δ D, in voxels
    std::size_t voxels_per_grain = 1500;                            // at most about so many are looked at
    int rounds = 40;                                                // of Newton's method per stage, at most
};

}  // namespace scree::micro
