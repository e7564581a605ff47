#include "engine/event_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/located.h"
#include "math/elementary.h"
#include "neighbor/grain_balls.h"
#include "neighbor/neighborhood.h"
#include "scree/error.h"

namespace scree {
namespace {

// Overlap of the smaller radius past which a state is not one of hard grains.
constexpr double hard_overlap_limit = 1e-6;

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

// The largest of 1, 2, 5 times a power of ten that is no more than x, with the bits that its decimals have in a scene.
double round_number_below(double x) {
    double decade = 1, parts = 1;
    while (decade * 10 <= x) decade *= 10;
    while (decade / parts > x && parts < 1e15) parts *= 10;
    for (const double times : {5.0, 2.0})
        if (times * decade / parts <= x) return times * decade / parts;
    return decade / parts;
}

// Such a number that divides `whole`, if one of the largest three does.
double round_part_of(double whole, double most) {
    const double largest = round_number_below(most);
    double part = largest;
    for (int tries = 0; tries < 3; ++tries) {
        const double count = whole / part;
        if (std::fabs(count - std::round(count)) < 1e-9 * count) return part;
        part = round_number_below(part * (1 - 1e-9));
    }
    return largest;
}

}  // namespace

// Against inelastic collapse: a thousandth of the time in which grains cross a diameter, at their speed or, starting
// from rest, under the accelerations that press them together a fortieth (docs/events.md says why).
void EventEngine::choose_cutoff() {
    const Scales s = scales_of(s_.scene, s_.world.grains);
    const double by_speed = s.speed > 0 ? 1e-3 * s.diameter / s.speed : forever;
    const double by_weight = s.acceleration > 0 ? 0.025 * std::sqrt(s.diameter / s.acceleration) : forever;
    if (s_.scene.collision_cutoff) {
        cutoff_ = *s_.scene.collision_cutoff;
        cutoff_reason_ = "as the scene says";
    } else if (s_.world.collision_cutoff >= 0) {
        cutoff_ = s_.world.collision_cutoff;
        cutoff_reason_ = "as chosen at the start of the run";
    } else if (by_weight < forever) {
        cutoff_ = by_weight;
        cutoff_reason_ =
            fmt::format("a fortieth of the time in which {:.3g} m/s^2 move a grain by its diameter", s.acceleration);
    } else {
        cutoff_ = by_speed < forever ? by_speed : 0;
        cutoff_reason_ = "a thousandth of the time in which grains fly their diameter";
    }
    s_.world.collision_cutoff = cutoff_;
}

// Sixteen diameters of flight, four where grains come and go, at most a 200th of the duration; cut to 1, 2 or 5 times a
// power of ten, so that intervals of outputs are mostly whole numbers of beats. Outputs have no part in it: beats
// round, and who looks more often must not see another motion. Each costs as much as a few collisions of every grain.
void EventEngine::choose_beat() {
    const Scales s = scales_of(s_.scene, s_.world.grains);
    const bool pours = std::any_of(s_.scene.grains.begin(), s_.scene.grains.end(), [](const GrainGroup& group) {
        return std::holds_alternative<PourOverTime>(group.place);
    });
    const double diameters = pours || s_.scene.outflow_region ? 4 : 16;
    double beat = s_.scene.duration / 200;
    if (s.speed > 0) beat = std::min(beat, diameters * s.diameter / s.speed);
    if (s.acceleration > 0) beat = std::min(beat, diameters * std::sqrt(s.diameter / s.acceleration));
    s_.time_step.automatic = round_part_of(s_.scene.duration / 100, beat);
    s_.time_step.stable = s_.time_step.possible = forever;
    s_.time_step.reason = "events need no step; at each of these beats all grains are brought to one time";
    if (s_.world.automatic_step > 0) s_.time_step.automatic = s_.world.automatic_step;
    s_.world.automatic_step = s_.time_step.automatic;
    s_.time_step.value = s_.scene.time_step.value_or(s_.time_step.automatic);
    s_.world.time_step = s_.motion.time_step = s_.time_step.value;
}

// Refuses grains that overlap, who they are and by how much.
void EventEngine::refuse_overlap() const {
    PairList pairs;
    grid_pairs(ball_rows(s_.world.grains), s_.motion.periodicity, 0, pairs);
    double worst = 0;
    std::size_t a = 0, b = 0;
    for (std::size_t i = 0; i < s_.world.grains.size(); ++i)
        for (const std::uint32_t j : pairs.of(i)) {
            const double reach = s_.world.grains.row[i].radius + s_.world.grains.row[j].radius;
            const double overlap =
                (reach -
                 norm(s_.motion.periodicity.nearest(s_.world.grains.position(i) - s_.world.grains.position(j)))) /
                std::min(s_.world.grains.row[i].radius, s_.world.grains.row[j].radius);
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
                at_simulation(s_.scene), s_.world.grains.id[a], s_.world.grains.id[b], worst));
}

