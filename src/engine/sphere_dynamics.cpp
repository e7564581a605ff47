#include "engine/sphere_dynamics.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/outer_forces.h"
#include "scree/error.h"
#include "world/identity.h"

namespace scree {

SphereDynamics::SphereDynamics(const MaterialTable& materials, const Walls& walls, const Periodicity& periodicity,
                               double time_step)
    : Dynamics(grain_chunk),
      scene_(materials, periodicity, time_step),
      pairs_(scene_),
      walls_(scene_, walls) {}

// ---- Lists ----------------------------------------------------------------------------------------------------------

const ListRules& SphereDynamics::list_rules() const {
    static constexpr ListRules rules{0.01, 0.03, 0.5, 1.25, 0.8, true};
    return rules;
}

// The balance of a refresh and of the pairs that are visited for nothing, per grain and step.
Pace SphereDynamics::pace(double cost_of_refresh) const {
    const std::size_t touching = std::min(pairs_.size(), contacts_);
    const double idle =
        static_cast<double>(pairs_.size() - touching) / static_cast<double>(std::max<std::size_t>(grains_, 1));
    const double balance = idle > 0 ? cost_of_refresh / idle : forever;
    return {balance, balance, contacts_ > 0 ? 8 * balance : forever};
}

double SphereDynamics::work(std::int64_t) const { return static_cast<double>(pairs_.size()); }

void SphereDynamics::renew(const Grains& grains, const Walls&, NearLists lists) {
    pairs_.renew(grains, lists.pairs, blocks_);
    walls_.renew(std::move(lists.walls));
    rows_.link(blocks_, [&](std::size_t chunk, auto&& visit) { pairs_.each_crossing(chunk, visit); });
    results_.resize(blocks_.count());
    grains_ = grains.size();
}

// ---- A step ---------------------------------------------------------------------------------------------------------

void SphereDynamics::begin_sweep(const Grains& grains, const Walls&, double) { arguments_ = scene_.arguments(grains); }

void SphereDynamics::collide(const Grains& grains, const Walls& walls, std::size_t chunk, int) {
    const std::size_t touched = results_[chunk].contacts;
    results_[chunk] = {};
    KernelArguments in = arguments_;
    in.sparse = 4 * touched < 3 * chunk_pairs(chunk);
    in.force = rows_.open(chunk);
    in.first = static_cast<Index>(blocks_.first(chunk));
    pairs_.collide(chunk, in, results_[chunk]);
    walls_.collide(chunk, grains, walls, in, results_[chunk]);
}

KickPowers SphereDynamics::finish(Grains& grains, const MotionParameters& motion, Ending ending, std::size_t chunk,
                                  double& travel) {
    pairs_.add_incoming(rows_, chunk);
    ForceRow* const sums = rows_.sums(chunk);
    const std::size_t first = blocks_.first(chunk), end = blocks_.end(chunk);
    const double outside = add_outer_forces(grains, first, end, sums);
    KickPowers powers = ending == Ending::kick ? kick(grains, sums, motion, first, end)
                                               : kick_and_move(grains, sums, motion, first, end, travel);
    powers.outside = outside;
    return powers;
}

void SphereDynamics::move(Grains& grains, const MotionParameters& motion, std::size_t chunk, double& travel) {
    travel += scree::move(grains, motion, blocks_.first(chunk), blocks_.end(chunk));
}

ContactReport SphereDynamics::end_sweep(std::size_t walls) {
    ContactReport report;
    report.loads.resize(walls);
    for (std::size_t c = 0; c < results_.size(); ++c) {
        report.max_overlap = std::max(report.max_overlap, results_[c].max_overlap);
        report.contacts += results_[c].contacts;
        const std::vector<WallLoad>& loads = walls_.loads(c);
        for (std::size_t w = 0; w < loads.size(); ++w) report.loads[w] += loads[w];
    }
    contacts_ = report.contacts;
    return report;
}

// ---- Memory ---------------------------------------------------------------------------------------------------------

ContactMemory SphereDynamics::collect(const Grains& grains, bool let_go) {
    ContactMemory out;
    out.width = static_cast<int>(scene_.width);
    pairs_.remember(grains, out, let_go);
    walls_.remember(grains, out, let_go);
    return out;
}

ContactMemory SphereDynamics::memory(const Grains& grains) { return collect(grains, false); }

ContactMemory SphereDynamics::detach(const Grains& grains) { return collect(grains, true); }

void SphereDynamics::attach(const Grains& grains, const ContactMemory& memory) {
    const bool fits = memory.width == static_cast<int>(scene_.width) && memory.key.empty() && memory.wall_key.empty();
    const ContactMemory none;
    pairs_.attach(grains, fits ? memory : none, blocks_);
    walls_.attach(grains, fits ? memory : none, blocks_);
}

// ---- Observers ------------------------------------------------------------------------------------------------------

double SphereDynamics::rotational_energy(const Grains& grains, const MotionParameters& motion, std::size_t g) const {
    const Vec3 rim{grains.spin[g].x, grains.spin[g].y, grains.spin[g].z};
    return 0.5 * motion.inertia_factor * norm2(rim) / grains.row[g].inverse_mass;
}

void SphereDynamics::each_view(const Grains& grains, const Walls&,
                               const std::function<void(const ContactView&)>& visit) const {
    for (std::size_t c = 0; c < pairs_.chunk_count(); ++c) {
        pairs_.each_view(grains, c, visit);
        walls_.each_view(grains, c, visit);
    }
}

std::size_t SphereDynamics::look(const Grains& grains, const Walls& walls) {
    walls_.look(grains, walls);
    contacts_ = 0;
    each_view(grains, walls, [&](const ContactView&) { ++contacts_; });
    return contacts_;
}

void SphereDynamics::check(const World& world, const Scene& scene, const Walls& walls, double overlap) const {
    if (overlap <= scene.overlap_limit) return;
    const IdentityTable places(world.grains.id);
    const auto radius = [&](Index id) { return world.grains.row[places.find(id)].radius; };
    double largest = 0;
    std::string who = "two bodies";
    each_view(world.grains, walls, [&](const ContactView& view) {
        const double smaller = view.wall >= 0 ? radius(view.a) : std::min(radius(view.a), radius(view.b));
        if (!(view.overlap / smaller > largest)) return;
        largest = view.overlap / smaller;
        who = view.wall >= 0 ? fmt::format("grain {} and wall \"{}\"", view.a,
                                           scene.walls[static_cast<std::size_t>(view.wall)].name)
                             : fmt::format("grains {} and {}", view.a, view.b);
    });
    if (world.step == 0)
        throw Error(ErrorKind::bad_input,
                    fmt::format("{}: {} overlap by {:.3g} of the smaller radius at the start; the limit is {:.3g} "
                                "(simulation.overlap_limit). "
                                "Grains taken over by start.from must fit the walls and grains of this scene",
                                scene.file, who, overlap, scene.overlap_limit));
    const bool elastic = inputs_of(scene.law).elastic;
    throw Error(
        ErrorKind::invalid,
        fmt::format("at t = {:.6g} s {} overlap by {:.3g} of the smaller radius; the limit is {:.3g} "
                    "(simulation.overlap_limit). "
                    "Grains are too soft for what presses on them: choose a {}, or check the walls' motion",
                    world.time(), who, overlap, scene.overlap_limit,
                    elastic ? "larger young" : "shorter contact_time (half of it halves the overlap of an impact)"));
}

}  // namespace scree
