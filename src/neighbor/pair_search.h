// Which neighborhood serves a refresh, what it found, and what it cost in counted work.
//
// Work is counted in pairs visited by the kernel, per grain. A search costs something each time it is done (facets
// checked, edges or cells swept, tiles filled) and something in proportion to the motion since the last one (flips).
// Only the first part is a reason for a longer skin: the second comes to the same however often one looks.
//
// `auto` prefers the certified list, where proof is cheap. The grid starts; from the lengths of the intervals between
// refreshes it is known what the triangulation would add per step, and when that is below a small part of the step, and
// its building has been earned by the work done so far, it takes over; when it has become dear, the grid comes back.
// All of this depends on counts alone, so a run can be repeated.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "neighbor/body_covering.h"
#include "neighbor/living_triangulation.h"
#include "neighbor/neighborhood.h"
#include "scree/scene.h"
#include "world/reports.h"

namespace scree {

// What the run has seen since the last refresh.
struct SearchMoment {
    std::int64_t steps = 0;      // since then
    double pairs_per_grain = 0;  // in the list that served until now
};

class PairSearch {
  public:
    PairSearch(NeighborMethod asked, int dimension, const Periodicity& periodicity, const SearchOptions& options);

    // Grains that are not spheres: what covers them, how they are turned, and for the audit whether two are closer than
    // a reach.
    struct Bodies {
        BodyCovering* covering;
        std::span<const Mat3> rotations;
        std::function<bool(std::size_t, std::size_t, double)> near;
    };

    // All pairs closer than `reach`, which is lowered when the triangulation cannot prove it, but not below
    // least_reach.
    const PairList& find(const Grains& grains, double& reach, double least_reach, const SearchMoment& moment,
                         const Bodies* bodies = nullptr);

    // Cost of a search by the method in use, and of filling the tiles, without what grows with motion.
    double fixed_cost() const;
    void report(NeighborReport& report) const;
    std::int64_t changes() const { return changes_; }

  private:
    // Why a refresh was not certified.
    enum Fallback {
        asked_grid,
        asked_brute,
        chosen_grid,
        too_wide,
        flat,
        damaged,
        hidden,
        overlaps,
        uncovered,
        fallback_count
    };
    static constexpr std::array<const char*, fallback_count> fallback_names = {
        "grid asked for", "brute force asked for", "grid costs less",   "grains too far apart", "flat",
        "damaged links",  "grain inside another",  "overlaps too deep", "covering spheres"};
    static Fallback fallback_of(Refusal refusal);

    void weigh(std::size_t grains, const SearchMoment& moment);
    void change_to(NeighborMethod method, std::string reason);
    void audit(const Grains& grains, double reach, const Bodies* bodies);
    void give_up();
    bool cover(const Grains& grains, const Bodies& bodies);
    Refusal triangulate(const Grains& grains, double& reach, double least_reach, const Bodies* bodies);

    NeighborMethod asked_, method_;
    int dimension_;
    Periodicity periodicity_;
    SearchOptions options_;
    std::optional<LivingTriangulation> living_;
    LivingTriangulation::Counts past_;  // of triangulations given up
    PairList list_, brute_;
    std::string reason_;
    bool coverable_ = true,
         cover_asked_ = false;  // grains that are not spheres: whether spheres cover them, as far as is known
    double spheres_per_grain_ = 1;

    // Counted work, per grain.
    double grid_cost_, triangulation_cost_;  // each time
    double motion_cost_;                     // of repairs, smoothed; what it was when the triangulation was last in use
    double interval_ = 0;                    // steps between refreshes, smoothed
    double shortening_ = 1;  // of the reach, and so of intervals, when the triangulation last took over from the grid
    double work_done_ = 0, spent_ = 0;  // by the run so far; by the triangulation beyond the grid

    std::int64_t refreshes_ = 0, certified_ = 0, audited_ = 0, changes_ = 0;
    std::array<std::int64_t, fallback_count> fallbacks_{};
};

}  // namespace scree
