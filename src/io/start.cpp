#include "io/start.h"

#include <fmt/format.h>

#include "io/checkpoint.h"
#include "scree/error.h"

namespace scree {

std::optional<Simulation::Inherited> inherited_state(const Scene& scene, const std::filesystem::path& folder,
                                                     const std::function<void(const std::string&)>& warn) {
    if (!scene.start_from) return {};
    const Where& where = scene.start_where;
    const std::string place = where.line > 0 ? fmt::format("{}:{}:{}: ", scene.file, where.line, where.column) : "";
    try {
        FoundCheckpoint found = find_checkpoint(*scene.start_from, warn);
        std::error_code ignored;
        if (std::filesystem::equivalent(found.path.parent_path().parent_path(), folder, ignored))
            throw Error(
                ErrorKind::file,
                fmt::format("the scene starts from {}, which this run would overwrite; choose another folder with -o",
                            found.path.string()));
        Simulation::Inherited inherited;
        inherited.world = std::move(found.checkpoint.world);
        inherited.contacts = std::move(found.checkpoint.contacts);
        inherited.materials = std::move(found.checkpoint.names.materials);
        inherited.groups = std::move(found.checkpoint.names.groups);
        inherited.walls = std::move(found.checkpoint.names.walls);
        return inherited;
    } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("{}key \"start.from\": {}", place, error.what()));
    }
}

Simulation::Inherited read_start(const Scene& scene) {
    return *inherited_state(scene, {}, [](const std::string&) {});
}

}  // namespace scree
