#include "engine/orientation_order.h"

#include <cmath>

#include "math/elementary.h"
#include "shape/shape.h"

namespace scree {

OrientationOrder orientation_order(Simulation& simulation) {
    const Grains& grains = simulation.synchronised_world().grains;
    const std::vector<const Shape*> shapes = simulation.shapes();
    const int dimension = simulation.scene().dimension;
    const Vec3 gravity = simulation.scene().gravity;
    const Vec3 up = gravity == Vec3{} ? (dimension == 2 ? Vec3{0, 1, 0} : Vec3{0, 0, 1}) : normalized(gravity);
    OrientationOrder order;
    double tensor[3][3] = {}, count = 0;
    for (std::size_t g = 0; g < grains.size() && grains.shaped(); ++g) {
        const Vec3 longest = shapes[grains.shape[g]]->longest;
        if (longest == Vec3{}) continue;
        const Vec3 u = matrix_of(grains.orientation[g]) * longest;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) tensor[i][j] += u[i] * u[j];
        order.mean_angle += same_atan2(norm(cross(u, up)), std::fabs(dot(u, up)));
        ++count;
    }
    if (count == 0) return order;
    order.mean_angle /= count;
    // The largest eigenvalue of <u u^T>, by repeated squaring of the trace-normalised tensor.
    double power[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) power[i][j] = tensor[i][j] /= count;
    for (int k = 0; k < 40; ++k) {
        double square[3][3] = {}, trace = 0;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                for (int l = 0; l < 3; ++l) square[i][j] += power[i][l] * power[l][j];
        for (int i = 0; i < 3; ++i) trace += square[i][i];
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) power[i][j] = square[i][j] / trace;
    }
    double largest = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) largest += power[i][j] * tensor[j][i];
    order.nematic = dimension == 2 ? 2 * largest - 1 : 1.5 * largest - 0.5;
    return order;
}

}  // namespace scree
