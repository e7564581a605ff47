#include "io/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <new>

#include "core/hash.h"
#include "core/parallel.h"
#include "engine/schedule.h"
#include "io/measure_file.h"
#include "io/run_frames.h"
#include "io/run_machine.h"
#include "io/series.h"
#include "setup/placing.h"

namespace scree {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double progress_interval = 0.2;  // s

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

SeriesSample take_sample(Simulation& simulation) {
    const World& world = simulation.world();
    SeriesSample sample{simulation.time(), simulation.energy(), world.grains.size(), simulation.contact_count(),
                        world.max_overlap, world.removed,       simulation.walls(),  {}};
    if (!simulation.shapes().empty()) sample.order = orientation_order(simulation);
    return sample;
}

std::vector<FrameMoment> moments(const OutputProgress& output, double time_step) {
    std::vector<FrameMoment> result;
    for (const std::int64_t step : output.frame_steps) result.push_back({static_cast<double>(step) * time_step, step});
    return result;
}

std::string text_hash(const std::string& text) {
    Hash hash;
    hash.add(text);
    return hash.hex();
}

class Run {
  public:
    Run(Simulation& simulation, const RunFolder& folder, const std::string& scene_text, const RunOptions& options,
        OutputProgress output, const RunWork& earlier)
        : simulation_(simulation),
          folder_(folder),
          options_(options),
          scene_text_(scene_text),
          earlier_(earlier),
          output_(std::move(output)),
          checkpoints_(folder.checkpoints()),
          row_schedule_(simulation.scene().series_interval, simulation.time_step().value),
          frame_schedule_(simulation.scene().frame_interval, simulation.time_step().value),
          checkpoint_schedule_(simulation.scene().checkpoint_interval, simulation.time_step().value),
          measure_schedule_(simulation.scene().measure_interval > 0 ? simulation.scene().measure_interval
                                                                    : simulation.scene().frame_interval,
                            simulation.time_step().value),
          measures_(folder.measures(), MeasureFiles::of(simulation.scene())),
          until_(options.until.value_or(simulation.scene().duration)),
          first_step_(simulation.step_count()),
          last_step_(std::max(first_step_, simulation.steps_until(until_))) {}

    RunResult from_the_start() {
        return guarded([&] {
            begin();
            loop();
        });
    }

    RunResult from_a_checkpoint() {
        return guarded([&] {
            reopen();
            loop();
        });
    }

    // The state at the start alone; go_on() has the rest.
    RunResult begin_only() {
        return guarded([&] {
            begin();
            paused_ = true;
        });
    }

    RunResult of_this_moment() {
        return guarded([&] {
            begin();
            record_.status = RunStatus::done;
        });
    }

    // As from a checkpoint of this moment, if what was written last was an end.
    RunResult go_on(const RunOptions& options) {
        return guarded([&] {
            options_ = options;
            until_ = options.until.value_or(simulation_.scene().duration);
            last_step_ = std::max(simulation_.step_count(), simulation_.steps_until(until_));
            record_.status = RunStatus::running;
            record_.message.clear();
            result_ = {};
            if (!std::exchange(paused_, false)) reopen();
            first_step_ = simulation_.step_count();
            loop();
        });
    }

    // A checkpoint; between two parts also a record that says that the run can go on from it.
    RunResult save() {
        return guarded([&] {
            if (paused_) record_.status = RunStatus::stopped;
            write_checkpoint_now();
        });
    }
    bool paused() const { return paused_; }

  private:
    void begin() {
        replace_file(folder_.scene(), scene_text_, Durability::power_cut);
        write_record();
        series_ =
            SeriesFile::create(folder_.series(), series_names(simulation_.walls(), !simulation_.shapes().empty()));
        frames_.emplace(folder_.frames(), std::vector<FrameMoment>{});
        write_row();
        write_frame();
        write_measures();
        write_checkpoint_now();
    }

    // Cuts the files to what is due by now.
    void reopen() {
        frames_written_ = 0;
        set_aside_later_checkpoints();
        const std::string names = series_names(simulation_.walls(), !simulation_.shapes().empty());
        if (is_there(folder_.series())) {
            series_ = SeriesFile::reopen(folder_.series(), output_.series_bytes);
        } else {
            note_loss(folder_.series());
            series_ = SeriesFile::create(folder_.series(), names);
            output_.series_bytes = series_.bytes();
        }
        frames_.emplace(folder_.frames(), moments(output_, simulation_.time_step().value));
        for (const std::filesystem::path& lost : measures_.reopen(output_)) note_loss(lost);
        write_record();
    }

