#include "neighbor/pair_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "neighbor/grain_balls.h"
#include "scree/error.h"

namespace scree {
namespace {

// Costs in pairs visited by the kernel (about 11 ns), from profiles of settled and flowing beds of 10^4 and 10^5
// grains.
constexpr double tile_cost = 30;          // per grain: tiles, rows between chunks, wall pairs
constexpr double site_cost = 5;           // per grain: cells of the grid, or snapping and images
constexpr double candidate_cost = 0.6;    // per ball or cell looked at by the grid
constexpr double facet_cost = 1.5;        // per facet checked
constexpr double cell_cost = 6;           // per cell swept for its links and edges, and sorting these
constexpr double flip_cost = 80;          // per flip
constexpr double reinsertion_cost = 700;  // per vertex taken out or put in
constexpr double build_cost = 200;        // per vertex
constexpr double other_step_cost = 4;     // per grain and step besides pairs

// Shares of the step that `auto` lets the certificate cost before it takes the triangulation, and before it gives it
// up.
constexpr double cheap = 0.08, dear = 0.12;

// A guess of what a triangulation would cost, until one has been tried.
double guessed_triangulation_cost(int dimension) {
    const double cells = dimension == 3 ? 7 : 2;
    return site_cost + cells * (0.5 * (dimension + 1) * facet_cost + cell_cost);
}

}  // namespace

PairSearch::PairSearch(NeighborMethod asked, int dimension, const Periodicity& periodicity,
                       const SearchOptions& options)
    : asked_(asked),
      method_(asked == NeighborMethod::automatic ? NeighborMethod::grid : asked),
      dimension_(dimension),
      periodicity_(periodicity),
      options_(options),
      reason_(asked == NeighborMethod::automatic ? "the choice at the start; counted work decides later" : "asked for"),
      grid_cost_(20),
      triangulation_cost_(guessed_triangulation_cost(dimension)),
      motion_cost_(0) {}

PairSearch::Fallback PairSearch::fallback_of(Refusal refusal) {
    switch (refusal) {
        case Refusal::too_wide:
            return too_wide;
        case Refusal::flat:
            return flat;
        case Refusal::broken_links:
            return damaged;
        case Refusal::hidden_vertex:
            return hidden;
        default:
            return overlaps;
    }
}

double PairSearch::fixed_cost() const {
    return tile_cost + (method_ == NeighborMethod::triangulation ? triangulation_cost_ : grid_cost_);
}

void PairSearch::change_to(NeighborMethod method, std::string reason) {
    if (method == method_) return;
    method_ = method;
    reason_ = std::move(reason);
    ++changes_;
    if (method != NeighborMethod::triangulation) give_up();
}

void PairSearch::give_up() {
    if (!living_) return;
    past_ += living_->counts();
    living_.reset();
}

// Puts the covering spheres of grains that are not spheres in place. Where there are none the grid serves from now on.
bool PairSearch::cover(const Grains& grains, const Bodies& bodies) {
    if (!bodies.covering->place(grains, bodies.rotations)) {
        coverable_ = false;
        change_to(NeighborMethod::grid, bodies.covering->why());
        reason_ = bodies.covering->why();
        return false;
    }
    // Other spheres have other names.
    if (bodies.covering->replanned()) {
        give_up();
        spheres_per_grain_ = bodies.covering->spheres_per_grain();
        triangulation_cost_ = spheres_per_grain_ * guessed_triangulation_cost(dimension_);
    }
    return true;
}

Refusal PairSearch::triangulate(const Grains& grains, double& reach, double least_reach, const Bodies* bodies) {
    if (!living_) living_.emplace(dimension_, periodicity_);
    const BallRows balls = ball_rows(grains);
    if (!bodies) return living_->update(balls, grains.id, reach, least_reach, list_);
    const CoveredBodies covered = bodies->covering->bodies(balls);
    return living_->update(bodies->covering->balls(), bodies->covering->ids(), reach, least_reach, list_, &covered);
}

// `auto`: compares what the certificate adds to a step with the step.
void PairSearch::weigh(std::size_t grains, const SearchMoment& moment) {
    if (moment.steps <= 0) return;
    const auto steps = static_cast<double>(moment.steps);
    const double step_cost = other_step_cost + moment.pairs_per_grain;
    work_done_ += steps * step_cost;
    interval_ = interval_ == 0 ? steps : 0.75 * interval_ + 0.25 * steps;
    if (asked_ != NeighborMethod::automatic || grains == 0 || !coverable_) return;
    const double extra = std::max(triangulation_cost_ + motion_cost_ - grid_cost_, 0.0),
                 lasts = method_ == NeighborMethod::grid ? shortening_ * interval_ : interval_;
    const double share = extra / (lasts * step_cost);
    if (method_ == NeighborMethod::grid && share < cheap &&
        build_cost * spheres_per_grain_ < cheap * work_done_ - spent_)
        change_to(NeighborMethod::triangulation,
                  fmt::format("a refresh every {:.0f} steps makes its certificate cost {:.1f} % of a step", lasts,
                              100 * share));
    else if (method_ == NeighborMethod::triangulation && share > dear)
        change_to(NeighborMethod::grid,
                  fmt::format("with a refresh every {:.0f} steps a certificate would cost {:.0f} % of a step",
                              interval_, 100 * share));
}

const PairList& PairSearch::find(const Grains& grains, double& reach, double least_reach, const SearchMoment& moment,
                                 const Bodies* bodies) {
    const BallRows balls = ball_rows(grains);
    const auto n = static_cast<double>(std::max<std::size_t>(grains.size(), 1));
    // `auto` must know what covering spheres would cost before it can weigh.
    if (bodies && coverable_ &&
        (method_ == NeighborMethod::triangulation || (asked_ == NeighborMethod::automatic && !cover_asked_))) {
        cover_asked_ = true;
        cover(grains, *bodies);
    }
    const NeighborMethod before = method_;
    weigh(grains.size(), moment);
    if (bodies && method_ == NeighborMethod::triangulation && before != method_) cover(grains, *bodies);
    ++refreshes_;
    bool listed = false;
    if (method_ == NeighborMethod::triangulation) {
        const double wanted = reach;
        const Refusal refusal = triangulate(grains, reach, least_reach, bodies);
        listed = refusal == Refusal::none;
        if (listed && before == NeighborMethod::grid) shortening_ = reach / wanted;
        if (listed)
            ++certified_;
        else {
            ++fallbacks_[fallback_of(refusal)];
            reach = wanted;
        }
        const LivingTriangulation::Work& work = living_->work();
        if (listed && work.built == 0) {
            triangulation_cost_ = site_cost + (facet_cost * work.facets + cell_cost * work.edges) / n;
            const double flips =
                (facet_cost * work.motion_facets + flip_cost * work.flips + reinsertion_cost * work.reinserted) / n;
            motion_cost_ = motion_cost_ == 0 ? flips : 0.75 * motion_cost_ + 0.25 * flips;
        }
        spent_ += std::max(triangulation_cost_ + motion_cost_ - grid_cost_, 0.0) + build_cost * work.built / n;
        // A triangulation that refuses again and again is given up until it has been earned anew.
        if (asked_ == NeighborMethod::automatic && !listed)
            change_to(NeighborMethod::grid,
                      fmt::format("the triangulation refused: {}", fallback_names[fallback_of(refusal)]));
    } else {
        // What repairs cost then says less and less about now.
        motion_cost_ *= 0.95;
        ++fallbacks_[asked_ == NeighborMethod::brute  ? asked_brute
                     : asked_ == NeighborMethod::grid ? asked_grid
                     : !coverable_                    ? uncovered
                                                      : chosen_grid];
    }
    if (!listed && method_ == NeighborMethod::brute) {
        brute_pairs(balls, periodicity_, reach, list_);
    } else if (!listed) {
        const std::size_t looked_at = grid_pairs(balls, periodicity_, reach, list_);
        grid_cost_ = site_cost + candidate_cost * static_cast<double>(looked_at) / n;
    }
    if (options_.drop_pair_at == refreshes_ && list_.size() > 0) {
        // As an error in a neighborhood would: the first pair is gone.
        list_.partners.erase(list_.partners.begin());
        bool begun = false;
        for (std::uint32_t& first : list_.first) {
            begun = begun || first > 0;
            first -= begun;
        }
    }
    if (options_.audit) audit(grains, reach, listed ? bodies : nullptr);
    return list_;
}

void PairSearch::audit(const Grains& grains, double reach, const Bodies* bodies) {
    brute_pairs(ball_rows(grains), periodicity_, reach, brute_);
    ++audited_;
    if (list_.first == brute_.first && list_.partners == brute_.partners) return;
    for (std::size_t i = 0; i < grains.size(); ++i) {
        const auto listed = list_.of(i), all = brute_.of(i);
        auto differ = std::mismatch(listed.begin(), listed.end(), all.begin(), all.end());
        // The balls around two bodies may be near where the bodies are not.
        while (bodies && differ.second != all.end() &&
               (differ.first == listed.end() || *differ.second < *differ.first) &&
               !bodies->near(i, *differ.second, reach))
            differ = std::mismatch(differ.first, listed.end(), differ.second + 1, all.end());
        if (differ.first == listed.end() && differ.second == all.end()) continue;
        const bool missing =
            differ.first == listed.end() || (differ.second != all.end() && *differ.second < *differ.first);
        const std::uint32_t j = missing ? *differ.second : *differ.first;
        const double gap = norm(periodicity_.nearest(grains.position(i) - grains.position(j))) - grains.row[i].radius -
                           grains.row[j].radius;
        throw Error(
            ErrorKind::invalid,
            fmt::format(
                "audit of refresh {}: the pair of grains {} and {} with a gap of {:.6g} m {} of {} within {:.6g} m. "
                "This is an error of scree; please report it with the scene",
                refreshes_, grains.id[i], grains.id[j], gap,
                missing ? "is missing in the list" : "does not belong in the list",
                method_ == NeighborMethod::triangulation ? "the triangulation"
                : method_ == NeighborMethod::grid        ? "the grid"
                                                         : "brute force",
                reach));
    }
}

void PairSearch::report(NeighborReport& report) const {
    report.method = method_ == NeighborMethod::brute  ? "brute"
                    : method_ == NeighborMethod::grid ? "grid"
                                                      : "triangulation";
    report.reason = reason_;
    report.refreshes = refreshes_;
    report.certified = certified_;
    report.audited = audited_;
    report.changes = changes_;
    for (std::size_t k = 0; k < fallback_count; ++k) {
        report.fallbacks += fallbacks_[k];
        if (fallbacks_[k] > 0) report.fallback_reasons.emplace_back(fallback_names[k], fallbacks_[k]);
    }
    LivingTriangulation::Counts counts = past_;
    if (living_) counts += living_->counts();
    if (counts.builds == 0) return;
    report.flips = counts.ladder.flips;
    for (std::size_t k = 0; k < LivingTriangulation::rung_count; ++k)
        report.repairs.emplace_back(LivingTriangulation::rung_names[k], counts.rungs[k]);
    report.repairs.emplace_back("build", counts.builds);
}

}  // namespace scree
