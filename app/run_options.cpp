#include "run_options.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "core/parallel.h"
#include "progress.h"
#include "report.h"
#include "run_report.h"
#include "scree/error.h"
#include "signals.h"

namespace scree::app {
namespace {

// Launchers of parallel programs start several copies and tell each of them so. Copies of a run would each do all of
// its work, and race for one folder.
void refuse_to_be_one_of_several() {
    for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
        if (const char* const size = std::getenv(name); size && std::atoi(size) > 1)
            throw Error(ErrorKind::usage,
                        fmt::format("started {} times at once ({} = {}), but this build runs a scene in one process, "
                                    "with --threads: start it without mpirun, or as one task. For different scenes "
                                    "beside each other: env -u {} scree ...",
                                    size, name, size, name));
}

}  // namespace

void RunCommandOptions::declare(Options& options) {
    options.option("--until", "T", until,
                   "stop at this simulated time (s) in place of the scene's duration; `scree resume` can continue");
    options.option("--threads", "N", threads,
                   "threads to use; default: as many as processors may be used. Results do not depend on it");
    options.flag(
        "--audit", audit,
        "compare every list of pairs with brute force; a difference ends the run with exit code 4 and names the pair");
    options.flag("--json", json, "print run.json to stdout at the end, and nothing else");
    options.flag("-q,--quiet", quiet, "print errors only");
}

void RunCommandOptions::check() {
    refuse_to_be_one_of_several();
    if (until && !(std::isfinite(*until) && *until >= 0))
        throw Error(ErrorKind::usage, fmt::format("--until {} is not a time >= 0", *until));
    if (threads && !(*threads >= 1 && *threads <= 1024))
        throw Error(ErrorKind::usage, fmt::format("--threads {} is not between 1 and 1024", *threads));
    quiet = quiet || json;
}

int RunCommandOptions::thread_count() const { return threads ? static_cast<int>(*threads) : hardware_thread_count(); }

void RunCommandOptions::tell_of_missing_threads(Simulation& simulation) const {
    if (const int started = simulation.workers().count(); started < thread_count())
        warn(fmt::format(
            "the system starts {} of {} threads; limits of the container, of the shell (ulimit -u, -v) or of "
            "memory may be in the way. The run takes longer; its results are the same",
            started, thread_count()));
}

int RunCommandOptions::run(const RunFolder& folder, std::size_t resident_before,
                           const std::function<RunResult(const RunOptions&)>& work) const {
    ProgressDisplay display(quiet);
    RunOptions options;
    options.until = until;
    options.resident_before = resident_before;
    options.stop = signal_caught;
    if (!quiet)
        options.note = [&](const std::string& text) {
            display.finish();
            tell(text + "\n");
        };
    options.progress = [&](const RunProgress& progress) { display.show(progress); };
    const RunResult result = work(options);
    display.finish();
    return report_run(result, folder.path(), json, quiet);
}

}  // namespace scree::app