    // The three jumps of a run end here: every step, then what is due.
    void loop() {
        const Clock::time_point loop_start = Clock::now();
        std::int64_t step = first_step_;
        std::int64_t next_row = row_schedule_.next_after(step), next_frame = frame_schedule_.next_after(step),
                     next_checkpoint = checkpoint_schedule_.next_after(step),
                     next_measure = measure_schedule_.next_after(step);
        double next_progress = progress_interval;
        std::int64_t changes = simulation_.neighbor_changes();
        while (step < last_step_) {
            simulation_.step();
            step = simulation_.step_count();
            grain_steps_ += static_cast<std::int64_t>(simulation_.world().grains.size());
            most_grains_ = std::max(most_grains_, simulation_.world().grains.size());
            if (options_.note && simulation_.neighbor_changes() != changes) {
                changes = simulation_.neighbor_changes();
                const NeighborReport report = simulation_.neighbors();
                options_.note(fmt::format("from t = {:.6g} s on neighbors by {}: {}", simulation_.time(), report.method,
                                          report.reason));
            }
            if (step >= next_row) {
                write_row();
                next_row = row_schedule_.next_after(step);
            }
            if (step >= next_frame) {
                write_frame();
                next_frame = frame_schedule_.next_after(step);
            }
            if (step >= next_measure) {
                write_measures();
                next_measure = measure_schedule_.next_after(step);
            }
            if (step >= next_checkpoint && step < last_step_) {
                write_checkpoint_now();
                next_checkpoint = checkpoint_schedule_.next_after(step);
            }
            result_.stop = options_.stop && step < last_step_ ? options_.stop() : 0;
            if (result_.stop != 0) break;
            const double elapsed = seconds_since(loop_start);
            if (options_.progress && elapsed >= next_progress) {
                options_.progress({simulation_.time(), until_, step, first_step_, last_step_,
                                   simulation_.world().grains.size(), grain_steps_, elapsed});
                next_progress = elapsed + progress_interval;
            }
        }
        paused_ = options_.pause && result_.stop == 0;
        if (!paused_) finish();
    }

    void finish() {
        const OutputProgress due = output_;
        if (result_.stop == 0) {
            if (!is_due(row_schedule_)) write_row();
            if (!is_due(frame_schedule_)) write_frame();
            if (!is_due(measure_schedule_)) write_measures();
        }
        frames_written_ = output_.frame_steps.size();
        output_ = due;
        write_checkpoint_now();
        if (options_.note) tell_of_pours();
        record_.status = result_.stop != 0 ? RunStatus::stopped : RunStatus::done;
    }

    // A region that walls or grains fill keeps all of a group waiting, which is hardly meant.
    void tell_of_pours() const {
        const Scene& scene = simulation_.scene();
        for (std::size_t group = 0; group < scene.grains.size(); ++group) {
            const auto* pour = std::get_if<PourOverTime>(&scene.grains[group].place);
            const std::int64_t due = pour ? std::min(due_by(*pour, simulation_.time()),
                                                     pour->count.value_or(std::numeric_limits<std::int64_t>::max()))
                                          : 0;
            if (due > 0 && simulation_.world().pours[group].poured == 0)
                options_.note(
                    fmt::format("warning: grains '{}': none of {} due has been poured: there was no room for one in "
                                "the region '{}'",
                                scene.grains[group].name, due, pour->region));
        }
    }

    // True when the state at hand has been written because it was due, maybe before the run was resumed.
    bool is_due(const Schedule& schedule) const {
        const std::int64_t step = simulation_.step_count();
        return step == 0 || schedule.next_after(step - 1) == step;
    }

    void write_row() {
        const PhaseTimer timer(simulation_.profile(), Phase::observe);
        series_.append(series_row(take_sample(simulation_)));
        output_.series_bytes = series_.bytes();
    }

    void write_frame() {
        const PhaseTimer timer(simulation_.profile(), Phase::observe);
        frames_->add(simulation_);
        output_.frame_steps.push_back(simulation_.step_count());
    }

    void write_measures() {
        const PhaseTimer timer(simulation_.profile(), Phase::observe);
        measures_.take(simulation_, output_);
    }

    void write_checkpoint_to(const std::filesystem::path& path) {
        const Scene& scene = simulation_.scene();
        CheckpointNames names;
        for (const Material& material : scene.materials) names.materials.push_back(material.name);
        for (const Wall& wall : scene.walls) names.walls.push_back(wall.name);
        names.groups = simulation_.group_names();
        write_checkpoint(path, simulation_.synchronised_world(), simulation_.contact_memory(), names, output_,
                         scene_text_);
    }

