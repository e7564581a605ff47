// The triangulation of all balls that lives from one refresh to the next, and the pairs it vouches for.
//
// The spheres of the triangulation are the balls swollen by `cover`. As long as the certificate holds, the edges give
// every pair whose gap is at most 2·cover; so one cover serves lists of any smaller reach, and it changes rarely. When
// spheres are no longer orthogonal (deep overlaps), the cover is lowered to what the edges allow, and with it the
// reach; when that does not help the triangulation refuses and says why.
//
// Vertices: balls by identity, so that sorting, pouring and outflow are new names, insertions and removals; guards on a
// box around them (triangulation/guards.h), which grows when balls leave it; images of balls near the border of a
// periodic axis. The image of ball j is kept within 2(r_j + cover) of the border: of two balls that meet across a
// border the larger one has its image there. A ball that crosses a border changes names with its image, and no vertex
// jumps.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "neighbor/edge_pairs.h"
#include "neighbor/neighborhood.h"
#include "triangulation/snap.h"
#include "triangulation/triangulation.h"

namespace scree {

class LivingTriangulation {
  public:
    LivingTriangulation(int dimension, const Periodicity& periodicity)
        : dimension_(dimension),
          periodicity_(periodicity),
          triangulation_(dimension, true) {}

    // Brings the triangulation to the places of the balls, whose identities are `ids`, and fills `pairs` with all pairs
    // closer than `reach`; where the balls cover bodies, with all pairs of these. The reach is lowered where nothing
    // larger can be proved, but not below least_reach.
    Refusal update(const BallRows& balls, std::span<const std::uint32_t> ids, double& reach, double least_reach,
                   PairList& pairs, const CoveredBodies* bodies = nullptr);

    // The step of the repair ladder that ended an update.
    enum Rung { unchanged, flips, substeps, reinsertion, rebuild, rung_count };
    static constexpr std::array<const char*, rung_count> rung_names = {"unchanged", "flips", "substeps", "reinsertion",
                                                                       "rebuild"};
    struct Counts {
        std::int64_t builds = 0;  // from nothing: at the start, when the guards' box or the grid of snapping changes
        std::array<std::int64_t, rung_count> rungs{};  // of all updates
        std::int64_t inserted = 0, removed = 0;        // vertices: balls that came and went, images
        std::int64_t covers = 0;                       // how often the cover changed
        tri::UpdateCounts ladder;
        Counts& operator+=(const Counts& other);
    };
    const Counts& counts() const { return counts_; }
    // What the last update did.
    struct Work {
        double facets = 0, edges = 0;                                    // whatever has moved; edges in cells swept
        double motion_facets = 0, flips = 0, reinserted = 0, built = 0;  // because of motion; the last two in vertices
    };
    const Work& work() const { return work_; }
    double cover() const { return cover_; }
    std::size_t vertex_count() const { return site_.size(); }
    std::size_t bytes() const;
    const tri::Triangulation& triangulation() const { return triangulation_; }

  private:
    // What one pass over the balls tells.
    struct Survey {
        double smallest = 0, largest = 0, mean = 0;  // radius
        Vec3 low, high;                              // of the balls
    };
    struct Extents {
        Vec3 low, high;
    };
    static Survey survey(const BallRows& balls);
    void follow(const BallRows& balls, std::span<const std::uint32_t> ids, const Survey& survey);
    void build(const BallRows& balls, std::span<const std::uint32_t> ids, const Survey& survey);
    bool rename(std::span<const std::uint32_t> ids);
    void move(const BallRows& balls);
    void count_update(const tri::UpdateCounts& earlier, int strides);
    void mend_images(const BallRows& balls);
    void tidy();

    double swelling() const;
    tri::Row row_of(const double* ball) const;
    tri::Row image_row(tri::Row row, unsigned image) const;
    unsigned images_wanted(const double* ball, double widening) const;
    bool periodic(int axis) const { return periodicity_.length[axis] > 0; }
    Extents needed_space(const Survey& survey) const;
    bool inside_box(const Survey& survey) const;
    void choose_box(const Survey& survey);
    std::vector<tri::Row> guards(const Survey& survey, std::size_t balls) const;
    void add_vertex(std::int32_t site, unsigned image, const tri::Row& row);
    void drop_vertex(std::size_t vertex);
    VertexNames names() const { return {site_, is_image_, image_}; }

    int dimension_;
    Periodicity periodicity_;
    tri::Triangulation triangulation_;
    bool alive_ = false;
    tri::Snap snap_{1, 3};
    double cover_ = 0;
    int raise_in_ = 0;                      // refreshes until the cover may grow again
    double snapped_for_ = 0;                // smallest radius when the unit of snapping was chosen
    std::array<double, 3> period_{};        // in units
    Extents box_;                           // of the guards
    std::vector<std::uint32_t> ids_;        // of the balls as last seen
    std::vector<std::int32_t> site_;        // by vertex
    std::vector<std::uint8_t> image_;       // by vertex: which periods are added
    std::vector<std::uint8_t> is_image_;    // by vertex: whether any are
    std::vector<std::int32_t> unused_;      // vertices that stand for nothing
    std::vector<std::uint32_t> newcomers_;  // balls without a vertex yet
    bool untidy_ = false;                   // vertices are no longer in the order of the balls
    int waiting_ = 0, refused_ = 0;         // refreshes to sit out, after so many refusals in a row
    Refusal last_refusal_ = Refusal::none;
    EdgePairs edges_;
    Counts counts_;
    Work work_;
};

}  // namespace scree
