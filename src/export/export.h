// Frames of a run in the formats of other programs. docs/formats.md describes the files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/run_reader.h"

namespace scree {

struct ExportedFiles {
    std::vector<std::filesystem::path> files;
};

// Each writes into an existing folder and returns the files written.
ExportedFiles export_csv(const RunReader& run, const std::vector<std::size_t>& frames,
                         const std::filesystem::path& folder);  // tables.cpp
ExportedFiles export_lammps(const RunReader& run, const std::vector<std::size_t>& frames,
                            const std::filesystem::path& folder);  // tables.cpp
ExportedFiles export_vtk(const RunReader& run, const std::vector<std::size_t>& frames,
                         const std::filesystem::path& folder);  // vtk_structure.cpp
ExportedFiles export_povray(const RunReader& run, const std::vector<std::size_t>& frames,
                            const std::filesystem::path& folder);  // povray.cpp
ExportedFiles export_x3d(const RunReader& run, const std::vector<std::size_t>& frames,
                         const std::filesystem::path& folder);  // x3d.cpp
ExportedFiles export_stl(const RunReader& run, const std::vector<std::size_t>& frames,
                         const std::filesystem::path& folder);  // stl.cpp

// What pictures need: a box around grains and walls, a place to look from, colors of groups.
struct View {
    Vec3 low, high, center, eye, up;
    double size = 0;   // diagonal of the box
    double angle = 0;  // of view, in degrees
};
View view_of(const Snapshot& snapshot, const WallPicture& walls);
Vec3 group_color(std::size_t group);  // red, green, blue in [0, 1]

}  // namespace scree
