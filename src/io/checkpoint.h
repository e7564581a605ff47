// Checkpoints: the whole state of a run in one HDF5 file, from which it goes on bit for bit.
//
// The file is self-describing: every dataset names its columns in the attribute `columns`, the scene is inside as text,
// and any HDF5 tool reads it (docs/format-checkpoint.md lists the contents). Before the HDF5 part stand 512 bytes of
// text with a checksum of the rest. A damaged file is therefore recognised before the HDF5 library sees it, which
// matters because that library can crash on damaged files.
//
// A checkpoint is written under a temporary name, brought to the disk, and renamed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/simulation.h"
#include "scree/error.h"
#include "world/contact_list.h"
#include "world/world.h"

namespace scree {

// How far the other files of the run folder had got, so that resuming can cut them there. Counts what is due by the
// scene's intervals alone: the extra row and frame at an end that turned out not to be the end are not part of the run.
struct OutputProgress {
    std::uint64_t series_bytes = 0;
    std::vector<std::int64_t> frame_steps;            // step of every frame
    std::vector<std::uint64_t> measure_bytes;         // of the files of the measures, in their order in the scene
    std::vector<std::vector<double>> measure_memory;  // what measures over time remember
    friend bool operator==(const OutputProgress&, const OutputProgress&) = default;
};

struct CheckpointNames {
    std::vector<std::string> materials, groups, walls;  // what the indices in world and contacts refer to
};

struct Checkpoint {
    World world;
    ContactMemory contacts;
    CheckpointNames names;
    OutputProgress output;
    std::string scene;    // TOML text of the scene as run
    std::string version;  // of the program that wrote it
};

// Throws Error(file) when it cannot be written; then nothing is left behind and an older file of that name is
// untouched.
void write_checkpoint(const std::filesystem::path& path, const World& world, const ContactMemory& contacts,
                      const CheckpointNames& names, const OutputProgress& output, const std::string& scene);

// What read_checkpoint throws for a whole file that a later version of scree has written.
class NewerFormat : public Error {
  public:
    explicit NewerFormat(const std::string& message) : Error(ErrorKind::bad_input, message) {}
};

// Throws Error(bad_input) when the file is not a checkpoint, NewerFormat, or Error(file) when it is damaged or cannot
// be read.
Checkpoint read_checkpoint(const std::filesystem::path& path);

// Writes the title, the size and the checksum of what follows them into an open checkpoint.
void seal_checkpoint(int descriptor, const std::filesystem::path& path);

// Throws Error(file), saying what makes no sense, unless a run can go on from this state. (Checkpoints of broken states
// can be read, for a look at them.)
void require_sound(const Checkpoint& checkpoint);
// The same, and unless the state is one of the scene.
void require_state_of(const Scene& scene, const Checkpoint& checkpoint);

// The folder of a run's checkpoints: the last two good ones are kept.
class CheckpointFolder {
  public:
    explicit CheckpointFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

    std::filesystem::path path_for(std::int64_t step) const;
    // Good ones by name, newest first; temporary and foreign files are not among them.
    std::vector<std::filesystem::path> list() const;
    // Removes all but the newest two, and what a killed run left under temporary names.
    void prune() const;

  private:
    std::filesystem::path folder_;
};

// Reads a checkpoint file, or the newest good one of a run folder. One that is damaged in whatever way, or that
// `accept` throws for, is passed over with a warning; one of a newer format is not damaged. Throws Error when there is
// none.
struct FoundCheckpoint {
    Checkpoint checkpoint;
    std::filesystem::path path;
};
FoundCheckpoint find_checkpoint(const std::filesystem::path& file_or_run_folder,
                                const std::function<void(const std::string&)>& warn,
                                const std::function<void(const Checkpoint&)>& accept = require_sound);

}  // namespace scree
