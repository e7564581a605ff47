#include "engine/refresh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "core/random.h"
#include "engine/simulation.h"
#include "scree/error.h"

namespace scree {
namespace {

constexpr double smallest_skin = 0.01, first_skin = 0.03, largest_skin = 0.5;  // of the smallest radius

// Pairs visited for nothing, per grain and step.
double idle_pairs(const Grains& grains, const Contacts& contacts) {
    const std::size_t touching = std::min(contacts.pair_count(), contacts.contact_count());
    return static_cast<double>(contacts.pair_count() - touching) /
           static_cast<double>(std::max<std::size_t>(grains.size(), 1));
}

}  // namespace

bool Refresh::expired(const Grains& grains, const Walls& walls) {
    if (required_ || travel_.size() != chunk_count(grains.size(), grain_chunk)) return true;
    // Rounding of positions is far below this.
    const double limit = skin_ * (1 - 1e-6);
    // No grain has gone farther than the skin from where it was, or the list has expired anyway.
    for (std::size_t w = 0; w < walls.size(); ++w)
        if (walls.set.ever_moves(w) &&
            walls.set.moved(w, wall_reference_[w], walls.placements[w], 2 * (extent_ + skin_)) > limit)
            return true;
    bool passed = false;
    for (std::size_t c = 0; c < travel_.size() && !passed; ++c) passed = travel_[c] > limit;
    if (!passed) return false;
    run_tasks(travel_.size(), [&](std::size_t c, int) {
        if (travel_[c] <= limit) return;
        double farthest = 0;
        for (std::size_t g = c * grain_chunk; g < std::min(grains.size(), (c + 1) * grain_chunk); ++g)
            farthest = std::max(farthest, norm2(periodicity_.nearest(grains.position(g) - reference_[g])));
        travel_[c] = std::sqrt(farthest);
    });
    return std::any_of(travel_.begin(), travel_.end(), [&](double t) { return t > limit; });
}

// Returns the least skin worth having.
double Refresh::choose_skin(const Grains& grains, const Contacts& contacts) {
    double smallest = grains.size() ? grains.row[0].radius : 1;
    for (const GrainRow& row : grains.row) smallest = std::min(smallest, row.radius);
    if (skin_ == 0) {
        skin_ = first_skin * smallest;
    } else if (steps_since_ > 0) {
        const double refresh_share = search_.fixed_cost() / static_cast<double>(steps_since_);
        skin_ *= refresh_share > idle_pairs(grains, contacts) ? 1.25 : 0.8;
    }
    skin_ = std::clamp(skin_, smallest_skin * smallest, largest_skin * smallest);
    if (disturbance_) {
        Random random(disturbance_, draws_++);
        skin_ = smallest * random.uniform(smallest_skin, largest_skin);
    }
    return smallest_skin * smallest;
}

bool Refresh::update(const Grains& grains, const Walls& walls, Contacts& contacts) {
    if (disturbance_ && Random(disturbance_ + 1, draws_++).uniform() < 0.05) required_ = true;
    // A list that has cost more in idle pairs than several refreshes is too long for grains this calm.
    const bool wasteful = skin_ > 0 && contacts.contact_count() > 0 &&
                          idle_pairs(grains, contacts) * static_cast<double>(steps_since_) > 8 * search_.fixed_cost();
    const bool renew = expired(grains, walls) || wasteful;
    ++steps_since_;
    if (!renew) return false;
    // What is not a number has no neighbors, and no cell in a grid.
    for (std::size_t g = 0; g < grains.size(); ++g)
        if (!is_finite(grains.position(g)))
            throw Error(ErrorKind::invalid,
                        fmt::format("the position of grain {} is not a number any more; a smaller time step may help",
                                    grains.id[g]));
    const double least = choose_skin(grains, contacts),
                 n = static_cast<double>(std::max<std::size_t>(grains.size(), 1));
    double reach = 2 * skin_ + law_reach_;
    const PairList& list = search_.find(grains, reach, 2 * least + law_reach_,
                                        {steps_since_, static_cast<double>(contacts.pair_count()) / n});
    skin_ = 0.5 * (reach - law_reach_);

    const std::size_t chunks = chunk_count(grains.size(), grain_chunk);
    std::vector<std::vector<WallPair>> wall_pairs(chunks);
    run_tasks(walls.size() ? chunks : 0, [&](std::size_t c, int) {
        std::vector<WallFeature> features;
        for (std::size_t g = c * grain_chunk; g < std::min(grains.size(), (c + 1) * grain_chunk); ++g) {
            if (grains.row[g].inverse_mass == 0) continue;
            features.clear();
            walls.set.features_near(walls.placements, grains.position(g), grains.row[g].radius + reach, features);
            for (const WallFeature& f : features) wall_pairs[c].push_back({static_cast<Index>(g), f.wall, f.feature});
        }
    });
    contacts.refresh(grains, list, std::move(wall_pairs));

    travel_.assign(chunks, 0);
    reference_.resize(grains.size());
    parallel_for(grains.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t g = begin; g < end; ++g) reference_[g] = grains.position(g);
    });
    wall_reference_ = walls.placements;
    extent_ = 0;
    for (const GrainRow& row : grains.row)
        extent_ = std::max({extent_, std::fabs(row.x), std::fabs(row.y), std::fabs(row.z)});
    required_ = false;
    steps_since_ = 0;
    return true;
}

NeighborReport Refresh::report(std::size_t grain_count, std::size_t pair_count, std::size_t contact_count) const {
    NeighborReport report;
    search_.report(report);
    const auto n = static_cast<double>(std::max<std::size_t>(grain_count, 1));
    report.pairs_per_grain = static_cast<double>(pair_count) / n;
    report.contacts_per_grain = static_cast<double>(contact_count) / n;
    return report;
}

}  // namespace scree
