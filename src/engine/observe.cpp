// What an observer may ask of a simulation between two steps.
#include "engine/parts.h"

#include <fmt/format.h>

#include <cmath>

#include "core/parallel.h"
#include "scree/error.h"

namespace scree {

const Scene& Simulation::scene() const { return parts_->scene; }
const World& Simulation::world() const { return parts_->world; }
const std::vector<std::string>& Simulation::group_names() const { return parts_->group_names; }
double Simulation::time() const { return parts_->world.time(); }
std::int64_t Simulation::step_count() const { return parts_->world.step; }
const TimeStepChoice& Simulation::time_step() const { return parts_->time_step; }
const ContactTimeChoice& Simulation::contact_time() const { return parts_->contact_time; }
const Profile& Simulation::profile() const { return parts_->profile; }
Profile& Simulation::profile() { return parts_->profile; }
Workers& Simulation::workers() { return parts_->workers; }

std::size_t Simulation::contact_count() {
    parts_->synchronise();
    return parts_->engine->contact_count();
}

std::int64_t Simulation::steps_until(double time) const {
    constexpr double most = 1e15;  // exact in doubles
    const double steps = time / parts_->world.time_step;
    if (!(steps <= most))
        throw Error(ErrorKind::bad_input,
                    fmt::format("t = {:g} s is {:.1e} steps of {:.4g} s away; at most {:.0e} are possible", time, steps,
                                parts_->world.time_step, most));
    // A time that is a whole number of steps up to rounding means that step.
    return static_cast<std::int64_t>(std::ceil(steps * (1 - 1e-12) - 1e-9));
}

const World& Simulation::synchronised_world() {
    parts_->synchronise();
    return parts_->world;
}

GrainArrays Simulation::grains() {
    const Grains& grains = synchronised_world().grains;
    const std::size_t n = grains.size();
    GrainArrays all;
    all.id = {grains.id.data(), n, sizeof(Index)};
    all.group = {grains.group.data(), n, sizeof(std::uint16_t)};
    all.material = {grains.material.data(), n, sizeof(std::uint8_t)};
    const GrainRow* row = grains.row.data();
    const SpinRow* spin = grains.spin.data();
    if (n > 0) {
        all.radius = {&row->radius, n, sizeof(GrainRow)};
        all.inverse_mass = {&row->inverse_mass, n, sizeof(GrainRow)};
        all.position = {&row->x, n, sizeof(GrainRow)};
        all.velocity = {&row->vx, n, sizeof(GrainRow)};
        all.radius_times_spin = {&spin->x, n, sizeof(SpinRow)};
        all.inverse_radius = {&spin->inverse_radius, n, sizeof(SpinRow)};
    }
    if (!grains.shaped()) return all;
    std::vector<std::array<double, 4>>& given = parts_->given_orientation;
    given.resize(n);
    for (std::size_t g = 0; g < n; ++g) {
        const Quaternion q = as_given((*parts_->shapes)[grains.shape[g]], grains.orientation[g]);
        given[g] = {q.w, q.x, q.y, q.z};
    }
    all.orientation = {given.data(), n, sizeof(given[0])};
    all.scale = {grains.scale.data(), n, sizeof(double)};
    all.shape = {grains.shape.data(), n, sizeof(std::uint16_t)};
    return all;
}

std::string Simulation::hash() { return state_hash_hex(synchronised_world().grains); }

ContactMemory Simulation::contact_memory() {
    parts_->synchronise();
    const WorkersScope scope(parts_->workers);
    return parts_->engine->contact_memory();
}

std::vector<ContactView> Simulation::contacts() {
    std::vector<ContactView> all;
    each_contact([&](const ContactView& view) { all.push_back(view); });
    return all;
}

void Simulation::each_contact(const std::function<void(const ContactView&)>& visit) {
    parts_->synchronise();
    parts_->engine->each_contact(visit);
}

std::optional<EventReport> Simulation::events() const { return parts_->engine->events(); }
NeighborReport Simulation::neighbors() const { return parts_->engine->neighbors(); }
std::int64_t Simulation::neighbor_changes() const { return parts_->engine->neighbor_changes(); }
void Simulation::disturb_search(std::uint64_t seed) { parts_->engine->disturb_search(seed); }

std::vector<const Shape*> Simulation::shapes() const {
    std::vector<const Shape*> out;
    for (std::size_t k = 0; parts_->shaped && k < parts_->shapes->size(); ++k) out.push_back(&(*parts_->shapes)[k]);
    return out;
}

std::shared_ptr<const ShapeTable> Simulation::shape_table() const { return parts_->shaped ? parts_->shapes : nullptr; }

// Kinetic and potential energy of one grain; fixed grains have none.
double Simulation::Parts::energy_of_grain(std::size_t g) const {
    const Grains& grains = world.grains;
    if (grains.row[g].inverse_mass == 0) return 0;
    return (0.5 * norm2(grains.velocity(g)) - dot(motion.gravity, unwrapped(g))) / grains.row[g].inverse_mass +
           engine->rotational_energy(g);
}

EnergyReport Simulation::energy() {
    Parts& s = *parts_;
    s.synchronise();
    const WorkersScope scope(s.workers);
    return s.energy_report();
}

EnergyReport Simulation::Parts::energy_report() const {
    const Parts& s = *this;
    const Grains& grains = s.world.grains;
    EnergyReport sums = parallel_reduce(
        grains.size(), EnergyReport{},
        [&](std::size_t begin, std::size_t end) {
            EnergyReport part;
            for (std::size_t g = begin; g < end; ++g) {
                if (grains.row[g].inverse_mass == 0) continue;
                const double mass = 1 / grains.row[g].inverse_mass;
                const double rotational = s.engine->rotational_energy(g);
                part.rotational += rotational;
                part.kinetic += 0.5 * mass * norm2(grains.velocity(g)) + rotational;
                part.potential -= mass * dot(s.motion.gravity, s.unwrapped(g));
            }
            return part;
        },
        [](EnergyReport a, const EnergyReport& b) {
            a.rotational += b.rotational;
            a.kinetic += b.kinetic;
            a.potential += b.potential;
            return a;
        });
    const EnergyAccount& account = s.world.energy;
    s.engine->each_contact([&](const ContactView& view) { sums.elastic += view.elastic_energy; });
    sums.dissipated_sliding = account.sliding;
    sums.dissipated_damping = account.damping_loss;
    sums.dissipated = account.contact_work - (s.shaped ? sums.elastic : 0) + account.damping_loss;
    sums.wall_work = account.wall_work;
    sums.gravity_work = account.gravity_work;
    sums.poured = account.poured;
    sums.removed = account.removed;
    sums.external_work = s.world.outside.work;
    return sums;
}

std::vector<WallReport> Simulation::walls() {
    Parts& s = *parts_;
    s.synchronise();
    std::vector<WallReport> reports;
    for (std::size_t w = 0; w < s.walls.size(); ++w) {
        const WallPlacement& placement = s.walls.placements[w];
        WallReport report;
        report.name = s.scene.walls[w].name;
        report.open = placement.open;
        report.moving = s.walls.set.ever_moves(w);
        report.force = s.world.walls[w].force;
        report.torque = s.world.walls[w].torque;
        report.displacement = placement.shift;
        report.velocity = placement.velocity;
        reports.push_back(report);
    }
    return reports;
}

Simulation::WallMesh Simulation::wall_mesh(std::size_t wall) const {
    const Parts& s = *parts_;
    if (s.walls.placements[wall].open) return {};
    // Cut unbounded walls to the space of the grains and the bounded walls, with a margin.
    Extent visible;
    for (std::size_t g = 0; g < s.world.grains.size(); ++g) visible.include(s.world.grains.position(g));
    for (std::size_t w = 0; w < s.walls.size(); ++w) {
        const Extent bounds = s.walls.set.bounds(w, s.walls.placements[w]);
        if (is_finite(bounds.low) && is_finite(bounds.high)) visible.include(bounds);
    }
    if (visible.empty()) visible.include(Vec3{});
    const double margin = 0.05 * norm(visible.high - visible.low) + 1e-9;
    visible.low -= Vec3{margin, margin, margin};
    visible.high += Vec3{margin, margin, margin};
    SurfaceMesh mesh = s.walls.set.mesh(wall, s.walls.placements[wall], visible);
    return {std::move(mesh.points), std::move(mesh.triangles), std::move(mesh.segments)};
}

}  // namespace scree
