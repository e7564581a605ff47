#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "core/parallel.h"
#include "engine/remarks.h"
#include "io/kept_inputs.h"
#include "io/measure_file.h"
#include "io/run.h"
#include "io/run_machine.h"
#include "io/scene_file.h"
#include "io/start.h"
#include "io/version.h"
#include "options.h"
#include "progress.h"
#include "report.h"
#include "run_options.h"
#include "signals.h"

namespace scree::app {
namespace {

// The scene's name without .toml, in the current folder; "run" for standard input.
std::filesystem::path default_folder(const std::string& scene) {
    if (scene == "-") return "run";
    const std::filesystem::path name = std::filesystem::path(scene).filename();
    return name.extension() == ".toml" ? name.stem() : name;
}

}  // namespace

int command_run(const Arguments& arguments) {
    std::string scene_path;
    std::optional<std::string> output, neighbors;
    std::vector<std::string> overrides;
    bool force = false;
    RunCommandOptions common;
    Options options("run", "run a scene into a run folder");
    options.argument("SCENE", scene_path, "scene file (TOML), or - for standard input");
    options.option(
        "-o,--output", "RUN", output,
        "run folder; default: the scene's name without .toml, or \"run\" for standard input, in the current folder");
    options.choice("--neighbors", {"auto", "triangulation", "grid", "brute"}, neighbors,
                   "how pairs of neighbors are found, in place of the scene's choice");
    options.repeated("--set", "KEY=VALUE", overrides, "change a value of the scene, e.g. --set simulation.duration=2");
    options.flag("--force", force, "overwrite the run that is in the folder");
    common.declare(options);
    if (!options.parse(arguments)) return 0;
    common.check();

    const std::size_t resident_before = resident_bytes();
    if (neighbors) overrides.push_back(fmt::format("simulation.neighbors=\"{}\"", *neighbors));
    Scene scene = read_scene(scene_path, {overrides});
    const std::filesystem::path folder_path = output ? std::filesystem::path(*output) : default_folder(scene_path);
    // Answer before the work, but touch nothing until the scene has proved good.
    RunFolder::check_free(folder_path, force);

    set_thread_count(common.thread_count());
    std::optional<Simulation::Inherited> inherited = inherited_state(scene, folder_path, warn);
    const std::size_t from_there = inherited ? inherited->world.grains.size() : 0;
    std::optional<LongWorkDisplay> placing(common.quiet);
    Simulation simulation(std::move(scene), std::move(inherited), {.audit = common.audit});
    placing.reset();
    // Up to here there is nothing to keep, and a signal ends the program at once.
    catch_signals();
    if (common.until) simulation.steps_until(*common.until);  // refuses an end too far away before a folder is touched
    MeasureFiles::check(simulation);
    const RunFolder folder = RunFolder::create(folder_path, force);
    const Scene kept = keep_inputs(simulation.scene(), folder);
    const std::string scene_text = write_scene(kept) + hashes_of_inputs(kept, folder);
    if (!common.quiet) {
        for (const std::string& remark : remarks(simulation)) warn(remark);
        if (const auto remark = start_remark(simulation, from_there)) warn(*remark);
        common.tell_of_missing_threads(simulation);
        tell(fmt::format("scree {}: {}{}{} grains, {} threads, neighbors by {}: {}\n", version(),
                         simulation.scene().title, simulation.scene().title.empty() ? "" : "; ",
                         simulation.world().grains.size(), simulation.workers().count(), simulation.neighbors().method,
                         simulation.neighbors().reason));
        if (const ContactTimeChoice& time = simulation.contact_time(); time.value > 0)
            tell(fmt::format("contact_time {:g} s: {}\n", time.value, time.reason));
        tell(fmt::format("time step {:.4g} s: {}\n", simulation.time_step().value, simulation.time_step().reason));
    }
    return common.run(folder, resident_before,
                      [&](const RunOptions& run) { return start_run(simulation, folder, scene_text, run); });
}

}  // namespace scree::app
