// A grain between two of its collisions, and when two of them meet.
//
// A grain is stored as it was at its own last collision (time t) and is never touched until its next one. Everything
// that is predicted is a function of these stored states alone, not of the moment of predicting: so the events, to the
// last bit, cannot depend on who proposed the pair, nor when.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "events/polynomial.h"
#include "scree/scene.h"

namespace scree::events {

template <int D>
struct alignas(64) Flight {
    double x[D], v[D];
    double t = 0;  // of x and v; since the start of the piece
    double radius = 0;
};

template <int D>
inline void place_at(const Flight<D>& f, const double* g, double t, double* x) {
    const double s = t - f.t;
    for (int k = 0; k < D; ++k) x[k] = f.x[k] + s * (f.v[k] + 0.5 * s * g[k]);
}

// Common gravity drops out of the relative motion of two free grains: a straight line.
template <int D>
struct Approach {
    double s;         // both states are known from here on
    double d[D], u[D];  // position and velocity of b relative to a, at s
};

template <int D>
inline Approach<D> approach(const Flight<D>& a, const Flight<D>& b, const double* g, const double* shift) {
    Approach<D> r;
    r.s = std::max(a.t, b.t);
    const double sa = r.s - a.t, sb = r.s - b.t;
    for (int k = 0; k < D; ++k) {
        r.d[k] = (b.x[k] + sb * (b.v[k] + 0.5 * sb * g[k])) - (a.x[k] + sa * (a.v[k] + 0.5 * sa * g[k])) + shift[k];
        r.u[k] = (b.v[k] + sb * g[k]) - (a.v[k] + sa * g[k]);
    }
    return r;
}

// When two free grains touch next, or `forever`. `depth` receives how far they overlap at s, if they do.
//
// Grazing: where they would overlap by less than 1e-28 of their size on passing, they do not collide. Rounding would
// otherwise make some collisions repeat without end.
template <int D>
inline double meeting_time(const Flight<D>& a, const Flight<D>& b, const double* g, const double* shift, double& depth) {
    const Approach<D> r = approach(a, b, g, shift);
    double du = 0, dd = 0, uu = 0;
    for (int k = 0; k < D; ++k) du += r.d[k] * r.u[k], dd += r.d[k] * r.d[k], uu += r.u[k] * r.u[k];
    const double reach = a.radius + b.radius, gap = dd - reach * reach;
    if (gap < 0) depth = std::max(depth, reach - std::sqrt(dd));
    if (!(du < 0) || du * du <= 1e-28 * uu * reach * reach) return forever;
    if (gap <= 0) return r.s;
    const double root = du * du - uu * gap;
    if (root < 0) return forever;
    return r.s + gap / (std::sqrt(root) - du);
}

// The same when one of the two is fixed and the other falls: |d + u t + h t^2|^2 = reach^2, of degree four.
template <int D>
double meeting_time_falling(const Flight<D>& a, const Flight<D>& b, bool a_falls, const double* g, const double* shift, double horizon, double& depth) {
    const double s = std::max(a.t, b.t), sa = s - a.t, sb = s - b.t;
    const double reach = a.radius + b.radius;
    double c[5] = {-reach * reach, 0, 0, 0, 0}, dd = 0, uu = 0;
    for (int k = 0; k < D; ++k) {
        const double ga = a_falls ? g[k] : 0.0, gb = a_falls ? 0.0 : g[k];
        const double d = (b.x[k] + sb * (b.v[k] + 0.5 * sb * gb)) - (a.x[k] + sa * (a.v[k] + 0.5 * sa * ga)) + shift[k];
        const double u = (b.v[k] + sb * gb) - (a.v[k] + sa * ga), h = 0.5 * (gb - ga);
        dd += d * d, uu += u * u;
        c[1] += 2 * d * u, c[2] += u * u + 2 * d * h, c[3] += 2 * u * h, c[4] += h * h;
    }
    c[0] += dd;
    if (c[0] < 0) depth = std::max(depth, reach - std::sqrt(dd));
    if (!(s < horizon)) return forever;
    const double t = first_negative(c, 4, horizon - s, 400);
    return t < horizon - s ? s + t : forever;
}

}  // namespace scree::events
