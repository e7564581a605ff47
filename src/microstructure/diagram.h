// The Laguerre cells of seeds in a box, which may be periodic: who are neighbors is decided exactly, by the regular
// triangulation; the corners of cells are doubles.
#pragma once

#include <memory>
#include <vector>

#include "convex_cell.h"
#include "seeds.h"
#include "triangulation/periodic.h"

namespace scree::micro {

struct Neighbor {
    std::int32_t cell;         // or −2 − k for side k of the box: x low, x high, y low, ...
    std::array<int, 3> shift;  // the periods added to it
};

class Diagram {
  public:
    // Throws Error(bad_input) if there are no seeds, or numbers that are not finite.
    explicit Diagram(const Seeds& seeds);

    // New centers and weights of as many seeds.
    void set(const std::vector<Vec3>& center, const std::vector<double>& weight);

    std::size_t size() const { return seeds_.size(); }
    const Seeds& seeds() const { return seeds_; }
    // The cell of a seed, in coordinates relative to center(i); empty if the seed is hidden.
    ConvexCell cell(std::size_t i) const;
    // Centers are wrapped into the box along periodic axes.
    Vec3 center(std::size_t i) const;
    // The label by which faces of other cells name cell i itself, and what the label of a face means.
    std::int32_t label_of(std::size_t i) const { return triangulation_->vertex_of(static_cast<tri::Index>(i)); }
    Neighbor neighbor(std::int32_t label) const;

    // Volumes of all cells, in parallel.
    std::vector<double> volumes() const;

    // The cell that holds a point of the box. `hint`, from an earlier call for a point near by (or −1), saves time and
    // leaves the answer; points on a border go to the cell found first.
    std::int32_t cell_at(Vec3 point, std::int32_t& hint) const;

  private:
    void build();
    void list_neighbors();

    Seeds seeds_;
    double margin_ = 0;
    std::unique_ptr<tri::PeriodicTriangulation> triangulation_;
    // Of vertices of the triangulation: neighbors of v are around_[first_[v]] to around_[first_[v + 1]].
    std::vector<std::size_t> first_;
    std::vector<std::int32_t> around_;
    std::int32_t some_visible_ = 0;
};

// The label of every voxel of a raster, a row at a time: row (y, z) of an image of `size` over the seeds' box.
class Raster {
  public:
    Raster(const Diagram& diagram, std::array<std::size_t, 3> size);
    // The numbers of the cells, not their labels. May be called by several threads at once.
    void row(std::size_t y, std::size_t z, std::int32_t* out) const;

  private:
    const Diagram& diagram_;
    std::array<std::size_t, 3> size_;
};

Image rasterized(const Diagram& diagram, std::array<std::size_t, 3> size);

}  // namespace scree::micro
