// The frames of a run folder with their index run.pvd: numbered from 0, added one by one, cut back when a run resumes.
#pragma once

#include <filesystem>
#include <vector>

#include "io/files.h"
#include "io/vtk_frames.h"

namespace scree {

class FrameFolder {
  public:
    // Keeps the files of the first kept.size() frames, which show these moments, and removes all later ones.
    FrameFolder(std::filesystem::path folder, const std::vector<FrameMoment>& kept);

    // Writes the next frame. When that fails, nothing of it is left.
    void add(Simulation& simulation);
    std::size_t count() const { return count_; }

  private:
    void write_files(Simulation& simulation, FrameMoment moment) const;
    void write_shapes(Simulation& simulation) const;
    void remove_files(std::size_t number) const;

    std::filesystem::path folder_, index_path_;
    FileHandle index_;
    std::size_t count_ = 0;
    std::size_t entries_end_ = 0;  // bytes of the index before its tail
};

}  // namespace scree
