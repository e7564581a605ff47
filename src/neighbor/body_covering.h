// The covering spheres of all grains where they are now (shape/covering.h), for the triangulation to find pairs of
// grains by.
//
// What spheres a shape needs depends on the smallest grains around, so the plan is made for the grains there are, and
// anew when smaller or larger ones have come. A shape that needs more than `most_spheres` per grain leaves the scene to
// the grid.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "neighbor/neighborhood.h"
#include "shape/covering.h"
#include "shape/shape_table.h"
#include "world/world.h"

namespace scree {

class BodyCovering {
  public:
    static constexpr std::size_t most_spheres = 32;

    BodyCovering(const ShapeTable& shapes, const Periodicity& periodicity, int dimension)
        : shapes_(shapes),
          periodicity_(periodicity),
          dimension_(dimension) {}

    // Puts the spheres in place. False when some grain cannot be covered; why() says which.
    bool place(const Grains& grains, std::span<const Mat3> rotations);
    const std::string& why() const { return why_; }
    // Whether the last place() brought other spheres than the one before, so that the names below mean other things.
    bool replanned() const { return replanned_; }

    BallRows balls() const { return {rows_.data(), 8, body_.size()}; }
    std::span<const std::uint32_t> ids() const { return ids_; }
    CoveredBodies bodies(const BallRows& around) const { return {around, body_, periods_}; }
    double spheres_per_grain() const { return spheres_per_grain_; }
    const CoverPlan& plan() const { return plan_; }

  private:
    bool fits(const Grains& grains);

    const ShapeTable& shapes_;
    Periodicity periodicity_;
    int dimension_;
    std::vector<ScaledShape> population_;
    CoverPlan plan_;
    std::uint32_t most_ = 1;  // spheres of any grain; identities are id · most_ + number
    double spheres_per_grain_ = 1;
    bool planned_ = false, replanned_ = false;
    std::string why_;
    std::vector<double> rows_;
    std::vector<std::uint32_t> ids_, body_;
    std::vector<std::int16_t> periods_;
};

}  // namespace scree
