// The first time at which a polynomial turns negative, from below: never late.
#pragma once

#include <cmath>

#include "scree/scene.h"

namespace scree::events {

// p(t) = c[0] + c[1] t + ... + c[degree] t^degree. Returns a time at or shortly before the first root in [0, horizon]
// at which p turns negative, or `horizon` when p stays above zero until there. c is used up. A start at p <= 0 counts
// as a root when p falls, else as a start from zero.
//
// March: on [0, h] p is at least c0 + c1 t - M t^2, M the sum of |c_k| h^(k-2) over the negative c_k, k >= 2. Where
// that parabola is still positive p has no root; go there, expand p anew, repeat. Near a simple root the parabola is
// the tangent and this is Newton's method from the safe side. Where roots almost coincide steps get short; after `most`
// of them, or past the time `enough`, the answer is where they have come to, and the caller looks again from there.
inline double first_negative(double* c, int degree, double horizon, int most = 40, double enough = forever) {
    double t = 0;
    for (int step = 0; step < most; ++step) {
        double c0 = c[0];
        const double c1 = c[1];
        if (!(c0 > 0)) {
            if (!(c1 > 0)) {
                bool falls = c1 < 0;
                for (int k = 2; k <= degree && !falls && c1 == 0; ++k)
                    if (c[k] != 0) {
                        falls = c[k] < 0;
                        break;
                    }
                if (falls) return t;
            }
            c0 = 0;
        }
        double h = horizon - t, safe = 0;
        for (int shrink = 0; shrink < 8; ++shrink) {
            double m = 0;
            for (int k = degree; k >= 2; --k) m = m * h + (c[k] < 0 ? -c[k] : 0.0);
            if (shrink == 0 && c0 + (c1 < 0 ? c1 * h : 0.0) > m * h * h) return horizon;  // the usual case
            // First root of c0 + c1 s - m s^2.
            const double root = std::sqrt(c1 * c1 + 4 * m * c0);
            safe = c1 < 0 ? 2 * c0 / (root - c1) : m > 0 ? 0.5 * (c1 + root) / m : h;
            if (!(safe < h)) break;
            if (safe > 0.5 * h) break;
            h = std::fmax(2 * safe, 0x1p-10 * h);
        }
        if (safe >= h) safe = h;
        if (t + safe >= horizon) return horizon;
        if (!(safe > 1e-15 * (t + horizon))) return t;
        t += safe;
        if (t > enough) return t;
        for (int i = 0; i < degree; ++i)
            for (int k = degree - 1; k >= i; --k) c[k] += safe * c[k + 1];
    }
    return t;
}

}  // namespace scree::events
