#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "io/scene_file.h"
#include "options.h"

namespace scree::app {

int command_check(const Arguments& arguments) {
    std::string path;
    SceneReading how;
    bool json = false;
    Options options("check", "Reads and checks a scene, and prints it with every default filled in, the number of grains, the time step and why.");
    options.argument("SCENE", path, "scene file, or - for standard input");
    options.repeated("--set", "KEY=VALUE", how.overrides, "change a key of the scene; may be given several times");
    options.flag("--json", json, "print one JSON document");
    if (!options.parse(arguments)) return 0;

    const Scene scene = read_scene(path, how);
    if (json) {
        nlohmann::ordered_json out;
        out["scene"] = nlohmann::ordered_json::parse(write_scene_json(scene));
        fmt::print("{}\n", out.dump(2));
    } else {
        fmt::print("{}", write_scene(scene));
    }
    return 0;
}

}  // namespace scree::app
