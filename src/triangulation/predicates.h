// The geometric decisions of a regular triangulation, all exact.
//
// Notation: a site is a row (x, y, z, w): center and weight. In the plane z is 0, or, for a flat set in space, the
// dropped coordinate: only x and y enter orientations, but z enters the lift |x|² − w, which makes a flat set an
// ordinary planar one (in the plane of the set |x|² differs from the planar square by an affine function). Relative to
// a site p the lift of a is h = |a − p|² − (w_a − w_p); p conflicts with a positive simplex when it lies below the
// hyperplane through the lifted vertices, i.e. its power to the orthogonal sphere of the simplex is negative.
//
// Three stages. (1) Doubles with a static error bound that follows from the extent of all sites, then with the bound of
// the sites at hand. (2) Integers: differences are brought to integers by a power of two; below 2^24 everything fits in
// 128 bits, below 2^49 in 256 (bounds in predicates.cpp). Snapped sites always end here. (3) Integers of any length,
// for doubles as given whose exponents lie far apart. Ties are broken symbolically: the lift of a site is raised by
// ε_i, where a lexicographically larger center has an infinitely larger ε. This is CGAL's rule; it depends neither on
// numbering nor on a common shift. Between coincident centers of equal weight (no predicate is asked then) the caller
// decides by number. Rejected: expansions of doubles (about 1 µs at each tie, and lattices are ties everywhere).
#pragma once

#include <cstdint>

namespace scree::tri {

struct alignas(32) Row {
    double c[4];  // x, y, z, weight
};

// a before b in the lexicographic order of centers: -1, 0 or 1.
inline int compare_centers(const Row& a, const Row& b) {
    if (a.c[0] != b.c[0]) return a.c[0] < b.c[0] ? -1 : 1;
    if (a.c[1] != b.c[1]) return a.c[1] < b.c[1] ? -1 : 1;
    return a.c[2] < b.c[2] ? -1 : a.c[2] > b.c[2];
}

// Static error bounds for all sites inside a box that only grows.
class Bounds {
  public:
    // integral: all rows hold integers below 2^48 (weights below 2^96 in multiples of one); then no scaling is looked
    // for.
    explicit Bounds(bool integral = false) : integral_(integral) {}
    void cover(const Row& low, const Row& high);
    void cover(const Row& row) { cover(row, row); }
    bool integral() const { return integral_; }
    // All differences below 2^24 and of weights below 2^48: the 128-bit stage needs no further look.
    bool fits_128() const { return fits_128_; }
    double low(int k) const { return low_[k]; }
    double high(int k) const { return high_[k]; }

    double orientation3 = 0, orientation2 = 0, power3 = 0, power2 = 0;

