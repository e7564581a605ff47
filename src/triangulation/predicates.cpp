// Error bounds of stage 1, u = 2^-53. Let X, Y, Z, H be the largest magnitudes in the columns x, y, z (differences) and
// of |x|² + |w| (lift). A difference carries a relative error u; a lift an absolute error below 8u·H (differences 1
// each, squares 1, sums 3, weight 1, doubled by squaring).
//   orientation3: 6 monomials, each with at most 3 (differences) + 2 (products) + 3 (sums) roundings: 6·8 = 48 u <
//   2^-47. power3: 24 monomials, each 3 + 8 + 3 (products) + 5 (sums) roundings: 24·19 = 456 u < 2^-44. orientation2: 2
//   monomials, 2 + 1 + 1 roundings: 8 u < 2^-49.  power2: 6 monomials, 2 + 8 + 2 + 3: 90 u < 2^-46.
// Terms of second order are far below the slack. Underflow adds at most 2^-1070·max(1, M)^4, M the largest entry, which
// stays below the bounds for 2^-200 < M; outside 2^±200 the filters are switched off.
//
// Bits of stage 2. With |differences| < 2^b and |weight differences| < 2^2b: minors xy < 2^(2b+1), lifts < 2^(2b+2),
// minors zh < 2^(3b+3), and the sum of six products < 6·2^(5b+4) < 2^(5b+6.6). b = 24: 126.6 bits, signed 128 hold them
// (minors xy and lifts 64: 49 and 50 bits). b = 49: 251.6 bits, signed 256 hold them (minors xy and lifts 128).
// Behind a static filter even fewer do: the slow predicates are called when its value is within its bound, so the
// determinant is at most twice that. If this is below 2^62, 64 bits that wrap around hold it, whatever overflows on the
// way.
#include "predicates.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "wide.h"

namespace scree::tri {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double least = 0x1p-200, most = 0x1p200;

bool in_range(double extent) { return extent == 0 || (extent > least && extent < most); }

// Differences of n sites to a reference, in doubles, with their columns' largest magnitudes.
struct Differences {
    int n = 0;
    double d[4][3];
    double dw[4];
    double largest[3] = {0, 0, 0};
    double lift = 0;

    void take(const Row& a, const Row& reference) {
        double square = 0;
        for (int k = 0; k < 3; ++k) {
            d[n][k] = a.c[k] - reference.c[k];
            largest[k] = std::max(largest[k], std::fabs(d[n][k]));
            square += d[n][k] * d[n][k];
        }
        dw[n] = a.c[3] - reference.c[3];
        lift = std::max(lift, square + std::fabs(dw[n]));
        ++n;
    }
    // True when magnitudes are neither so small nor so large that rounding errors stop being relative.
    bool ordinary() const {
        return in_range(largest[0]) && in_range(largest[1]) && in_range(largest[2]) && in_range(lift);
    }
};

// Number types of the two integer stages; E differences, M minors of two, L lifts, P everything longer.
struct Small {
    using E = std::int64_t;
    using M = std::int64_t;
    using L = std::int64_t;
    using P = Int128;
};
struct Medium {
    using E = std::int64_t;
    using M = Int128;
    using L = Int128;
    using P = Int256;
};
struct Large {
    using E = BigInt;
    using M = BigInt;
    using L = BigInt;
    using P = BigInt;
};

template <class T>
struct Entries {
    typename T::E d[4][3];
    typename T::L dw[4];

