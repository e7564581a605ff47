// Eigenvalues and eigenvectors of a symmetric 3x3 matrix by Jacobi's rotations: a handful of sweeps reach rounding, and
// equal values do no harm, which they do in the trigonometric solution of the cubic.
#pragma once

#include <cmath>

namespace scree {

// Turns `a` into a diagonal matrix and multiplies `axes` by the rotations. Entries off the diagonal up to `negligible`
// stay.
inline void diagonalise(double (&a)[3][3], double (&axes)[3][3], double negligible) {
    bool done = false;
    for (int sweep = 0; sweep < 40 && !done; ++sweep) {
        done = true;
        for (int p = 0; p < 2; ++p)
            for (int q = p + 1; q < 3; ++q) {
                if (std::fabs(a[p][q]) <= negligible) continue;
                done = false;
                const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                const double t = (theta >= 0 ? 1 : -1) / (std::fabs(theta) + std::sqrt(theta * theta + 1)),
                             c = 1 / std::sqrt(t * t + 1), s = t * c;
                const auto turn = [&](double& x, double& y) {
                    const double before = x;
                    x = c * before - s * y;
                    y = s * before + c * y;
                };
                for (int k = 0; k < 3; ++k) turn(a[k][p], a[k][q]);
                for (int k = 0; k < 3; ++k) {
                    turn(a[p][k], a[q][k]);
                    turn(axes[k][p], axes[k][q]);
                }
            }
    }
}

}  // namespace scree
