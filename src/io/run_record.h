// run.json: what a run is and how it went. Its keys are fixed (docs/format-run-json.md lists them); more may be added.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "engine/simulation.h"

namespace scree {

enum class RunStatus { running, done, stopped, invalid, failed };
const char* status_name(RunStatus status);

// Work that a run did before it was resumed, or up to now; adds up over all its pieces.
struct RunWork {
    double wall_seconds = 0;       // in the loop of steps, outputs included
    std::int64_t grain_steps = 0;  // sum over steps of the number of grains
    std::int64_t resumes = 0;
    Profile profile;
    std::optional<EventReport> events;  // counts add up
    NeighborReport neighbors;           // counts add up; method, reason and pairs_per_grain are the latest
    void add(const RunWork& earlier);
    double grain_steps_per_second() const;  // without the time of outputs
};

struct RunRecord {
    RunStatus status = RunStatus::running;
    std::string message;  // why it is invalid or failed
    std::string title, scene_hash;
    int dimension = 3, threads = 1;
    std::uint64_t seed = 1;
    std::int64_t steps = 0, removed = 0;
    double time = 0, duration = 0, time_step = 0;
    std::string time_step_reason;
    std::size_t grains = 0, contacts = 0, frames = 0;
    double max_overlap = 0, bytes_per_grain = 0;
    std::string state_hash, last_checkpoint;
    EnergyReport energy;
    bool edited = false;  // by a host program
    RunWork work;
};

std::string record_json(const RunRecord& record);

// The work told by a run.json; none when it cannot be read, for it is not needed to go on.
RunWork read_work(const std::filesystem::path& run_json);

}  // namespace scree
