// scree plot: series and measures of runs as PNG, PDF or SVG.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <deque>

#include "commands.h"
#include "core/parallel.h"
#include "core/text_input.h"
#include "frame_at.h"
#include "io/files.h"
#include "io/run_reader.h"
#include "options.h"
#include "plot/canvas.h"
#include "plot/chart.h"
#include "plot/units.h"
#include "plot_charts.h"
#include "report.h"
#include "scree/error.h"

namespace scree::app {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::usage, "plot: " + message); }

struct Look {
    std::optional<std::string> output, title, legend, size, x_label, y_label, x_range, y_range, logarithmic, band;
    std::optional<double> dpi, x_factor, y_factor;
    bool mean = false, markers = false;

    void declare(Options& options) {
        options.option("-o,--output", "FILE", output, "FILE.png, FILE.pdf or FILE.svg; default: RUN/plot.png");
        options.choice("--log", {"x", "y", "xy"}, logarithmic, "logarithmic axes");
        options.flag("--mean", mean, "several runs as their mean, with a band of one standard deviation");
        options.choice("--band", {"deviation", "error", "range"}, band,
                       "what the band is: standard deviation, standard error of the mean, or lowest to highest");
        options.flag("--markers", markers, "a mark at every point");
        options.option(
            "--x-label", "TEXT", x_label,
            "label of the x axis. Where it ends with a unit, as in \"displacement / mm\", the axis is in it");
        options.option("--y-label", "TEXT", y_label, "label of the y axis");
        options.option("--x-factor", "F", x_factor, "multiply x by F; the label says what that is");
        options.option("--y-factor", "F", y_factor, "multiply y by F: force to stress, for example");
        options.option("--x-range", "A:B", x_range, "ends of the x axis, in its unit without prefix");
        options.option("--y-range", "A:B", y_range, "ends of the y axis");
        options.option("--title", "TEXT", title, "title; default: that of the scene, if there is one run");
        options.option("--legend", "A,B,...", legend, "names of the runs; default: those of their folders");
        options.option("--size", "WxH", size, "size of the picture in mm, e.g. 85x60; default: 238 by 79 per panel");
        options.option("--dpi", "N", dpi, "pixels per inch of a PNG; default: 144");
    }

    void check(std::size_t panels) const {
        if (band && !mean) refuse("--band needs --mean");
        if (panels > 1 && (x_label || y_label || x_factor || y_factor || x_range || y_range))
            refuse("labels, factors and ranges are for a plot of one panel; ask for one thing at a time");
        if ((x_factor && !x_label) || (y_factor && !y_label))
            refuse(
                "a factor changes what the numbers mean: give a label too, e.g. --y-factor 1e-3 --y-label \"load / "
                "kN\"");
        for (const auto& factor : {x_factor, y_factor})
            if (factor && (!std::isfinite(*factor) || *factor == 0)) refuse("a factor is a number other than 0");
        if (dpi && !(*dpi >= 10 && *dpi <= 2400)) refuse(fmt::format("--dpi {} is not between 10 and 2400", *dpi));
    }

    Together together() const {
        return !mean              ? Together::lines
               : !band            ? Together::deviation
               : *band == "error" ? Together::error
               : *band == "range" ? Together::range
                                  : Together::deviation;
    }

    static void label(plot::Axis& axis, const std::optional<std::string>& text, const std::optional<double>& factor) {
        if (!text) return;
        axis.label = *text;
        if (factor) axis.unit = "";  // the label tells what it is now
        const std::size_t slash = text->rfind(" / ");
        if (factor || slash == std::string::npos) {
            // Numbers as they are.
            if (!factor && !axis.unit.empty())
                refuse(fmt::format("\"{}\" names no unit, and the values are in {}: write \"{} / {}\"", *text,
                                   plot::written(axis.unit), *text, plot::written(axis.unit)));
            return;
        }
        if (!plot::unit_meant(text->substr(slash + 3), axis.unit))
            refuse(fmt::format("\"{}\" is not a multiple of the unit of the values, {}{}", text->substr(slash + 3),
                               axis.unit.empty() ? "pure numbers" : plot::written(axis.unit),
                               "; --x-factor and --y-factor make other quantities of them"));
    }

    static void range(plot::Axis& axis, const std::optional<std::string>& text) {
        if (!text) return;
        const std::size_t colon = text->find(':');
        double low = 0, high = 0;
        if (colon == std::string::npos || !read_number(std::string_view(*text).substr(0, colon), low) ||
            !read_number(std::string_view(*text).substr(colon + 1), high) || !(low < high) || !std::isfinite(low) ||
            !std::isfinite(high))
            refuse(fmt::format("\"{}\" is not a range; write it as A:B with A below B", *text));
        if (axis.logarithmic && low <= 0) refuse(fmt::format("the range {} of a logarithmic axis reaches zero", *text));
        axis.range = {low, high};
    }

    static void multiply(std::vector<double>& values, const std::optional<double>& factor) {
        if (factor)
            for (double& v : values) v *= *factor;
    }

