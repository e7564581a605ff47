// What a host program does to the grains between two steps: it changes velocities, and holds forces. Both are booked as
// work from outside, so that the energy account closes.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "core/parallel.h"
#include "engine/parts.h"
#include "scree/error.h"

namespace scree {
namespace {

std::vector<Index> order_by_id(const Grains& grains) {
    std::vector<Index> order(grains.size());
    std::iota(order.begin(), order.end(), Index{0});
    parallel_stable_sort(order, [&](Index a, Index b) { return grains.id[a] < grains.id[b]; });
    return order;
}

void set_velocity(GrainRow& row, Vec3 v) {
    row.vx = v.x;
    row.vy = v.y;
    row.vz = v.z;
}

void set_rim(SpinRow& row, Vec3 rim) {
    row.x = rim.x;
    row.y = rim.y;
    row.z = rim.z;
}

Vec3 rim_of(const SpinRow& row) { return {row.x, row.y, row.z}; }

}  // namespace

MotionArrays Simulation::edit_motion() {
    Parts& s = *parts_;
    s.synchronise();
    Grains& grains = s.world.grains;
    if (!s.edit) {
        Parts::Edit before;
        for (std::size_t g = 0; g < grains.size(); ++g) {
            before.velocity.push_back(grains.velocity(g));
            before.rim.push_back(rim_of(grains.spin[g]));
        }
        before.elastic = s.stored_in_contacts();
        s.edit = std::move(before);
    }
    if (grains.size() == 0) return {};
    return {grains.size(), &grains.row[0].vx, sizeof(GrainRow), grains.shaped() ? nullptr : &grains.spin[0].x,
            sizeof(SpinRow)};
}

double Simulation::Parts::stored_in_contacts() const {
    double sum = 0;
    engine->each_contact([&](const ContactView& view) { sum += view.elastic_energy; });
    return sum;
}

// Fixed grains stay, and so does what a plane does not have. Numbers that are not finite take everything back.
void Simulation::Parts::book_edit() {
    Grains& grains = world.grains;
    const auto kinetic = [&](std::size_t g) {
        return 0.5 * norm2(grains.velocity(g)) / grains.row[g].inverse_mass + engine->rotational_energy(g);
    };
    for (std::size_t g = 0; g < grains.size(); ++g) {
        if (is_finite(grains.velocity(g)) && is_finite(rim_of(grains.spin[g]))) continue;
        for (std::size_t k = 0; k < grains.size(); ++k) {
            set_velocity(grains.row[k], edit->velocity[k]);
            set_rim(grains.spin[k], edit->rim[k]);
        }
        edit.reset();
        throw Error(ErrorKind::usage, fmt::format("the velocity or spin given to grain {} is not a finite number; the "
                                                  "grains have those from before the change",
                                                  grains.id[g]));
    }
    double work = 0;
    bool changed = false;
    for (std::size_t g = 0; g < grains.size(); ++g) {
        Vec3 v = grains.velocity(g), rim = rim_of(grains.spin[g]);
        Vec3 &v_before = edit->velocity[g], &rim_before = edit->rim[g];
        const bool fixed = grains.row[g].inverse_mass == 0;
        if (fixed) v = v_before;
        if (fixed || shaped) rim = rim_before;
        if (scene.dimension == 2) {
            v.z = v_before.z;
            rim = {rim_before.x, rim_before.y, rim.z};
        }
        set_velocity(grains.row[g], v);
        set_rim(grains.spin[g], rim);
        if (v == v_before && rim == rim_before) continue;
        changed = true;
        const double after = kinetic(g);
        set_velocity(grains.row[g], v_before);
        set_rim(grains.spin[g], rim_before);
        work += after - kinetic(g);
        set_velocity(grains.row[g], v);
        set_rim(grains.spin[g], rim);
        v_before = v;
        rim_before = rim;
    }
    if (!changed) return;
    // Springs are kept half a step ahead: what they hold now follows from the velocity, too. The account of bodies has
    // it as work of their contacts.
    const double elastic = stored_in_contacts();
    if (!shaped) work += elastic - edit->elastic;
    edit->elastic = elastic;
    world.outside.work += work;
    ++world.outside.edits;
    engine->forces_anew();
}

void Simulation::Parts::hold(std::vector<Vec3> Grains::*what, const char* name, std::span<const Vec3> by_rising_id) {
    if (scene.engine == "events")
        throw Error(
            ErrorKind::usage,
            fmt::format("{}: between collisions hard grains fly under gravity alone (engine = \"events\")", name));
    synchronise();
    const WorkersScope scope(workers);
    Grains& grains = world.grains;
    if (by_rising_id.size() != grains.size())
        throw Error(ErrorKind::usage,
                    fmt::format("{}: one for each of the {} grains is needed, by rising id; there are {}", name,
                                grains.size(), by_rising_id.size()));
    const bool turns = what == &Grains::outer_torque;
    for (const Vec3 v : by_rising_id) {
        if (!is_finite(v)) throw Error(ErrorKind::usage, fmt::format("{}: not all numbers are finite", name));
        if (scene.dimension == 2 && (turns ? v.x != 0 || v.y != 0 : v.z != 0))
            throw Error(ErrorKind::usage,
                        fmt::format("{}: in the plane it has {}", name, turns ? "a z alone" : "no z"));
    }
    grains.outer_force.resize(grains.size());
    grains.outer_torque.resize(grains.size());
    const std::vector<Index> order = order_by_id(grains);
    for (std::size_t k = 0; k < order.size(); ++k) (grains.*what)[order[k]] = by_rising_id[k];
    ++world.outside.edits;
    engine->forces_anew();
}

void Simulation::set_forces(std::span<const Vec3> by_rising_id) {
    parts_->hold(&Grains::outer_force, "forces", by_rising_id);
}
void Simulation::set_torques(std::span<const Vec3> by_rising_id) {
    parts_->hold(&Grains::outer_torque, "torques", by_rising_id);
}

std::vector<Vec3> Simulation::Parts::held(const std::vector<Vec3>& by_row) {
    const WorkersScope scope(workers);
    std::vector<Vec3> all(world.grains.size());
    if (by_row.empty()) return all;
    const std::vector<Index> order = order_by_id(world.grains);
    for (std::size_t k = 0; k < order.size(); ++k) all[k] = by_row[order[k]];
    return all;
}

std::vector<Vec3> Simulation::forces() const { return parts_->held(parts_->world.grains.outer_force); }
std::vector<Vec3> Simulation::torques() const { return parts_->held(parts_->world.grains.outer_torque); }

bool Simulation::edited() const { return parts_->world.outside.edits > 0; }

}  // namespace scree
