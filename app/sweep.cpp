// scree sweep: one scene with many values of some keys, as runs in parallel processes and a table of what came out.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <nlohmann/json.hpp>

#include "child_process.h"
#include "commands.h"
#include "core/text_input.h"
#include "io/files.h"
#include "io/json_text.h"
#include "io/scene_file.h"
#include "options.h"
#include "progress.h"
#include "report.h"
#include "scree/error.h"
#include "scree/threads.h"
#include "signals.h"
#include "study/run_outcome.h"
#include "study/study_folder.h"
#include "study/sweep_points.h"

namespace scree::app {
namespace {

// What every row tells of its run, by the words of run.json.
constexpr const char* record_columns[] = {"time", "grains", "contacts", "max_overlap", "wall_seconds", "state_hash"};

nlohmann::ordered_json record_of(const std::filesystem::path& run) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(run / "run.json", ignored)) return {};
    return parse_json(read_text_file(run / "run.json"));
}

class Sweep {
  public:
    Sweep(StudyFolder& folder, std::vector<SweptKey> keys, std::vector<Asked> asked)
        : folder_(&folder),
          keys_(std::move(keys)),
          asked_(std::move(asked)) {
        std::vector<std::string> columns(std::begin(record_columns), std::end(record_columns));
        for (const Asked& one : asked_) columns.push_back(one.text);
        folder.set_results(std::move(columns));
        for (StudyRow& row : folder.rows()) look_at(row);
    }

    // Takes in a point with the text of its scene. What has been run of it stays, unless `again`.
    void add(const std::vector<std::string>& point, const std::string& scene, bool again);
    // Runs what has not been run. Returns the number of the signal that stopped it, or 0.
    int run(std::size_t jobs, std::int64_t threads);

    std::size_t count(const std::string& status) const {
        const std::vector<StudyRow>& rows = folder_->rows();
        return static_cast<std::size_t>(
            std::count_if(rows.begin(), rows.end(), [&](const StudyRow& row) { return row.status == status; }));
    }

  private:
    struct Active {
        std::size_t row;
        ChildProcess process;
        std::chrono::steady_clock::time_point since;
    };

    std::string words(const StudyRow& row) const;
    Arguments command(const StudyRow& row, std::int64_t threads) const;
    bool has_checkpoint(const StudyRow& row) const;
    void look_at(StudyRow& row);
    void ended(const Active& active, int code);

    StudyFolder* folder_;
    std::vector<SweptKey> keys_;
    std::vector<Asked> asked_;
    std::deque<std::size_t> waiting_;
    std::vector<Active> active_;
    std::size_t finished_ = 0, planned_ = 0;
    bool told_of_value_ = false;
};

// "friction = 0.2, seed = 3": the last words of the keys are enough for people.
std::string Sweep::words(const StudyRow& row) const {
    std::string text;
    for (std::size_t k = 0; k < keys_.size(); ++k)
        text += fmt::format("{}{} = {}", k ? ", " : "", keys_[k].key.substr(keys_[k].key.rfind('.') + 1), row.point[k]);
    return text;
}

// Whether the file holds the scene that the text is of, in whatever order and with whatever comments.
bool is_scene(const std::filesystem::path& file, const std::string& text) {
    try {
        return write_scene(read_scene(file.string(), {.overrides = {}, .check_files = false})) == text;
    } catch (const Error&) {
        return false;
    }
}

void Sweep::add(const std::vector<std::string>& point, const std::string& scene, bool again) {
    StudyRow& row = folder_->row_of(point);
    const std::filesystem::path file = folder_->scene(row);
    std::error_code ignored;
    const bool there = std::filesystem::exists(file, ignored);
    if (there && !again && !is_scene(file, scene))
        throw Error(ErrorKind::usage,
                    fmt::format("{} is another scene: the scene, or a --set, has changed since its run; --force runs "
                                "all points again, -o chooses another folder",
                                file.string()));
    if (again) std::filesystem::remove_all(folder_->run(row), ignored);
    if (!there || again) replace_file(file, scene, Durability::power_cut);
    if (again) row.status = "waiting";
    if (row.status == "done" || row.status == "invalid") return;
    row.error.clear();
    waiting_.push_back(static_cast<std::size_t>(&row - folder_->rows().data()));
}

