// What a Simulation offers that takes measures and files: these stand above the engine.
#include "scree/simulation.h"

#include "core/parallel.h"
#include "engine/simulation.h"
#include "io/checkpoint.h"
#include "io/kept_inputs.h"
#include "io/scene_file.h"
#include "library/found_checkpoint.h"
#include "measure/measures.h"

namespace scree {

namespace {

// Lists of grains and the like have been read long ago: only what is computed with must still be there.
Scene scene_of(const Checkpoint& checkpoint, const std::string& name) {
    return parse_scene(checkpoint.scene, name, {.overrides = {}, .check_files = false});
}

}  // namespace

FoundCheckpoint find_run_checkpoint(const std::string& checkpoint_or_run_folder) {
    return find_checkpoint(
        checkpoint_or_run_folder, [](const std::string&) {},
        [&](const Checkpoint& checkpoint) { require_state_of(scene_of(checkpoint, "scene.toml"), checkpoint); });
}

Simulation Simulation::load(const std::string& checkpoint_or_run_folder) {
    FoundCheckpoint found = find_run_checkpoint(checkpoint_or_run_folder);
    const std::filesystem::path folder = found.path.parent_path().parent_path();
    Scene scene = scene_of(found.checkpoint, (folder / "scene.toml").string());
    return Simulation(std::move(scene),
                      Restart{std::move(found.checkpoint.world), std::move(found.checkpoint.contacts)},
                      std::move(found.checkpoint.names.groups));
}

void Simulation::save(const std::string& checkpoint) {
    const WorkersScope scope(workers());
    CheckpointNames names;
    for (const Material& material : scene().materials) names.materials.push_back(material.name);
    for (const Wall& wall : scene().walls) names.walls.push_back(wall.name);
    names.groups = group_names();
    write_checkpoint(std::filesystem::absolute(checkpoint), synchronised_world(), contact_memory(), names, {},
                     write_scene(with_whole_names(scene())));
}

Table Simulation::measure(const std::string& what) {
    const WorkersScope scope(workers());
    const MeasureRequest request = parse_measure(what);
    check_measure(request, scene());
    const Snapshot snapshot = snapshot_of(*this, find_measure(request.name)->contacts);
    return take_measure(request, snapshot, measure_memory(measure_text(request)));
}

}  // namespace scree
