// A run folder as its onlookers see it, while it is being written or later. Nothing is locked or changed.
//
// Files are opened relative to the folder's descriptor, one name at a time, and never through a symbolic link; so
// whatever a request asks for, nothing outside the folder can be read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/files.h"
#include "io/vtk_reader.h"

namespace scree {

// The files of a frame, by the beginning of their names.
enum class FrameKind { grains, contacts, walls, triangulation, cells };
const char* frame_kind_name(FrameKind kind);
std::optional<FrameKind> frame_kind(const std::string& name);

class RunFiles {
  public:
    // Throws Error(file) when there is no such folder, Error(bad_input) when it is no run folder.
    explicit RunFiles(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return path_; }
    std::string name() const;
    // Times of all frames, by their index run.pvd; as far as it can be read.
    const std::vector<double>& frame_times();
    // Frames that have a file of this kind, sorted; for kinds that not every frame has. Triangulations and cells are
    // those that `scree export --format vtk` has put into export/vtk, or lie among the frames.
    std::vector<std::size_t> frames_with(FrameKind kind) const;
    // None when the file is not there, is no regular file, or a link.
    std::optional<VtkFile> frame(FrameKind kind, std::size_t number) const;
    // The same of a kind that every frame has. Throws Error(file) when it is not there.
    VtkFile needed(FrameKind kind, std::size_t number) const;
    // A part of a file of the folder itself, e.g. run.json; none when it is not there.
    std::optional<std::string> text(const std::string& file_name, std::uint64_t from = 0,
                                    std::size_t most = most_text) const;
    static constexpr std::size_t most_text = std::size_t(256) << 20;
    std::uint64_t size_of(const std::string& file_name) const;  // 0 when it is not there
    // Tables of measures that the run has taken: measures/NAME.csv.
    std::vector<std::string> measures() const;
    std::optional<std::string> measure(const std::string& name, std::uint64_t from = 0,
                                       std::size_t most = most_text) const;
    // Meshes of grains of other shapes: shapes/NAME.stl.
    std::vector<std::string> shapes() const;
    std::optional<std::string> shape(const std::string& name) const;

  private:
    // `folder` is a way from the run's folder, such as "export/vtk", or empty.
    FileHandle folder_at(std::string_view folder) const;
    std::optional<FileHandle> open_in(std::string_view folder, const std::string& file_name) const;
    std::vector<std::string> names_in(std::string_view folder) const;
    // Of the files that end so, without the ending.
    std::vector<std::string> stems_in(std::string_view folder, std::string_view ending) const;

    std::filesystem::path path_;
    FileHandle folder_;
    std::vector<double> times_;
    std::size_t index_size_ = 0;  // of run.pvd when the times were read
    std::int64_t index_moment_ = -1, index_file_ = -1;
};

}  // namespace scree
