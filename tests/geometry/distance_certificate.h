// Checks an exact distance with GMP, sharing no arithmetic with the code under test: the closest points are points of
// the bodies, and no vertex of either lies beyond the planes through them at right angles to their difference.
#pragma once

#include <gmpxx.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "geometry/exact_distance.h"
#include "geometry/polyhedron.h"

namespace scree {

struct BigVec {
    mpz_class x, y, z;
};

inline mpz_class dot(const BigVec& a, const BigVec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// value * 2^-exponent
inline mpz_class big(double value, int exponent) {
    int power = 0;
    const double fraction = std::frexp(value, &power);
    mpz_class result(std::ldexp(fraction, 53));
    const int shift = power - 53 - exponent;
    if (shift >= 0)
        mpz_mul_2exp(result.get_mpz_t(), result.get_mpz_t(), static_cast<mp_bitcnt_t>(shift));
    else
        mpz_divexact(result.get_mpz_t(), result.get_mpz_t(),
                     mpz_class(mpz_class(1) << static_cast<mp_bitcnt_t>(-shift)).get_mpz_t());
    return result;
}

inline BigVec big(Vec3 v, int exponent) { return {big(v.x, exponent), big(v.y, exponent), big(v.z, exponent)}; }

// Empty when the certificate holds, else what is wrong.
inline std::string refute(const std::vector<Vec3>& a, const std::vector<Vec3>& b, const Polyhedron& hull_a,
                          const Polyhedron& hull_b, const ExactDistance& exact) {
    // Points inside the hulls may have finer last bits than its vertices.
    const int exponent = std::min({exact.exponent, common_exponent(a), common_exponent(b)});
    const mpz_class unit = mpz_class(1) << static_cast<mp_bitcnt_t>(2 * (exact.exponent - exponent));
    BigVec p{0, 0, 0};
    mpz_class sum = 0;
    for (int k = 0; k < exact.count; ++k) {
        const auto i = static_cast<std::size_t>(k);
        const mpz_class weight(exact.weight[i].decimal());
        if (weight <= 0) return "a weight is not positive";
        const BigVec va = big(hull_a.world_vertex(exact.pair[i].a), exponent),
                     vb = big(hull_b.world_vertex(exact.pair[i].b), exponent);
        p.x += weight * (va.x - vb.x);
        p.y += weight * (va.y - vb.y);
        p.z += weight * (va.z - vb.z);
        sum += weight;
    }
    const mpz_class pp = dot(p, p);
    if (pp * mpz_class(exact.denominator.decimal()) != mpz_class(exact.numerator.decimal()) * unit * sum * sum)
        return "the squared distance is not that of the points";
    if ((pp == 0) != (exact.relation != Relation::separated)) return "relation and distance disagree";
    if (pp == 0) return "";
    // All points of the clouds, not only the hulls' vertices: this checks the hulls too.
    mpz_class low, high;
    for (std::size_t k = 0; k < a.size(); ++k) {
        const mpz_class value = dot(p, big(a[k], exponent));
        if (k == 0 || value < low) low = value;
    }
    for (std::size_t k = 0; k < b.size(); ++k) {
        const mpz_class value = dot(p, big(b[k], exponent));
        if (k == 0 || value > high) high = value;
    }
    return (low - high) * sum >= pp ? "" : "a vertex lies beyond the supporting plane";
}

}  // namespace scree
