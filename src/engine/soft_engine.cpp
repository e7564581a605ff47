// The beginning of a run with soft grains, and what an observer may ask of it; step.cpp has the step.
#include "engine/soft_engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "contact/all_laws.h"
#include "engine/body_dynamics.h"
#include "engine/contact_time.h"
#include "engine/sphere_dynamics.h"
#include "engine/time_step.h"
#include "engine/wall_jumps.h"
#include "scree/error.h"
#include "setup/placing_radius.h"

namespace scree {
namespace {

// What must be known of a setting, and hold of it, before there can be contacts.
Setting& ready(Setting& s) {
    choose_contact_time(s);
    choose_time_step(s);
    std::vector<bool> present(s.scene.materials.size(), false);
    for (const std::uint8_t m : s.world.grains.material) present[m] = true;
    for (const GrainGroup& group : s.scene.grains)
        for (std::size_t m = 0; m < s.scene.materials.size(); ++m)
            present[m] = present[m] || s.scene.materials[m].name == group.material;
    if (std::count(present.begin(), present.end(), true) > 1) s.materials.expect_several_materials();
    for (const GrainRow& row : s.world.grains.row) s.check_period(row.radius);
    // Shapes yet to be poured; spheres have been looked at when the scene was read.
    for (std::size_t g = 0; g < s.scene.grains.size(); ++g) {
        const std::uint16_t number = ShapeTable::number_of(s.scene, s.scene.grains[g]);
        if (number > 0 && !s.shapes->glued(number) && std::holds_alternative<PourOverTime>(s.scene.grains[g].place))
            s.check_period(largest_radius(s.placing_scene.grains[g].radius));
    }
    return s;
}

std::unique_ptr<Dynamics> make_dynamics(const Setting& s) {
    if (s.shaped) return std::make_unique<BodyDynamics>(*s.shapes, s.materials, s.walls, s.motion, s.scene.dimension);
    return std::make_unique<SphereDynamics>(s.materials, s.walls, s.motion.periodicity, s.motion.time_step);
}

}  // namespace

SoftEngine::SoftEngine(Setting& setting, const SearchOptions& search)
    : s_(ready(setting)),
      dynamics_(make_dynamics(s_)),
      lists_(s_.scene, s_.motion.periodicity, s_.walls.law_reach, search) {
    for (const LawKind kind : s_.materials.laws())
        with_law(kind, [&](auto law) { loses_at_once_ = loses_at_once_ && decltype(law)::loses_at_once; });
    added(0);
}

// What is stored in contacts at time 0 counts as put in at the start, where the account has the work of contacts.
void SoftEngine::start() {
    refresh();
    s_.world.energy = {};
    forces_anew();
    if (!s_.shaped) s_.world.energy.contact_power = 0;
    s_.world.max_overlap = contacts_.max_overlap;
    check();
    if (s_.shaped) each_contact([&](const ContactView& view) { s_.world.energy.contact_work += view.elastic_energy; });
}

// No time passes: velocities and the memory of contacts stay, accelerations and powers are those of this moment.
void SoftEngine::forces_anew() {
    MotionParameters still = s_.motion;
    still.integrator = Integrator::taylor;
    dynamics_->set_time_step(0);
    const KickPowers powers = sweep(Ending::kick, still);
    dynamics_->set_time_step(s_.motion.time_step);
    EnergyAccount& energy = s_.world.energy;
    energy.damping_power = powers.damping;
    energy.wall_power = take_wall_loads(s_.world.time(), s_.world.time());
    // What spheres lose is known by the step alone, and has jumped with their velocities.
    energy.contact_power =
        s_.shaped ? powers.contact + powers.outside + energy.wall_power : EnergyAccount::unknown_power;
    s_.world.outside.power = powers.outside;
}

void SoftEngine::restore(const ContactMemory& contacts) {
    s_.walls.set.place(s_.world.walls, s_.world.time(), s_.walls.placements);
    s_.motion.gravity = gravity_at(s_.scene, s_.world.time());
    // Of bodies there are checkpoints of two widths (families/body_memory.h).
    const int width = dynamics_->memory(s_.world.grains).width;
    if (!s_.shaped && contacts.width != width && !(contacts.a.empty() && contacts.wall_grain.empty()))
        throw Error(ErrorKind::file,
                    fmt::format("its contacts remember {} numbers each where the law of its scene has {}",
                                contacts.width, width));
    attach(contacts);
    refresh();
    contacts_.contacts = dynamics_->look(s_.world.grains, s_.walls);
}

void SoftEngine::attach(const ContactMemory& contacts) {
    dynamics_->blocks().cover(s_.world.grains.size());
    dynamics_->attach(s_.world.grains, contacts);
    lists_.require();
}

void SoftEngine::added(std::size_t first) {
    dynamics_->blocks().cover(s_.world.grains.size());
    dynamics_->added(s_.world.grains, first);
    for (std::size_t g = first; g < s_.world.grains.size(); ++g)
        if (s_.world.grains.row[g].inverse_mass > 0) least_depth_ = std::min(least_depth_, contact_depth(s_, g));
    lists_.require();
}

// Potential energy jumps when gravity turns: account for the work, with positions of the middle of the step.
void SoftEngine::turn_gravity() {
    if (!s_.scene.gravity_turn) return;
    const World& world = s_.world;
    const Vec3 now = gravity_at(s_.scene, world.time()), change = now - s_.motion.gravity;
    s_.motion.gravity = now;
    if (change == Vec3{}) return;
    Vec3 moment;
    const double half_dt = 0.5 * s_.motion.time_step;
    for (std::size_t g = 0; g < world.grains.size(); ++g)
        if (world.grains.row[g].inverse_mass > 0)
            moment += (s_.unwrapped(g) - half_dt * world.grains.velocity(g)) / world.grains.row[g].inverse_mass;
    s_.world.energy.gravity_work -= dot(moment, change);
}

void SoftEngine::check_speeds() const {
    const Grains& grains = s_.world.grains;
    if (s_.walls.size() == 0 && grains.size() <= 1) return;
    for (std::size_t g = 0; g < grains.size(); ++g) {
        const double radius = grains.row[g].radius, deep = contact_depth(s_, g);
        if (norm(grains.velocity(g)) * s_.world.time_step > deep)
            throw Error(
                ErrorKind::invalid,
                fmt::format("at t = {:.6g} s grain {} moves by more than its {}radius in one step ({:.4g} m/s) "
                            "and would jump over walls and grains; "
                            "choose a smaller simulation.time_step or a shorter contact_time",
                            s_.world.time(), grains.id[g], deep < radius ? "rounding " : "", norm(grains.velocity(g))));
    }
}

NeighborReport SoftEngine::neighbors() const {
    NeighborReport report = lists_.report();
    const auto n = static_cast<double>(std::max<std::size_t>(s_.world.grains.size(), 1));
    report.pairs_per_grain = static_cast<double>(dynamics_->pair_count()) / n;
    report.contacts_per_grain = static_cast<double>(contacts_.contacts) / n;
    report.distance_queries = dynamics_->queries();
    report.distance_queries_saved = dynamics_->queries_saved();
    return report;
}

}  // namespace scree
