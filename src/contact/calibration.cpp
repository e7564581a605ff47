#include "contact/calibration.h"

#include <algorithm>
#include <cmath>

#include "math/elementary.h"

namespace scree {
namespace {

double tanh_of(double x) {
    const double shrunk = same_exp(-2 * x);
    return (1 - shrunk) / (1 + shrunk);
}

// Root of a function that rises from below zero at `low` to above zero at `high`, to the last bit.
template <class Function>
double bisect(double low, double high, Function&& f) {
    for (;;) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) return middle;
        (f(middle) < 0 ? low : high) = middle;
    }
}

}  // namespace

double Oscillator::damping_ratio() const { return 0.5 * damping / std::sqrt(stiffness); }

Oscillator oscillator(double restitution, double duration) {
    const double decay = -same_log(restitution);  // beta t
    double square;                                // (w0 t)^2
    if (decay < 2) {
        // Underdamped: w t = 2 b with 2 b / tan b = beta t, b in (0, pi/2].
        const double b = decay <= 0 ? pi / 2 : bisect(0.0, pi / 2, [&](double x) {
            const SinCos sc = same_sincos(x);
            return decay * sc.sin - 2 * x * sc.cos;
        });
        square = decay * decay + 4 * b * b;
    } else if (decay == 2) {
        square = 4;
    } else {
        // Overdamped: s t = 2 a with 2 a / tanh a = beta t. Since tanh a < 1, a lies below beta t / 2.
        const double a = bisect(0.0, 0.5 * decay, [&](double x) { return 2 * x - decay * tanh_of(x); });
        // beta^2 - s^2 = beta^2 / cosh^2 a, without the difference of nearly equal numbers.
        const double grown = same_exp(a);
        const double cosh = 0.5 * (grown + 1 / grown);
        square = decay * decay / (cosh * cosh);
    }
    return {square / (duration * duration), 2 * decay / duration};
}

Collision collision_of(const Oscillator& given) {
    const double decay = 0.5 * given.damping, square = given.stiffness - decay * decay;
    const double root = std::sqrt(std::fabs(square));
    double duration = 0;
    if (root * root < 1e-12 * given.stiffness)
        duration = 2 / decay;
    else if (square > 0)
        duration = (pi - 2 * same_atan2(decay, root)) / root;
    else
        duration = same_log((decay + root) / (decay - root)) / root;
    return {duration, same_exp(-decay * duration)};
}

double least_tangential(const PairMaterial& pair) {
    constexpr double least = 0.005;
    return std::max(pair.tangential_restitution, least);
}

double stable_step(double stiffness, double damping, double crowd) {
    // Positive root of crowd (stiffness h^2/4 + damping h) = 1, in the form that survives stiffness = 0.
    const double k = 0.25 * crowd * stiffness, c = crowd * damping;
    return 2 / (c + std::sqrt(c * c + 4 * k));
}

double stable_step_of_spring(double stiffness, double damping, double crowd) {
    return stable_step(1.4 * stiffness, damping, crowd);
}

double lead_rate(double stiffness, double tangential_stiffness) {
    return std::max(stiffness + 0.6 * tangential_stiffness, 1.6 * tangential_stiffness);
}

std::string name_of(const PairMaterial& pair) {
    return pair.name[0] == pair.name[1] ? pair.name[0] + " with itself" : pair.name[0] + " with " + pair.name[1];
}

}  // namespace scree