    typename T::L lifted(int i) const {
        typename T::L sum = -dw[i];
        for (int k = 0; k < 3; ++k) sum = sum + typename T::L(d[i][k]) * typename T::L(d[i][k]);
        return sum;
    }
    typename T::M minor(int i, int j, int u, int v) const {
        using M = typename T::M;
        return M(d[i][u]) * M(d[j][v]) - M(d[i][v]) * M(d[j][u]);
    }
    typename T::P orientation3() const {  // of rows 0, 1, 2
        using P = typename T::P;
        return P(d[0][2]) * P(minor(1, 2, 0, 1)) + P(d[1][2]) * P(minor(2, 0, 0, 1)) +
               P(d[2][2]) * P(minor(0, 1, 0, 1));
    }
    typename T::P power3() const {
        using P = typename T::P;
        const P h[4] = {P(lifted(0)), P(lifted(1)), P(lifted(2)), P(lifted(3))};
        const auto zh = [&](int i, int j) { return P(d[i][2]) * h[j] - P(d[j][2]) * h[i]; };
        const auto xy = [&](int i, int j) { return P(minor(i, j, 0, 1)); };
        return xy(0, 2) * zh(1, 3) - xy(0, 1) * zh(2, 3) + xy(1, 3) * zh(0, 2) - xy(2, 3) * zh(0, 1) -
               xy(0, 3) * zh(1, 2) - xy(1, 2) * zh(0, 3);
    }
    typename T::P power2(int u, int v) const {
        using P = typename T::P;
        return P(lifted(0)) * P(minor(1, 2, u, v)) + P(lifted(1)) * P(minor(2, 0, u, v)) +
               P(lifted(2)) * P(minor(0, 1, u, v));
    }
    typename T::P power1(int u) const {  // of p against the chord over the segment 0, 1
        using P = typename T::P;
        return P(d[0][u]) * P(lifted(1)) - P(d[1][u]) * P(lifted(0));
    }
};

bool exact_difference(double a, double b) {
    const double x = a - b, virtual_b = a - x, virtual_a = x + virtual_b;
    return (a - virtual_a) + (virtual_b - b) == 0 && std::isfinite(x);
}

// Evaluates f, which takes Entries of any stage and returns their determinant, exactly, for the sites against
// reference.
template <class F>
int exact_sign(bool integral, const Row* const* sites, const Row& reference, const Differences& diff, const F& f) {
    StageCounts& counts = stage_counts();
    const int n = diff.n;
    int exponent = 0;
    bool exact = true;
    if (!integral) {
        exponent = 1 << 20;
        for (int i = 0; i < n; ++i) {
            for (int k = 0; k < 3; ++k) {
                exact = exact && exact_difference(sites[i]->c[k], reference.c[k]);
                exponent = std::min(exponent, lowest_bit(diff.d[i][k]));
            }
            exact = exact && exact_difference(sites[i]->c[3], reference.c[3]);
            exponent = std::min(exponent, lowest_bit(diff.dw[i]) >> 1);
        }
        if (exponent == 1 << 20) exponent = 0;
    }
    if (exact) {
        // All differences are integers in the unit 2^exponent; their size decides the stage.
        double largest = std::max({diff.largest[0], diff.largest[1], diff.largest[2]}), heaviest = 0;
        for (int i = 0; i < n; ++i) heaviest = std::max(heaviest, std::fabs(diff.dw[i]));
        if (exponent != 0) {
            largest = std::ldexp(largest, -exponent);
            heaviest = std::ldexp(heaviest, -2 * exponent);
        }
        const auto fill = [&]<class T>(Entries<T>& entries) {
            for (int i = 0; i < n; ++i) {
                for (int k = 0; k < 3; ++k)
                    entries.d[i][k] =
                        static_cast<std::int64_t>(exponent == 0 ? diff.d[i][k] : std::ldexp(diff.d[i][k], -exponent));
                entries.dw[i] =
                    static_cast<typename T::L>(exponent == 0 ? diff.dw[i] : std::ldexp(diff.dw[i], -2 * exponent));
            }
        };
        if (largest < 0x1p24 && heaviest < 0x1p48) {
            ++counts.int128;
            Entries<Small> entries;
            fill(entries);
            return sign_of(f(entries));
        }
        if (largest < 0x1p49 && heaviest < 0x1p98) {
            ++counts.int256;
            Entries<Medium> entries;
            fill(entries);
            return sign_of(f(entries));
        }
    }
    // The unit must divide every coordinate itself, not only the rounded differences.
    ++counts.big;
    exponent = 1 << 20;
    const auto take = [&](const Row& row) {
        for (int k = 0; k < 3; ++k) exponent = std::min(exponent, lowest_bit(row.c[k]));
        exponent = std::min(exponent, lowest_bit(row.c[3]) >> 1);
    };
    take(reference);
    for (int i = 0; i < n; ++i) take(*sites[i]);
    if (exponent == 1 << 20) exponent = 0;
    Entries<Large> entries;
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < 3; ++k)
            entries.d[i][k] =
                BigInt::from_double(sites[i]->c[k], exponent) - BigInt::from_double(reference.c[k], exponent);
        entries.dw[i] =
            BigInt::from_double(sites[i]->c[3], 2 * exponent) - BigInt::from_double(reference.c[3], 2 * exponent);
    }
    return sign_of(f(entries));
}

