#include "measure/symmetric.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace scree {

// Jacobi's rotations: for three rows a handful of sweeps reach rounding, and equal values do no harm, which they do in the
// trigonometric solution of the cubic.
std::array<double, 3> eigenvalues(const Symmetric& m) {
    double a[3][3] = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
    for (int sweep = 0; sweep < 12; ++sweep)
        for (const auto& [p, q] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
            if (a[p][q] == 0) continue;
            const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
            const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1)), c = 1 / std::sqrt(t * t + 1), s = t * c;
            for (int k = 0; k < 3; ++k) {
                const double kp = a[k][p], kq = a[k][q];
                a[k][p] = c * kp - s * kq, a[k][q] = s * kp + c * kq;
            }
            for (int k = 0; k < 3; ++k) {
                const double pk = a[p][k], qk = a[q][k];
                a[p][k] = c * pk - s * qk, a[q][k] = s * pk + c * qk;
            }
        }
    std::array<double, 3> values{a[0][0], a[1][1], a[2][2]};
    std::sort(values.begin(), values.end(), std::greater<>());
    return values;
}

}  // namespace scree
