// The volume common to a sphere and a cylinder is an elliptic integral. Let T(p) be the angle of the circle of radius p
// about the parallel through the sphere's center that lies inside the cylinder:
//     V = 2 int_0^r p sqrt(r^2 - p^2) T(p) dp = (2/3) r^3 T(0) - (2/3) I,   by parts, with t = p^2, s = R^2 - d^2,
//     I = int_a^y (r^2 - t)^2 (t + s) / (t sqrt((t - a)(b - t)(r^2 - t))) dt,
//     a = (R-d)^2, b = (R+d)^2, y = min(b, r^2).
// T(0) is 2 pi with the axis of the sphere inside, 0 outside, pi on the cylinder. Dividing by t leaves the moments J_k
// of t^k, k = -1 .. 2, of 1/sqrt(...). With t = a + (y - a) sin^2, these are complete elliptic integrals of modulus k^2
// = (y - a)/(Y - a), Y = max(b, r^2). J_-1 is of the third kind: Bulirsch's cel, which does not cancel. J_2 follows
// from J_0 and J_1, but cancels for small k^2 (a small grain at the wall of a large cylinder); there the trapezoidal
// rule in the angle, which converges geometrically for a smooth periodic function, gives all moments directly.
//
// The alternative of Ferrez 2001, the FORTRAN of Lamarche and Leroy (1990), has five branches by the order of r, d + R
// and |d - R|.
#include "measure/volumes.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/elementary.h"