    void write_checkpoint_now() {
        {
            const PhaseTimer timer(simulation_.profile(), Phase::observe);
            // The checkpoint vouches for the rows before it: they must be on the disk first.
            series_.sync();
            measures_.sync();
            const std::filesystem::path path = checkpoints_.path_for(simulation_.step_count());
            write_checkpoint_to(path);
            record_.last_checkpoint = (folder_.checkpoints().filename() / path.filename()).string();
            checkpoints_.prune();
        }
        write_record();
    }

    static bool is_there(const std::filesystem::path& path) {
        std::error_code ignored;
        return std::filesystem::symlink_status(path, ignored).type() != std::filesystem::file_type::not_found;
    }

    // A lost table does not stop a run: the state does not depend on it.
    void note_loss(const std::filesystem::path& path) const {
        if (options_.note)
            options_.note(
                fmt::format("warning: {} is gone; it begins anew at t = {:.6g} s", path.string(), simulation_.time()));
    }

    void set_aside_later_checkpoints() const {
        for (const std::filesystem::path& path : checkpoints_.list()) {
            if (path <= checkpoints_.path_for(simulation_.step_count())) break;
            std::error_code error;
            std::filesystem::rename(path, path.parent_path() / ("damaged_" + path.filename().string()), error);
            if (error) throw_file_error("rename", path, error.value());
        }
        checkpoints_.prune();
    }

    void fill_record() {
        const Scene& scene = simulation_.scene();
        const World& world = simulation_.world();
        record_.title = scene.title;
        record_.dimension = scene.dimension;
        record_.seed = scene.seed;
        record_.duration = scene.duration;
        record_.scene_hash = text_hash(scene_text_);
        record_.threads = thread_count();
        record_.grains = world.grains.size();
        record_.removed = world.removed;
        record_.max_overlap = world.max_overlap;
        record_.steps = simulation_.step_count();
        record_.time = simulation_.time();
        record_.time_step = simulation_.time_step().value;
        record_.time_step_reason = simulation_.time_step().reason;
        record_.frames = std::max(frames_written_, output_.frame_steps.size());
        most_grains_ = std::max(most_grains_, world.grains.size());
        const double taken = static_cast<double>(peak_resident_bytes()) - static_cast<double>(options_.resident_before);
        record_.bytes_per_grain = most_grains_ > 0 ? std::max(taken, 0.0) / static_cast<double>(most_grains_) : 0;
        record_.work = {seconds_since(start_), grain_steps_, 0, simulation_.profile(), {}, simulation_.neighbors()};
        record_.work.events = simulation_.events();
        record_.work.add(earlier_);
        record_.energy = simulation_.energy();
        record_.edited = simulation_.edited();
        record_.contacts = simulation_.contact_count();
        record_.state_hash = simulation_.hash();
    }

    void write_record() {
        const PhaseTimer timer(simulation_.profile(), Phase::observe);
        fill_record();
        replace_file(folder_.record(), record_json(record_), Durability::crash_of_program);
    }

    // Runs the work and makes of its end, whatever it is, a result with a record in the folder.
    template <class Work>
    RunResult guarded(Work&& work) {
        try {
            work();
            if (!paused_) write_record();
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::invalid)
                end_as_invalid(error);
            else
                end_as_failed(error.kind(), error.what());
        } catch (const std::bad_alloc&) {
            end_as_failed(ErrorKind::run_time, "not enough memory");
        } catch (const std::exception& error) {
            end_as_failed(ErrorKind::run_time, error.what());
        }
        result_.record = record_;
        result_.document = record_json(record_);
        return result_;
    }

    // Keeps the broken state for a look at it, apart from the good ones.
    void end_as_invalid(const Error& error) {
        std::string message = error.what();
        const auto path = folder_.checkpoints() / fmt::format("invalid_{:012}.h5", simulation_.step_count());
        try {
            if (frames_) write_frame();
            write_checkpoint_to(path);
            message += fmt::format("\nThe broken state is in {} and in the last frame.", path.string());
        } catch (const std::exception& trouble) {
            message += fmt::format("\nThe broken state could not be kept: {}", trouble.what());
        }
        message +=
            resume_advice(fmt::format(" repeats it from there, with the same scene. With another one start a new run: "
                                      "`[start] from = \"{}\"` takes over that state",
                                      folder_.path().string()));
        end_with(RunStatus::invalid, Error(ErrorKind::invalid, message));
    }

