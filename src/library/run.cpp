#include "scree/run.h"

#include <fmt/format.h>

#include <cmath>

#include "core/csv.h"
#include "engine/simulation.h"
#include "io/checkpoint.h"
#include "io/files.h"
#include "io/kept_inputs.h"
#include "io/measure_file.h"
#include "io/run.h"
#include "io/run_reader.h"
#include "io/scene_file.h"
#include "library/found_checkpoint.h"
#include "scree/error.h"
#include "shape/shape_table.h"
#include "view/export_page.h"

namespace scree {

// ---- Writing --------------------------------------------------------------------------------------------------------

namespace {

// Refuses, before a folder is touched, what could not be run into it.
void check_start(Simulation& simulation, const std::string& path, bool overwrite) {
    if (simulation.step_count() > 0)
        throw Error(ErrorKind::usage,
                    "a run folder begins at the start of a simulation: this one has made steps already");
    RunFolder::check_free(path, overwrite);
    MeasureFiles::check(simulation);
}

// The scene as it is kept in the folder, with the files that it names.
std::string kept_scene(const Simulation& simulation, const RunFolder& folder) {
    const Scene kept = keep_inputs(simulation.scene(), folder);
    return write_scene(kept) + hashes_of_inputs(kept, folder);
}

RunOptions run_options(const Simulation& simulation, const RunFolderOptions& options) {
    RunOptions run;
    run.until = options.until;
    run.stop = [&] { return simulation.stopped() || (options.stop && options.stop()) ? 1 : 0; };
    run.note = options.note;
    return run;
}

RunFolderEnding ending(RunResult&& result) {
    return {status_name(result.record.status), std::move(result.document), std::move(result.error)};
}

}  // namespace

RunFolderEnding run_into_folder(Simulation& simulation, const std::string& path, const RunFolderOptions& options) {
    if (options.until) simulation.steps_until(*options.until);  // refuses an end too far away
    check_start(simulation, path, options.overwrite);
    const RunFolder folder = RunFolder::create(path, options.overwrite);
    return ending(start_run(simulation, folder, kept_scene(simulation, folder), run_options(simulation, options)));
}

struct Recording::Parts {
    Parts(Simulation& of, RunFolder&& folder, std::string&& scene)
        : simulation(of),
          run(of, std::move(folder), std::move(scene)) {}
    Parts(Simulation& of, RunFolder&& folder, const Checkpoint& checkpoint)
        : simulation(of),
          run(of, std::move(folder), checkpoint) {}
    Simulation& simulation;
    RunInParts run;
};

Recording::Recording(Simulation& simulation, const std::string& path, Begin how) {
    const bool overwrite = how == Begin::overwrite;
    if (how == Begin::resume) {
        RunFolder folder = RunFolder::open(path);
        const Checkpoint checkpoint = find_run_checkpoint(path).checkpoint;
        if (checkpoint.world.step != simulation.step_count())
            throw Error(ErrorKind::usage,
                        fmt::format("{}: its last checkpoint is of the step {}, the simulation is at {}", path,
                                    checkpoint.world.step, simulation.step_count()));
        refuse_changed_inputs(checkpoint.scene, folder.path());
        parts_ = std::make_unique<Parts>(simulation, std::move(folder), checkpoint);
        return;
    }
    check_start(simulation, path, overwrite);
    RunFolder folder = RunFolder::create(path, overwrite);
    std::string scene = kept_scene(simulation, folder);
    parts_ = std::make_unique<Parts>(simulation, std::move(folder), std::move(scene));
}

Recording::~Recording() = default;

RunFolderEnding Recording::run(const RunFolderOptions& options) {
    if (options.until) parts_->simulation.steps_until(*options.until);
    return ending(parts_->run.go(run_options(parts_->simulation, options)));
}

RunFolderEnding Recording::step(std::int64_t steps, const RunFolderOptions& options) {
    RunOptions run = run_options(parts_->simulation, options);
    run.until = static_cast<double>(parts_->simulation.step_count() + steps) * parts_->simulation.time_step().value;
    run.pause = true;
    return ending(parts_->run.go(run));
}

void Recording::save() {
    const RunResult result = parts_->run.save();
    if (result.error) throw *result.error;
}

void write_moment(Simulation& simulation, const std::string& path) {
    RunFolder::check_free(path, false);
    const RunFolder folder = RunFolder::create(path, false);
    const RunResult result = record_moment(simulation, folder, kept_scene(simulation, folder));
    if (result.error) throw *result.error;
}

// ---- Reading --------------------------------------------------------------------------------------------------------

struct Run::Parts {
    explicit Parts(const std::string& folder) : reader(folder) {}
    RunReader reader;
};

Run::Run(const std::string& folder) : parts_(std::make_unique<Parts>(folder)) {}
Run::~Run() = default;
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;

const Scene& Run::scene() const { return parts_->reader.scene(); }
std::size_t Run::size() const { return parts_->reader.size(); }
double Run::time(std::size_t frame) const { return parts_->reader.time(frame); }
std::size_t Run::nearest(double time) const { return parts_->reader.nearest(time); }

std::string Run::record() const { return read_text_file(parts_->reader.folder() / "run.json"); }

Table Run::series() const {
    const CsvTable file = read_csv((parts_->reader.folder() / "series.csv").string());
    Table table;
    for (const std::string& name : file.columns) table.columns.push_back({name, ""});
    for (std::size_t row = 0; row < file.fields.size(); ++row) {
        table.rows.emplace_back();
        for (std::size_t k = 0; k < file.columns.size(); ++k)
            table.rows.back().push_back(file.fields[row][k].empty() ? std::nan("")
                                                                    : file.number(row, static_cast<int>(k)));
    }
    return table;
}

std::vector<Grain> Run::grains(std::size_t frame) const {
    const Snapshot snapshot = parts_->reader.snapshot(frame);
    std::vector<Grain> grains(snapshot.size());
    for (std::size_t k = 0; k < grains.size(); ++k) {
        Grain& grain = grains[k];
        grain.id = snapshot.id[k];
        grain.group = snapshot.group[k];
        grain.material = snapshot.material[k];
        grain.radius = snapshot.radius[k];
        grain.mass = snapshot.is_fixed(k) ? forever : snapshot.mass[k];
        grain.position = snapshot.position[k];
        grain.velocity = snapshot.velocity[k];
        grain.spin = snapshot.spin[k];
        if (!snapshot.has_shape(k)) continue;
        const Quaternion q = as_given((*snapshot.shapes)[snapshot.shape[k]], snapshot.orientation[k]);
        grain.orientation = {q.w, q.x, q.y, q.z};
        grain.scale = snapshot.scale[k];
        grain.shape = snapshot.shape[k] - 1;
    }
    return grains;
}

Table Run::measure(const std::string& what, std::size_t frame) const {
    const MeasureRequest request = parse_measure(what);
    check_measure(request, scene());
    const bool over_time = find_measure(request.name)->over_time || MeasureOptions(request).number("average");
    std::vector<double> memory;
    Table table;
    for (std::size_t k = over_time ? 0 : frame; k <= frame; ++k)
        table = take_measure(request, parts_->reader.snapshot(k), memory);
    return table;
}

Table Run::measure(const std::string& what) const { return measure(what, size() - 1); }

// ---- Looking --------------------------------------------------------------------------------------------------------

void export_page(const std::string& run_folder, const std::string& file, const PageOptions& options) {
    view::ExportChoice choice;
    choice.most_bytes = options.most_bytes;
    choice.grains = options.grains;
    choice.contacts = options.contacts;
    if (!options.caption.empty()) choice.caption = options.caption;
    choice.link = options.link;
    RunFiles run(run_folder);
    view::export_page(run, file, choice);
}

}  // namespace scree
