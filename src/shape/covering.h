// Spheres that cover a body, for a triangulation to find its neighbors by (Pournin 2005 section 3.2).
//
// The edges of the triangulation of all covering spheres show every two bodies that touch if spheres of different
// bodies are always less than orthogonal (1.6) and those of one body meet the overlapping condition (1.5). A sphere of
// radius R whose center lies at the depth d below the surface of its body keeps the first, whatever the bodies do as
// long as they overlap by less than ξ, if
//     (d_P + d_Q − ξ)² ≥ R_P² + R_Q²     for all spheres P, Q of different bodies (3.2)
// With d' = d − ξ/2 and m' the smallest d' there is, the radii
//     R² = d'² + d' m'
// always do, since 2 d'_P d'_Q ≥ (d'_P + d'_Q) m'. Among equals this is the thesis' R = √2 r − ξ/√2.
//
// A ball is its own sphere. A piece whose surrounding ball is that small takes one sphere. Otherwise d = r, the
// rounding radius, and centers stand on the skeleton: a rod takes the optimal number of Pournin 2005 section 3.2.1.1. A
// flat or solid piece takes one at each corner; along an edge and on a face, whose rounded parts stand off at right
// angles to them, spheres serve up to √(R² − r²) around; inside they serve up to R. Rejected: large spheres inside and
// small ones at edges; next to a small neighbor (3.2) leaves a large sphere hardly more than its depth, so it would not
// reach the small ones.
#pragma once

#include <cstddef>
#include <vector>

#include "shape/shape.h"

namespace scree {

struct CoverSphere {
    Vec3 x;
    double radius;
    double depth;  // at least: distance of x from the surface of the body
};

// What radii (3.2) allows. Lengths at the scale of the shape.
struct CoverRule {
    double overlap;  // ξ, below twice `least`
    double least;    // smallest depth of all spheres of the scene

    double radius(double depth) const;
};

// The smallest ball around a piece that has its center well inside, and its depth there; 0 when the center found lies
// outside.
CoverSphere surrounding_ball(const Piece& piece, int dimension);

// Spheres that hold the body, or none when more than `most` would be needed or some would break (1.5).
std::vector<CoverSphere> cover_shape(const Shape& shape, int dimension, const CoverRule& rule, std::size_t most);

// Pournin 2005 eq. (1.5), also for spheres grown by `growth`.
bool overlapping_condition(const std::vector<CoverSphere>& spheres, double growth);

// The coverings of a population of shapes, each in a range of scales.
struct ScaledShape {
    const Shape* shape;        // nullptr: not in the population
    double smallest, largest;  // scale
};
struct CoverPlan {
    std::vector<std::vector<CoverSphere>> spheres;  // of each shape, at scale 1; none where it is not in the population
    double overlap = 0, least = 0;                  // ξ and the smallest depth
    std::size_t refused = 0;                        // number of shapes that need too many
};
// ξ is an eighth of the smallest rounding radius, as in Pournin 2005 section 3.2.1.2.
CoverPlan plan_coverings(const std::vector<ScaledShape>& population, int dimension, std::size_t most);

// Whether all spheres of a plan satisfy Pournin 2005 eq. (3.2) at the ends of their ranges of scale.
bool contacts_stay_orthogonal(const CoverPlan& plan, const std::vector<ScaledShape>& population);

}  // namespace scree
