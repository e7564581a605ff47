// A run: a simulation stepped to its end with all outputs on the way, in a run folder.
//
// Rows, frames and checkpoints fall on steps that depend on the scene alone (engine/schedule.h). The first and the last
// state get a row and a frame too; those of the last are not counted in the checkpoint when no interval asks for them,
// so that a run continued past its end has the same files as one that never stopped there.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/simulation.h"
#include "io/checkpoint.h"
#include "io/run_folder.h"
#include "io/run_record.h"
#include "scree/error.h"

namespace scree {

struct RunProgress {
    double time = 0, until = 0;  // s, simulated
    std::int64_t step = 0, first_step = 0, last_step = 0;
    std::size_t grains = 0;
    std::int64_t grain_steps = 0;  // since first_step
    double seconds = 0;            // since first_step
};

struct RunOptions {
    std::optional<double> until;      // in place of the scene's duration
    std::size_t resident_before = 0;  // bytes of memory before the simulation was built
    // Asked after every step; a number other than 0 stops the run with a checkpoint.
    std::function<int()> stop;
    // The end is one of a part, of which more will follow: nothing is written for it.
    bool pause = false;
    // Told about five times a second.
    std::function<void(const RunProgress&)> progress;
    // Told what a user may want to know, a line at a time: that the neighborhood has changed, and why.
    std::function<void(const std::string&)> note;
};

struct RunResult {
    RunRecord record;
    std::string document;        // run.json as it should be, also when the disk refused it
    int stop = 0;                // what RunOptions::stop answered
    std::optional<Error> error;  // why the status is invalid or failed
};

// Runs from the first step. The folder is new; scene_text is what resume will read.
RunResult start_run(Simulation& simulation, const RunFolder& folder, const std::string& scene_text,
                    const RunOptions& options);

// The state as it is, as a run of one frame that ended at once.
RunResult record_moment(Simulation& simulation, const RunFolder& folder, const std::string& scene_text);

// A run that a host program asks for in parts.
class RunInParts {
  public:
    // The folder is new, the simulation at its start: writes that. Throws Error.
    RunInParts(Simulation& simulation, RunFolder folder, std::string scene_text);
    // The simulation was made from this checkpoint, which is the folder's.
    RunInParts(Simulation& simulation, RunFolder folder, const Checkpoint& checkpoint);
    // Leaves a checkpoint, if the last part has paused.
    ~RunInParts();
    RunInParts(const RunInParts&) = delete;
    RunInParts& operator=(const RunInParts&) = delete;

    // What was written for the end of the part before alone is cut.
    RunResult go(const RunOptions& options);
    RunResult save();  // a checkpoint

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// Goes on from a checkpoint, from which the simulation was made. Cuts series and frames there; checkpoints past it are
// kept under other names.
RunResult continue_run(Simulation& simulation, const RunFolder& folder, const Checkpoint& checkpoint,
                       const RunOptions& options);

}  // namespace scree
