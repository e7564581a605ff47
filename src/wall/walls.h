// The walls of a running simulation: their surfaces, where they are now, and what the grains do to them.
#pragma once

#include <vector>

#include "wall/wall.h"

namespace scree {

// What the grains do to a wall in one step.
struct WallLoad {
    Vec3 force, torque;
    double power = 0;  // that the wall puts into the grains

    void operator+=(const WallLoad& other) {
        force += other.force;
        torque += other.torque;
        power += other.power;
    }
};

struct Walls {
    explicit Walls(const Scene& scene) : set(scene), materials(scene.walls.size()) {
        for (std::size_t w = 0; w < scene.walls.size(); ++w)
            for (std::size_t m = 0; m < scene.materials.size(); ++m)
                if (scene.materials[m].name == scene.walls[w].material) materials[w] = static_cast<std::uint8_t>(m);
    }
    std::size_t size() const { return materials.size(); }
    // Walls and holes that are open; it changes when one opens.
    std::size_t open_count() const {
        std::size_t count = 0;
        for (const WallPlacement& placement : placements)
            count += static_cast<std::size_t>(placement.open) + static_cast<std::size_t>(!placement.hole_closed);
        return count;
    }

    WallSet set;
    std::vector<WallPlacement> placements;
    std::vector<std::uint8_t> materials;
    double law_reach = 0;  // distance beyond touching at which the law acts
};

}  // namespace scree
