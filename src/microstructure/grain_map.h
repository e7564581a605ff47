// The grains of an image: which voxel belongs to which, in runs of equal voxels along x. Made in one pass over the
// image; afterwards the image is not looked at again, and what is kept is a fraction of it.
#pragma once

#include <optional>
#include <vector>

#include "image.h"

namespace scree::micro {

struct GrainMapOptions {
    std::optional<Label> void_label = 0;  // voxels of no grain; negative labels never are grains
    std::size_t least = 1;                // grains of fewer voxels are left out
    std::array<bool, 3> periodic = {false, false, false};
};

class GrainMap {
  public:
    // Throws Error(bad_input) if no grain is left, or the image has too many runs (2^32).
    GrainMap(const Image& image, const GrainMapOptions& options);

    int dimension() const { return dimension_; }
    std::array<std::size_t, 3> size() const { return size_; }
    std::array<bool, 3> periodic() const { return periodic_; }
    Vec3 spacing() const { return spacing_; }
    Vec3 low() const { return low_; }
    Vec3 high() const { return high_; }
    double voxel_volume() const { return spacing_.x * spacing_.y * spacing_.z; }
    Vec3 center_of_voxel(std::size_t x, std::size_t y, std::size_t z) const {
        return {low_.x + (static_cast<double>(x) + 0.5) * spacing_.x,
                low_.y + (static_cast<double>(y) + 0.5) * spacing_.y,
                low_.z + (static_cast<double>(z) + 0.5) * spacing_.z};
    }

    // Grains are numbered by rising label. All quantities are of their largest connected parts.
    std::size_t grains() const { return label_.size(); }
    const std::vector<Label>& label() const { return label_; }
    const std::vector<std::size_t>& voxels() const { return voxels_; }
    // Along periodic axes a grain is put together across the border; the centroid may then lie outside of the box.
    const std::vector<Vec3>& centroid() const { return centroid_; }
    double volume(std::size_t grain) const { return static_cast<double>(voxels_[grain]) * voxel_volume(); }
    // Of all grains together, divided by their number: the edge of a cube (in the plane: a square) of the mean volume.
    double mean_spacing() const;

    // The grains of the voxels of a row; −1 is no grain.
    void row(std::size_t y, std::size_t z, std::int32_t* out) const;

    struct Counts {
        std::size_t empty = 0;         // voxels of the void label or a negative one
        std::size_t small_grains = 0;  // labels left out, with so many voxels
        std::size_t small_voxels = 0;
        std::size_t satellites = 0;  // parts not connected to the largest part of their grain
        std::size_t satellite_voxels = 0;
    };
    const Counts& counts() const { return counts_; }

  private:
    struct Run {
        std::uint32_t begin;
        std::int32_t grain;
    };
    void find_runs(const Image& image, std::vector<Label>& label_of_run);
    std::vector<std::uint32_t> connect(const std::vector<Label>& label_of_run) const;
    void name_grains(const std::vector<Label>& label_of_run, const std::vector<std::uint32_t>& part_of_run,
                     const GrainMapOptions& options);
    void find_centroids();
    std::uint32_t end_of(std::size_t run, std::size_t row) const {
        return run + 1 < first_[row + 1] ? runs_[run + 1].begin : static_cast<std::uint32_t>(size_[0]);
    }

    std::string name_;
    int dimension_;
    std::array<std::size_t, 3> size_;
    std::array<bool, 3> periodic_;
    Vec3 spacing_, low_, high_;
    std::vector<std::size_t> first_;  // runs of row y + z·ny are first_[row] to first_[row + 1]
    std::vector<Run> runs_;
    std::vector<Label> label_;
    std::vector<std::size_t> voxels_;
    std::vector<Vec3> centroid_;
    Counts counts_;
};

// The layers around layer z as grain numbers, decoded once for all looks at neighbors up to two voxels away.
class Layers {
  public:
    Layers(const GrainMap& map, std::size_t z);
    // Row y of layer z + dz; null outside of the image.
    const std::int32_t* row(std::ptrdiff_t y, int dz) const;
    // The voxel at distance `step` along an axis from (x, y) of the middle layer; −1 outside.
    std::int32_t at(std::size_t x, std::size_t y, int axis, int step) const;

  private:
    const GrainMap& map_;
    std::vector<std::int32_t> layer_[5];
};

}  // namespace scree::micro
