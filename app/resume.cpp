#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "commands.h"
#include "core/parallel.h"
#include "io/checkpoint.h"
#include "io/kept_inputs.h"
#include "io/run.h"
#include "io/run_machine.h"
#include "io/scene_file.h"
#include "options.h"
#include "report.h"
#include "run_options.h"
#include "signals.h"

namespace scree::app {
namespace {

std::optional<std::string> text_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return {};
    return std::string{std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int command_resume(const Arguments& arguments) {
    std::string path;
    RunCommandOptions common;
    Options options("resume", "continue a run from its last checkpoint, bit for bit");
    options.argument("RUN", path, "run folder");
    common.declare(options);
    if (!options.parse(arguments)) return 0;
    common.check();

    const std::size_t resident_before = resident_bytes();
    const RunFolder folder = RunFolder::open(path);
    FoundCheckpoint found = find_checkpoint(folder.path(), warn);
    if (const std::optional<std::string> beside = text_of(folder.scene()); beside && *beside != found.checkpoint.scene)
        warn(fmt::format(
            "{0} has been changed and is not read: a run continues with the scene that it began with, which is in "
            "{1}. For another scene start a new run, with `[start] from = \"{2}\"`",
            folder.scene().string(), found.path.string(), folder.path().string()));
    refuse_changed_inputs(found.checkpoint.scene, folder.path());
    // The state is in the checkpoint: files that the scene names have been read long ago and may be gone.
    Scene scene = parse_scene(found.checkpoint.scene, folder.scene().string(), {.overrides = {}, .check_files = false});

    catch_signals();
    set_thread_count(common.thread_count());
    Simulation simulation(std::move(scene),
                          Simulation::Restart{std::move(found.checkpoint.world), std::move(found.checkpoint.contacts)},
                          found.checkpoint.names.groups, {.audit = common.audit});
    if (!common.quiet) common.tell_of_missing_threads(simulation);
    if (!common.quiet)
        tell(fmt::format("continuing {} at t = {:.6g} s: {} grains, {} threads, neighbors by {}: {}\n",
                         folder.path().string(), simulation.time(), simulation.world().grains.size(),
                         simulation.workers().count(), simulation.neighbors().method, simulation.neighbors().reason));
    if (const double until = common.until.value_or(simulation.scene().duration);
        !common.quiet && simulation.steps_until(until) <= simulation.step_count())
        tell(fmt::format("the run is already at t = {:.6g} s; give a later time with --until to continue it\n",
                         simulation.time()));
    return common.run(folder, resident_before,
                      [&](const RunOptions& run) { return continue_run(simulation, folder, found.checkpoint, run); });
}

}  // namespace scree::app
