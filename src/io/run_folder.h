// The folder of one run: which files it has, who may write into it, what a new run clears away. docs/run-folder.md
// describes the files.
#pragma once

#include <filesystem>
#include <string>

#include "io/files.h"

namespace scree {

class RunFolder {
  public:
    // Throws Error(file) unless a new run may be put there: the folder does not exist, is empty, or force is given.
    // Changes nothing.
    static void check_free(const std::filesystem::path& path, bool force);
    // Makes the folder. With force, the files of an earlier run in it are removed; files of others stay.
    static RunFolder create(const std::filesystem::path& path, bool force);
    // An existing run, to be continued.
    static RunFolder open(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path record() const { return path_ / "run.json"; }
    std::filesystem::path scene() const { return path_ / "scene.toml"; }
    std::filesystem::path inputs() const { return path_ / "scene-files"; }
    std::filesystem::path series() const { return path_ / "series.csv"; }
    std::filesystem::path frames() const { return path_ / "frames"; }
    std::filesystem::path measures() const { return path_ / "measures"; }
    std::filesystem::path checkpoints() const { return path_ / "checkpoints"; }

  private:
    explicit RunFolder(const std::filesystem::path& path);
    std::filesystem::path path_;
    FileHandle lock_;  // held while this lives; the system lets go of it even after kill -9
};

}  // namespace scree
