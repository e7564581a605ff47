#include <gtest/gtest.h>

#include "shape/rotation.h"

namespace scree {
namespace {

double energy(Quaternion q, Vec3 momentum, Vec3 inverse) {
    const Vec3 l = matrix_of(q).transposed_times(momentum);
    return 0.5 * (l.x * l.x * inverse.x + l.y * l.y * inverse.y + l.z * l.z * inverse.z);
}

TEST(rotation, asymmetric_top_keeps_energy_over_a_hundred_thousand_steps) {
    // Momentum is constant in the world by construction; the energy is what a bad rotation would lose.
    const Vec3 inertia{1, 2, 3.5}, inverse{1 / inertia.x, 1 / inertia.y, 1 / inertia.z};
    Quaternion q = turn_about({1, 2, 3}, 0.7);
    const Vec3 momentum = angular_momentum(matrix_of(q), {0.8, 1.1, -0.6}, inertia);
    const double start = energy(q, momentum, inverse);
    double worst = 0;
    for (int step = 0; step < 100000; ++step) {
        q = turned_freely(q, momentum, inverse, 2e-3);
        worst = std::fmax(worst, std::fabs(energy(q, momentum, inverse) / start - 1));
    }
    EXPECT_LT(worst, 1e-6);
    EXPECT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-14);
}

TEST(rotation, body_of_equal_moments_turns_about_its_momentum) {
    const Vec3 momentum{1, -2, 0.5};
    const Quaternion start = turn_about({3, 1, -2}, 1.1);
    const double inverse_moment = 0.7, dt = 1e-2;
    Quaternion evenly = start, split = start;
    for (int k = 0; k < 1000; ++k) {
        evenly = turned_by(even_turn(momentum, inverse_moment, dt), evenly);
        split = turned_freely(split, momentum, {inverse_moment, inverse_moment, inverse_moment}, dt);
    }
    const Quaternion exact = turn_about(momentum, inverse_moment * norm(momentum) * 1000 * dt) * start;
    const auto error = [&](Quaternion q) {
        const Quaternion d = conjugate(exact) * q;
        return norm(Vec3{d.x, d.y, d.z});
    };
    // Angles are right to fifth order in 0.016: 1e-9 / 120 each, times 1000. The split is of second order.
    EXPECT_LT(error(evenly), 1e-8);
    EXPECT_LT(error(split), 1e-3);
    EXPECT_GT(error(split), error(evenly));
}

TEST(rotation, converges_with_the_square_of_the_step) {
    const Vec3 inverse{1, 0.5, 1 / 3.5}, momentum{1, 1.5, -0.4};
    const auto after = [&](int steps) {
        Quaternion q;
        for (int k = 0; k < steps; ++k) q = turned_freely(q, momentum, inverse, 2.0 / steps);
        return q;
    };
    const Quaternion exact = after(200000);
    const auto error = [&](int steps) {
        const Quaternion d = conjugate(exact) * after(steps);
        return norm(Vec3{d.x, d.y, d.z});
    };
    EXPECT_NEAR(error(100) / error(200), 4, 0.2);
}

TEST(rotation, intermediate_axis_flips_and_the_others_do_not) {
    const Vec3 inertia{1, 2, 3}, inverse{1, 0.5, 1.0 / 3};
    for (int axis = 0; axis < 3; ++axis) {
        Vec3 w{1e-3, 1e-3, 1e-3};
        w[axis] = 1;
        Quaternion q;
        const Vec3 momentum = angular_momentum(Mat3{}, w, inertia);
        double least = 1;
        for (int step = 0; step < 40000; ++step) {
            q = turned_freely(q, momentum, inverse, 1e-3);
            least = std::fmin(least, matrix_of(q).transposed_times(momentum)[axis] / momentum[axis]);
        }
        if (axis == 1)
            EXPECT_LT(least, -0.99);
        else
            EXPECT_GT(least, 0.99);
    }
}

TEST(rotation, symmetric_top_precesses_at_the_rate_of_the_books) {
    // The axis turns about the momentum at the rate L / I1.
    const Vec3 inverse{0.5, 0.5, 1};  // moments 2, 2, 1
    Quaternion q = turn_about({1, 0, 0}, 0.3);
    const Vec3 momentum{0, 0, 4};
    const double rate = 4 / 2.0, time = 1.3;
    const Vec3 before = matrix_of(q) * Vec3{0, 0, 1};
    for (int k = 0; k < 1300; ++k) q = turned_freely(q, momentum, inverse, time / 1300);
    const Vec3 after = matrix_of(q) * Vec3{0, 0, 1}, expected = matrix_of(turn_about({0, 0, 1}, rate * time)) * before;
    EXPECT_LT(norm(after - expected), 1e-6);
}

}  // namespace
}  // namespace scree
