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

// Two free grains near each other. Common gravity drops out of their relative motion: a straight line. Exchanging the
// two changes signs only, so that they agree on their meeting to the last bit.
struct Approach {
    double s;           // both states are known from here on
    double du, dd, uu;  // products of relative position and velocity at s
    double reach;
    double gap() const { return dd - reach * reach; }
    double root() const { return du * du - uu * gap(); }
    // Grazing: where they would overlap by less than 1e-28 of their size on passing, they do not collide. Rounding
    // would otherwise make some collisions repeat without end.
    bool meets() const { return (du < 0) & (du * du > 1e-28 * uu * reach * reach) & (root() >= 0); }
    // When they touch, if they meet.
    double time() const { return gap() <= 0 ? s : s + gap() / (std::sqrt(root()) - du); }
    double depth() const { return reach - std::sqrt(dd); }  // positive when they overlap at s
};

// shift: to be added to the position of b.
template <int D>
inline Approach approach(const Flight<D>& a, const Flight<D>& b, const double* g, const double* shift) {
    Approach r{std::max(a.t, b.t), 0, 0, 0, a.radius + b.radius};
    const double sa = r.s - a.t, sb = r.s - b.t;
    for (int k = 0; k < D; ++k) {
        const double xa = a.x[k] + sa * (a.v[k] + 0.5 * sa * g[k]), xb = b.x[k] + sb * (b.v[k] + 0.5 * sb * g[k]);
        const double d = xb - xa + shift[k], u = (b.v[k] + sb * g[k]) - (a.v[k] + sa * g[k]);
        r.du += d * u;
        r.dd += d * d;
        r.uu += u * u;
    }
    return r;
}

// The same when one of the two is fixed and the other falls: |d + u t + h t^2|^2 = reach^2, of degree four.
template <int D>
double meeting_time_falling(const Flight<D>& a, const Flight<D>& b, bool a_falls, const double* g, const double* shift,
                            double horizon, double& depth) {
    const double s = std::max(a.t, b.t), sa = s - a.t, sb = s - b.t;
    const double reach = a.radius + b.radius;
    double c[5] = {-reach * reach, 0, 0, 0, 0}, dd = 0, uu = 0;
    for (int k = 0; k < D; ++k) {
        const double ga = a_falls ? g[k] : 0.0, gb = a_falls ? 0.0 : g[k];
        const double d = (b.x[k] + sb * (b.v[k] + 0.5 * sb * gb)) - (a.x[k] + sa * (a.v[k] + 0.5 * sa * ga)) + shift[k];
        const double u = (b.v[k] + sb * gb) - (a.v[k] + sa * ga), h = 0.5 * (gb - ga);
        dd += d * d;
        uu += u * u;
        c[1] += 2 * d * u;
        c[2] += u * u + 2 * d * h;
        c[3] += 2 * u * h;
        c[4] += h * h;
    }
    c[0] += dd;
    if (c[0] < 0) depth = std::max(depth, reach - std::sqrt(dd));
    if (!(s < horizon)) return forever;
    const double t = first_negative(c, 4, horizon - s, 400);
    return t < horizon - s ? s + t : forever;
}

}  // namespace scree::events
