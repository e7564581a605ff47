#include "plot_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "scree/error.h"

namespace scree::app {
namespace {

// A line of one run. Runs are averaged at equal `at`: the time, or the place of a profile.
struct Line {
    std::string part;
    std::vector<double> at, x, y;
};

struct Drawing {
    plot::Axis x, y;
    std::vector<Line> lines;
    std::vector<plot::Arrow> arrows = {};
    std::string arrow_unit = {};
};

bool is_field(const std::string& measure) { return measure == "velocity" || measure == "convection"; }

Drawing histogram(const MeasureTable& table, std::size_t column, const char* what) {
    Drawing drawing{{measure_words(table.columns[column].name), table.columns[column].unit}, {what}, {{}}};
    std::vector<double> values;
    for (const auto& row : table.rows)
        if (std::isfinite(row[column])) values.push_back(row[column]);
    if (values.empty()) return drawing;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const std::size_t bins =
        std::clamp<std::size_t>(static_cast<std::size_t>(std::sqrt(static_cast<double>(values.size()))), 5, 60);
    const double from = *low, width = (*high - *low) / static_cast<double>(bins);
    std::vector<double> counts(bins, 0);
    for (const double v : values)
        counts[width > 0 ? std::min(bins - 1, static_cast<std::size_t>((v - from) / width)) : 0] += 1;
    Line& line = drawing.lines[0];
    const auto add = [&](double x, double y) {
        line.x.push_back(x);
        line.y.push_back(y);
    };
    add(from, 0);
    for (std::size_t k = 0; k < bins; ++k)
        for (const std::size_t edge : {k, k + 1}) add(from + static_cast<double>(edge) * width, counts[k]);
    add(*high, 0);
    return drawing;
}

// A field as arrows across and up; what lies behind each other is averaged by the grains there.
Drawing arrows(const MeasureTable& table, const RunValue& value, const RunValues& run) {
    const auto column = [&](const char* wanted) {
        RunValue part = value;
        part.column = wanted;
        return run.column_of(part, table);
    };
    const bool plane = value.measure->name == "convection", upright = run.reader().scene().dimension == 3;
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
    Drawing drawing{{measure_words(table.columns[x].name), "m"}, {measure_words(table.columns[y].name), "m"}, {}};
    drawing.arrow_unit = "m/s";
    for (const auto& [at, sum] : cells)
        if (sum.weight > 0) drawing.arrows.push_back({at.first, at.second, sum.vx / sum.weight, sum.vy / sum.weight});
    return drawing;
}

// A profile over the middles of its layers, rings or bins: at up to five moments of one run, at the last one of
// several.
Drawing profile(const RunValue& value, const PlottedRun& run, bool alone) {
    const std::string& name = value.measure->name;
    const std::size_t n = run.frames.size(), lines = !alone ? 1 : std::min<std::size_t>(n, run.frames_given ? 8 : 5);
    std::vector<std::size_t> shown;
    for (std::size_t k = 0; k < lines; ++k) shown.push_back(run.frames[lines == 1 ? n - 1 : k * (n - 1) / (lines - 1)]);
    const char* place = name == "rings"    ? "distance from the axis"
                        : name == "rdf"    ? "distance"
                        : name == "forces" ? "force over mean normal force"
                                           : "position";
    Drawing drawing;
    for (const auto& [time, table] : run.values->tables(value, shown)) {
        const std::size_t column = run.values->column_of(value, table);
        drawing.x = {place, table.columns[0].unit};
        drawing.y = {measure_words(table.columns[column].name), table.columns[column].unit};
        Line line{alone ? fmt::format("t = {:.4g} s", time) : "", {}, {}, {}};
        for (const auto& row : table.rows) {
            line.x.push_back((row[0] + row[1]) / 2);
            line.y.push_back(row[column]);
        }
        line.at = line.x;
        drawing.lines.push_back(std::move(line));
    }
    return drawing;
}

Drawing over_time(const RunValueSet& set, const PlottedRun& run) {
    const std::vector<std::size_t>* frames = run.frames_given ? &run.frames : nullptr;
    std::optional<Curve> x;
    if (set.x) x = run.values->over_time(*set.x, frames);
    Drawing drawing{{x ? x->words : "time", x ? x->unit : "s"}, {}, {}};
    for (const RunValue& value : set.y) {
        const Curve y = run.values->over_time(value, frames);
        if (drawing.lines.empty())
            drawing.y = {y.words, y.unit};
        else if (y.unit != drawing.y.unit)
            throw Error(ErrorKind::usage,
                        fmt::format("plot: {} is in {} and {} in {}: an axis has one unit; give them as two panels",
                                    set.y[0].text, drawing.y.unit.empty() ? "pure numbers" : drawing.y.unit, value.text,
                                    y.unit.empty() ? "pure numbers" : y.unit));
        Line line{set.y.size() > 1 ? y.words : "", y.time, y.time, y.value};
        if (x) {
            line.at = x->time.size() < y.time.size() ? x->time : y.time;
            std::tie(line.x, line.y) = against(*x, y);
        }
        drawing.lines.push_back(std::move(line));
    }
    // What all of them are: "energy" of kinetic energy and elastic energy.
    if (set.y.size() > 1) {
        std::string common = drawing.lines[0].part.substr(drawing.lines[0].part.rfind(' ') + 1);
        for (const Line& line : drawing.lines)
            if (line.part.substr(line.part.rfind(' ') + 1) != common) common = "";
        drawing.y.name = !common.empty()          ? common
                         : drawing.y.unit == "J"  ? "energy"
                         : drawing.y.unit == "N"  ? "force"
                         : drawing.y.unit.empty() ? "value"
                                                  : "values";
    }
    return drawing;
}

Drawing drawing_of(const PlottedRun& run, const std::string& what, bool alone) {
    const RunValues& values = *run.values;
    // The account of energy.
    const RunValueSet set = values.parse(what == "energy" ? "kinetic+potential+elastic+dissipated+energy_total" : what);
    const RunValue& value = set.y[0];
    if (!value.measure || set.x || set.y.size() > 1) return over_time(set, run);
    const bool field = is_field(value.measure->name);
    if (field && value.column.empty()) {
        if (!alone)
            throw Error(ErrorKind::usage, fmt::format("plot: the arrows of {} are drawn of one run at a time", what));
        return arrows(values.tables(value, {run.frames.back()}).back().second, value, values);
    }
    if (field || !find_measure(value.measure->name)->fixed_rows) {
        const MeasureTable last = values.tables(value, {run.frames.back()}).back().second;
        return histogram(last, values.column_of(value, last), field ? "cells" : "grains");
    }
    return values.is_single(value) ? over_time(set, run) : profile(value, run, alone);
}

// One line of the mean, at the moments that all have.
plot::Series mean_of(const std::vector<const Line*>& lines, Together together) {
    for (const Line* line : lines)
        if (line->at.empty())
            throw Error(ErrorKind::usage, "plot: a mean is drawn of values over time and of profiles, not of this");
    std::vector<double> moments = lines[0]->at;
    for (const Line* line : lines)
        if (line->at.size() < moments.size()) moments = line->at;
    plot::Series mean{lines[0]->part, {}, {}, {}, {}, false};
    for (const double at : moments) {
        std::vector<double> xs, ys;
        for (const Line* line : lines) {
            const double y = value_at({"", "", line->at, line->y}, at);
            if (!std::isfinite(y)) continue;
            ys.push_back(y);
            xs.push_back(value_at({"", "", line->at, line->x}, at));
        }
        if (ys.size() < lines.size()) continue;
        const Spread spread = spread_of(ys, together);
        mean.x.push_back(spread_of(xs, together).middle);
        mean.y.push_back(spread.middle);
        mean.low.push_back(spread.low);
        mean.high.push_back(spread.high);
    }
    return mean;
}

}  // namespace

Spread spread_of(const std::vector<double>& values, Together together) {
    const auto n = static_cast<double>(values.size());
    double sum = 0, square = 0, low = values.front(), high = values.front();
    for (const double v : values) {
        sum += v;
        low = std::min(low, v);
        high = std::max(high, v);
    }
    const double mean = sum / n;
    for (const double v : values) square += (v - mean) * (v - mean);
    if (together == Together::range) return {mean, low, high};
    double width = n > 1 ? std::sqrt(square / (n - 1)) : 0;
    if (together == Together::error) width /= std::sqrt(n);
    return {mean, mean - width, mean + width};
}

plot::Chart chart_of_runs(const std::vector<PlottedRun>& runs, const std::string& what, Together together) {
    std::vector<Drawing> drawings;
    for (const PlottedRun& run : runs) drawings.push_back(drawing_of(run, what, runs.size() == 1));
    Drawing& first = drawings.front();
    plot::Chart chart{first.x, first.y, {}, std::move(first.arrows), first.arrow_unit};
    if (together == Together::lines || runs.size() == 1) {
        for (std::size_t k = 0; k < runs.size(); ++k)
            for (Line& line : drawings[k].lines) {
                const std::string name = runs.size() == 1    ? line.part
                                         : line.part.empty() ? runs[k].name
                                                             : runs[k].name + ": " + line.part;
                chart.series.push_back({name, std::move(line.x), std::move(line.y), {}, {}, false});
            }
        return chart;
    }
    for (std::size_t part = 0; part < first.lines.size(); ++part) {
        std::vector<const Line*> lines;
        for (const Drawing& drawing : drawings)
            if (part < drawing.lines.size()) lines.push_back(&drawing.lines[part]);
        chart.series.push_back(mean_of(lines, together));
    }
    return chart;
}

}  // namespace scree::app
