// Run folders: a simulation run with all its outputs on the disk, as the command does it, and such a folder read back.
// docs/run-folder.md describes the files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scree/error.h"
#include "scree/export.h"
#include "scree/grains.h"
#include "scree/measure.h"
#include "scree/scene.h"

namespace scree {

class Simulation;

// ---- Writing --------------------------------------------------------------------------------------------------------

struct RunFolderOptions {
    std::optional<double> until;  // s, in place of the scene's duration
    bool overwrite = false;       // an earlier run in the folder; files that are not a run's stay
    // Asked after every step; true ends the run with a checkpoint, from which it can go on.
    std::function<bool()> stop;
    // Told what a user may want to know, a line at a time.
    std::function<void(const std::string&)> note;
};

struct RunFolderEnding {
    std::string status;          // "done", "stopped", "invalid" or "failed"
    std::string record;          // the text of run.json
    std::optional<Error> error;  // why it is invalid or failed
};

// Runs a simulation that is at its start into a new folder: series, frames, measures and checkpoints at the intervals
// of the scene. `every` of the simulation is called, too. What goes wrong before the first step is thrown: Error(file)
// when the folder cannot be made or holds something. What goes wrong later is in the status and in run.json, and the
// last checkpoint stays good.
SCREE_EXPORT RunFolderEnding run_into_folder(Simulation& simulation, const std::string& folder,
                                             const RunFolderOptions& options = {});

// The same in parts, for programs that do something in between. The simulation must outlive it.
class Recording {
  public:
    enum class Begin {
        anew,       // makes the folder, and writes the state at the start
        overwrite,  // the same in place of an earlier run
        resume,     // goes on in a folder from whose last checkpoint the simulation was loaded
    };
    // Throws as run_into_folder(), and Error(usage) when the simulation is not at that checkpoint.
    SCREE_EXPORT Recording(Simulation& simulation, const std::string& folder, Begin how = Begin::anew);
    // Leaves a checkpoint behind, after step().
    SCREE_EXPORT ~Recording();
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

    // To `until`, or to the end of the scene, as the command does; the next part continues as `scree resume` does, with
    // the files of a run that was never interrupted.
    SCREE_EXPORT RunFolderEnding run(const RunFolderOptions& options);
    // So many steps, with what is due in them; for the last of them nothing is written on top of that, no checkpoint
    // either. Of the options `stop` and `note` count.
    SCREE_EXPORT RunFolderEnding step(std::int64_t steps, const RunFolderOptions& options);
    // Writes a checkpoint now.
    SCREE_EXPORT void save();

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// Writes the state as it is, as a run folder of one frame: for whatever reads runs.
SCREE_EXPORT void write_moment(Simulation& simulation, const std::string& folder);

// ---- Reading --------------------------------------------------------------------------------------------------------

// A run folder, finished or while another program writes it. Frames are read when they are asked for, one at a time.
class Run {
  public:
    // Throws Error(file or bad_input) when this is not the folder of a run, or has no frame yet.
    SCREE_EXPORT explicit Run(const std::string& folder);
    SCREE_EXPORT ~Run();
    SCREE_EXPORT Run(Run&&) noexcept;
    SCREE_EXPORT Run& operator=(Run&&) noexcept;

    // As it was run, with every default written out.
    SCREE_EXPORT const Scene& scene() const;
    // The text of run.json: status, speed, energies, the hash of the state.
    SCREE_EXPORT std::string record() const;
    // series.csv: a row per sample, the first column is the time.
    SCREE_EXPORT Table series() const;

    // Frames, by number from 0. They were there when the Run was made.
    SCREE_EXPORT std::size_t size() const;
    SCREE_EXPORT double time(std::size_t frame) const;    // s
    SCREE_EXPORT std::size_t nearest(double time) const;  // the frame nearest to this time
    // The grains of a frame by rising id; masses from density and volume. Takes the time of reading a file.
    SCREE_EXPORT std::vector<Grain> grains(std::size_t frame) const;
    // A measure of a frame (scree/measure.h). Measures over time read all frames before it, too.
    SCREE_EXPORT Table measure(const std::string& what, std::size_t frame) const;
    SCREE_EXPORT Table measure(const std::string& what) const;  // of the last frame

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// ---- Looking --------------------------------------------------------------------------------------------------------

struct PageOptions {
    std::optional<std::uint64_t> most_bytes;  // frames are left out until the page fits
    std::optional<std::size_t> grains;        // show about so many of them, and no contacts
    bool contacts = true;                     // force chains need them
    std::string caption;                      // below the picture; empty: title, grains, time
    std::string link;  // what is shown first, in the words of docs/viewer.md: "color=speed&chains"
};

// Writes one HTML file that holds the viewer and the run, as `scree view --export`. Throws Error(usage) when it cannot
// be made to fit, Error(run_time) when the library was built without the viewer.
SCREE_EXPORT void export_page(const std::string& run_folder, const std::string& file, const PageOptions& options = {});

}  // namespace scree
