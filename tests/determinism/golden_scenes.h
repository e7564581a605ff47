// Short scenes of grains that are not spheres and of hard grains, for the golden endings: between them every kind of
// shape, law and wall, borders, motion, pouring and outflow.
#pragma once

#include <cstdint>
#include <ostream>
#include <span>

#include "engine/scenes.h"

namespace scree::scenes {

struct GoldenScene {
    const char* name;
    Scene (*make)();
    std::int64_t steps;
};
inline void PrintTo(const GoldenScene& golden, std::ostream* out) { *out << golden.name; }

// Meshes are written into the folder of temporary files and removed at the end of the program.
std::span<const GoldenScene> golden_shapes_and_events();

}  // namespace scree::scenes
