// Which neighborhood serves a refresh, what it found, and what it cost in counted work.
//
// Work is counted in pairs visited by the kernel, per grain. A search costs something each time it is done (facets checked,
// edges or cells swept, tiles filled) and something in proportion to the motion since the last one (flips). Only the first
// part is a reason for a longer skin: the second comes to the same however often one looks.
//
// `auto` prefers the certified list, where proof is cheap. The grid starts; from the lengths of the intervals between
// refreshes it is known what the triangulation would add per step, and when that is below a small part of the step, and its
// building has been earned by the work done so far, it takes over; when it has become dear, the grid comes back. All of
// this depends on counts alone, so a run can be repeated.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "neighbor/living_triangulation.h"
#include "neighbor/neighborhood.h"
#include "scree/scene.h"
#include "sim/simulation.h"

namespace scree {

// What the run has seen since the last refresh.
struct SearchMoment {
    std::int64_t steps = 0;       // since then
    double pairs_per_grain = 0;   // in the list that served until now
};

class PairSearch {
  public:
    PairSearch(NeighborMethod asked, int dimension, const Periodicity& periodicity, const SearchOptions& options);

    // All pairs closer than `reach`, which is lowered when the triangulation cannot prove it, but not below least_reach.
    const PairList& find(const Grains& grains, double& reach, double least_reach, const SearchMoment& moment);

    // Cost of a search by the method in use, and of filling the tiles, without what grows with motion.
    double fixed_cost() const;
    void report(NeighborReport& report) const;
    std::int64_t changes() const { return changes_; }

  private:
    // Why a refresh was not certified.
    enum Fallback { asked_grid, asked_brute, chosen_grid, too_wide, flat, damaged, hidden, overlaps, fallback_count };
    static constexpr std::array<const char*, fallback_count> fallback_names = {
        "grid asked for", "brute force asked for", "grid costs less", "grains too far apart", "flat", "damaged links", "grain inside another", "overlaps too deep"};
    static Fallback fallback_of(Refusal refusal);

    void weigh(std::size_t grains, const SearchMoment& moment);
    void change_to(NeighborMethod method, std::string reason);
    void audit(const Grains& grains, double reach);
    double triangulation_fixed() const;

    NeighborMethod asked_, method_;
    int dimension_;
    Periodicity periodicity_;
    SearchOptions options_;
    std::optional<LivingTriangulation> living_;
    LivingTriangulation::Counts past_;   // of triangulations given up
    PairList list_, brute_;
    std::string reason_;

    // Counted work, per grain.
    double grid_cost_, triangulation_cost_;  // each time
    double motion_cost_;                     // of repairs, smoothed; what it was when the triangulation was last in use
    double interval_ = 0;                // steps between refreshes, smoothed
    double work_done_ = 0, spent_ = 0;   // by the run so far; by the triangulation beyond the grid

    std::int64_t refreshes_ = 0, certified_ = 0, audited_ = 0, changes_ = 0;
    std::array<std::int64_t, fallback_count> fallbacks_{};
};

}  // namespace scree
