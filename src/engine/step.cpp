// One step, in physical order: move, walls, refresh, collide, force, gather, kick.
//
// The forces at the end of a step are computed at the beginning of the next one, so that a chunk of grains is collided,
// kicked and moved again in one go while it is in the cache. When somebody looks at the state in between,
// synchronise() computes forces and kicks, and the next step begins with the move alone; both ways give the same bits.
// Grains, walls and gravity are always those of one time, step * time_step.
#include <cmath>
#include <utility>

#include "core/parallel.h"
#include "engine/parts.h"

namespace scree {

void Simulation::Parts::advance() {
    Parts& s = *this;
    const WorkersScope scope(s.workers);
    World& world = s.world;
    if (s.hard) return s.beat();
    if (world.step % upkeep_interval == 0) s.upkeep();
    if (s.shaped) return s.shaped_step();
    const bool moving_on = !s.synchronised;
    if (moving_on) {
        PhaseTimer timer(s.profile, Phase::collide_kick_move);
        s.collide([&](std::size_t chunk) {
            return kick_and_move(world.grains, *s.contacts, s.motion, chunk, s.refresh->travel()[chunk]);
        });
    } else {
        PhaseTimer timer(s.profile, Phase::move);
        s.refresh->travel().resize(chunk_count(world.grains.size(), grain_chunk));
        run_tasks(s.refresh->travel().size(),
                  [&](std::size_t chunk, int) { s.refresh->travel()[chunk] += move(world.grains, s.motion, chunk); });
    }
    s.synchronised = false;
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
    s.check_overlap();
}

void Simulation::Parts::synchronise() {
    if (synchronised) return;
    const WorkersScope scope(workers);
    PhaseTimer timer(profile, Phase::collide_kick_move);
    if (shaped) {
        shaped_forces(false);
        shaped->spin(world.grains);
        synchronised = true;
        return;
    }
    collide([&](std::size_t chunk) { return kick(world.grains, *contacts, motion, chunk); });
    synchronised = true;
}

// Forces between all bodies; finish_chunk(chunk) kicks the grains of a chunk. Then the walls answer.
template <class FinishChunk>
void Simulation::Parts::collide(FinishChunk&& finish_chunk) {
    std::vector<KickPowers> powers(chunk_count(world.grains.size(), grain_chunk));
    contacts->collide(world.grains, walls, [&](std::size_t chunk, int) { powers[chunk] = finish_chunk(chunk); });
    KickPowers total;
    for (const KickPowers& part : powers) {
        total.contact += part.contact;
        total.sliding += part.sliding;
        total.damping += part.damping;
    }
    account(total);
    world.max_overlap = std::max(world.max_overlap, contacts->max_overlap());
    load_walls();
    if (!std::isfinite(world.energy.contact_work)) check_grains();
}

void Simulation::Parts::account(const KickPowers& powers) {
    const double half_dt = 0.5 * motion.time_step;
    EnergyAccount& energy = world.energy;
    energy.contact_work += half_dt * (powers.contact + std::exchange(energy.contact_power, powers.contact));
    energy.sliding += half_dt * (powers.sliding + std::exchange(energy.sliding_power, powers.sliding));
    energy.damping_loss += half_dt * (powers.damping + std::exchange(energy.damping_power, powers.damping));
}

void Simulation::Parts::move_walls() {
    const double end = world.time(), begin = static_cast<double>(world.step - 1) * world.time_step;
    for (std::size_t w = 0; w < walls.size(); ++w)
        if (const auto* piston = std::get_if<FreePiston>(&scene.walls[w].motion))
            move_piston(*piston, world.walls[w], begin, end);
    const std::size_t open_before = walls.open_count();
    walls.set.place(world.walls, end, walls.placements);
    if (walls.open_count() != open_before) require_refresh();
}

// Takes the forces of the grains on the walls; pistons answer.
void Simulation::Parts::load_walls() {
    const double end = world.time(), begin = static_cast<double>(world.step - 1) * world.time_step;
    double power = 0;
    for (std::size_t w = 0; w < walls.size(); ++w) {
        const WallLoad& load = shaped ? shaped->wall_loads()[w] : contacts->wall_loads()[w];
        world.walls[w].force = load.force;
        world.walls[w].torque = load.torque;
        power += load.power;
        if (const auto* piston = std::get_if<FreePiston>(&scene.walls[w].motion))
            kick_piston(*piston, world.walls[w], load.force, motion.gravity, begin, end);
    }
    world.energy.wall_work += 0.5 * motion.time_step * (power + std::exchange(world.energy.wall_power, power));
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
        if (world.grains.row[g].inverse_mass > 0)
            moment += (unwrapped(g) - half_dt * world.grains.velocity(g)) / world.grains.row[g].inverse_mass;
    world.energy.gravity_work -= dot(moment, change);
}

}  // namespace scree