    void end_as_failed(ErrorKind kind, const std::string& why) {
        // What is wrong with a scene cannot be repaired in the run: it continues with the scene it began with.
        const std::string advice = kind != ErrorKind::bad_input
                                       ? " continues from there, once that is repaired"
                                       : fmt::format(
                                             " continues from there, but with the same scene. With another one start a "
                                             "new run: `[start] from = \"{}\"` takes over that state",
                                             folder_.path().string());
        end_with(RunStatus::failed, Error(kind, why + resume_advice(advice)));
    }

    std::string resume_advice(const std::string& what) const {
        const std::vector<std::filesystem::path> good = checkpoints_.list();
        if (good.empty()) return "";
        return fmt::format("\nThe last good checkpoint is {}; `scree resume {}`{}.", good.front().string(),
                           folder_.path().string(), what);
    }

    void end_with(RunStatus status, Error error) {
        record_.status = status;
        record_.message = error.what();
        try {
            write_record();
        } catch (const std::exception&) {
            // The disk may be full, or the state beyond measure; the result tells the rest.
        }
        result_.error = std::move(error);
    }

    Simulation& simulation_;
    const RunFolder& folder_;
    RunOptions options_;
    const std::string& scene_text_;
    const RunWork earlier_;
    OutputProgress output_;
    CheckpointFolder checkpoints_;
    Schedule row_schedule_, frame_schedule_, checkpoint_schedule_, measure_schedule_;
    MeasureFiles measures_;
    double until_;
    std::int64_t first_step_, last_step_;
    SeriesFile series_;
    std::optional<FrameFolder> frames_;
    std::int64_t grain_steps_ = 0;
    std::size_t most_grains_ = 0, frames_written_ = 0;
    bool paused_ = false;  // nothing has been written for the end of what was run last
    const Clock::time_point start_ = Clock::now();
    RunRecord record_;
    RunResult result_;
};

}  // namespace

RunResult start_run(Simulation& simulation, const RunFolder& folder, const std::string& scene_text,
                    const RunOptions& options) {
    const WorkersScope scope(simulation.workers());
    return Run(simulation, folder, scene_text, options, {}, {}).from_the_start();
}

RunResult record_moment(Simulation& simulation, const RunFolder& folder, const std::string& scene_text) {
    const WorkersScope scope(simulation.workers());
    return Run(simulation, folder, scene_text, {}, {}, {}).of_this_moment();
}

struct RunInParts::Parts {
    RunFolder folder;
    std::string scene_text;
    Run run;
    Workers& workers;

    Parts(Simulation& simulation, RunFolder&& given, std::string&& text, OutputProgress output, const RunWork& earlier)
        : folder(std::move(given)),
          scene_text(std::move(text)),
          run(simulation, folder, scene_text, {}, std::move(output), earlier),
          workers(simulation.workers()) {}
};

static RunWork work_before(const RunFolder& folder) {
    RunWork earlier = read_work(folder.record());
    earlier.resumes += 1;
    return earlier;
}

RunInParts::RunInParts(Simulation& simulation, RunFolder folder, std::string scene_text)
    : parts_(
          std::make_unique<Parts>(simulation, std::move(folder), std::move(scene_text), OutputProgress{}, RunWork{})) {
    const WorkersScope scope(parts_->workers);
    const RunResult begun = parts_->run.begin_only();
    if (begun.error) throw *begun.error;
}

RunInParts::RunInParts(Simulation& simulation, RunFolder folder, const Checkpoint& checkpoint) {
    const RunWork earlier = work_before(folder);
    parts_ = std::make_unique<Parts>(simulation, std::move(folder), std::string(checkpoint.scene), checkpoint.output,
                                     earlier);
}

RunInParts::~RunInParts() {
    if (parts_->run.paused()) save();
}

RunResult RunInParts::go(const RunOptions& options) {
    const WorkersScope scope(parts_->workers);
    return parts_->run.go_on(options);
}

RunResult RunInParts::save() {
    const WorkersScope scope(parts_->workers);
    return parts_->run.save();
}

RunResult continue_run(Simulation& simulation, const RunFolder& folder, const Checkpoint& checkpoint,
                       const RunOptions& options) {
    const WorkersScope scope(simulation.workers());
    return Run(simulation, folder, checkpoint.scene, options, checkpoint.output, work_before(folder))
        .from_a_checkpoint();
}

}  // namespace scree