EventEngine::EventEngine(Setting& setting) : s_(setting) {
    events::refuse_walls(s_.scene);
    for (const GrainRow& row : s_.world.grains.row) s_.check_period(row.radius);
    if (s_.shaped)
        throw Error(
            ErrorKind::bad_input,
            at_simulation(s_.scene) +
                "engine = \"events\" moves discs and spheres only: leave out [shapes], or take engine = \"soft\"");
    choose_beat();
    choose_cutoff();
    s_.world.last_collision.resize(s_.world.grains.size(), -forever);
    refuse_overlap();

    events::HardSetup setup;
    setup.dimension = s_.scene.dimension;
    setup.gravity = s_.scene.gravity;
    setup.periods = s_.motion.periodicity;
    setup.materials = s_.scene.materials.size();
    setup.cutoff = cutoff_;
    for (std::size_t p = 0; p < s_.scene.materials.size(); ++p)
        for (std::size_t q = 0; q < s_.scene.materials.size(); ++q) {
            const PairMaterial& pair = s_.materials.pair(p, q);
            setup.laws.push_back(
                {pair.restitution, pair.tangential_restitution, pair.friction, pair.restitution_speed});
        }
    const bool fixed = std::any_of(s_.world.grains.row.begin(), s_.world.grains.row.end(),
                                   [](const GrainRow& row) { return row.inverse_mass == 0; });
    method_ = "grid";
    method_reason_ = "asked for";
    switch (s_.scene.neighbors) {
        case NeighborMethod::automatic:
            method_reason_ = "the fastest for hard grains";
            break;
        case NeighborMethod::grid:
            break;
        case NeighborMethod::brute:
            setup.search = events::Search::brute, method_ = "brute";
            break;
        case NeighborMethod::triangulation:
            if (s_.motion.periodicity.any())
                method_reason_ = "the triangulation asked for has no periodic axes between hard grains";
            else if (fixed && norm2(s_.scene.gravity) > 0)
                method_reason_ = "the triangulation asked for needs all grains to fall alike, but some are fixed";
            else {
                setup.search = events::Search::triangulation;
                method_ = "triangulation";
            }
            break;
    }
    dynamics_ = events::HardDynamics::make(setup);
    s_.walls.set.place(s_.world.walls, s_.world.time(), s_.walls.placements);
}

// ---- A beat -----------------------------------------------------------------------------------------------------------