namespace scree {
namespace {

// Bulirsch (1969): int_0^(pi/2) (a cos^2 + b sin^2) / ((cos^2 + p sin^2) sqrt(cos^2 + kc^2 sin^2)), p > 0.
double cel(double kc, double p, double a, double b) {
    double e = kc, m = 1;
    p = std::sqrt(p);
    b /= p;
    for (int k = 0; k < 60; ++k) {
        const double f = a;
        a += b / p;
        const double g = e / p;
        b = 2 * (b + f * g);
        p += g;
        const double last = m;
        m += kc;
        if (std::abs(last - kc) <= 1e-15 * last) break;
        kc = 2 * std::sqrt(e);
        e = kc * m;
    }
    return pi / 2 * (a * m + b) / (m * (m + p));
}

// Integrates f over [a, b] by the tanh-sinh rule; f may have square-root ends. Abscissae are given as distances from
// the nearer end, so nothing is lost there.
template <class F>
double tanh_sinh(double a, double b, F f) {
    if (!(b > a)) return 0;
    const double half = (b - a) / 2, middle = (a + b) / 2;
    const double h = 1.0 / 24;
    double sum = f(middle) * pi / 2;
    for (int k = 1; k <= 108; ++k) {
        const double u = pi / 2 * std::sinh(k * h), c = std::cosh(u);
        const double weight = pi / 2 * std::cosh(k * h) / (c * c);
        const double distance = half / (std::exp(u) * c);  // 1 - tanh(u)
        if (weight == 0 || distance == 0) break;
        sum += weight * (f(a + distance) + f(b - distance));
    }
    return sum * h * half;
}

}  // namespace

double sphere_below(double r, double y, double h) {
    const double whole = 4.0 / 3.0 * pi * r * r * r;
    if (h <= y - r) return 0;
    if (h >= y + r) return whole;
    if (h <= y) return pi / 3 * (h - y + r) * (h - y + r) * (2 * r - h + y);
    return whole - pi / 3 * (y + r - h) * (y + r - h) * (2 * r + h - y);
}

double disc_below(double r, double y, double h) {
    if (h <= y - r) return 0;
    if (h >= y + r) return pi * r * r;
    const double u = h - y;
    return r * r * (pi / 2 + std::asin(std::clamp(u / r, -1.0, 1.0))) + u * std::sqrt(std::max(0.0, (r - u) * (r + u)));
}

double disc_disc(double r, double R, double d) {
    d = std::abs(d);
    if (d >= r + R) return 0;
    if (d <= std::abs(R - r)) return pi * std::min(r, R) * std::min(r, R);
    // Sum of two circular segments; the angles from atan2 of exact factors, so that thin lenses keep their digits.
    const double root = std::sqrt((r + R - d) * (d + r - R) * (d - r + R) * (d + r + R));
    const double angle_r = std::atan2(root, d * d + r * r - R * R), angle_R = std::atan2(root, d * d + R * R - r * r);
    return r * r * angle_r + R * R * angle_R - root / 2;
}

double sphere_cylinder(double r, double R, double d) {
    d = std::abs(d);
    if (r <= 0 || R <= 0 || d >= r + R) return 0;
    const double whole = 4.0 / 3.0 * pi * r * r * r;
    if (r <= R - d) return whole;
    const double scale = r;
    R /= scale;
    d /= scale;  // the sphere has radius 1 from here
    const double a = (R - d) * (R - d), b = (R + d) * (R + d), s = (R - d) * (R + d);
    const double inside = d < R ? 2 * pi : d > R ? 0 : pi;
    double integral = 0;
    if (b - a <= 1e-30 || d == 0) {  // concentric
        integral = 2 * pi * std::pow(std::max(0.0, 1 - R * R), 1.5);
    } else if (a < 1 && std::max(b, 1.0) - a < 1e-4) {
        // Nearly concentric and of nearly the same radius: everything is at t = 1, where the moments would cancel.
        const double y = std::min(b, 1.0);
        constexpr int points = 64;
        for (int k = 0; k < points; ++k) {
            const double sine = std::sin(pi * (k + 0.5) / (2 * points)), t = a + (y - a) * sine * sine;
            integral += (1 - t) * (b < 1 ? std::sqrt(1 - t) : (1 - t) / std::sqrt(b - t)) * (t + s) / t * pi / points;
        }
    } else if (a < 1) {
        const double y = std::min(b, 1.0), Y = std::max(b, 1.0), width = y - a;
        const double kc2 = std::max((Y - y) / (Y - a), 1e-32);
        const double front = 2 / std::sqrt(Y - a), k2 = width / (Y - a);
        double smooth;  // int (t^2 + (s - 2) t + 1 - 2 s) / sqrt(...)
        if (k2 < 0.5) {
            constexpr int points = 32;
            double sum = 0;
            for (int k = 0; k < points; ++k) {
                const double angle = pi * (k + 0.5) / (2 * points), sine = std::sin(angle) * std::sin(angle);
                const double t = a + width * sine;
                sum += ((t + s - 2) * t + 1 - 2 * s) / std::sqrt(1 - k2 * sine);
            }
            smooth = front * sum * pi / (2 * points);
        } else {
            const double kc = std::sqrt(kc2), K = cel(kc, 1, 1, 1), E = cel(kc, 1, 1, kc2);
            const double j0 = front * K, j1 = front * (a * K + (Y - a) * (K - E));
            const double j2 = (2 * (a + b + 1) * j1 - (a * b + a + b) * j0) / 3;
            smooth = j2 + (s - 2) * j1 + (1 - 2 * s) * j0;
        }
        // Of the axis on the cylinder itself, s = 0 and the term vanishes.
        const double third = a > 0 ? front * s / a * cel(std::sqrt(kc2), y / a, 1, 1) : 0;
        integral = smooth + third;
    }
    const double volume = 2.0 / 3.0 * (inside - integral) * scale * scale * scale;
    return std::clamp(volume, 0.0, whole);
}

double sphere_cylinder_slab(double r, double R, double d, double low, double high) {
    low = std::max(low, -r);
    high = std::min(high, r);
    if (low >= high) return 0;
    if (low <= -r && high >= r) return sphere_cylinder(r, R, d);
    // Slices are lenses of discs; their kinks are where the slice circle touches the cylinder from inside or outside.
    // The middle, too: there the slice is nearest to touching when it just does not.
    std::vector<double> cuts{low, high};
    const double touching[2] = {std::abs(R - d), R + d};
    for (const double p : touching)
        if (p < r)
            for (const double z : {-std::sqrt((r - p) * (r + p)), std::sqrt((r - p) * (r + p))})
                if (z > low && z < high) cuts.push_back(z);
    if (low < 0 && high > 0) cuts.push_back(0);
    std::sort(cuts.begin(), cuts.end());
    double volume = 0;
    for (std::size_t k = 0; k + 1 < cuts.size(); ++k)
        volume += tanh_sinh(cuts[k], cuts[k + 1],
                            [&](double z) { return disc_disc(std::sqrt(std::max(0.0, (r - z) * (r + z))), R, d); });
    return volume;
}

}  // namespace scree
