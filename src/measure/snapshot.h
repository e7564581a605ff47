// What a measure sees of one moment: grains in the order of their identities, contacts with forces, the scene. It is
// taken of a simulation between steps (here), or read from a frame of a run folder (io/frame_reader.h), so that the
// same code measures during a run and after it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/simulation.h"
#include "scree/scene.h"
#include "shape/rotation.h"

namespace scree {

class ShapeTable;

struct SnapshotContact {
    std::uint32_t a = 0, b = 0;  // rows of the snapshot; b is a at a wall
    std::int32_t wall = -1;      // -1 between grains
    double overlap = 0;
    Vec3 normal;  // from b (or the wall) to a
    Vec3 branch;  // from the center of b, or the touching point of the wall, to the center of a
    Vec3 point;
    Vec3 force;  // on a
    bool is_wall() const { return wall >= 0; }
};

struct Snapshot {
    double time = 0;
    std::int64_t step = 0;
    const Scene* scene = nullptr;

    std::vector<std::uint32_t> id;
    std::vector<Vec3> position, velocity, spin;
    std::vector<double> radius;  // of the sphere; for other shapes that of the smallest enclosing one
    std::vector<double> volume;  // in 2D the area
    std::vector<double> mass;
    std::vector<std::uint16_t> group;
    std::vector<std::uint8_t> material;
    std::shared_ptr<const ShapeTable> shapes;  // null when all grains of the run are spheres
    std::vector<std::uint16_t>
        shape;  // number in it, 0 is the sphere; this and the next three are empty when all are spheres
    std::vector<Quaternion> orientation;
    std::vector<double> scale;  // of the shape
    std::vector<Vec3> inertia;  // principal, per mass
    std::vector<Vec3>
        shaft;  // unit vector along the longest axis, zero for grains that have none; empty when all are spheres
    std::vector<std::string> group_names;
    std::vector<WallState> walls;           // displacements of free pistons; all others follow from the time
    std::vector<SnapshotContact> contacts;  // each once, in no particular order
    std::optional<EnergyReport> energy;     // a simulation knows it, a frame does not

    std::size_t size() const { return id.size(); }
    int dimension() const { return scene->dimension; }
    bool has_shape(std::size_t k) const { return !shape.empty() && shape[k] != 0; }
    bool is_round(std::size_t k) const;  // a sphere or disc of `radius`, whatever its shape is called
    // Grains that do not move by themselves.
    bool is_fixed(std::size_t k) const;
};

// The state after the last step. Contacts take time and memory; not all measures need them.
Snapshot snapshot_of(Simulation& simulation, bool with_contacts = true);

// What is known of grains that are not spheres, before complete(): number of the shape (0 is the sphere), orientation
// and scale of each give volumes and shafts too.
void add_shapes(Snapshot& snapshot, std::shared_ptr<const ShapeTable> shapes, std::span<const std::uint16_t> shape,
                std::span<const Quaternion> orientation, std::span<const double> scale);

// Fills volume (where not known) and mass from radius, material and group, and puts all grains in the order of id.
// Contacts must be added after it.
void complete(Snapshot& snapshot);

// Spheres of a glued cluster that are bound to each other: they pull as well as push, and never part.
bool is_bond(const Snapshot& snapshot, const SnapshotContact& contact);

// The shortest of the vectors that lead to `d` across periodic borders.
Vec3 nearest_image(const Scene& scene, Vec3 d);

}  // namespace scree
