// What two pieces that touch remember: a row of numbers per pair, in a pool.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/families/patch_law.h"
#include "shape/patch.h"

namespace scree {

// The memory of one patch. Points are known by the features that meet there (PatchPoint::key).
struct PatchMemory {
    int count = 0;
    const double *keys = nullptr, *numbers = nullptr;  // of points; `width` numbers each
    double taken = 0, power = 0;                       // account of the pair of bodies, see PatchLaw::paid_share
};

class PatchPool {
  public:
    // For patches of at most `points` points.
    PatchPool(std::size_t width, std::size_t points) : width_(width), points_(points) {}

    std::int32_t take();
    void give_back(std::int32_t slot) { free_.push_back(slot); }
    PatchMemory read(std::int32_t slot) const;
    void write(std::int32_t slot, const PatchMemory& memory);

  private:
    static constexpr std::size_t first_key = 3;  // after number of points, taken, power
    std::size_t stride() const { return first_key + points_ * (1 + width_); }

    std::size_t width_, points_;
    std::vector<double> numbers_;
    std::vector<std::int32_t> free_;
};

// When a patch changes its corners (a block slides over an edge), fresh points that are under load already take over
// what was there.
void carry_over(std::size_t width, const PatchMemory& old, const Patch& patch, LawPoint* points);

}  // namespace scree