    void apply(plot::Chart& chart) const {
        if (logarithmic) {
            chart.x.logarithmic = logarithmic->find('x') != std::string::npos;
            chart.y.logarithmic = logarithmic->find('y') != std::string::npos;
        }
        label(chart.x, x_label, x_factor);
        label(chart.y, y_label, y_factor);
        range(chart.x, x_range);
        range(chart.y, y_range);
        for (plot::Series& series : chart.series) {
            multiply(series.x, x_factor);
            for (auto* values : {&series.y, &series.low, &series.high}) multiply(*values, y_factor);
            series.markers = series.markers || markers;
        }
    }

    void apply(plot::Page& page) const {
        if (title) page.title = *title;
        if (!size) return;
        double width = 0, height = 0;
        const std::size_t by = size->find('x');
        if (by == std::string::npos || !read_number(std::string_view(*size).substr(0, by), width) ||
            !read_number(std::string_view(*size).substr(by + 1), height) || !(width >= 30 && width <= 2000) ||
            !(height >= 20 && height <= 2000))
            refuse(fmt::format("\"{}\" is not a size; write WIDTHxHEIGHT in mm, from 30x20 to 2000x2000", *size));
        page.width = width / 25.4 * plot::points_per_inch;
        page.height = height / 25.4 * plot::points_per_inch;
        if (page.height < 110 * static_cast<double>(page.charts.size()))
            refuse(fmt::format("{} mm are too few for {} panel{}; each needs 30", height, page.charts.size(),
                               page.charts.size() == 1 ? "" : "s"));
    }

    std::string drawn(const plot::Page& page, const std::filesystem::path& path) const {
        return path.extension() == ".svg"   ? plot::svg(page)
               : path.extension() == ".pdf" ? plot::pdf(page)
                                            : plot::png(page, dpi.value_or(144));
    }
};

std::filesystem::path picture_path(const Look& look, const std::string& run) {
    const std::filesystem::path path =
        look.output ? std::filesystem::path(*look.output) : std::filesystem::path(run) / "plot.png";
    const std::string ending = path.extension().string();
    if (ending != ".png" && ending != ".svg" && ending != ".pdf")
        refuse(fmt::format("{} must end in .png, .pdf or .svg", path.string()));
    return path;
}

// Those of the folders, or the paths as given where folders are called alike.
std::vector<std::string> run_names(const std::vector<std::string>& runs, const Look& look) {
    std::vector<std::string> names;
    if (look.legend) {
        for (const TextField& field : fields_of(*look.legend, ',')) names.push_back(unquoted(field.text));
        if (names.size() != runs.size())
            refuse(fmt::format("--legend has {} name{} for {} run{}", names.size(), names.size() == 1 ? "" : "s",
                               runs.size(), runs.size() == 1 ? "" : "s"));
        return names;
    }
    for (const std::string& run : runs) names.push_back(RunFiles(run).name());
    for (const std::string& name : names)
        if (std::count(names.begin(), names.end(), name) > 1) return runs;
    return names;
}

}  // namespace

int command_plot(const Arguments& arguments) {
    std::string run;
    std::vector<std::string> what;
    std::optional<std::string> frames;
    std::optional<double> at;
    Look look;
    Options options("plot",
                    "Draws series and measures of runs. RUN may be several folders. WHAT is a column of series.csv "
                    "(several in one panel: kinetic+potential), \"energy\", a measure with an optional column and "
                    "options (density, density.height, layers:count=10), or one against the other: "
                    "wall.lid.z-wall.lid.fz. Fields (velocity, convection) are drawn as arrows. Every WHAT gets a "
                    "panel; without any: energy and contacts.");
    options.argument("RUN", run, "run folder; more may follow");
    options.arguments("WHAT", what, "columns and measures");
    options.option("--at", "T", at, "measures at the frame nearest to this time in s");
    options.option("--frames", "A:B", frames,
                   "measures at these frames: from A up to but without B, negative ones from the end");
    look.declare(options);
    if (!options.parse(arguments)) return 0;
    if (at && frames) refuse("only one of --at and --frames makes sense");
    const std::filesystem::path path = picture_path(look, run);
    std::vector<std::string> folders{run};
    std::error_code ignored;
    while (!what.empty() && std::filesystem::is_directory(what.front(), ignored)) {
        folders.push_back(what.front());
        what.erase(what.begin());
    }
    if (what.empty()) what = {"energy", "contacts"};
    look.check(what.size());
    if (look.mean && folders.size() < 2) refuse("--mean needs two runs or more");

    set_thread_count(hardware_thread_count());
    const std::vector<std::string> names = run_names(folders, look);
    std::deque<RunReader> readers;
    std::deque<RunValues> values;
    std::vector<PlottedRun> runs;
    for (std::size_t k = 0; k < folders.size(); ++k) {
        const RunReader& reader = readers.emplace_back(folders[k]);
        runs.push_back({names[k], &values.emplace_back(reader),
                        at ? std::vector{frame_at(reader, *at)} : chosen_frames(frames, reader.size()), at || frames});
    }
    plot::Page page{folders.size() == 1 ? readers[0].scene().title : "", {}};
    for (const std::string& one : what) {
        plot::Chart chart = chart_of_runs(runs, one, look.together());
        look.apply(chart);
        page.charts.push_back(std::move(chart));
    }
    look.apply(page);
    write_whole_file(path, look.drawn(page, path), Durability::crash_of_program);
    tell(fmt::format("wrote {}\n", path.string()));
    return 0;
}

}  // namespace scree::app
