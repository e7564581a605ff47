#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "bench_scenes.h"
#include "commands.h"
#include "core/nearest.h"
#include "core/parallel.h"
#include "engine/kernels/kernel.h"
#include "io/run_machine.h"
#include "io/version.h"
#include "options.h"
#include "report.h"
#include "scree/error.h"

namespace scree::app {
namespace {

std::string listing(const std::vector<BenchScene>& scenes) {
    std::string out;
    for (const BenchScene& scene : scenes) out += fmt::format("{:<16} {}\n", scene.name, scene.summary);
    return out;
}

const BenchScene& find_scene(const std::vector<BenchScene>& scenes, const std::string& name) {
    std::vector<std::string> names;
    for (const BenchScene& scene : scenes) {
        if (name == scene.name) return scene;
        names.push_back(scene.name);
    }
    throw Error(ErrorKind::usage, fmt::format("bench: there is no scene \"{}\"{}; there are:\n{}", name,
                                              nearest_hint(name, names), listing(scenes)));
}

bool is_file(const std::string& name) { return name.ends_with(".toml"); }

std::string csv_header() {
    std::string line =
        "name,grains,steps,threads,ns_per_grain_step,processor_ns,bytes_per_grain,contacts_per_grain,pairs_per_grain,"
        "neighbors,refreshes,certified,flips,state_hash";
    for (const char* phase : phase_names) line += fmt::format(",{}", phase);
    return line + "\n";
}

std::string csv_row(const BenchResult& r) {
    std::string line = fmt::format("{},{},{},{},{:.2f},{:.2f},{:.0f},{:.3f},{:.3f},{},{},{},{},{}", r.name, r.grains,
                                   r.steps, thread_count(), r.per_grain_step(r.seconds),
                                   r.per_grain_step(r.processor_seconds), r.bytes_per_grain, r.contacts_per_grain,
                                   r.pairs_per_grain, r.neighbors, r.refreshes, r.certified, r.flips, r.state_hash);
    for (const double seconds : r.profile.seconds) line += fmt::format(",{:.2f}", r.per_grain_step(seconds));
    return line + "\n";
}

nlohmann::ordered_json json_row(const BenchResult& r) {
    nlohmann::ordered_json row{{"name", r.name},
                               {"grains", r.grains},
                               {"steps", r.steps},
                               {"threads", thread_count()},
                               {"ns_per_grain_step", r.per_grain_step(r.seconds)},
                               {"processor_ns", r.per_grain_step(r.processor_seconds)},
                               {"bytes_per_grain", r.bytes_per_grain},
                               {"contacts_per_grain", r.contacts_per_grain},
                               {"pairs_per_grain", r.pairs_per_grain},
                               {"neighbors", r.neighbors},
                               {"refreshes", r.refreshes},
                               {"certified", r.certified},
                               {"flips", r.flips},
                               {"state_hash", r.state_hash}};
    for (std::size_t p = 0; p < phase_names.size(); ++p)
        row["profile"][phase_names[p]] = r.per_grain_step(r.profile.seconds[p]);
    return row;
}

}  // namespace

int command_bench(const Arguments& arguments) {
    std::vector<std::string> names;
    std::optional<std::int64_t> threads;
    std::optional<std::string> neighbors;
    bool json = false;
    std::optional<std::int64_t> warm_up, measured, repeat;
    std::vector<std::string> overrides;
    Options options("bench",
                    "Measures named scenes or scene files: nanoseconds per grain and step, in all and by phase, memory "
                    "per grain, hash of the state "
                    "reached. Without a name it lists the named ones. For memory give one name per call.");
    options.arguments("NAME", names, "scenes to measure: names, or files ending in .toml");
    options.option("--warm", "N", warm_up, "steps before the measured ones; default: 128");
    options.option("--steps", "N", measured, "measured steps; default: about a second");
    options.option("--repeat", "N", repeat, "measure so many times in a row, the fastest counts; default: 1");
    options.repeated("--set", "KEY=VALUE", overrides, "change a value of the scene files");
    options.option("--threads", "N", threads, "threads to use; default: 1");
    options.choice("--neighbors", {"auto", "triangulation", "grid", "brute"}, neighbors,
                   "how pairs of neighbors are found, in place of the scene's choice");
    options.flag("--json", json, "print one JSON document in place of CSV");
    if (!options.parse(arguments)) return 0;
    if (threads && !(*threads >= 1 && *threads <= 1024))
        throw Error(ErrorKind::usage, fmt::format("--threads {} is not between 1 and 1024", *threads));

    for (const auto& [name, value, least] :
         {std::tuple{"--warm", warm_up, 0}, {"--steps", measured, 1}, {"--repeat", repeat, 1}})
        if (value && *value < least)
            throw Error(ErrorKind::usage, fmt::format("{} {} is less than {}", name, *value, least));
    std::optional<NeighborMethod> method;
    if (neighbors)
        method = *neighbors == "auto"    ? NeighborMethod::automatic
                 : *neighbors == "grid"  ? NeighborMethod::grid
                 : *neighbors == "brute" ? NeighborMethod::brute
                                         : NeighborMethod::triangulation;
    const BenchSteps steps{warm_up, measured, repeat.value_or(1), method};

    const std::vector<BenchScene> scenes = bench_scenes();
    for (const std::string& name : names)
        if (!is_file(name)) find_scene(scenes, name);
    if (names.empty() && !json) {
        print_result(listing(scenes));
        return 0;
    }
    set_thread_count(threads ? static_cast<int>(*threads) : 1);
    nlohmann::ordered_json document{{"version", version()},
                                    {"processor", processor_name()},
                                    {"instruction_set", kernel_instruction_set()},
                                    {"scenes", nlohmann::ordered_json::array()}};
    if (names.empty())
        for (const BenchScene& scene : scenes)
            document["scenes"].push_back({{"name", scene.name}, {"summary", scene.summary}});
    if (!names.empty() && !json) print_result(csv_header());
    for (const std::string& name : names) {
        const BenchResult result = is_file(name) ? bench_scene_file(name, overrides, steps)
                                                 : find_scene(scenes, name).run(find_scene(scenes, name), steps);
        if (json)
            document["scenes"].push_back(json_row(result));
        else
            print_result(csv_row(result));
    }
    if (json) print_result(document.dump(2) + "\n");
    return 0;
}

}  // namespace scree::app
