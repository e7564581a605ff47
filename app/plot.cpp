// scree plot: series and measures of a run as PNG or SVG.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "commands.h"
#include "core/nearest.h"
#include "core/parallel.h"
#include "core/text_input.h"
#include "io/files.h"
#include "io/run_reader.h"
#include "measure/measures.h"
#include "options.h"
#include "plot/chart.h"
#include "report.h"
#include "scree/error.h"

namespace scree::app {
namespace {

// A CSV of numbers with a row of names.
struct Columns {
    std::vector<std::string> names;
    std::vector<std::vector<double>> values;
    const std::vector<double>* find(const std::string& name) const {
        for (std::size_t k = 0; k < names.size(); ++k)
            if (names[k] == name) return &values[k];
        return nullptr;
    }
};

Columns read_columns(const std::filesystem::path& path) {
    const std::string text = read_text_file(path);
    Columns columns;
    for (TextLines lines(text); lines.next();) {
        const std::vector<TextField> row = fields_of(lines.line(), ',');
        if (lines.number() == 1) {
            for (const TextField& name : row) columns.names.push_back(unquoted(name.text));
            columns.values.resize(columns.names.size());
            continue;
        }
        if (row.size() != columns.names.size()) continue;  // a row under way
        for (std::size_t k = 0; k < row.size(); ++k) {
            double value = NAN;
            read_number(row[k].text, value);
            columns.values[k].push_back(value);
        }
    }
    return columns;
}

std::string unit_of_series(const std::string& name) {
    for (const char* energy : {"kinetic", "rotational", "potential", "elastic", "dissipated", "work", "energy"})
        if (name.find(energy) != std::string::npos && !name.starts_with("wall.")) return "J";
    const std::string end = name.substr(name.rfind('.') + 1);
    if (!name.starts_with("wall.")) return name == "time" ? "s" : "";
    return end[0] == 'f' ? "N" : end[0] == 't' ? "N m" : end[0] == 'v' ? "m/s" : "m";
}

std::string labelled(std::string name, std::string unit) {
    for (const auto& [power, sign] : {std::pair<std::string, std::string>{"^2", "²"}, {"^3", "³"}})
        for (std::size_t at; (at = unit.find(power)) != std::string::npos;) unit.replace(at, power.size(), sign);
    return unit.empty() ? name : fmt::format("{} [{}]", name, unit);
}

class Plotter {
  public:
    Plotter(const RunReader& reader, std::vector<std::size_t> frames, bool frames_given)
        : reader_(reader),
          series_(read_columns(reader.folder() / "series.csv")),
          frames_(std::move(frames)),
          frames_given_(frames_given) {}

    plot::Chart chart(const std::string& what) const {
        std::vector<std::string> parts;
        std::istringstream text(what);
        for (std::string part; std::getline(text, part, '+');) parts.push_back(part);
        const bool all_series = std::all_of(parts.begin(), parts.end(),
                                            [&](const std::string& part) { return series_.find(part) != nullptr; });
        if (what == "energy")
            parts = {"kinetic", "potential", "elastic", "dissipated", "energy_total"};
        else if (!all_series)
            return of_measure(what);
        plot::Chart chart{{"time [s]"},
                          {parts.size() == 1 ? labelled(parts[0], unit_of_series(parts[0]))
                                             : labelled(what == "energy" ? "energy" : "", unit_of_series(parts[0]))},
                          {},
                          {},
                          {}};
        for (const std::string& part : parts)
            chart.series.push_back({parts.size() == 1 ? "" : part, *series_.find("time"), *series_.find(part)});
        return chart;
    }

  private:
    [[noreturn]] void refuse(const std::string& what) const {
        std::vector<std::string> names = series_.names;
        for (const std::string& name : measure_names()) names.push_back(name);
        throw Error(
            ErrorKind::usage,
            fmt::format("plot: \"{}\" is neither a column of series.csv nor a measure{}; columns: {}; measures: {}",
                        what, nearest_hint(what, names), fmt::join(series_.names, ", "),
                        fmt::join(measure_names(), ", ")));
    }

