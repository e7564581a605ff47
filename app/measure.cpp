// scree measure: measures of a run folder.
#include <fmt/format.h>

#include "commands.h"
#include "core/parallel.h"
#include "frame_at.h"
#include "io/files.h"
#include "io/measure_file.h"
#include "io/run_reader.h"
#include "options.h"
#include "report.h"
#include "scree/error.h"

namespace scree::app {
namespace {

std::string listing() {
    std::string out;
    for (const MeasureKind* kind : measure_kinds()) {
        std::string names;
        for (const MeasureOption& option : measure_options(*kind))
            names += fmt::format("{}{}", names.empty() ? "" : ", ", option.name);
        out += fmt::format("  {:<14} {}{}\n", kind->name, kind->doc, names.empty() ? "" : fmt::format(" ({})", names));
    }
    return out;
}

}  // namespace

int command_measure(const Arguments& arguments) {
    std::string run;
    std::vector<std::string> what;
    std::optional<std::string> output, frames;
    std::optional<double> at;
    bool json = false, all = false;
    Options options(
        "measure",
        "Measures a run. Options of a measure follow its name: layers:axis=z,count=20. Measures:\n" + listing());
    options.argument("RUN", run, "run folder");
    options.arguments("WHAT", what, "measures");
    options.option("--at", "T", at, "at the frame nearest to this time in s; default: the last");
    options.option("--frames", "A:B", frames,
                   "over time: frames from A up to but without B, negative ones from the end");
    options.flag("--all", all, "over time: all frames");
    options.flag("--json", json, "print one JSON document");
    options.option("-o,--output", "FILE", output, "write to this file instead of standard output");
    if (!options.parse(arguments)) return 0;
    if (what.empty()) throw Error(ErrorKind::usage, fmt::format("measure: say what; there are:\n{}", listing()));
    if (at.has_value() + frames.has_value() + all > 1)
        throw Error(ErrorKind::usage, "measure: only one of --at, --frames and --all makes sense");
    std::vector<MeasureRequest> requests;
    for (const std::string& text : what) requests.push_back(parse_measure(text));

    set_thread_count(hardware_thread_count());
    const RunReader reader(run);
    for (const MeasureRequest& request : requests) check_measure(request, reader.scene());
    std::vector<std::size_t> chosen;
    if (frames || all)
        chosen = chosen_frames(frames, reader.size());
    else
        chosen = {at ? frame_at(reader, *at) : reader.size() - 1};

    // Measures over time need the frames before, too.
    bool over_time = false;
    for (const MeasureRequest& request : requests)
        over_time = over_time || find_measure(request.name)->over_time || MeasureOptions(request).number("average");
    std::vector<std::vector<double>> memory(requests.size());
    std::vector<std::pair<MeasureRequest, std::vector<MeasureSample>>> results;
    for (const MeasureRequest& request : requests) results.emplace_back(request, std::vector<MeasureSample>{});
    for (std::size_t frame = over_time ? 0 : chosen.front(); frame <= chosen.back(); ++frame) {
        const Snapshot snapshot = reader.snapshot(frame);
        for (std::size_t k = 0; k < requests.size(); ++k) {
            MeasureTable table = take_measure(requests[k], snapshot, memory[k]);
            if (frame >= chosen.front()) results[k].second.push_back({snapshot.time, std::move(table)});
        }
    }
    std::string text;
    if (json) {
        text = measures_json(results);
    } else {
        for (const auto& [request, samples] : results) {
            if (results.size() > 1) text += fmt::format("{}# {}\n", text.empty() ? "" : "\n", measure_text(request));
            text += measure_head(samples.front().table);
            for (const MeasureSample& sample : samples) text += measure_rows(sample.time, sample.table);
        }
    }
    if (output)
        write_whole_file(*output, text, Durability::crash_of_program);
    else
        print_result(text);
    return 0;
}

}  // namespace scree::app
