#include "engine/hard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/located.h"
#include "engine/parts.h"
#include "math/elementary.h"
#include "neighbor/neighborhood.h"
#include "scree/error.h"

namespace scree {
namespace {

std::string at_simulation(const Scene& scene) { return place_of(scene, scene.simulation_where); }

// The scale of lengths, speeds and accelerations of a scene.
struct Scales {
    double diameter = 0, speed = 0, acceleration = 0;
};

Scales scales_of(const Scene& scene, const Grains& grains) {
    Scales s;
    std::size_t moving = 0;
    for (std::size_t g = 0; g < grains.size(); ++g) {
        if (grains.row[g].inverse_mass == 0) continue;
        ++moving;
        s.diameter += 2 * grains.row[g].radius;
        s.speed += norm2(grains.velocity(g));
    }
    if (moving > 0) {
        s.diameter /= static_cast<double>(moving);
        s.speed = std::sqrt(s.speed / static_cast<double>(moving));
    }
    // Poured grains may be all there will be.
    for (const GrainGroup& group : scene.grains)
        if (const auto* pour = std::get_if<PourOverTime>(&group.place)) {
            s.speed = std::max(s.speed, norm(pour->velocity));
            if (moving == 0) s.diameter = std::max(s.diameter, 2 * group.radius.first);
        }
    s.speed = std::max(s.speed, events::largest_wall_speed(scene));
    s.acceleration = norm(scene.gravity) + events::largest_wall_acceleration(scene);
    if (!(s.diameter > 0)) s.diameter = 1e-3;
    return s;
}

// For how long grains may fly before they are taken back into the period: half a period or so, however long the beat.
// The search for neighbors knows the nearest images only.
double longest_flight(const Scene& scene, const Periodicity& periodicity,
                      const std::vector<events::HardGrain>& grains) {
    double shortest = forever;
    for (int axis = 0; axis < 3; ++axis)
        if (periodicity.length[axis] > 0) shortest = std::min(shortest, periodicity.length[axis]);
    if (shortest == forever) return forever;
    double fastest = 0;
    for (const events::HardGrain& grain : grains) fastest = std::max(fastest, norm2(grain.velocity));
    const double speed =
        std::sqrt(fastest) + 2 * events::largest_wall_speed(scene) + std::sqrt(2 * norm(scene.gravity) * shortest);
    return speed > 0 ? 0.5 * shortest / speed : forever;
}

// Takes grains back into the period; counts how often.
void wrap(const Periodicity& periodicity, std::vector<events::HardGrain>& hard, Grains& grains) {
    for (int axis = 0; axis < 3; ++axis) {
        const double low = periodicity.low[axis], length = periodicity.length[axis];
        if (!(length > 0)) continue;
        for (std::size_t g = 0; g < hard.size(); ++g) {
            double& x = hard[g].position[axis];
            const double turns = std::floor((x - low) / length);
            x -= turns * length;
            std::int16_t& count = grains.images[g].count[static_cast<std::size_t>(axis)];
            count = static_cast<std::int16_t>(count + turns);
        }
    }
}

}  // namespace

// Against inelastic collapse: a thousandth of the time in which grains cross a diameter, at their speed or, starting
// from rest, under the accelerations that press them together a fortieth (docs/events.md says why).
void Simulation::Parts::choose_cutoff() {
    const Scales s = scales_of(scene, world.grains);
    const double by_speed = s.speed > 0 ? 1e-3 * s.diameter / s.speed : forever;
    const double by_weight = s.acceleration > 0 ? 0.025 * std::sqrt(s.diameter / s.acceleration) : forever;
    if (scene.collision_cutoff) {
        hard->cutoff = *scene.collision_cutoff;
        hard->cutoff_reason = "as the scene says";
    } else if (world.collision_cutoff >= 0) {
        hard->cutoff = world.collision_cutoff;
        hard->cutoff_reason = "as chosen at the start of the run";
    } else if (by_weight < forever) {
        hard->cutoff = by_weight;
        hard->cutoff_reason =
            fmt::format("a fortieth of the time in which {:.3g} m/s^2 move a grain by its diameter", s.acceleration);
    } else {
        hard->cutoff = by_speed < forever ? by_speed : 0;
        hard->cutoff_reason = "a thousandth of the time in which grains fly their diameter";
    }
    world.collision_cutoff = hard->cutoff;
}

// Sixteen diameters of flight, four where grains come and go; cut so that the shortest interval of outputs is a whole
// number of beats. Each costs as much as a few collisions of every grain.
void Simulation::Parts::choose_beat() {
    const Scales s = scales_of(scene, world.grains);
    const bool pours = std::any_of(scene.grains.begin(), scene.grains.end(), [](const GrainGroup& group) {
        return std::holds_alternative<PourOverTime>(group.place);
    });
    const double diameters = pours || scene.outflow_region ? 4 : 16;
    double beat = scene.duration;
    if (s.speed > 0) beat = std::min(beat, diameters * s.diameter / s.speed);
    if (s.acceleration > 0) beat = std::min(beat, diameters * std::sqrt(s.diameter / s.acceleration));
    double interval = scene.duration;
    for (const double asked : {scene.frame_interval, scene.series_interval, scene.checkpoint_interval})
        if (asked > 0) interval = std::min(interval, asked);
    time_step.automatic = interval / std::ceil(interval / beat);
    time_step.stable = forever;
    time_step.reason = "events need no step; at each of these beats all grains are brought to one time";
    if (world.automatic_step > 0) time_step.automatic = world.automatic_step;
    world.automatic_step = time_step.automatic;
    time_step.value = scene.time_step.value_or(time_step.automatic);
    world.time_step = motion.time_step = time_step.value;
}

// Refuses grains that overlap, who they are and by how much.
void Simulation::Parts::refuse_overlap() const {
    PairList pairs;
    grid_pairs(ball_rows(world.grains), motion.periodicity, 0, pairs);
    double worst = 0;
    std::size_t a = 0, b = 0;
    for (std::size_t i = 0; i < world.grains.size(); ++i)
        for (const std::uint32_t j : pairs.of(i)) {
            const double reach = world.grains.row[i].radius + world.grains.row[j].radius;
            const double overlap =
                (reach - norm(motion.periodicity.nearest(world.grains.position(i) - world.grains.position(j)))) /
                std::min(world.grains.row[i].radius, world.grains.row[j].radius);
            if (overlap > worst) {
                worst = overlap;
                a = i;
                b = j;
            }
        }
    if (worst > 2e-9)
        throw Error(
            ErrorKind::bad_input,
            fmt::format(
                "{}grains {} and {} overlap by {:.3g} of the smaller radius; hard grains (engine = \"events\") cannot: "
                "start from grains that are apart",
                at_simulation(scene), world.grains.id[a], world.grains.id[b], worst));
}

void Simulation::Parts::begin_hard() {
    events::refuse_walls(scene);
    for (const GrainRow& row : world.grains.row) check_period(row.radius);
    if (shapes)
        throw Error(
            ErrorKind::bad_input,
            at_simulation(scene) +
                "engine = \"events\" moves discs and spheres only: leave out [shapes], or take engine = \"soft\"");
    hard = std::make_unique<Hard>();
    choose_beat();
    choose_cutoff();
    world.last_collision.resize(world.grains.size(), -forever);
    refuse_overlap();

    events::HardSetup setup;
    setup.dimension = scene.dimension;
    setup.gravity = scene.gravity;
    setup.periods = motion.periodicity;
    setup.materials = scene.materials.size();
    setup.cutoff = hard->cutoff;
    for (std::size_t p = 0; p < scene.materials.size(); ++p)
        for (std::size_t q = 0; q < scene.materials.size(); ++q) {
            const PairMaterial& pair = materials.pair(p, q);
            setup.laws.push_back(
                {pair.restitution, pair.tangential_restitution, pair.friction, pair.restitution_speed});
        }
    const bool fixed = std::any_of(world.grains.row.begin(), world.grains.row.end(),
                                   [](const GrainRow& row) { return row.inverse_mass == 0; });
    hard->method = "grid";
    hard->method_reason = "asked for";
    switch (scene.neighbors) {
        case NeighborMethod::automatic:
            hard->method_reason = "the fastest for hard grains";
            break;
        case NeighborMethod::grid:
            break;
        case NeighborMethod::brute:
            setup.search = events::Search::brute, hard->method = "brute";
            break;
        case NeighborMethod::triangulation:
            if (motion.periodicity.any())
                hard->method_reason = "the triangulation asked for has no periodic axes between hard grains";
            else if (fixed && norm2(scene.gravity) > 0)
                hard->method_reason = "the triangulation asked for needs all grains to fall alike, but some are fixed";
            else {
                setup.search = events::Search::triangulation;
                hard->method = "triangulation";
            }
            break;
    }
    hard->dynamics = events::HardDynamics::make(setup);
    walls.set.place(world.walls, world.time(), walls.placements);
}

// ---- A beat -----------------------------------------------------------------------------------------------------------

void Simulation::Parts::beat() {
    upkeep();
    const PhaseTimer timer(profile, Phase::events);
    Grains& grains = world.grains;
    hard->grains.resize(grains.size());
    for (std::size_t g = 0; g < grains.size(); ++g) {
        const SpinRow& spin = grains.spin[g];
        hard->grains[g] = {grains.position(g),     grains.velocity(g),         {spin.x, spin.y, spin.z},
                           grains.row[g].radius,   grains.row[g].inverse_mass, grains.material[g],
                           world.last_collision[g]};
    }
    // Sums of a beat start from zero, so that a resumed run adds up the same numbers.
    events::HardReport& report = hard->dynamics->report;
    report.dissipated = report.sliding = report.wall_work = 0;
    report.wall_impulse.assign(scene.walls.size(), Vec3{});
    report.wall_turn.assign(scene.walls.size(), Vec3{});

    // Times of beats are products with their rounding errors: walls must not jump from one beat to the next.
    const double k = static_cast<double>(world.step), dt = world.time_step;
    double begin = k * dt, begin_rest = std::fma(k, dt, -begin);
    const double end = (k + 1) * dt, end_rest = std::fma(k + 1, dt, -end);
    for (bool last = false; !last;) {
        const double change = std::min(events::next_change(scene, begin),
                                       begin + longest_flight(scene, motion.periodicity, hard->grains));
        last = !(change < end);
        const double until = last ? end : change, until_rest = last ? end_rest : 0;
        const std::vector<events::WallPiece> pieces = events::wall_pieces(scene, begin, begin_rest);
        hard->dynamics->advance(hard->grains, pieces, (until - begin) + (until_rest - begin_rest));
        begin = until;
        begin_rest = until_rest;
        wrap(motion.periodicity, hard->grains, grains);
    }
    ++world.step;
    ++hard->beats;

    for (std::size_t g = 0; g < grains.size(); ++g) {
        const events::HardGrain& from = hard->grains[g];
        GrainRow& row = grains.row[g];
        row.x = from.position.x;
        row.y = from.position.y;
        row.z = from.position.z;
        row.vx = from.velocity.x;
        row.vy = from.velocity.y;
        row.vz = from.velocity.z;
        grains.spin[g].x = from.rim.x;
        grains.spin[g].y = from.rim.y;
        grains.spin[g].z = from.rim.z;
        world.last_collision[g] = from.last_collision;
    }
    world.energy.contact_work += report.dissipated;
    world.energy.sliding += report.sliding;
    world.energy.wall_work += report.wall_work;
    walls.set.place(world.walls, world.time(), walls.placements);
    for (std::size_t w = 0; w < walls.size(); ++w) {
        // Mean over the beat.
        const Vec3 force = report.wall_impulse[w] / dt, turn = report.wall_turn[w] / dt;
        world.walls[w].force = force;
        world.walls[w].torque = turn - cross(walls.set.reference_point(w, walls.placements[w]), force);
    }
    world.max_overlap = std::max(world.max_overlap, report.deepest);
    if (world.max_overlap > hard_overlap_limit)
        throw Error(ErrorKind::invalid, fmt::format("at t = {:.6g} s hard grains overlap by {:.3g} of the smaller "
                                                    "radius: a wall was driven into grains that cannot give way, "
                                                    "or this is a defect of scree",
                                                    world.time(), world.max_overlap));
}

EventReport Simulation::Parts::event_report() const {
    const events::HardReport& r = hard->dynamics->report;
    return {r.collisions, r.wall_collisions, r.cut_off, r.crossings,  r.outdated,         r.flips,
            r.rechecks,   r.repairs,         r.virial,  hard->cutoff, hard->cutoff_reason};
}

}  // namespace scree