// Decides a tie: sites[0..n) is a positive simplex, sites[n] the site in question; replaced(i) is the orientation of
// the simplex with its vertex i replaced by that site.
template <class F>
int broken_tie(const Row* const* sites, int n, const F& replaced) {
    ++stage_counts().ties;
    // The lexicographically largest site is raised most; if raising it moves p off the hyperplane, the matter is
    // settled.
    int left[5] = {0, 1, 2, 3, 4};
    for (int count = n + 1; count > 0; --count) {
        int largest = 0;
        for (int i = 1; i < count; ++i)
            if (compare_centers(*sites[left[largest]], *sites[left[i]]) < 0) largest = i;
        if (left[largest] == n) return -1;
        if (const int sign = replaced(left[largest])) return sign;
        left[largest] = left[count - 1];
    }
    return -1;
}

int dynamic_sign(double value, double bound, bool ordinary) {
    if (!ordinary) return 0;
    return value > bound ? 1 : value < -bound ? -1 : 0;
}

}  // namespace

StageCounts& stage_counts() {
    thread_local StageCounts counts;
    return counts;
}

void Bounds::cover(const Row& low, const Row& high) {
    for (int k = 0; k < 4; ++k) {
        low_[k] = empty_ ? low.c[k] : std::min(low_[k], low.c[k]);
        high_[k] = empty_ ? high.c[k] : std::max(high_[k], high.c[k]);
    }
    empty_ = false;
    double extent[3];
    for (int k = 0; k < 3; ++k) extent[k] = high_[k] - low_[k];
    const double h = extent[0] * extent[0] + extent[1] * extent[1] + extent[2] * extent[2] + (high_[3] - low_[3]);
    const double widest = std::max({extent[0], extent[1], extent[2]});
    fits_128_ = integral_ && widest < 0x1p24 && high_[3] - low_[3] < 0x1p48;
    const bool usable = widest > least && widest < most && h < most && h > least;
    // The widest extent stands for each, so that the bounds hold for any choice of coordinates. The sums above are
    // rounded up by the factor at the end.
    const double up = 1 + 0x1p-40;
    orientation3 = usable ? orientation3_error * widest * widest * widest * up : infinite;
    power3 = usable ? power3_error * widest * widest * widest * h * up : infinite;
    orientation2 = usable ? orientation2_error * widest * widest * up : infinite;
    power2 = usable ? power2_error * widest * widest * h * up : infinite;
}

// Differences of integer rows in arithmetic modulo 2^64.
inline std::uint64_t wrapped(double a, double b) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(a - b));
}

int orientation3_slow(const Bounds& bounds, const Row& a, const Row& b, const Row& c, const Row& d) {
    if (bounds.integral() && bounds.orientation3 < 0x1p61) {
        ++stage_counts().int128;
        const std::uint64_t bx = wrapped(b.c[0], a.c[0]), by = wrapped(b.c[1], a.c[1]), bz = wrapped(b.c[2], a.c[2]);
        const std::uint64_t cx = wrapped(c.c[0], a.c[0]), cy = wrapped(c.c[1], a.c[1]), cz = wrapped(c.c[2], a.c[2]);
        const std::uint64_t dx = wrapped(d.c[0], a.c[0]), dy = wrapped(d.c[1], a.c[1]), dz = wrapped(d.c[2], a.c[2]);
        return sign_of(
            static_cast<std::int64_t>(bz * (cx * dy - cy * dx) + cz * (dx * by - dy * bx) + dz * (bx * cy - by * cx)));
    }
    ++stage_counts().dynamic;
    Differences diff;
    diff.take(b, a);
    diff.take(c, a);
    diff.take(d, a);
    for (double& weight : diff.dw) weight = 0;
    const auto& e = diff.d;
    const double det = e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]) +
                       e[1][2] * (e[2][0] * e[0][1] - e[2][1] * e[0][0]) +
                       e[2][2] * (e[0][0] * e[1][1] - e[0][1] * e[1][0]);
    const double bound = orientation3_error * diff.largest[0] * diff.largest[1] * diff.largest[2];
    if (const int sign = dynamic_sign(det, bound, diff.ordinary())) return sign;
    // Weights take no part; equal ones keep them out of the choice of the unit.
    Row flat[4] = {b, c, d, a};
    for (Row& row : flat) row.c[3] = 0;
    const Row* sites[] = {&flat[0], &flat[1], &flat[2]};
    return exact_sign(bounds.integral(), sites, flat[3], diff,
                      [](const auto& entries) { return entries.orientation3(); });
}

