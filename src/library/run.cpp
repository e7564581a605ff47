#include "scree/run.h"

#include <cmath>

#include "core/csv.h"
#include "engine/simulation.h"
#include "io/files.h"
#include "io/kept_inputs.h"
#include "io/measure_file.h"
#include "io/run.h"
#include "io/run_reader.h"
#include "io/scene_file.h"
#include "scree/error.h"
#include "shape/shape_table.h"

namespace scree {

// ---- Writing --------------------------------------------------------------------------------------------------------

RunFolderEnding run_into_folder(Simulation& simulation, const std::string& path, const RunFolderOptions& options) {
    if (simulation.step_count() > 0)
        throw Error(ErrorKind::usage,
                    "a run folder begins at the start of a simulation: this one has made steps already");
    RunFolder::check_free(path, options.overwrite);
    if (options.until)
        simulation.steps_until(*options.until);  // refuses an end too far away before a folder is touched
    MeasureFiles::check(simulation);
    const RunFolder folder = RunFolder::create(path, options.overwrite);
    const Scene kept = keep_inputs(simulation.scene(), folder);
    RunOptions run;
    run.until = options.until;
    run.stop = [&] { return simulation.stopped() || (options.stop && options.stop()) ? 1 : 0; };
    run.note = options.note;
    const RunResult result = start_run(simulation, folder, write_scene(kept) + hashes_of_inputs(kept, folder), run);
    return {status_name(result.record.status), result.document};
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

}  // namespace scree