void EventEngine::step() {
    const PhaseTimer timer(s_.profile, Phase::events);
    Grains& grains = s_.world.grains;
    grains_.resize(grains.size());
    for (std::size_t g = 0; g < grains.size(); ++g) {
        const SpinRow& spin = grains.spin[g];
        grains_[g] = {grains.position(g),         grains.velocity(g), {spin.x, spin.y, spin.z},  grains.row[g].radius,
                      grains.row[g].inverse_mass, grains.material[g], s_.world.last_collision[g]};
    }
    // Sums of a beat start from zero, so that a resumed run adds up the same numbers.
    events::HardReport& report = dynamics_->report;
    report.dissipated = report.sliding = report.wall_work = 0;
    report.wall_impulse.assign(s_.scene.walls.size(), Vec3{});
    report.wall_turn.assign(s_.scene.walls.size(), Vec3{});

    // Times of beats are products with their rounding errors: walls must not jump from one beat to the next.
    const double k = static_cast<double>(s_.world.step), dt = s_.world.time_step;
    double begin = k * dt, begin_rest = std::fma(k, dt, -begin);
    const double end = (k + 1) * dt, end_rest = std::fma(k + 1, dt, -end);
    for (bool last = false; !last;) {
        const double change = std::min(events::next_change(s_.scene, begin),
                                       begin + longest_flight(s_.scene, s_.motion.periodicity, grains_));
        last = !(change < end);
        const double until = last ? end : change, until_rest = last ? end_rest : 0;
        const std::vector<events::WallPiece> pieces = events::wall_pieces(s_.scene, begin, begin_rest);
        dynamics_->advance(grains_, pieces, (until - begin) + (until_rest - begin_rest));
        begin = until;
        begin_rest = until_rest;
        wrap(s_.motion.periodicity, grains_, grains);
    }
    ++s_.world.step;
    ++beats_;

    for (std::size_t g = 0; g < grains.size(); ++g) {
        const events::HardGrain& from = grains_[g];
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
        s_.world.last_collision[g] = from.last_collision;
    }
    s_.world.energy.contact_work += report.dissipated;
    s_.world.energy.sliding += report.sliding;
    s_.world.energy.wall_work += report.wall_work;
    s_.walls.set.place(s_.world.walls, s_.world.time(), s_.walls.placements);
    for (std::size_t w = 0; w < s_.walls.size(); ++w) {
        // Mean over the beat.
        const Vec3 force = report.wall_impulse[w] / dt, turn = report.wall_turn[w] / dt;
        s_.world.walls[w].force = force;
        s_.world.walls[w].torque = turn - cross(s_.walls.set.reference_point(w, s_.walls.placements[w]), force);
    }
    s_.world.max_overlap = std::max(s_.world.max_overlap, report.deepest);
    if (s_.world.max_overlap > hard_overlap_limit)
        throw Error(ErrorKind::invalid, fmt::format("at t = {:.6g} s hard grains overlap by {:.3g} of the smaller "
                                                    "radius: a wall was driven into grains that cannot give way, "
                                                    "or this is a defect of scree",
                                                    s_.world.time(), s_.world.max_overlap));
}

// ---- Observers ------------------------------------------------------------------------------------------------------

void EventEngine::added(std::size_t) { s_.world.last_collision.resize(s_.world.grains.size(), -forever); }

double EventEngine::rotational_energy(std::size_t g) const {
    const SpinRow& spin = s_.world.grains.spin[g];
    return 0.5 * s_.motion.inertia_factor * norm2(Vec3{spin.x, spin.y, spin.z}) / s_.world.grains.row[g].inverse_mass;
}

NeighborReport EventEngine::neighbors() const {
    NeighborReport report;
    report.method = method_;
    report.reason = method_reason_;
    // Lists of hard grains are kept up by events; at a beat they are made anew from all flights, by no proof of their
    // own.
    report.refreshes = report.fallbacks = beats_;
    report.fallback_reasons = {{"engine \"events\"", beats_}};
    report.flips = dynamics_->report.flips;
    report.repairs = {{"ladder", dynamics_->report.repairs}};
    return report;
}

std::optional<EventReport> EventEngine::events() const {
    const events::HardReport& r = dynamics_->report;
    return EventReport{r.collisions, r.wall_collisions, r.cut_off, r.crossings, r.outdated,    r.flips,
                       r.rechecks,   r.repairs,         r.virial,  cutoff_,     cutoff_reason_};
}

}  // namespace scree