    // NAME[.COLUMN][:OPTIONS]
    plot::Chart of_measure(const std::string& what) const {
        const std::size_t colon = what.find(':');
        const std::string head = what.substr(0, colon), name = head.substr(0, head.find('.'));
        const std::string column = head.size() > name.size() ? head.substr(name.size() + 1) : "";
        if (!find_measure(name)) refuse(what);
        const MeasureRequest request = parse_measure(name + (colon == std::string::npos ? "" : what.substr(colon)));
        check_measure(request, reader_.scene());
        // What the run has measured on its way is there already, at more moments than the frames.
        const std::filesystem::path file = reader_.folder() / "measures" / (name + ".csv");
        if (colon == std::string::npos && !frames_given_ && std::filesystem::exists(file)) {
            const Columns taken = read_columns(file);
            const std::vector<double>& time = *taken.find("time");
            if (std::adjacent_find(time.begin(), time.end()) == time.end() && time.size() > 1) {
                const MeasureTable last = take(request, {reader_.size() - 1}).back().second;
                const std::size_t k = chosen_column(last, column, name);
                if (const auto* values = taken.find(last.columns[k].name))
                    return {{"time [s]"},
                            {labelled(last.columns[k].name, last.columns[k].unit)},
                            {{"", time, *values}},
                            {},
                            {}};
            }
        }
        return drawn(request, column, name);
    }

    std::vector<std::pair<double, MeasureTable>> take(const MeasureRequest& request,
                                                      const std::vector<std::size_t>& frames) const {
        const bool over_time = find_measure(request.name)->over_time || MeasureOptions(request).number("average");
        std::vector<double> memory;
        std::vector<std::pair<double, MeasureTable>> samples;
        std::size_t next = 0;
        for (std::size_t frame = over_time ? 0 : frames.front(); frame <= frames.back(); ++frame) {
            const bool wanted = next < frames.size() && frames[next] == frame;
            if (!wanted && !over_time) continue;
            const Snapshot snapshot = reader_.snapshot(frame);
            MeasureTable table = take_measure(request, snapshot, memory);
            if (wanted) {
                samples.emplace_back(snapshot.time, std::move(table));
                ++next;
            }
        }
        return samples;
    }

    static std::size_t chosen_column(const MeasureTable& table, const std::string& wanted, const std::string& measure) {
        std::vector<std::string> names;
        for (std::size_t k = 0; k < table.columns.size(); ++k) {
            names.push_back(table.columns[k].name);
            if (table.columns[k].name == wanted) return k;
        }
        if (!wanted.empty())
            throw Error(ErrorKind::usage, fmt::format("plot: {} has no column \"{}\"{}; it has: {}", measure, wanted,
                                                      nearest_hint(wanted, names), fmt::join(names, ", ")));
        return value_column(table);
    }

    plot::Chart drawn(const MeasureRequest& request, const std::string& column, const std::string& name) const {
        const bool field = name == "velocity" || name == "convection";
        const MeasureTable last = take(request, {frames_.back()}).back().second;
        if (field && column.empty()) return arrows(last, name);
        const std::size_t value = chosen_column(last, column, name);
        const std::string label = labelled(last.columns[value].name, last.columns[value].unit);
        if (field || !find_measure(name)->fixed_rows) return histogram(last, value, label, field ? "cells" : "grains");
        if (last.rows.size() == 1) {
            plot::Chart chart{{"time [s]"}, {label}, {{}}, {}, {}};
            for (const auto& [time, table] : take(request, frames_)) {
                chart.series[0].x.push_back(time);
                chart.series[0].y.push_back(table.rows[0][value]);
            }
            return chart;
        }
        // A profile: lines of up to five moments over the middles of its layers, rings or bins.
        std::vector<std::size_t> shown;
        const std::size_t n = frames_.size(), lines = std::min<std::size_t>(n, frames_given_ ? 8 : 5);
        for (std::size_t k = 0; k < lines; ++k)
            shown.push_back(frames_[lines == 1 ? n - 1 : k * (n - 1) / (lines - 1)]);
        const char* place = name == "rings"    ? "distance from the axis"
                            : name == "rdf"    ? "distance"
                            : name == "forces" ? "force over mean normal force"
                                               : "position";
        plot::Chart chart{{labelled(place, last.columns[0].unit)}, {label}, {}, {}, {}};
        for (const auto& [time, table] : take(request, shown)) {
            plot::Series series{fmt::format("t = {:.4g} s", time), {}, {}};
            for (const auto& row : table.rows) {
                series.x.push_back((row[0] + row[1]) / 2);
                series.y.push_back(row[value]);
            }
            chart.series.push_back(std::move(series));
        }
        return chart;
    }

