// One step, in physical order: move, walls, refresh, collide + force + gather, kick. The kick of a step is done together
// with the move of the next one, in one sweep over memory, unless somebody looks at the state in between; both ways
// give the same bits. Forces and walls are always those of one time, step * time_step.
#include <fmt/format.h>

#include "scree/error.h"
#include "sim/parts.h"

namespace scree {

void Simulation::step() {
    Parts& s = *parts_;
    World& world = s.world;
    if (world.step % upkeep_interval == 0) s.upkeep();
    {
        PhaseTimer timer(s.profile, Phase::kick_move);
        if (s.kicked) move(world.grains, s.motion, s.refresh->travel());
        else s.account(kick_and_move(world.grains, *s.contacts, s.motion, s.refresh->travel()));
        s.kicked = false;
    }
    {
        PhaseTimer timer(s.profile, Phase::walls);
        ++world.step;
        s.move_walls();
        s.turn_gravity(world.time());
    }
    {
        PhaseTimer timer(s.profile, Phase::refresh);
        s.refresh->update(world.grains, s.walls, *s.contacts);
    }
    {
        PhaseTimer timer(s.profile, Phase::collide_force_gather);
        s.contacts->collide(world.grains, s.walls);
        s.load_walls();
    }
    s.check_overlap();
}

void Simulation::Parts::synchronise() {
    if (kicked) return;
    PhaseTimer timer(profile, Phase::kick_move);
    account(kick(world.grains, *contacts, motion));
    kicked = true;
}

void Simulation::Parts::account(const KickPowers& powers) {
    world.energy.contact_work += powers.contact * motion.time_step;
    world.energy.sliding += powers.sliding * motion.time_step;
    world.energy.damping_loss += powers.damping * motion.time_step;
}

void Simulation::Parts::move_walls() {
    const double end = world.time(), begin = static_cast<double>(world.step - 1) * world.time_step;
    for (std::size_t w = 0; w < walls.size(); ++w)
        if (const auto* piston = std::get_if<FreePiston>(&scene.walls[w].motion)) move_piston(*piston, world.walls[w], begin, end);
    const std::size_t open_before = walls.open_count();
    walls.set.place(world.walls, end, walls.placements);
    if (walls.open_count() != open_before) refresh->require();
}

// Takes the forces of the grains on the walls; pistons answer.
void Simulation::Parts::load_walls() {
    const double end = world.time(), begin = static_cast<double>(world.step - 1) * world.time_step;
    for (std::size_t w = 0; w < walls.size(); ++w) {
        const WallLoad& load = contacts->wall_loads()[w];
        world.walls[w].force = load.force;
        world.walls[w].torque = load.torque;
        world.energy.wall_work += load.power * motion.time_step;
        if (const auto* piston = std::get_if<FreePiston>(&scene.walls[w].motion))
            kick_piston(*piston, world.walls[w], load.force, motion.gravity, begin, end);
    }
}

// Potential energy jumps when gravity turns: account for the work, with positions of the middle of the step.
void Simulation::Parts::turn_gravity(double time) {
    if (!scene.gravity_turn) return;
    const Vec3 now = gravity_at(scene, time), change = now - motion.gravity;
    motion.gravity = now;
    if (change == Vec3{}) return;
    Vec3 moment;
    const double half_dt = 0.5 * motion.time_step;
    for (std::size_t g = 0; g < world.grains.size(); ++g)
        if (world.grains.row[g].inverse_mass > 0) moment += (unwrapped(g) - half_dt * world.grains.velocity(g)) / world.grains.row[g].inverse_mass;
    world.energy.gravity_work -= dot(moment, change);
}

void Simulation::Parts::check_overlap() {
    const double overlap = contacts->max_overlap();
    world.max_overlap = std::max(world.max_overlap, overlap);
    if (overlap <= scene.overlap_limit) return;
    synchronise();
    const ContactView* worst = nullptr;
    double largest = 0;
    const std::vector<ContactView> all = contacts->views(world.grains);
    std::vector<double> radius(static_cast<std::size_t>(world.next_id), 0);
    for (std::size_t g = 0; g < world.grains.size(); ++g) radius[world.grains.id[g]] = world.grains.row[g].radius;
    for (const ContactView& view : all) {
        const double smaller = view.wall >= 0 ? radius[view.a] : std::min(radius[view.a], radius[view.b]);
        if (view.overlap / smaller > largest) largest = view.overlap / smaller, worst = &view;
    }
    const std::string who = !worst               ? "two bodies"
                            : worst->wall >= 0 ? fmt::format("grain {} and wall \"{}\"", worst->a, scene.walls[static_cast<std::size_t>(worst->wall)].name)
                                               : fmt::format("grains {} and {}", worst->a, worst->b);
    throw Error(ErrorKind::invalid,
                fmt::format("at t = {:.6g} s {} overlap by {:.3g} of the smaller radius; the limit is {:.3g} (simulation.overlap_limit). "
                            "Grains are too soft for what presses on them: choose a shorter contact_time or a larger young's modulus, or check the walls' motion",
                            world.time(), who, overlap, scene.overlap_limit));
}

}  // namespace scree
