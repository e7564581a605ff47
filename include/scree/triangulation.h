// Regular (weighted Delaunay) triangulations of spheres in the plane and in space, exact, and living: built once, then
// repaired as the spheres move.
//
// Centers are arrays of `dimension` doubles per sphere, weights one per sphere (r² for spheres). Numbers are decided as
// given unless a snapping unit is set: then centers are rounded to its multiples and weights to multiples of its
// square, which is faster where ties are frequent. Building takes some microseconds per sphere, an update after small
// motion a tenth of that. Memory: about 270 bytes per sphere. Not thread-safe; work inside a call uses the threads of
// the library.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace scree {

class RegularTriangulation {
  public:
    // dimension: 2 or 3. snap: a power of two, or 0 to decide on the numbers as given.
    explicit RegularTriangulation(int dimension, double snap = 0);
    ~RegularTriangulation();
    RegularTriangulation(RegularTriangulation&&) noexcept;
    RegularTriangulation& operator=(RegularTriangulation&&) noexcept;

    // Throw Error (bad_input) if a number is not finite, or snapped beyond 2^48 units, or the arrays do not fit
    // together.
    void build(std::span<const double> centers, std::span<const double> weights);
    void update(std::span<const double> centers, std::span<const double> weights);  // same spheres, moved

    // Single spheres; numbers are those of build(), and insert() returns the number of the new one.
    int insert(std::span<const double> center, double weight);
    void remove(int sphere);
    void move(int sphere, std::span<const double> center, double weight);

    int dimension() const;  // of the affine hull of the centers
    std::size_t simplices() const;
    std::vector<std::pair<int, int>> edges() const;  // i < j, sorted
    std::vector<int> neighbors(int sphere) const;    // sorted
    std::vector<int> hidden() const;                 // sorted
    std::vector<double> cell_volumes() const;        // of the Laguerre cells; infinite when unbounded, 0 when hidden
    std::string validate() const;                    // empty, or what is wrong (a defect of this library)

  private:
    struct Body;
    std::unique_ptr<Body> body_;
};

}  // namespace scree
