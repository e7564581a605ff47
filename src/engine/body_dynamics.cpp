#include "engine/body_dynamics.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/families/body_memory.h"
#include "engine/families/piece_search.h"
#include "engine/outer_forces.h"
#include "scree/error.h"

namespace scree {

BodyDynamics::BodyDynamics(const ShapeTable& shapes, const MaterialTable& materials, const Walls& walls,
                           const MotionParameters& motion, int dimension)
    : Dynamics(body_block),
      kernel_(body_kernel()),
      bodies_(shapes, kernel_),
      law_(materials, walls.law_reach, motion.time_step),
      scene_{bodies_, law_, materials, kernel_, motion.periodicity, dimension},
      covering_(shapes, motion.periodicity, dimension),
      balls_(scene_),
      pieces_(scene_),
      walls_(scene_, walls),
      flat_(walls_),
      others_(walls_),
      bonds_(shapes, motion.periodicity) {}

// ---- Lists ----------------------------------------------------------------------------------------------------------

const ListRules& BodyDynamics::list_rules() const {
    static constexpr ListRules rules{0.005, 0.05, 0.3, 1.3, 0.8, false};
    return rules;
}

// A refresh costs as much as some ten steps, and most of what is listed is passed over by a look at its mark: between
// these numbers of steps the balance is flat.
Pace BodyDynamics::pace(double) const { return {40, 400, forever}; }

double BodyDynamics::work(std::int64_t steps) const {
    // In pairs of spheres visited: the distance of two pieces takes some thirty times as long.
    constexpr double query_cost = 30, pair_cost = 0.5, body_cost = 15;
    const double queries =
        static_cast<double>(queries_ - queries_before_) / static_cast<double>(std::max<std::int64_t>(steps, 1));
    return body_cost * static_cast<double>(bodies_.rotation.size()) + pair_cost * static_cast<double>(pair_count()) +
           query_cost * queries;
}

const PairSearch::Bodies* BodyDynamics::ready_for_search(const Grains& grains) {
    bodies_.turn(grains);
    searched_ = {&covering_, bodies_.rotation, [&](std::size_t a, std::size_t b, double within) {
                     return pieces_are_near(scene_, grains, a, b, within);
                 }};
    return &searched_;
}

void BodyDynamics::renew(const Grains& grains, const Walls& walls, NearLists lists) {
    const ContactMemory old = has_waiting_ ? std::exchange(waiting_, {}) : memory(grains);
    has_waiting_ = false;
    bodies_.reset_odometers();
    bonds_.renew(grains);
    const FoundPieces found = find_pieces(scene_, grains, blocks_, lists.pairs, bonds_, lists.reach);
    queries_ += found.queries;
    queries_before_ = queries_;
    double largest = 0;
    for (const GrainRow& row : grains.row) largest = std::max(largest, row.radius);
    pairs_.renew(found.bodies);
    balls_.renew(found.balls, largest);
    pieces_.renew(found.pieces, found.marks, pairs_.pairs.size(), largest);

    const std::size_t blocks = found.bodies.size();
    flat_.clear(blocks);
    others_.clear(blocks, lists.skin);
    run_tasks(blocks, [&](std::size_t block, int) { list_walls(grains, walls, lists, block); });
    results_.resize(blocks);

    rows_.link(blocks_, [&](std::size_t block, auto&& visit) {
        pairs_.each_crossing(blocks_, block, visit);
        // Bonded partners look at each other, whichever comes first.
        bonds_.each_partner(blocks_.first(block), blocks_.end(block), [&](Index partner) {
            if (blocks_.of(partner) != block) visit(Rows::no_row, std::size_t{partner});
        });
    });

    balls_.recall(grains, old);
    pieces_.recall(grains, old);
    const BodyMemoryRows rows(old, old.wall_memory, law_.width());
    if (old.wall_grain.empty() || !rows.fit()) return;
    RowsByName<Index> names;
    for (std::size_t k = 0; k < old.wall_grain.size(); ++k)
        if (old.wall[k] >= 0) names.add(old.wall_grain[k], k);
    names.close();
    flat_.recall(grains, old, rows, names);
    others_.recall(grains, old, rows, names);
}

// A body near flat walls alone goes with its corners, any other one as a whole.
void BodyDynamics::list_walls(const Grains& grains, const Walls& walls, const NearLists& lists, std::size_t block) {
    const std::vector<WallPair>& near = lists.walls[block];
    std::vector<WallFeature> features;
    for (std::size_t begin = 0, end = 0; begin < near.size(); begin = end) {
        const Index g = near[begin].grain;
        features.clear();
        for (; end < near.size() && near[end].grain == g; ++end)
            features.push_back({near[end].wall, near[end].feature});
        const bool flat = std::none_of(features.begin(), features.end(),
                                       [&](const WallFeature& f) { return walls_.has_account(grains, g, f.wall); });
        if (!flat || !flat_.list(grains, walls, block, g, features, lists.reach))
            others_.list(grains, block, g, features);
    }
    flat_.close(block);
}

// ---- A step ---------------------------------------------------------------------------------------------------------

void BodyDynamics::begin_sweep(const Grains&, const Walls& walls, double farthest) {
    walls_.place(walls);
    farthest_ = farthest;
    while (batches_.size() < static_cast<std::size_t>(thread_count()))
        batches_.push_back(std::make_unique<WallBatch>(walls_));
}

void BodyDynamics::collide(const Grains& grains, const Walls& walls, std::size_t block, int worker) {
    auto& [sums, report] = results_[block];
    report = {};
    pairs_.reset(block);
    balls_.collide(grains, block, farthest_, pairs_, report);
    pieces_.collide(grains, block, pairs_, report);

    const bool near_walls = !flat_.empty(block) || !others_.of(block).empty();
    sums.rows.assign(near_walls ? body_block : 0, {});
    sums.loads.assign(near_walls ? walls.size() : 0, {});
    if (near_walls) {
        WallBatch& batch = *batches_[static_cast<std::size_t>(worker)];
        batch.begin(grains, blocks_.first(block), sums);
        flat_.collide(grains, walls, block, batch, report);
        others_.collide(grains, walls, block, batch, report);
        batch.end();
    }
    bonds_.collide(grains, blocks_.first(block), blocks_.end(block));
}

KickPowers BodyDynamics::finish(Grains& grains, const MotionParameters& motion, Ending ending, std::size_t block,
                                double& travel) {
    const std::size_t first = blocks_.first(block), end = blocks_.end(block);
    ForceRow* const sums = rows_.open(block);
    pairs_.add_up(kernel_, rows_, block, sums);
    const std::vector<ForceRow>& of_walls = results_[block].walls.rows;
    for (std::size_t k = 0; k < of_walls.size(); ++k) add_to(sums[k], of_walls[k]);
    bonds_.add_up(first, end, sums);
    KickPowers powers;
    powers.outside = add_outer_forces(grains, first, end, sums);
    bodies_.kick(grains, motion, sums, first, end, powers);
    if (ending == Ending::kick)
        bodies_.spin(grains, first, end);
    else
        move(grains, motion, block, travel);
    return powers;
}

void BodyDynamics::move(Grains& grains, const MotionParameters& motion, std::size_t block, double& travel) {
    const std::size_t first = blocks_.first(block), end = blocks_.end(block);
    bodies_.move(grains, motion, first, end);
    travel = bodies_.travelled(first, end);
}

ContactReport BodyDynamics::end_sweep(std::size_t walls) {
    report_ = {};
    ContactReport out;
    out.loads.resize(walls);
    for (const Block& block : results_) {
        report_.add(block.report);
        for (std::size_t w = 0; w < block.walls.loads.size(); ++w) out.loads[w] += block.walls.loads[w];
    }
    queries_ += report_.queries;
    queries_saved_ += report_.queries_saved;
    out.contacts = report_.contacts;
    out.max_overlap = report_.max_overlap;
    return out;
}

// ---- Memory ---------------------------------------------------------------------------------------------------------

template <class Visit>
void BodyDynamics::each_near_walls(const Grains& grains, std::size_t block, Visit&& visit) const {
    auto other = others_.of(block).begin();
    const auto end = others_.of(block).end();
    flat_.each_body(grains, block, [&](const GrainWalls& near) {
        for (; other != end && other->grain < near.grain; ++other) visit(*other);
        visit(near);
    });
    for (; other != end; ++other) visit(*other);
}

ContactMemory BodyDynamics::memory(const Grains& grains) {
    if (has_waiting_) return waiting_;
    ContactMemory out;
    const std::size_t width = law_.width();
    out.width = static_cast<int>(width + BodyMemoryRows::beside);
    for (std::size_t block = 0; block < results_.size(); ++block) {
        for (const BodyPair& pair : pairs_.of(block))
            if (pair.balls)
                balls_.remember(grains, pair, out);
            else
                pieces_.remember(grains, block, pair, out);
        each_near_walls(grains, block, [&](const GrainWalls& near) {
            for (std::size_t k = 0; k < near.memory.points.size(); ++k) {
                const WallPoint& point = near.memory.points[k];
                out.wall_grain.push_back(grains.id[near.grain]);
                out.wall.push_back(point.wall);
                out.feature.push_back(point.feature);
                out.wall_key.push_back(point.key);
                const auto account = std::find_if(near.accounts.begin(), near.accounts.end(),
                                                  [&](const WallAccount& of) { return of.wall == point.wall; });
                const bool counts = account != near.accounts.end();
                BodyMemoryRows::append(out.wall_memory, near.memory.numbers.data() + k * width, width, 0,
                                       counts ? account->taken : 0, counts ? account->power : 0);
            }
        });
    }
    return out;
}

ContactMemory BodyDynamics::detach(const Grains& grains) {
    ContactMemory out = memory(grains);
    clear_lists();
    return out;
}

void BodyDynamics::clear_lists() {
    pairs_.clear();
    balls_.clear();
    pieces_.clear();
    bonds_.clear();
    flat_.clear(0);
    others_.clear(0, 0);
    results_.clear();
    waiting_ = {};
    has_waiting_ = false;
}

void BodyDynamics::attach(const Grains& grains, const ContactMemory& memory) {
    bodies_.turn(grains);
    const bool fits = memory.key.size() == memory.a.size() && memory.wall_key.size() == memory.wall_grain.size();
    waiting_ = fits ? memory : ContactMemory{};
    has_waiting_ = true;
}

// ---- Observers ------------------------------------------------------------------------------------------------------

void BodyDynamics::each_view(const Grains& grains, const Walls& walls,
                             const std::function<void(const ContactView&)>& visit) const {
    for (std::size_t block = 0; block < results_.size(); ++block) {
        for (const BodyPair& pair : pairs_.of(block))
            if (pair.balls)
                balls_.each_view(grains, pair, visit);
            else
                pieces_.each_view(grains, block, pair, visit);
        each_near_walls(grains, block, [&](const GrainWalls& near) { others_.each_view(grains, walls, near, visit); });
    }
    bonds_.each_view(grains, visit);
}

std::size_t BodyDynamics::look(const Grains& grains, const Walls&) {
    report_ = {};
    for (std::size_t block = 0; block < results_.size(); ++block) {
        for (const BodyPair& pair : pairs_.of(block))
            report_.contacts += pair.balls ? balls_.touching(pair) : pieces_.touching(pair);
        each_near_walls(grains, block,
                        [&](const GrainWalls& near) { report_.contacts += walls_touched(near.memory.points); });
    }
    return report_.contacts;
}

void BodyDynamics::check(const World& world, const Scene& scene, const Walls& walls, double overlap) const {
    const bool passes = report_.passing.wall >= 0;
    if (!report_.sunk && !passes && overlap <= scene.overlap_limit) return;
    const auto at_wall = [&](Index id, std::int32_t wall) {
        return fmt::format("grain {} and wall \"{}\"", id, scene.walls[static_cast<std::size_t>(wall)].name);
    };
    std::string who, how;
    if (report_.sunk) {
        who = fmt::format("grains {} and {}", report_.sunk_a, report_.sunk_b);
        how =
            "overlap past their rounding radii: the skeletons inside them have met, and no distance tells how to part "
            "them";
    } else if (passes) {
        who = at_wall(report_.passing.id, report_.passing.wall);
        how = fmt::format(
            "overlap by {:.3g} of the rounding radius: past it the grain would be on the other side of the sheet",
            overlap);
    } else {
        who = "two grains";
        double worst = 0;
        if (report_.deepest.wall >= 0)
            who = at_wall(report_.deepest.id, report_.deepest.wall);
        else
            each_view(world.grains, walls, [&](const ContactView& view) {
                if (view.overlap <= worst) return;
                worst = view.overlap;
                who = view.wall >= 0 ? at_wall(view.a, view.wall) : fmt::format("grains {} and {}", view.a, view.b);
            });
        how = fmt::format(
            "overlap by {:.3g} of the smaller rounding radius; the limit is {:.3g} (simulation.overlap_limit)", overlap,
            scene.overlap_limit);
    }
    throw Error(
        ErrorKind::invalid,
        fmt::format("at t = {:.6g} s {} {}. Choose a shorter contact_time or a larger young's modulus, or round "
                    "the shapes more",
                    world.time(), who, how));
}

}  // namespace scree
