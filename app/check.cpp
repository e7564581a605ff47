#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "inherit.h"
#include "io/scene_file.h"
#include "options.h"
#include "report.h"
#include "sim/periodic_walls.h"
#include "sim/remarks.h"
#include "sim/simulation.h"

namespace scree::app {
namespace {

std::string as_text(const std::string& scene_text, const Simulation& simulation) {
    const TimeStepChoice& step = simulation.time_step();
    const NeighborReport neighbors = simulation.neighbors();
    const double duration = simulation.scene().duration;
    return fmt::format("{}\n# grains at the start: {}\n# time step: {:.4g} s, {}\n# steps: {} to t = {:.6g} s\n# neighbors: {}, {}\n", scene_text,
                       simulation.world().grains.size(), step.value, step.reason, simulation.steps_until(duration), duration, neighbors.method, neighbors.reason);
}

std::string as_json(const std::string& scene_json, const Simulation& simulation) {
    const TimeStepChoice& step = simulation.time_step();
    const NeighborReport neighbors = simulation.neighbors();
    nlohmann::ordered_json out;
    out["scene"] = nlohmann::ordered_json::parse(scene_json);
    out["grains"] = simulation.world().grains.size();
    out["time_step"] = step.value;
    out["time_step_automatic"] = step.automatic;
    out["time_step_stable"] = step.stable;
    out["time_step_reason"] = step.reason;
    out["steps"] = simulation.steps_until(simulation.scene().duration);
    out["neighbors"] = {{"method", neighbors.method}, {"reason", neighbors.reason}};
    return out.dump(2) + "\n";
}

}  // namespace

int command_check(const Arguments& arguments) {
    std::string path;
    SceneReading how;
    bool json = false;
    Options options("check", "Reads and checks a scene, and prints it with every default filled in, the number of grains, the time step and why.");
    options.argument("SCENE", path, "scene file, or - for standard input");
    options.repeated("--set", "KEY=VALUE", how.overrides, "change a key of the scene; may be given several times");
    options.flag("--json", json, "print one JSON document");
    if (!options.parse(arguments)) return 0;

    // Placing the grains finds what reading cannot: overlaps, regions too small, a time step past stability.
    Scene scene = read_scene(path, how);
    continue_walls(scene);
    const Simulation simulation(scene, inherited_state(scene));
    for (const std::string& remark : remarks(simulation)) warn(remark);
    print_result(json ? as_json(write_scene_json(scene), simulation) : as_text(write_scene(scene), simulation));
    return 0;
}

}  // namespace scree::app