int orientation2_slow(const Bounds& bounds, const Row& a, const Row& b, const Row& c, int u, int v) {
    ++stage_counts().dynamic;
    Row flat[3] = {{{b.c[u], b.c[v], 0, 0}}, {{c.c[u], c.c[v], 0, 0}}, {{a.c[u], a.c[v], 0, 0}}};
    Differences diff;
    diff.take(flat[0], flat[2]);
    diff.take(flat[1], flat[2]);
    const double det = diff.d[0][0] * diff.d[1][1] - diff.d[0][1] * diff.d[1][0];
    if (const int sign = dynamic_sign(det, orientation2_error * diff.largest[0] * diff.largest[1], diff.ordinary()))
        return sign;
    const Row* sites[] = {&flat[0], &flat[1]};
    return exact_sign(bounds.integral(), sites, flat[2], diff,
                      [](const auto& entries) { return entries.minor(0, 1, 0, 1); });
}

namespace {

// power3 modulo 2^64, straight from the rows.
int power3_wrapped(const Row* const* sites, const Row& p) {
    ++stage_counts().int128;
    std::uint64_t x[4], y[4], z[4], h[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        x[i] = wrapped(sites[i]->c[0], p.c[0]);
        y[i] = wrapped(sites[i]->c[1], p.c[1]);
        z[i] = wrapped(sites[i]->c[2], p.c[2]);
        h[i] = x[i] * x[i] + y[i] * y[i] + z[i] * z[i] - wrapped(sites[i]->c[3], p.c[3]);
    }
    const auto xy = [&](int i, int j) { return x[i] * y[j] - y[i] * x[j]; };
    const auto zh = [&](int i, int j) { return z[i] * h[j] - z[j] * h[i]; };
    return sign_of(static_cast<std::int64_t>(xy(0, 2) * zh(1, 3) - xy(0, 1) * zh(2, 3) + xy(1, 3) * zh(0, 2) -
                                             xy(2, 3) * zh(0, 1) - xy(0, 3) * zh(1, 2) - xy(1, 2) * zh(0, 3)));
}

// power3 in 128 bits, straight from the rows.
int power3_in_128(const Row* const* sites, const Row& p) {
    ++stage_counts().int128;
    std::int64_t x[4], y[4], z[4], h[4];
    for (int i = 0; i < 4; ++i) {
        x[i] = static_cast<std::int64_t>(sites[i]->c[0] - p.c[0]);
        y[i] = static_cast<std::int64_t>(sites[i]->c[1] - p.c[1]);
        z[i] = static_cast<std::int64_t>(sites[i]->c[2] - p.c[2]);
        h[i] = x[i] * x[i] + y[i] * y[i] + z[i] * z[i] - static_cast<std::int64_t>(sites[i]->c[3] - p.c[3]);
    }
    const auto xy = [&](int i, int j) { return static_cast<Int128>(x[i] * y[j] - y[i] * x[j]); };
    const auto zh = [&](int i, int j) { return static_cast<Int128>(z[i]) * h[j] - static_cast<Int128>(z[j]) * h[i]; };
    return sign_of(xy(0, 2) * zh(1, 3) - xy(0, 1) * zh(2, 3) + xy(1, 3) * zh(0, 2) - xy(2, 3) * zh(0, 1) -
                   xy(0, 3) * zh(1, 2) - xy(1, 2) * zh(0, 3));
}

}  // namespace

int power3_slow(const Bounds& bounds, const Row& a, const Row& b, const Row& c, const Row& d, const Row& p) {
    const Row* sites[] = {&a, &b, &c, &d, &p};
    const auto tie = [&] {
        return broken_tie(sites, 4, [&](int i) {
            const Row* r[] = {&a, &b, &c, &d};
            r[i] = &p;
            return orientation3(bounds, *r[0], *r[1], *r[2], *r[3]);
        });
    };
    if (bounds.fits_128()) {
        const int sign = bounds.power3 < 0x1p61 ? power3_wrapped(sites, p) : power3_in_128(sites, p);
        return sign ? sign : tie();
    }
    ++stage_counts().dynamic;
    Differences diff;
    for (int i = 0; i < 4; ++i) diff.take(*sites[i], p);
    const double bound = power3_error * (1 + 0x1p-40) * diff.largest[0] * diff.largest[1] * diff.largest[2] * diff.lift;
    if (const int sign = dynamic_sign(power3_value(a, b, c, d, p), bound, diff.ordinary())) return sign;
    const int sign =
        exact_sign(bounds.integral(), sites, p, diff, [](const auto& entries) { return entries.power3(); });
    return sign ? sign : tie();
}