  private:
    bool integral_, fits_128_ = false;
    bool empty_ = true;
    double low_[4] = {0, 0, 0, 0}, high_[4] = {0, 0, 0, 0};
};

// Relative errors of the determinants below, as multiples of the product of the largest entries of each column; the
// derivation stands in predicates.cpp.
constexpr double orientation3_error = 0x1p-47, power3_error = 0x1p-44;
constexpr double orientation2_error = 0x1p-49, power2_error = 0x1p-46;

int orientation3_slow(const Bounds&, const Row& a, const Row& b, const Row& c, const Row& d);
int orientation2_slow(const Bounds&, const Row& a, const Row& b, const Row& c, int u, int v);
int power3_slow(const Bounds&, const Row& a, const Row& b, const Row& c, const Row& d, const Row& p);
int power2_slow(const Bounds&, const Row& a, const Row& b, const Row& c, const Row& p, int u, int v);

// Sign of det(b − a, c − a, d − a).
inline int orientation3(const Bounds& bounds, const Row& a, const Row& b, const Row& c, const Row& d) {
    const double bx = b.c[0] - a.c[0], by = b.c[1] - a.c[1], bz = b.c[2] - a.c[2];
    const double cx = c.c[0] - a.c[0], cy = c.c[1] - a.c[1], cz = c.c[2] - a.c[2];
    const double dx = d.c[0] - a.c[0], dy = d.c[1] - a.c[1], dz = d.c[2] - a.c[2];
    const double det = bz * (cx * dy - cy * dx) + cz * (dx * by - dy * bx) + dz * (bx * cy - by * cx);
    if (det > bounds.orientation3) return 1;
    if (det < -bounds.orientation3) return -1;
    return orientation3_slow(bounds, a, b, c, d);
}

// Sign of det(b − a, c − a) in the coordinates u and v.
inline int orientation2(const Bounds& bounds, const Row& a, const Row& b, const Row& c, int u = 0, int v = 1) {
    const double det = (b.c[u] - a.c[u]) * (c.c[v] - a.c[v]) - (b.c[v] - a.c[v]) * (c.c[u] - a.c[u]);
    if (det > bounds.orientation2) return 1;
    if (det < -bounds.orientation2) return -1;
    return orientation2_slow(bounds, a, b, c, u, v);
}

// The lift of a relative to p.
inline double lift(const Row& a, const Row& p, double& x, double& y, double& z) {
    x = a.c[0] - p.c[0];
    y = a.c[1] - p.c[1];
    z = a.c[2] - p.c[2];
    return x * x + y * y + z * z - (a.c[3] - p.c[3]);
}

// The filter's value: positive when p conflicts with the positive simplex abcd.
inline double power3_value(const Row& a, const Row& b, const Row& c, const Row& d, const Row& p) {
    double ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz;
    const double ah = lift(a, p, ax, ay, az), bh = lift(b, p, bx, by, bz);
    const double ch = lift(c, p, cx, cy, cz), dh = lift(d, p, dx, dy, dz);
    const double ab = ax * by - ay * bx, cd = cx * dy - cy * dx, ac = ax * cy - ay * cx;
    const double bd = bx * dy - by * dx, ad = ax * dy - ay * dx, bc = bx * cy - by * cx;
    return ((ac * (bz * dh - bh * dz) - ab * (cz * dh - ch * dz)) +
            (bd * (az * ch - ah * cz) - cd * (az * bh - ah * bz))) -
           (ad * (bz * ch - bh * cz) + bc * (az * dh - ah * dz));
}

// 1 when p conflicts with abcd (which must be positive), else -1; ties broken.
inline int power3(const Bounds& bounds, const Row& a, const Row& b, const Row& c, const Row& d, const Row& p) {
    const double det = power3_value(a, b, c, d, p);
    if (det > bounds.power3) return 1;
    if (det < -bounds.power3) return -1;
    return power3_slow(bounds, a, b, c, d, p);
}

inline double power2_value(const Row& a, const Row& b, const Row& c, const Row& p, int u, int v) {
    double ad[3], bd[3], cd[3];
    const double ah = lift(a, p, ad[0], ad[1], ad[2]), bh = lift(b, p, bd[0], bd[1], bd[2]);
    const double ch = lift(c, p, cd[0], cd[1], cd[2]);
    return ah * (bd[u] * cd[v] - bd[v] * cd[u]) + bh * (cd[u] * ad[v] - cd[v] * ad[u]) +
           ch * (ad[u] * bd[v] - ad[v] * bd[u]);
}

// The same in the plane of the coordinates u and v, in which abc must be positive.
inline int power2(const Bounds& bounds, const Row& a, const Row& b, const Row& c, const Row& p, int u = 0, int v = 1) {
    const double det = power2_value(a, b, c, p, u, v);
    if (det > bounds.power2) return 1;
    if (det < -bounds.power2) return -1;
    return power2_slow(bounds, a, b, c, p, u, v);
}

// For a site p in the plane of the (not collinear) sites abc: 1 when it conflicts with the triangle.
int power_in_plane(const Bounds&, const Row& a, const Row& b, const Row& c, const Row& p);
// For a site p on the line of the sites a ≠ b: 1 when it conflicts with the segment.
int power_on_line(const Bounds&, const Row& a, const Row& b, const Row& p);
// For coplanar sites: sign of (side of c) · (side of d) with respect to the line ab in that plane; 0 when c or d is on
// it.
int same_side_in_plane(const Bounds&, const Row& a, const Row& b, const Row& c, const Row& d);
// For a site p on the line of a ≠ b: whether it lies beyond b, seen from a.
bool beyond_on_line(const Row& a, const Row& b, const Row& p);
bool collinear(const Bounds&, const Row& a, const Row& b, const Row& c);
// Sign of |a − b|² − w_a − w_b, exactly: positive when the two spheres are orthogonal or further apart.
int orthogonality(const Bounds&, const Row& a, const Row& b);

// How often the stages behind the filters were entered by this thread; for tests and benchmarks.
struct StageCounts {
    std::uint64_t dynamic = 0, int128 = 0, int256 = 0, big = 0, ties = 0;
};
StageCounts& stage_counts();

}  // namespace scree::tri
