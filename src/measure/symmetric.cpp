#include "measure/symmetric.h"

#include <algorithm>
#include <functional>

#include "math/jacobi.h"

namespace scree {

std::array<double, 3> eigenvalues(const Symmetric& m) {
    double a[3][3] = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}}, axes[3][3] = {};
    diagonalise(a, axes, 0);
    std::array<double, 3> values{a[0][0], a[1][1], a[2][2]};
    std::sort(values.begin(), values.end(), std::greater<>());
    return values;
}

}  // namespace scree
