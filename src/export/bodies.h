// The surfaces of the grains of a moment as triangles.
#pragma once

#include <vector>

#include "io/run_reader.h"
#include "shape/tessellation.h"

namespace scree {

class Bodies {
  public:
    // Many grains get fewer triangles each, so that files stay below some hundred megabytes.
    static Fineness fineness_for(std::size_t grains) {
        return grains <= 5000 ? Fineness::medium : grains <= 50000 ? Fineness::coarse : Fineness::least;
    }

    // Both must outlive this.
    Bodies(const RunReader& run, const Snapshot& snapshot, Fineness fineness);

    std::size_t shape_of(std::size_t grain) const { return snapshot_.shape.empty() ? 0 : snapshot_.shape[grain]; }
    // Of the grain's shape at scale 1, about its center. Spheres have radius 1; discs are a quarter of their radius
    // thick.
    const TriangleMesh& surface(std::size_t grain) const { return surfaces_[shape_of(grain)]; }
    const TriangleMesh& surface_of_shape(std::size_t shape) const { return surfaces_[shape]; }
    double scale(std::size_t grain) const {
        return shape_of(grain) == 0 ? snapshot_.radius[grain] : snapshot_.scale[grain];
    }
    // In the coordinates of the scene.
    std::vector<Vec3> points(std::size_t grain) const;
    // Numbers of the shapes that grains have, without the sphere.
    const std::vector<std::size_t>& used() const { return used_; }

  private:
    const Snapshot& snapshot_;
    std::vector<TriangleMesh> surfaces_;
    std::vector<std::size_t> used_;
};

// Lengths of a shape at scale 1 along the axes in which it is given.
Vec3 extents(const Shape& shape);

}  // namespace scree
