// One step of the soft engine, in physical order: move, walls, refresh, collide, force, gather, kick.
//
// The forces at the end of a step are computed at the beginning of the next one, so that a block of grains is collided,
// kicked and moved again in one go while it is in the cache. When somebody looks at the state in between,
// synchronise() computes forces and kicks, and the next step begins with the move alone; both ways give the same bits.
// Grains, walls and gravity are always those of one time, step * time_step.
#include <cmath>
#include <utility>

#include "engine/soft_engine.h"
#include "engine/wall_jumps.h"

namespace scree {

void SoftEngine::step() {
    {
        PhaseTimer timer(s_.profile, synchronised_ ? Phase::move : Phase::collide_kick_move);
        if (synchronised_)
            move();
        else
            collide(Ending::kick_and_move);
        synchronised_ = false;
    }
    {
        PhaseTimer timer(s_.profile, Phase::walls);
        ++s_.world.step;
        move_walls();
        turn_gravity();
    }
    {
        PhaseTimer timer(s_.profile, Phase::refresh);
        refresh();
    }
    // When lists are as they must be, so that whoever hears of it can look at the state.
    refuse_wall_jumps(s_, walls_before_, static_cast<double>(s_.world.step - 1) * s_.world.time_step, s_.world.time(),
                      least_depth_);
    check();
}

void SoftEngine::synchronise() {
    if (synchronised_) return;
    PhaseTimer timer(s_.profile, Phase::collide_kick_move);
    collide(Ending::kick);
    synchronised_ = true;
}

void SoftEngine::move() {
    std::vector<double>& travel = lists_.travel();
    travel.resize(dynamics_->blocks().count());
    run_tasks(travel.size(),
              [&](std::size_t block, int) { dynamics_->move(s_.world.grains, s_.motion, block, travel[block]); });
}

// Forces between all bodies; grains and walls answer.
void SoftEngine::collide(Ending ending) {
    World& world = s_.world;
    const KickPowers powers = sweep(ending, s_.motion);
    world.max_overlap = std::max(world.max_overlap, contacts_.max_overlap);
    account(powers, take_wall_loads(static_cast<double>(world.step - 1) * world.time_step, world.time()));
    if (!std::isfinite(world.energy.contact_work)) s_.check_grains();
}

KickPowers SoftEngine::sweep(Ending ending, const MotionParameters& motion) {
    Grains& grains = s_.world.grains;
    dynamics_->begin_sweep(grains, s_.walls, lists_.farthest());
    powers_.assign(dynamics_->blocks().count(), {});
    dynamics_->rows().sweep([&](std::size_t block, int worker) { dynamics_->collide(grains, s_.walls, block, worker); },
                            [&](std::size_t block, int) {
                                powers_[block] =
                                    dynamics_->finish(grains, motion, ending, block, lists_.travel()[block]);
                            });
    contacts_ = dynamics_->end_sweep(s_.walls.size());
    KickPowers total;
    for (const KickPowers& part : powers_) {
        total.lost += part.lost;
        total.slipped += part.slipped;
        total.contact += part.contact;
        total.damping += part.damping;
        total.outside += part.outside;
    }
    return total;
}

// `wall_power`: that the walls put into the grains.
void SoftEngine::account(const KickPowers& powers, double wall_power) {
    const double dt = s_.motion.time_step;
    EnergyAccount& energy = s_.world.energy;
    const auto add = [&](double& work, double& last, double power) {
        if (last == EnergyAccount::unknown_power) last = power;
        work += 0.5 * dt * (power + std::exchange(last, power));
    };
    energy.sliding += powers.slipped;
    if (s_.shaped)
        add(energy.contact_work, energy.contact_power, powers.contact + powers.outside + wall_power);
    else {
        energy.contact_work += powers.slipped;
        if (loses_at_once_)
            energy.contact_work += powers.lost;
        else
            add(energy.contact_work, energy.contact_power, powers.lost / dt);
    }
    add(energy.damping_loss, energy.damping_power, powers.damping);
    add(energy.wall_work, energy.wall_power, wall_power);
    add(s_.world.outside.work, s_.world.outside.power, powers.outside);
}

void SoftEngine::move_walls() {
    World& world = s_.world;
    const double end = world.time(), begin = static_cast<double>(world.step - 1) * world.time_step;
    walls_before_ = world.walls;
    for (std::size_t w = 0; w < s_.walls.size(); ++w)
        if (const auto* piston = std::get_if<FreePiston>(&s_.scene.walls[w].motion))
            move_piston(*piston, world.walls[w], begin, end);
    const std::size_t open_before = s_.walls.open_count();
    s_.walls.set.place(world.walls, end, s_.walls.placements);
    if (s_.walls.open_count() != open_before) lists_.require();
}

// Takes the forces of the grains on the walls; pistons answer. Returns the power that the walls put into the grains.
double SoftEngine::take_wall_loads(double begin, double end) {
    double power = 0;
    for (std::size_t w = 0; w < s_.walls.size(); ++w) {
        const WallLoad& load = contacts_.loads[w];
        s_.world.walls[w].force = load.force;
        s_.world.walls[w].torque = load.torque;
        power += load.power;
        if (const auto* piston = std::get_if<FreePiston>(&s_.scene.walls[w].motion))
            kick_piston(*piston, s_.world.walls[w], load.force, s_.motion.gravity, begin, end);
    }
    return power;
}

}  // namespace scree
