#include "io/start.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/located.h"
#include "io/checkpoint.h"
#include "io/scene_file.h"
#include "scree/error.h"
#include "wall/motion.h"

namespace scree {
namespace {

// Whether both are one surface at one place, whatever moves it. A mesh is known by the name of its file: runs keep
// copies.
bool same_surface(Wall a, Wall b) {
    for (Wall* wall : {&a, &b})
        if (auto* mesh = std::get_if<MeshWall>(&wall->shape))
            mesh->file = std::filesystem::path(mesh->file).filename().string();
    return a.shape == b.shape && a.outside == b.outside;
}

bool has_moved(const Wall& wall, const WallState& state, double time) {
    const WallPlacement now = placement(wall, state, time);
    return norm2(now.shift) > 0 || now.turned;
}

// Pistons that are still there go on from where they were. Other walls begin where the scene puts them: their motions
// are functions of time, which begins anew.
void take_over_walls(const Scene& scene, const Scene& old, World& world, const std::string& from,
                     const std::function<void(const std::string&)>& warn) {
    for (std::size_t w = 0; w < std::min(old.walls.size(), world.walls.size()); ++w) {
        const auto now = std::find_if(scene.walls.begin(), scene.walls.end(),
                                      [&](const Wall& wall) { return wall.name == old.walls[w].name; });
        WallState& state = world.walls[w];
        if (now == scene.walls.end()) continue;
        const auto* piston = std::get_if<FreePiston>(&now->motion);
        const auto* was = std::get_if<FreePiston>(&old.walls[w].motion);
        if (piston && was && same_surface(*now, old.walls[w]) && normalized(piston->along) == normalized(was->along)) {
            if (piston->from > 0) state.speed = state.acceleration = 0;
            continue;
        }
        if (same_surface(*now, old.walls[w]) && has_moved(old.walls[w], state, world.time()))
            warn(
                fmt::format("{}wall '{}' had moved in {}, and stands where this scene puts it: time, and motions with "
                            "it, start at 0 again. Put it where it was, or its grains may be on the wrong side",
                            place_of(scene, now->where), now->name, from));
        state = {};
    }
}

}  // namespace

std::optional<Simulation::Inherited> inherited_state(const Scene& scene, const std::filesystem::path& folder,
                                                     const std::function<void(const std::string&)>& warn) {
    if (!scene.start_from) return {};
    try {
        FoundCheckpoint found = find_checkpoint(*scene.start_from, warn);
        std::error_code ignored;
        if (std::filesystem::equivalent(found.path.parent_path().parent_path(), folder, ignored))
            throw Error(
                ErrorKind::file,
                fmt::format("the scene starts from {}, which this run would overwrite; choose another folder with -o",
                            found.path.string()));
        const Scene old =
            parse_scene(found.checkpoint.scene, found.path.string(), {.overrides = {}, .check_files = false});
        take_over_walls(scene, old, found.checkpoint.world, *scene.start_from, warn);
        Simulation::Inherited inherited;
        inherited.world = std::move(found.checkpoint.world);
        inherited.contacts = std::move(found.checkpoint.contacts);
        inherited.materials = std::move(found.checkpoint.names.materials);
        inherited.groups = std::move(found.checkpoint.names.groups);
        inherited.walls = std::move(found.checkpoint.names.walls);
        return inherited;
    } catch (const Error& error) {
        throw Error(error.kind(),
                    fmt::format("{}key \"start.from\": {}", place_of(scene, scene.start_where), error.what()));
    }
}

std::optional<std::string> start_remark(const Simulation& simulation, std::size_t inherited) {
    const Scene& scene = simulation.scene();
    const std::size_t all = simulation.world().grains.size();
    if (!scene.start_from || all == inherited) return {};
    return fmt::format(
        "{}{} grains come from {}, and [[grains]] has added {}; `start.grains = \"replace\"` leaves them out",
        place_of(scene, scene.start_where), inherited, *scene.start_from, all - inherited);
}

Simulation::Inherited read_start(const Scene& scene) {
    return *inherited_state(scene, {}, [](const std::string&) {});
}

}  // namespace scree