int power2_slow(const Bounds& bounds, const Row& a, const Row& b, const Row& c, const Row& p, int u, int v) {
    ++stage_counts().dynamic;
    const Row* sites[] = {&a, &b, &c, &p};
    Differences diff;
    for (int i = 0; i < 3; ++i) diff.take(*sites[i], p);
    const double bound = power2_error * (1 + 0x1p-40) * diff.largest[u] * diff.largest[v] * diff.lift;
    if (const int sign = dynamic_sign(power2_value(a, b, c, p, u, v), bound, diff.ordinary())) return sign;
    if (const int sign =
            exact_sign(bounds.integral(), sites, p, diff, [&](const auto& entries) { return entries.power2(u, v); }))
        return sign;
    return broken_tie(sites, 3, [&](int i) {
        const Row* r[] = {&a, &b, &c};
        r[i] = &p;
        return orientation2(bounds, *r[0], *r[1], *r[2], u, v);
    });
}

namespace {

constexpr int plane_axes[3][2] = {{0, 1}, {0, 2}, {1, 2}};

// The coordinate planes in which the sites abc are not collinear are tried in turn; returns the orientation there.
int find_plane(const Bounds& bounds, const Row& a, const Row& b, const Row& c, int& u, int& v) {
    for (const auto& axes : plane_axes) {
        u = axes[0];
        v = axes[1];
        if (const int sign = orientation2(bounds, a, b, c, u, v)) return sign;
    }
    return 0;
}

int find_axis(const Row& a, const Row& b) {
    for (int k = 0; k < 3; ++k)
        if (a.c[k] != b.c[k]) return k;
    return 0;
}

}  // namespace

int power_in_plane(const Bounds& bounds, const Row& a, const Row& b, const Row& c, const Row& p) {
    int u = 0, v = 1;
    return find_plane(bounds, a, b, c, u, v) > 0 ? power2(bounds, a, b, c, p, u, v) : power2(bounds, a, c, b, p, u, v);
}

int power_on_line(const Bounds& bounds, const Row& a, const Row& b, const Row& p) {
    const int axis = find_axis(a, b);
    const Row& left = a.c[axis] < b.c[axis] ? a : b;
    const Row& right = a.c[axis] < b.c[axis] ? b : a;
    const Row* sites[] = {&left, &right, &p};
    Differences diff;
    diff.take(left, p);
    diff.take(right, p);
    // The chord over p is at (l·h_r − r·h_l)/(l − r) with l < r: p is below it when the numerator is negative.
    if (const int sign =
            exact_sign(bounds.integral(), sites, p, diff, [&](const auto& entries) { return entries.power1(axis); }))
        return -sign;
    return broken_tie(sites, 2, [&](int i) {
        const double x = p.c[axis], other = i == 0 ? right.c[axis] : left.c[axis];
        return x == other ? 0 : (i == 0) == (x < other) ? 1 : -1;
    });
}

int same_side_in_plane(const Bounds& bounds, const Row& a, const Row& b, const Row& c, const Row& d) {
    int u = 0, v = 1;
    const int side = find_plane(bounds, a, b, c, u, v);
    return side == 0 ? 0 : side * orientation2(bounds, a, b, d, u, v);
}

bool beyond_on_line(const Row& a, const Row& b, const Row& p) {
    const int axis = find_axis(a, b);
    return a.c[axis] < b.c[axis] ? p.c[axis] > b.c[axis] : p.c[axis] < b.c[axis];
}

bool collinear(const Bounds& bounds, const Row& a, const Row& b, const Row& c) {
    int u, v;
    return find_plane(bounds, a, b, c, u, v) == 0;
}

int orthogonality(const Bounds& bounds, const Row& a, const Row& b) {
    double square = 0, largest = 0;
    for (int k = 0; k < 3; ++k) {
        const double d = a.c[k] - b.c[k];
        square += d * d;
        largest = std::max(largest, std::fabs(d));
    }
    const double value = square - (a.c[3] + b.c[3]);
    const double size = square + std::fabs(a.c[3]) + std::fabs(b.c[3]);
    if (in_range(largest) && in_range(size) && std::fabs(value) > 0x1p-49 * size) return value > 0 ? 1 : -1;
    // |a − b|² − w_a − w_b is the lift of a site at a of weight w_a + w_b against one at b of weight zero; the two
    // weights go in as two rows, for their sum may not be a double.
    Row shifted[2] = {a, b}, reference = b;
    shifted[1].c[3] = b.c[3];
    reference.c[3] = 0;
    const Row* sites[] = {&shifted[0], &shifted[1]};
    Differences diff;
    diff.take(shifted[0], reference);
    diff.take(shifted[1], reference);
    return exact_sign(bounds.integral(), sites, reference, diff,
                      [](const auto& entries) { return entries.lifted(0) + entries.lifted(1); });
}

}  // namespace scree::tri
