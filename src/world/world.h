// The state of a simulation: everything the next step reads, except the contacts' memory (engine/families keep
// that with their lists). Flat arrays; hot state in rows as the kernel loads them.
//
// The list of grain fields exists once, in visit_fields(): storage, sorting, pouring, removal and checkpoints go by it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "scree/vec.h"
#include "shape/rotation.h"

namespace scree {

using Index = std::uint32_t;

// Position, radius, velocity, inverse mass (0 for fixed grains). Velocity is that at the end of the step, or while a
// step is under way the one predicted for its end (DESIGN: synchronised velocities).
struct alignas(64) GrainRow {
    double x, y, z, radius, vx, vy, vz, inverse_mass;
};
// Radius times spin, and 1/radius.
struct alignas(32) SpinRow {
    double x, y, z, inverse_radius;
};
// Sums over the contacts of a grain; they last for one step (engine/rows.h). t is the torque divided by the radius;
// `slipped` is the energy that the contacts owned by the grain (those where it comes first) lose in this step in
// sliding, `lost` what they lose otherwise (of spheres; that of bodies is known by the work of their forces).
struct alignas(64) ForceRow {
    double fx, fy, fz, lost, tx, ty, tz, slipped;
};
// Of the last step, gravity included; and radius times angular acceleration.
struct AccelerationRow {
    double x, y, z, rim_x, rim_y, rim_z;
};
struct Images {
    std::array<std::int16_t, 4> count{};  // how often the grain crossed each periodic axis upwards, less downwards
};

struct Grains {
    std::vector<GrainRow> row;
    std::vector<SpinRow> spin;
    std::vector<AccelerationRow> acceleration;
    std::vector<Index> id;
    std::vector<std::uint8_t> material;  // index into Scene::materials
    std::vector<std::uint16_t> group;    // index into Scene::grains
    std::vector<Images> images;

    // Of scenes with grains that are not spheres; empty otherwise. In such scenes row.radius is that of a ball around
    // the grain, and the second half of `acceleration` holds the torque of the last step.
    std::vector<Quaternion> orientation;
    std::vector<Vec3> momentum;        // angular, in the world's axes
    std::vector<double> scale;         // of the shape
    std::vector<std::uint16_t> shape;  // 0: sphere, else 1 + index into Scene::shapes
    bool shaped() const { return !shape.empty(); }

    // What a host program puts on the grains (N and N m), held until it says otherwise; empty when it never did.
    std::vector<Vec3> outer_force, outer_torque;
    bool driven() const { return !outer_force.empty(); }

    std::size_t size() const { return row.size(); }
    Vec3 position(std::size_t i) const { return {row[i].x, row[i].y, row[i].z}; }
    Vec3 velocity(std::size_t i) const { return {row[i].vx, row[i].vy, row[i].vz}; }
    Vec3 angular_velocity(std::size_t i) const {
        return spin[i].inverse_radius * Vec3{spin[i].x, spin[i].y, spin[i].z};
    }
};

// The fields of grains that are not spheres.
template <class GrainsLike, class Visit>
void visit_shape_fields(GrainsLike& grains, Visit&& visit) {
    visit("orientation", "w,x,y,z", grains.orientation);
    visit("momentum", "x,y,z", grains.momentum);
    visit("scale", "scale", grains.scale);
    visit("shape", "shape", grains.shape);
}

template <class GrainsLike, class Visit>
void visit_outer_fields(GrainsLike& grains, Visit&& visit) {
    visit("outer_force", "x,y,z", grains.outer_force);
    visit("outer_torque", "x,y,z", grains.outer_torque);
}

// Calls visit(name, columns, vector) for every stored field; columns names the numbers of one element.
template <class GrainsLike, class Visit>
void visit_fields(GrainsLike& grains, Visit&& visit) {
    visit("row", "x,y,z,radius,vx,vy,vz,inverse_mass", grains.row);
    visit("spin", "radius_wx,radius_wy,radius_wz,inverse_radius", grains.spin);
    visit("acceleration", "x,y,z,rim_x,rim_y,rim_z", grains.acceleration);
    visit("id", "id", grains.id);
    visit("material", "material", grains.material);
    visit("group", "group", grains.group);
    visit("images", "x,y,z,unused", grains.images);
    if (grains.shaped()) visit_shape_fields(grains, visit);
    if (grains.driven()) visit_outer_fields(grains, visit);
}

// The moving state of one wall; prescribed motions depend on time alone and need none of it.
struct WallState {
    double displacement = 0, speed = 0, acceleration = 0;  // of a free piston along its direction
    Vec3 force, torque;  // of the grains on the wall in the last step; torque about the wall's reference point
};

// The energy account: what has entered and left, in joule, since the start. Powers are integrated by the trapezoid
// rule: with whole steps the account would be off by half a step of every contact under way.
//
// What spheres lose in contacts is known by mechanism (contact/law.h). Patches of bodies have energies that jump when
// they turn into others: there it is the work of all forces at the velocities of whole steps, which is the work over
// the way of each step to the last term (engine/kernels/body_kernel.cpp), less what is stored.
struct EnergyAccount {
    double contact_work = 0;  // lost in contacts; of bodies with what is stored there
    double sliding = 0;       // part of it lost in sliding friction
    double damping_loss = 0;  // by linear damping
    double wall_work = 0;     // done by moving walls on the grains
    double gravity_work = 0;  // by the turning of gravity
    double poured = 0;        // kinetic and potential energy of grains poured in
    double removed = 0;       // of grains removed, elastic energy of their contacts included
    double contact_power = 0, damping_power = 0, wall_power = 0;  // of the last step, in watt

    // A power that only the next step can tell: it is then taken for that of the last one, too.
    static constexpr double unknown_power = -1e300;
};

// What a host program has done to the grains (engine/outside.cpp).
struct OutsideAccount {
    double work = 0;         // J, by forces it holds and by changes of velocities
    double power = 0;        // W, of these forces in the last step
    std::int64_t edits = 0;  // how often it has changed forces or velocities
};

struct PourState {
    std::int64_t poured = 0;  // grains so far
    std::uint64_t draws = 0;  // random numbers used
};

struct World {
    std::int64_t step = 0;  // time = step * time_step
    double time_step = 0;
    double automatic_step = 0;  // as chosen at the start, whatever step is used: laws may take times from it
    double contact_time = 0;    // as chosen at the start, for materials that leave it open; 0: none does
    Grains grains;
    std::vector<WallState> walls;  // as Scene::walls
    std::vector<PourState> pours;  // as Scene::grains
    EnergyAccount energy;
    OutsideAccount outside;
    Index next_id = 0;
    std::int64_t removed = 0;            // by the outflow
    double collision_cutoff = -1;        // s, engine "events", as chosen at the start
    std::vector<double> last_collision;  // engine "events": time since then, negative, by row; else empty
    double max_overlap = 0;              // of the smaller radius, largest since the start

    double time() const { return static_cast<double>(step) * time_step; }
};

// Hash of positions, velocities and spins of all grains in identity order; orientations too where grains have one.
std::string state_hash_hex(const Grains& grains);

}  // namespace scree
