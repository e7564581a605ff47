// Neighborhoods propose the pairs of balls that may touch. Whatever the method, the list holds every pair closer than
// `reach` and is sorted, so that what follows cannot tell the methods apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "math/periodicity.h"
#include "math/vec.h"

namespace scree {

// Rows of doubles, x y z radius first; slot 7 is the inverse mass. Two balls of inverse mass 0 are never a pair.
struct BallRows {
    const double* data = nullptr;
    std::size_t stride = 8;
    std::size_t count = 0;

    const double* operator[](std::size_t i) const { return data + i * stride; }
};

// Partners j > i of ball i: partners[first[i]] ... partners[first[i+1] - 1], ascending.
struct PairList {
    std::vector<std::uint32_t> first;
    std::vector<std::uint32_t> partners;

    std::size_t size() const { return partners.size(); }
    std::span<const std::uint32_t> of(std::size_t i) const {
        return {partners.data() + first[i], first[i + 1] - first[i]};
    }
};

// Bodies that balls cover (Pournin 2005 section 3.2): each lies in the union of its balls, which stand anywhere within
// one period.
struct CoveredBodies {
    BallRows around;                      // one ball around each body
    std::span<const std::uint32_t> body;  // of each covering ball
    std::span<const std::int16_t>
        periods;  // from the place of a ball beside its body to its place here; a digit per axis, see periods_code
};
// Whole periods along the axes, each of -2 ... 2, as one number; codes add up as periods do.
constexpr int periods_code(int x, int y, int z) { return x + 5 * y + 25 * z; }

// Whether the gap of two balls is below `reach`: the one test all methods share.
inline bool is_near(const double* a, const double* b, const Periodicity& periodicity, double reach) {
    Vec3 d{a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    if (periodicity.any()) d = periodicity.nearest(d);
    const double limit = a[3] + b[3] + reach;
    return norm2(d) < limit * limit && (a[7] != 0 || b[7] != 0);
}

// All pairs by comparing each with each.
void brute_pairs(const BallRows& balls, const Periodicity& periodicity, double reach, PairList& pairs);

// All pairs by hashed grids, one per octave of radius (Lazarević et al. 2002 brought up to date). Cost is linear in the
// number of balls for any sizes and any extent of space. Returns the work done: balls and cells looked at.
std::size_t grid_pairs(const BallRows& balls, const Periodicity& periodicity, double reach, PairList& pairs);

// The order of the balls along a Hilbert curve through their bounding box; equal cells keep their order.
std::vector<std::uint32_t> hilbert_order(const BallRows& balls);

}  // namespace scree