bool Sweep::has_checkpoint(const StudyRow& row) const {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder_->run(row) / "checkpoints", ignored))
        if (entry.path().filename().string().starts_with("checkpoint_")) return true;
    return false;
}

Arguments Sweep::command(const StudyRow& row, std::int64_t threads) const {
    Arguments arguments{"run", folder_->scene(row).string(), "-o", folder_->run(row).string(), "--force"};
    if (has_checkpoint(row)) arguments = {"resume", folder_->run(row).string()};
    arguments.insert(arguments.end(), {"--quiet", "--threads", std::to_string(threads)});
    return arguments;
}

// Status and results of a row, from its run folder.
void Sweep::look_at(StudyRow& row) {
    const nlohmann::ordered_json record = record_of(folder_->run(row));
    row.results.assign(row.results.size(), "");
    if (!record.is_object()) return;  // it never began
    row.status = record.value("status", "failed");
    if (row.status == "running") row.status = "stopped";  // it was killed: no other program is in the folder
    row.error.clear();
    if (const auto message = record.find("message"); message != record.end() && message->is_string())
        row.error = *message;
    for (std::size_t k = 0; k < std::size(record_columns); ++k)
        if (const auto found = record.find(record_columns[k]); found != record.end() && !found->is_null())
            row.results[k] = found->is_string() ? found->get<std::string>() : found->dump();
    if (row.status != "done" || asked_.empty()) return;
    try {
        const RunReader reader(folder_->run(row));
        const RunValues values(reader);
        for (std::size_t k = 0; k < asked_.size(); ++k)
            if (const double value = outcome(values, asked_[k]); std::isfinite(value))
                row.results[std::size(record_columns) + k] = fmt::format("{}", value);
    } catch (const Error& error) {
        row.error = error.what();
        if (!std::exchange(told_of_value_, true)) warn(error.what());
    }
}

void Sweep::ended(const Active& active, int code) {
    StudyRow& row = folder_->rows()[active.row];
    look_at(row);
    if (const bool by_signal = code == 130 || code == 143;
        row.status != "done" && row.status != "invalid" && !by_signal) {
        row.status = "failed";
        const std::string said = read_text_file(folder_->log(row));
        if (row.error.empty()) row.error = said.substr(0, said.find_last_not_of('\n') + 1);
        if (row.error.empty()) row.error = fmt::format("the run ended with code {}", code);
    } else if (row.status == "running") {
        row.status = "waiting";  // stopped before it began
    }
    ++finished_;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - active.since).count();
    tell(fmt::format("{}/{}: {} {} after {} ({}){}\n", finished_, planned_, row.run, row.status, clock_text(seconds),
                     words(row), row.error.empty() || row.status == "done" ? "" : ": " + row.error));
}

int Sweep::run(std::size_t jobs, std::int64_t threads) {
    planned_ = waiting_.size();
    folder_->save();
    bool asked_to_stop = false;
    while (!active_.empty() || (!waiting_.empty() && !signal_caught())) {
        while (active_.size() < jobs && !waiting_.empty() && !signal_caught()) {
            StudyRow& row = folder_->rows()[waiting_.front()];
            active_.push_back({waiting_.front(), ChildProcess(command(row, threads), folder_->log(row)),
                               std::chrono::steady_clock::now()});
            waiting_.pop_front();
            row.status = "running";
            folder_->save();
        }
        if (signal_caught() && !std::exchange(asked_to_stop, true))
            for (const Active& one : active_) one.process.ask_to_stop();
        const bool changed = std::erase_if(active_, [&](Active& one) {
            const std::optional<int> code = one.process.ended();
            if (code) ended(one, *code);
            return code.has_value();
        });
        if (changed)
            folder_->save();
        else
            ::usleep(20'000);
    }
    return signal_caught();
}

// The scene of a point, complete, so that it can be read from anywhere.
std::string scene_text(const std::string& text, const std::string& file, std::vector<std::string> overrides,
                       const std::vector<SweptKey>& keys, const std::vector<std::string>& point) {
    for (std::size_t k = 0; k < keys.size(); ++k) overrides.push_back(keys[k].key + "=" + point[k]);
    return write_scene(parse_scene(text, file, {std::move(overrides)}));
}

}  // namespace

