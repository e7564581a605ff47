// The certificate of a facet of the triangulation as a polynomial in time: the power of the vertex beyond to the sphere
// orthogonal to the cell, times its volume. Negative while the facet may stay. T is a number, or several facets side by
// side.
#pragma once

#include "core/inline.h"

namespace scree::events {

constexpr double slack_fraction = 1e-12;  // of the largest terms; rounded positions make errors of some 1e-14

// A polynomial in time of fixed degree.
template <int N, class T>
struct Poly {
    T c[N + 1];
};
template <int N, class T>
SCREE_INLINE Poly<N, T> operator+(Poly<N, T> a, const Poly<N, T>& b) {
    for (int k = 0; k <= N; ++k) a.c[k] += b.c[k];
    return a;
}
template <int N, class T>
SCREE_INLINE Poly<N, T> operator-(Poly<N, T> a, const Poly<N, T>& b) {
    for (int k = 0; k <= N; ++k) a.c[k] -= b.c[k];
    return a;
}
template <int N, int M, class T>
SCREE_INLINE Poly<N + M, T> operator*(const Poly<N, T>& a, const Poly<M, T>& b) {
    Poly<N + M, T> r;
    for (int n = 0; n <= N + M; ++n) {
        const int first = n > M ? n - M : 0;
        r.c[n] = a.c[first] * b.c[n - first];
        for (int i = first + 1; i <= N && i <= n; ++i) r.c[n] += a.c[i] * b.c[n - i];
    }
    return r;
}

// A site relative to another: coordinates and lift as functions of time.
template <int D, class T>
struct Relative {
    Poly<1, T> x[D];
    Poly<2, T> lift;
};

template <int D, class T>
struct Certificate {
    Poly<D + 2, T> power;
    T slack;   // what it may fail by
    T motion;  // 0: nothing moves against the others
};

// site: of the cell in their order, then the one beyond; each a row of D places, D velocities, the time of these, and
// the weight.
template <int D, class T>
SCREE_INLINE Certificate<D, T> certificate(const T (&site)[D + 2][8], T now) {
    const auto larger = [](T a, T b) -> T { return a > b ? a : b; };
    const T zero = now - now;
    const auto size = [&](T a) -> T { return a < zero ? -a : a; };
    const T* const p = site[D + 1];
    const T sp = now - p[2 * D];
    Relative<D, T> r[D + 1];
    T largest[D], height = zero, motion = zero;
    for (int k = 0; k < D; ++k) largest[k] = zero;
    for (int m = 0; m <= D; ++m) {
        const T* const a = site[m];
        const T sa = now - a[2 * D];
        r[m].lift = {{p[2 * D + 1] - a[2 * D + 1], zero, zero}};
        T square = zero;
        for (int k = 0; k < D; ++k) {
            const T x = (a[k] + sa * a[D + k]) - (p[k] + sp * p[D + k]), u = a[D + k] - p[D + k];
            r[m].x[k] = {{x, u}};
            square += x * x;
            r[m].lift.c[1] += 2 * x * u;
            r[m].lift.c[2] += u * u;
            largest[k] = larger(largest[k], size(x));
            motion += size(u);
        }
        r[m].lift.c[0] += square;
        height = larger(height, square);
    }
    Certificate<D, T> out;
    const auto turn = [&](int a, int b) __attribute__((always_inline)) {
        return r[a].x[0] * r[b].x[1] - r[a].x[1] * r[b].x[0];
    };
    if constexpr (D == 2) {
        out.power = r[0].lift * turn(1, 2) + r[1].lift * turn(2, 0) + r[2].lift * turn(0, 1);
    } else {
        const auto rise = [&](int a, int b) __attribute__((always_inline)) {
            return r[a].x[2] * r[b].lift - r[b].x[2] * r[a].lift;
        };
        out.power = turn(0, 2) * rise(1, 3) - turn(0, 1) * rise(2, 3) + turn(1, 3) * rise(0, 2) -
                    turn(2, 3) * rise(0, 1) - turn(0, 3) * rise(1, 2) - turn(1, 2) * rise(0, 3);
    }
    T scale = height;
    for (int k = 0; k < D; ++k) scale *= largest[k];
    out.slack = slack_fraction * scale;
    out.motion = motion;
    return out;
}

}  // namespace scree::events
