// The certified pair list: all pairs of spheres with a gap up to 2s, and the proof that none is missing.
//
// Let R_i = r_i + s and T the regular triangulation of (x_i, R_i²). If no vertex is hidden and every edge of T is
// orthogonal, d² > R_i² + R_j², then every pair is, and every pair with d ≤ R_i + R_j is an edge of T (the lemma and
// its proof: docs/triangulation.md). Orthogonality is decided exactly on the snapped sites; snapping enters as follows.
// A snapped center is off by at most δ = √D/2 units, and the weight is snapped up from (r + s + δ)², so that the
// snapped sphere reaches at least r + s + δ: two spheres with gap ≤ 2s have snapped centers within r_i + r_j + 2s + 2δ,
// their snapped spheres intersect, and they share an edge. So the list is complete up to the full gap 2s.
#pragma once

#include <span>
#include <vector>

#include "math/vec.h"
#include "triangulation.h"

namespace scree::tri {

// The grid of snapped sites. The unit is a power of two; coordinates stay below 2^48 units.
struct Snap {
    double unit;
    int dimension;
    // Half the diagonal of a grid cell: how far a center may be moved.
    double length() const { return unit * (dimension == 3 ? 0.8661 : 0.7072); }
};

// The largest power of two not above smallest_radius / 2^12, so that all centers stay in range; throws Error (invalid)
// if the extent is too large for that by more than the range can take.
Snap choose_snap(std::span<const Vec3> centers, double smallest_radius, int dimension);

// The row of a sphere that reaches `reach` from `center`; the snapped sphere covers the true one.
Row snapped_row(const Snap& snap, Vec3 center, double reach);

struct Pair {
    Index i, j;  // i < j
    friend bool operator==(const Pair&, const Pair&) = default;
    friend auto operator<=>(const Pair&, const Pair&) = default;
};

enum class Refusal { none, flat, hidden_vertex, not_orthogonal };

struct PairList {
    Refusal refusal = Refusal::none;
    std::vector<Pair> pairs;  // sorted; complete only if certified
    bool certified() const { return refusal == Refusal::none; }
};

// The pairs with |x_i − x_j| − r_i − r_j ≤ 2·skin, from a triangulation whose rows are snapped_row(x_i, r_i + skin).
// The triangulation itself must be valid, as it is after build() and update(). Vertices beyond the given spheres are
// guards (guards.h): they take part in the certificate, not in the list.
PairList certified_pairs(const Triangulation& triangulation, std::span<const Vec3> centers,
                         std::span<const double> radii, double skin);

}  // namespace scree::tri