    // A field as arrows across and up; what lies behind each other is averaged by the grains there.
    plot::Chart arrows(const MeasureTable& table, const std::string& name) const {
        const auto column = [&](const char* wanted) { return chosen_column(table, wanted, name); };
        const bool plane = name == "convection", upright = reader_.scene().dimension == 3;
        const std::size_t x = column(plane ? "across" : "x"),
                          y = column(plane     ? "height"
                                     : upright ? "z"
                                               : "y"),
                          vx = column(plane ? "v_across" : "vx"),
                          vy = column(plane     ? "v_up"
                                      : upright ? "vz"
                                                : "vy"),
                          grains = column("grains");
        struct Sum {
            double vx = 0, vy = 0, weight = 0;
        };
        std::map<std::pair<double, double>, Sum> cells;
        for (const auto& row : table.rows) {
            Sum& sum = cells[{row[x], row[y]}];
            if (row[grains] > 0) {
                sum.vx += row[grains] * row[vx];
                sum.vy += row[grains] * row[vy];
                sum.weight += row[grains];
            }
        }
        plot::Chart chart{
            {labelled(table.columns[x].name, "m")}, {labelled(table.columns[y].name, "m")}, {}, {}, "m/s"};
        for (const auto& [at, sum] : cells)
            if (sum.weight > 0) chart.arrows.push_back({at.first, at.second, sum.vx / sum.weight, sum.vy / sum.weight});
        return chart;
    }

    static plot::Chart histogram(const MeasureTable& table, std::size_t value, const std::string& label,
                                 const char* what) {
        std::vector<double> values;
        for (const auto& row : table.rows)
            if (std::isfinite(row[value])) values.push_back(row[value]);
        plot::Chart chart{{label}, {what}, {{}}, {}, {}};
        if (values.empty()) return chart;
        const auto [low, high] = std::minmax_element(values.begin(), values.end());
        const std::size_t bins =
            std::clamp<std::size_t>(static_cast<std::size_t>(std::sqrt(static_cast<double>(values.size()))), 5, 60);
        const double from = *low, width = (*high - *low) / static_cast<double>(bins);
        std::vector<double> counts(bins, 0);
        for (const double v : values)
            counts[width > 0 ? std::min(bins - 1, static_cast<std::size_t>((v - from) / width)) : 0] += 1;
        plot::Series& series = chart.series[0];
        series.x.push_back(from);
        series.y.push_back(0);
        for (std::size_t k = 0; k < bins; ++k)
            for (const std::size_t edge : {k, k + 1}) {
                series.x.push_back(from + static_cast<double>(edge) * width);
                series.y.push_back(counts[k]);
            }
        series.x.push_back(*high);
        series.y.push_back(0);
        return chart;
    }

    const RunReader& reader_;
    Columns series_;
    std::vector<std::size_t> frames_;
    bool frames_given_;
};

}  // namespace

int command_plot(const Arguments& arguments) {
    std::string run;
    std::vector<std::string> what;
    std::optional<std::string> output, frames, logarithmic;
    std::optional<double> at;
    Options options("plot",
                    "Draws series and measures of a run. WHAT is a column of series.csv (several in one panel: "
                    "kinetic+potential), \"energy\", or a measure with an optional column and options: density, "
                    "density.height, layers:count=10. Fields (velocity, convection) are drawn as arrows. Every WHAT "
                    "gets a panel; without any: energy and contacts.");
    options.argument("RUN", run, "run folder");
    options.arguments("WHAT", what, "columns and measures");
    options.option("-o,--output", "FILE", output, "FILE.svg or FILE.png; default: RUN/plot.png");
    options.option("--at", "T", at, "measures at the frame nearest to this time in s");
    options.option("--frames", "A:B", frames,
                   "measures at these frames: from A up to but without B, negative ones from the end");
    options.choice("--log", {"x", "y", "xy"}, logarithmic, "logarithmic axes");
    if (!options.parse(arguments)) return 0;
    if (at && frames) throw Error(ErrorKind::usage, "plot: only one of --at and --frames makes sense");
    const std::filesystem::path path =
        output ? std::filesystem::path(*output) : std::filesystem::path(run) / "plot.png";
    if (path.extension() != ".png" && path.extension() != ".svg")
        throw Error(ErrorKind::usage, fmt::format("plot: {} must end in .png or .svg", path.string()));

    set_thread_count(hardware_thread_count());
    const RunReader reader(run);
    const std::vector<std::size_t> chosen =
        at ? std::vector{reader.nearest(*at)} : chosen_frames(frames, reader.size());
    const Plotter plotter(reader, chosen, at || frames);
    plot::Page page{reader.scene().title, {}};
    if (what.empty()) what = {"energy", "contacts"};
    for (const std::string& one : what) {
        plot::Chart chart = plotter.chart(one);
        if (logarithmic) {
            chart.x.logarithmic = logarithmic->find('x') != std::string::npos;
            chart.y.logarithmic = logarithmic->find('y') != std::string::npos;
        }
        page.charts.push_back(std::move(chart));
    }
    write_whole_file(path, path.extension() == ".svg" ? plot::svg(page) : plot::png(page),
                     Durability::crash_of_program);
    tell(fmt::format("wrote {}\n", path.string()));
    return 0;
}

}  // namespace scree::app
