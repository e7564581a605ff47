// What the two families of bodies at walls (flat_points.h, wall_points.h) share: what they know of the walls, what they
// remember of a body at walls, and what they leave for a block of bodies.
#pragma once

#include <array>
#include <vector>

#include "engine/families/body_scene.h"
#include "wall/walls.h"

namespace scree {

struct BodyWalls {
    BodyWalls(const BodyScene& scene, const Walls& walls);
    // Where the walls are in this step.
    void place(const Walls& walls);

    // Whether a WallAccount sees to it that a body gets back from a wall no more than it gave. Elsewhere forces have a
    // potential, and none is needed.
    bool has_account(const Grains& grains, std::size_t g, std::int32_t wall) const {
        return !is_flat[static_cast<std::size_t>(wall)] || scene.bodies.features[grains.shape[g]].is_crowded;
    }
    // How near two points on a wall are that share a weight; 0: no two are.
    double near_points(const Grains& grains, std::size_t g, std::size_t wall) const {
        if (is_flat[wall] && !scene.bodies.features[grains.shape[g]].is_crowded) return 0;
        return Bodies::weights_reach * scene.bodies.shapes[grains.shape[g]].reach * grains.scale[g];
    }
    std::uint16_t type(const Grains& grains, std::size_t g, std::size_t wall) const {
        return scene.materials.type(grains.material[g], materials[wall]);
    }

    const BodyScene& scene;
    std::vector<std::uint8_t> materials;
    std::vector<bool> moves, is_flat, is_sheet;
    std::vector<std::array<Surface::Face, 6>> faces;  // of those that are flat
    std::vector<Vec3> center;                         // that torques are about
};

struct WallPoint {
    std::int32_t wall, feature;
    std::uint32_t key;  // piece and vertex
};
struct WallMemory {
    std::vector<WallPoint> points;
    std::vector<double> numbers;  // of the law, for each
};
struct WallAccount {  // of one body and one wall, see BodyWalls::has_account and PatchLaw::paid_share
    std::int32_t wall;
    bool touched;  // in the last step
    double taken, power;
};

// One body near walls: what a checkpoint has of it and observers ask, whichever family it is in.
struct GrainWalls {
    Index grain;
    bool moving;  // whether one of the walls ever does
    double mark;  // the least of the marks
    std::vector<WallFeature> near;
    WallMemory memory;
    std::vector<WallAccount> accounts;  // of the walls it touches
    std::vector<double> marks;          // of each corner, see geometry/odometer.h
};

// A body and a wall are one contact, however many points they share.
std::size_t walls_touched(const std::vector<WallPoint>& points);

// What the walls do to a block of bodies, and it to them.
struct WallSums {
    std::vector<ForceRow> rows;  // of each body; empty without walls
    std::vector<WallLoad> loads;
};

}  // namespace scree
