#include "engine/lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "core/random.h"
#include "engine/dynamics.h"
#include "scree/error.h"

namespace scree {
namespace {

// What is not a number has no neighbors, and no cell in a grid.
void refuse_lost_numbers(const Grains& grains) {
    for (std::size_t g = 0; g < grains.size(); ++g)
        if (!is_finite(grains.position(g)) || (grains.shaped() && !is_finite(grains.momentum[g])))
            throw Error(ErrorKind::invalid,
                        fmt::format("the position{} of grain {} is not a number any more; a smaller time step may help",
                                    grains.shaped() ? " or spin" : "", grains.id[g]));
}

// The walls that each block of grains is near; fixed grains do not feel them.
std::vector<std::vector<WallPair>> near_walls(const Grains& grains, const Walls& walls, const Blocks& blocks,
                                              double reach) {
    std::vector<std::vector<WallPair>> out(blocks.count());
    run_tasks(walls.size() ? out.size() : 0, [&](std::size_t block, int) {
        std::vector<WallFeature> features;
        for (std::size_t g = blocks.first(block); g < blocks.end(block); ++g) {
            if (grains.row[g].inverse_mass == 0) continue;
            features.clear();
            walls.set.features_near(walls.placements, grains.position(g), grains.row[g].radius + reach, features);
            for (const WallFeature& f : features) out[block].push_back({static_cast<Index>(g), f.wall, f.feature});
        }
    });
    return out;
}

// Throws when a feature of a wall that is within reach of a grain is not listed. All are asked, one by one.
void audit_walls(const Grains& grains, const Walls& walls, const Blocks& blocks, double reach,
                 const std::vector<std::vector<WallPair>>& listed) {
    run_tasks(listed.size(), [&](std::size_t block, int) {
        const std::vector<WallPair>& near = listed[block];
        for (std::size_t g = blocks.first(block); g < blocks.end(block); ++g)
            for (std::size_t w = 0; w < walls.size() && grains.row[g].inverse_mass > 0; ++w) {
                const WallPlacement& placement = walls.placements[w];
                const Surface& surface = walls.set.surface(w, placement);
                const Vec3 x = placement.to_wall(grains.position(g));
                // Rounding may decide otherwise just at the reach.
                const double within = (grains.row[g].radius + reach) * (1 - 1e-9);
                for (int f = 0; f < surface.feature_count() && !placement.open; ++f) {
                    const double distance = surface.foot(f, x).distance;
                    if (!(distance < within) ||
                        std::binary_search(near.begin(), near.end(),
                                           WallPair{static_cast<Index>(g), static_cast<std::int32_t>(w), f}))
                        continue;
                    throw Error(
                        ErrorKind::invalid,
                        fmt::format("audit: grain {} and feature {} of wall \"{}\" with a gap of {:.6g} m are "
                                    "missing in the list of all within {:.6g} m. "
                                    "This is an error of scree; please report it with the scene",
                                    grains.id[g], f, walls.set.name(w), distance - grains.row[g].radius, reach));
                }
            }
    });
}

}  // namespace

double Lists::farthest() const { return travel_.empty() ? 0 : *std::max_element(travel_.begin(), travel_.end()); }

bool Lists::expired(const Grains& grains, const Walls& walls, const Dynamics& dynamics) {
    const Blocks& blocks = dynamics.blocks();
    if (required_) return true;
    // Rounding of positions is far below this.
    const double limit = skin_ * (1 - 1e-6);
    // No grain has gone farther than the skin from where it was, or the list has expired anyway.
    for (std::size_t w = 0; w < walls.size(); ++w)
        if (walls.set.ever_moves(w) &&
            walls.set.moved(w, wall_reference_[w], walls.placements[w], 2 * (extent_ + skin_)) > limit)
            return true;
    if (!(farthest() > limit)) return false;
    if (!dynamics.list_rules().positions_tell) return true;
    run_tasks(travel_.size(), [&](std::size_t block, int) {
        if (travel_[block] <= limit) return;
        double most = 0;
        for (std::size_t g = blocks.first(block); g < blocks.end(block); ++g)
            most = std::max(most, norm2(periodicity_.nearest(grains.position(g) - reference_[g])));
        travel_[block] = std::sqrt(most);
    });
    return farthest() > limit;
}

void Lists::choose_skin(const ListRules& rules, const Pace& pace, double smallest) {
    const auto steps = static_cast<double>(steps_since_);
    if (skin_ == 0)
        skin_ = rules.first_skin * smallest;
    else if (steps < pace.few)
        skin_ *= rules.longer;
    else if (steps > pace.many)
        skin_ *= rules.shorter;
    skin_ = std::clamp(skin_, rules.smallest_skin * smallest, rules.largest_skin * smallest);
    if (disturbance_)
        skin_ = smallest * Random(disturbance_, draws_++).uniform(rules.smallest_skin, rules.largest_skin);
}

void Lists::update(const Grains& grains, const Walls& walls, Dynamics& dynamics) {
    if (disturbance_ && Random(disturbance_ + 1, draws_++).uniform() < 0.05) required_ = true;
    const bool wasteful = skin_ > 0 && static_cast<double>(steps_since_) > dynamics.pace(search_.fixed_cost()).too_many;
    const bool renews = expired(grains, walls, dynamics) || wasteful;
    ++steps_since_;
    if (!renews) return;
    refuse_lost_numbers(grains);
    renew(grains, walls, dynamics);
    required_ = false;
    steps_since_ = 0;
}

void Lists::renew(const Grains& grains, const Walls& walls, Dynamics& dynamics) {
    double smallest = grains.size() ? grains.row[0].radius : 1;
    for (const GrainRow& row : grains.row) smallest = std::min(smallest, row.radius);
    const ListRules& rules = dynamics.list_rules();
    choose_skin(rules, dynamics.pace(search_.fixed_cost()), smallest);
    double reach = 2 * skin_ + law_reach_;
    const double least_reach = 2 * rules.smallest_skin * smallest + law_reach_,
                 work = dynamics.work(steps_since_) / static_cast<double>(std::max<std::size_t>(grains.size(), 1));
    const PairList& pairs =
        search_.find(grains, reach, least_reach, {steps_since_, work}, dynamics.ready_for_search(grains));
    skin_ = 0.5 * (reach - law_reach_);
    const Blocks& blocks = dynamics.blocks();
    std::vector<std::vector<WallPair>> at_walls = near_walls(grains, walls, blocks, reach);
    if (++renewals_ == options_.drop_wall_at && !at_walls.empty() && !at_walls[0].empty()) at_walls[0].pop_back();
    if (options_.audit) audit_walls(grains, walls, blocks, reach, at_walls);
    dynamics.renew(grains, walls, {pairs, std::move(at_walls), skin_, reach});

    travel_.assign(blocks.count(), 0);
    reference_.resize(grains.size());
    parallel_for(grains.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t g = begin; g < end; ++g) reference_[g] = grains.position(g);
    });
    wall_reference_ = walls.placements;
    extent_ = 0;
    for (const GrainRow& row : grains.row)
        extent_ = std::max(
            {extent_, std::fabs(row.x) + row.radius, std::fabs(row.y) + row.radius, std::fabs(row.z) + row.radius});
}

NeighborReport Lists::report() const {
    NeighborReport report;
    search_.report(report);
    return report;
}

}  // namespace scree
