// Regular (weighted Delaunay) triangulations of spheres in the plane and in space, exact, and living: built once, then
// repaired as the spheres move.
//
// Centers are arrays of `dimension` doubles per sphere, weights one per sphere (r² for spheres), in any one unit.
// Numbers are decided as given unless a snapping unit is set: then centers are rounded to its multiples and weights to
// multiples of its square, which is faster where ties are frequent. Ties (five points on a sphere) are broken by the
// numbers of the spheres, so the result is always a triangulation, and the same one. Flat, collinear and single points
// are triangulated as such.
//
// Building takes some microseconds per sphere, an update after small motion a tenth of that. Memory: about 270 bytes
// per sphere. Work inside a call uses the threads of scree/threads.h; an object is used by one thread of the host at a
// time.
//
//     scree::RegularTriangulation triangulation(3);
//     triangulation.build(centers, weights);
//     for (const auto& [i, j] : triangulation.edges()) ...
//     triangulation.update(moved, weights);
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scree/export.h"

namespace scree {

class RegularTriangulation {
  public:
    // dimension: 2 or 3. snap: a power of two, or 0 to decide on the numbers as given.
    SCREE_EXPORT explicit RegularTriangulation(int dimension, double snap = 0);
    SCREE_EXPORT ~RegularTriangulation();
    SCREE_EXPORT RegularTriangulation(RegularTriangulation&&) noexcept;
    SCREE_EXPORT RegularTriangulation& operator=(RegularTriangulation&&) noexcept;

    // Throw Error(bad_input) if a number is not finite, or snapped beyond 2^48 units, or the arrays do not fit
    // together. Spheres are numbered from 0 in the order of the arrays.
    SCREE_EXPORT void build(std::span<const double> centers, std::span<const double> weights);
    // The same spheres, moved. What build() would give for them, sooner.
    SCREE_EXPORT void update(std::span<const double> centers, std::span<const double> weights);

    // Single spheres, in microseconds; insert() returns the number of the new one. Throw Error(bad_input) as build(),
    // and for a number that is not there.
    SCREE_EXPORT int insert(std::span<const double> center, double weight);
    SCREE_EXPORT void remove(int sphere);
    SCREE_EXPORT void move(int sphere, std::span<const double> center, double weight);

    // Of the affine hull of the centers: 3 in space, less for flat sets, -1 without spheres.
    SCREE_EXPORT int dimension() const;
    // The simplices of that dimension: numbers of spheres ascending, -1 behind them where there are fewer than four.
    // Sorted; they fill the convex hull of the spheres that are not hidden.
    SCREE_EXPORT std::vector<std::array<int, 4>> simplices() const;
    SCREE_EXPORT std::size_t simplex_count() const;
    SCREE_EXPORT std::vector<std::pair<int, int>> edges() const;  // i < j, sorted
    SCREE_EXPORT std::vector<int> neighbors(int sphere) const;    // sorted; none when hidden
    // Spheres whose cell is empty because others cover it. Sorted.
    SCREE_EXPORT std::vector<int> hidden() const;
    // Of the Laguerre cells (areas in 2D), by sphere; infinite when unbounded, 0 when hidden.
    SCREE_EXPORT std::vector<double> cell_volumes() const;
    // Empty, or what is wrong: a defect of this library. Takes as long as building.
    SCREE_EXPORT std::string validate() const;

  private:
    struct Body;
    std::unique_ptr<Body> body_;
};

}  // namespace scree
