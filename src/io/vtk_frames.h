// What a frame shows: grains as points, contacts as lines, walls as triangles (segments in 2D). One file each, see
// docs/format-vtk.md for the arrays.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/simulation.h"
#include "world/contact_list.h"
#include "world/world.h"

namespace scree {

struct FrameMoment {
    double time = 0;
    std::int64_t step = 0;
};

// Calls its argument for every contact, each time in the same order.
using EachContact = std::function<void(const std::function<void(const ContactView&)>&)>;

// Number of contacts of each grain, by row. Bodies that touch at several points count once.
std::vector<std::uint16_t> count_contacts(const Grains& grains, const EachContact& each_contact);

// Mean normal stress of each grain, by row: its contacts' forces times their distances over its volume and dimension.
// The scene and the shapes are those of grains that are not spheres.
std::vector<float> grain_pressures(const Grains& grains, const EachContact& each_contact, int dimension,
                                   const Scene* scene = nullptr, std::span<const Shape* const> shapes = {});

// What the numbers in a frame stand for.
struct FrameNames {
    std::vector<std::string> groups, materials;
    std::vector<std::string> group_colors;  // "#rrggbb" or empty, by group; none at all where no group has one
};

// Grains in the order of their identities, so that a grain keeps its place from frame to frame while none comes or
// goes.
void write_grain_frame(const std::filesystem::path& path, FrameMoment moment, const Grains& grains,
                       const std::vector<std::uint16_t>& contact_counts, const std::vector<float>& pressures,
                       const FrameNames& names, bool periodic, std::span<const Shape* const> shapes = {},
                       int dimension = 3);

// From the center of grain a to the center of b as seen from a (across a periodic border where the contact is), or to
// the touching point at a wall. Of grains that are not spheres (which need the scene) point and normal are told too:
// neither lies on that line.
void write_contact_frame(const std::filesystem::path& path, FrameMoment moment, const Grains& grains,
                         const EachContact& each_contact, const Scene* scene = nullptr);

// Walls that have opened are left out.
void write_wall_frame(const std::filesystem::path& path, FrameMoment moment, const std::vector<WallReport>& walls,
                      const std::vector<Simulation::WallMesh>& meshes);

// The time index for ParaView (.pvd), which lies in the folder of the frames: head, one entry per frame, tail.
std::string frame_index_head();
std::string frame_index_entry(std::size_t number, FrameMoment moment);
std::string frame_index_tail();
// The names of the files of frame `number` (from 0).
std::string grain_frame_name(std::size_t number);
std::string contact_frame_name(std::size_t number);
std::string wall_frame_name(std::size_t number);

}  // namespace scree