int command_sweep(const Arguments& arguments) {
    std::string scene_path;
    std::vector<std::string> what, over, overrides;
    std::optional<std::string> output;
    std::optional<std::int64_t> jobs, threads;
    bool force = false;
    Options options("sweep",
                    "Runs a scene with many values of some keys, several runs at a time, and keeps one table of them, "
                    "STUDY/table.csv. The same command goes on where an earlier one was stopped, and runs only what "
                    "is new when values have been added. WHAT is a column of series.csv or a measure, for a column of "
                    "the table: its last value, or KINETIC@0.5 at a time, @FROM:UNTIL a mean, @mean, @min, @max.");
    options.argument("SCENE", scene_path, "scene file (TOML), or - for standard input");
    options.arguments("WHAT", what, "columns and measures for the table");
    options.repeated("--over", "KEY=VALUES", over,
                     "FROM:TO:COUNT values in equal steps, FROM:TO:COUNT:log in equal ratios, or a list A,B,...; with "
                     "several --over every value meets every other");
    options.option("-o,--output", "STUDY", output,
                   "folder of the study; default: the scene's name without .toml and with -sweep");
    options.option("--jobs", "N", jobs, "runs at the same time; default: as many as the machine has threads");
    options.option("--threads", "N", threads, "threads of each run; default: 1");
    options.repeated("--set", "KEY=VALUE", overrides, "change a value of the scene, for all runs");
    options.flag("--force", force, "run all points again");
    if (!options.parse(arguments)) return 0;
    if (over.empty())
        throw Error(ErrorKind::usage,
                    "sweep: no --over says what to vary, as in --over materials.glass.friction=0.1:0.5:5");
    for (const auto& count : {jobs, threads})
        if (count && !(*count >= 1 && *count <= 1024))
            throw Error(ErrorKind::usage, fmt::format("{} is not between 1 and 1024", *count));

    std::vector<SweptKey> keys;
    std::vector<std::string> names;
    for (const std::string& text : over) {
        keys.push_back(parse_swept_key(text));
        if (std::find(names.begin(), names.end(), keys.back().key) != names.end())
            throw Error(ErrorKind::usage, fmt::format("--over {}: the key is there twice", text));
        names.push_back(keys.back().key);
    }
    std::vector<Asked> asked;
    for (const std::string& text : what) asked.push_back(parse_asked(text));

    // All scenes are read before anything is run: a fault in one is known now.
    const std::string file = scene_path == "-" ? "<stdin>" : scene_path;
    const std::string text = read_input(scene_path, {"a scene file", ErrorKind::bad_input, ErrorKind::bad_input});
    const std::vector<std::vector<std::string>> points = sweep_points(keys);
    std::vector<std::string> scenes;
    for (const auto& point : points) scenes.push_back(scene_text(text, file, overrides, keys, point));

    const std::filesystem::path name =
        scene_path == "-" ? std::filesystem::path("sweep")
                          : std::filesystem::path(std::filesystem::path(scene_path).stem().string() + "-sweep");
    catch_signals();
    StudyFolder folder(output ? std::filesystem::path(*output) : name, names);
    Sweep sweep(folder, keys, std::move(asked));
    for (std::size_t k = 0; k < points.size(); ++k) sweep.add(points[k], scenes[k], force);
    const auto most = static_cast<std::size_t>(
        jobs.value_or(std::max<std::int64_t>(1, hardware_thread_count() / threads.value_or(1))));
    const int stopped = sweep.run(most, threads.value_or(1));

    const std::size_t bad = sweep.count("failed") + sweep.count("invalid");
    tell(fmt::format("{}: {} of {} runs done{}{}\n", folder.table().string(), sweep.count("done"), folder.rows().size(),
                     bad ? fmt::format(", {} failed: their rows say why", bad) : "",
                     stopped ? "; the same command goes on" : ""));
    return stopped ? exit_code_of_signal(stopped) : bad ? static_cast<int>(ErrorKind::run_time) : 0;
}

}  // namespace scree::app
