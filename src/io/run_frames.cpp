#include "io/run_frames.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "shape/shape.h"

namespace scree {

FrameFolder::FrameFolder(std::filesystem::path folder, const std::vector<FrameMoment>& kept)
    : folder_(std::move(folder)),
      index_path_(folder_ / "run.pvd"),
      count_(kept.size()) {
    std::vector<std::filesystem::path> stale;
    std::vector<std::string> current;
    for (std::size_t k = 0; k < kept.size(); ++k)
        for (const auto& name : {grain_frame_name(k), contact_frame_name(k), wall_frame_name(k)})
            current.push_back(name);
    std::sort(current.begin(), current.end());
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored)) {
        const std::string name = entry.path().filename().string();
        const bool is_frame = name.ends_with(".vtp") && (name.starts_with("grains_") || name.starts_with("contacts_") ||
                                                         name.starts_with("walls_"));
        if (is_temporary_name(entry.path()) || (is_frame && !std::binary_search(current.begin(), current.end(), name)))
            stale.push_back(entry.path());
    }
    for (const auto& path : stale) std::filesystem::remove(path, ignored);

    std::string entries = frame_index_head();
    for (std::size_t k = 0; k < kept.size(); ++k) entries += frame_index_entry(k, kept[k]);
    entries_end_ = entries.size();
    replace_file(index_path_, entries + frame_index_tail(), Durability::crash_of_program);
    index_ = open_own_file(index_path_);
}

// The surfaces that the grains of all frames are made of, at scale 1, about the center of mass along the axes given.
void FrameFolder::write_shapes(Simulation& simulation) const {
    const std::filesystem::path folder = folder_.parent_path() / "shapes";
    std::error_code ignored;
    std::filesystem::create_directory(folder, ignored);
    for (const Shape* shape : simulation.shapes())
        replace_file(folder / (shape->name + ".stl"), stl_bytes(surface_as_given(*shape), shape->name),
                     Durability::crash_of_program);
}

static FrameNames frame_names(const Simulation& simulation) {
    FrameNames names{simulation.group_names(), {}, {}};
    for (const Material& material : simulation.scene().materials) names.materials.push_back(material.name);
    const std::vector<GrainGroup>& groups = simulation.scene().grains;
    if (std::all_of(groups.begin(), groups.end(), [](const GrainGroup& group) { return group.color.empty(); }))
        return names;
    for (const GrainGroup& group : groups) names.group_colors.push_back(group.color);
    names.group_colors.resize(names.groups.size());  // groups taken over from another run have none
    return names;
}

void FrameFolder::write_files(Simulation& simulation, FrameMoment moment) const {
    const World& world = simulation.synchronised_world();
    const auto& periodic = simulation.scene().periodic;
    const bool is_periodic =
        std::any_of(periodic.begin(), periodic.end(), [](const auto& axis) { return axis.has_value(); });
    const EachContact each_contact = [&](const auto& visit) { simulation.each_contact(visit); };
    if (count_ == 0 && !simulation.shapes().empty()) write_shapes(simulation);
    write_grain_frame(folder_ / grain_frame_name(count_), moment, world.grains,
                      count_contacts(world.grains, each_contact),
                      grain_pressures(world.grains, each_contact, simulation.scene().dimension, &simulation.scene(),
                                      simulation.shapes()),
                      frame_names(simulation), is_periodic, simulation.shapes(), simulation.scene().dimension);
    write_contact_frame(folder_ / contact_frame_name(count_), moment, world.grains, each_contact, &simulation.scene());
    const std::vector<WallReport> walls = simulation.walls();
    std::vector<Simulation::WallMesh> meshes;
    for (std::size_t w = 0; w < walls.size(); ++w) meshes.push_back(simulation.wall_mesh(w));
    write_wall_frame(folder_ / wall_frame_name(count_), moment, walls, meshes);
}

void FrameFolder::remove_files(std::size_t number) const {
    for (const auto& name : {grain_frame_name(number), contact_frame_name(number), wall_frame_name(number)})
        ::unlink((folder_ / name).c_str());
}

void FrameFolder::add(Simulation& simulation) {
    const FrameMoment moment{simulation.time(), simulation.step_count()};
    const std::string tail = frame_index_tail();
    int error = 0;
    try {
        write_files(simulation, moment);
        // The new entry and the tail replace the old tail in one write, so that the index is whole for its readers.
        const std::string entry = frame_index_entry(count_, moment);
        const std::string end = entry + tail;
        error = write_at(index_.get(), end.data(), end.size(), entries_end_);
        if (error == 0) {
            entries_end_ += entry.size();
            ++count_;
            return;
        }
    } catch (...) {
        remove_files(count_);
        throw;
    }
    remove_files(count_);
    // The old tail lies within the file: putting it back needs no space.
    write_at(index_.get(), tail.data(), tail.size(), entries_end_);
    [[maybe_unused]] const int cut = ::ftruncate(index_.get(), static_cast<off_t>(entries_end_ + tail.size()));
    throw_file_error("write", index_path_, error);
}

}  // namespace scree
