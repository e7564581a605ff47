// A simulation as the library's own sources see it: the public face (scree/simulation.h), with the types that stand
// there by name only.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "scree/simulation.h"
#include "world/contact_list.h"
#include "world/phase.h"
#include "world/reports.h"
#include "world/world.h"

namespace scree {

struct Simulation::Restart {
    World world;
    ContactMemory contacts;
};

// What a run takes over from another one (Scene::start_from): its grains and their contacts. Time starts at 0 again.
// Indices in world and contacts refer to these names; grains of unknown groups keep their group under its old name.
struct Simulation::Inherited : Restart {
    std::vector<std::string> materials, groups, walls;
};

// Triangles of a wall as it stands now, for frames: points, and indices of triangles (3D) or segments (2D).
struct Simulation::WallMesh {
    std::vector<Vec3> points;
    std::vector<std::array<int, 3>> triangles;
    std::vector<std::array<int, 2>> segments;
};

// Reads what Scene::start_from names. Checkpoints are files, of which io knows (io/start.cpp); a program that links the
// engine alone has no such function, and cannot start from them.
[[gnu::weak]] Simulation::Inherited read_start(const Scene& scene);

}  // namespace scree
