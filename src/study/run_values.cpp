#include "study/run_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/nearest.h"
#include "core/text_input.h"
#include "io/measure_file.h"
#include "io/series.h"
#include "scree/error.h"

namespace scree {

const std::vector<double>* Columns::find(const std::string& name) const {
    for (std::size_t k = 0; k < names.size(); ++k)
        if (names[k] == name) return &values[k];
    return nullptr;
}

Columns columns_of(const std::string& csv) {
    Columns columns;
    const std::string text = csv.substr(0, csv.rfind('\n') + 1);  // a row may be under way
    for (TextLines lines(text); lines.next();) {
        const std::vector<TextField> row = fields_of(lines.line(), ',');
        if (lines.number() == 1) {
            for (const TextField& name : row) columns.names.push_back(unquoted(name.text));
            columns.values.resize(columns.names.size());
            continue;
        }
        if (row.size() != columns.names.size()) continue;
        for (std::size_t k = 0; k < row.size(); ++k) {
            double value = NAN;
            read_number(row[k].text, value);
            columns.values[k].push_back(value);
        }
    }
    return columns;
}

RunValues::RunValues(const RunReader& reader) : reader_(&reader) {
    const std::optional<std::string> series = reader.files().text("series.csv");
    if (!series)
        throw Error(ErrorKind::file, fmt::format("{} is not there, or is no ordinary file (links are not followed)",
                                                 (reader.folder() / "series.csv").string()));
    series_ = columns_of(*series);
    if (!series_.find("time"))
        throw Error(ErrorKind::bad_input,
                    fmt::format("{}:1: there is no column \"time\": this is not the series of a run",
                                (reader.folder() / "series.csv").string()));
    const std::vector<MeasureRequest> requests = MeasureFiles::of(reader.scene());
    const std::vector<std::string> names = MeasureFiles::names(requests);
    for (std::size_t k = 0; k < requests.size(); ++k) taken_.emplace_back(names[k], requests[k]);
}

std::optional<RunValue> RunValues::measure(const std::string& text) const {
    const std::size_t colon = text.find(':');
    const std::string head = text.substr(0, colon), name = head.substr(0, head.find('.'));
    RunValue value{text, "", {}, head.size() > name.size() ? head.substr(name.size() + 1) : "", ""};
    if (colon != std::string::npos) {
        if (!find_measure(name)) return {};
        value.measure = parse_measure(name + text.substr(colon));
        check_measure(*value.measure, reader_->scene());
        for (const auto& [file, request] : taken_)
            if (measure_text(request) == measure_text(*value.measure)) value.file = file;
        return value;
    }
    for (const auto& [file, request] : taken_)
        if (file == name) {
            value.measure = request;
            value.file = file;
            return value;
        }
    if (!find_measure(name)) return {};
    value.measure = parse_measure(name);
    check_measure(*value.measure, reader_->scene());
    return value;
}

std::optional<RunValue> RunValues::find(const std::string& text) const {
    if (series_.find(text)) return RunValue{text, text, {}, "", ""};
    return measure(text);
}

RunValue RunValues::meant(const std::string& text) const {
    if (auto value = find(text)) return *value;
    std::vector<std::string> names = series_.names;
    for (const auto& [file, request] : taken_) names.push_back(file);
    for (const std::string& name : measure_names()) names.push_back(name);
    throw Error(ErrorKind::usage,
                fmt::format("\"{}\" is neither a column of {} nor a measure{}; columns: {}; measures: {}", text,
                            (reader_->folder() / "series.csv").string(), nearest_hint(text, names),
                            fmt::join(series_.names, ", "), fmt::join(measure_names(), ", ")));
}

// As a part of a longer text: what is wrong in any way is none.
std::optional<RunValue> RunValues::strictly(const std::string& text) const {
    if (!begins_with_name(text)) return {};
    try {
        auto value = find(text);
        if (value && value->measure) column_of(*value, sample(*value));
        return value;
    } catch (const Error&) {
        return {};
    }
}

bool RunValues::begins_with_name(const std::string& text) const {
    return series_.find(text) || find_measure(text.substr(0, text.find_first_of(".:-")));
}

// Parts with + in between.
std::optional<std::vector<RunValue>> RunValues::sum(const std::string& text) const {
    std::vector<RunValue> values;
    std::size_t from = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        if (at < text.size() && text[at] != '+') continue;
        if (auto value = strictly(text.substr(from, at - from))) {
            values.push_back(std::move(*value));
            from = at + 1;
        }
    }
    if (from != text.size() + 1) return {};
    return values;
}

RunValueSet RunValues::parse(const std::string& text) const {
    if (series_.find(text)) return {{}, {meant(text)}};
    for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at + 1)) {
        if (!begins_with_name(text.substr(at + 1, text.find('+', at) - at - 1))) continue;
        auto x = strictly(text.substr(0, at));
        if (!x) continue;
        if (auto y = sum(text.substr(at + 1))) return {std::move(x), std::move(*y)};
    }
    if (text.find('+') != std::string::npos)
        if (auto y = sum(text)) return {{}, std::move(*y)};
    if (const auto value = find(text)) return {{}, {*value}};
    // What is unknown of a text whose beginning is known.
    for (std::size_t at = text.find_first_of("+-"); at != std::string::npos; at = text.find_first_of("+-", at + 1))
        if (strictly(text.substr(0, at))) meant(text.substr(at + 1));
    return {{}, {meant(text)}};
}

// The last frame, for columns and units.
const MeasureTable& RunValues::sample(const RunValue& value) const {
    const std::string key = measure_text(*value.measure);
    for (const auto& [text, table] : samples_)
        if (text == key) return table;
    std::vector<double> memory;
    return samples_.emplace_back(key, take_measure(*value.measure, reader_->snapshot(reader_->size() - 1), memory))
        .second;
}

std::size_t RunValues::column_of(const RunValue& value, const MeasureTable& table) const {
    if (value.column.empty()) return value_column(table);
    std::vector<std::string> names;
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
        names.push_back(table.columns[k].name);
        if (table.columns[k].name == value.column) return k;
    }
    throw Error(ErrorKind::usage, fmt::format("{} has no column \"{}\"{}; it has: {}", value.measure->name,
                                              value.column, nearest_hint(value.column, names), fmt::join(names, ", ")));
}

bool RunValues::is_single(const RunValue& value) const {
    if (!value.measure) return true;
    return find_measure(value.measure->name)->fixed_rows && sample(value).rows.size() == 1;
}

std::vector<std::pair<double, MeasureTable>> RunValues::tables(const RunValue& value,
                                                               const std::vector<std::size_t>& frames) const {
    const MeasureRequest& request = *value.measure;
    // Measures over time need the frames before, too.
    const bool over_time = find_measure(request.name)->over_time || MeasureOptions(request).number("average");
    std::vector<double> memory;
    std::vector<std::pair<double, MeasureTable>> samples;
    std::size_t next = 0;
    for (std::size_t frame = over_time ? 0 : frames.front(); frame <= frames.back(); ++frame) {
        const bool wanted = next < frames.size() && frames[next] == frame;
        if (!wanted && !over_time) continue;
        const Snapshot snapshot = reader_->snapshot(frame);
        MeasureTable table = take_measure(request, snapshot, memory);
        if (!wanted) continue;
        samples.emplace_back(snapshot.time, std::move(table));
        ++next;
    }
    return samples;
}

Curve RunValues::over_time(const RunValue& value, const std::vector<std::size_t>* frames) const {
    if (!value.measure) {
        const SeriesColumn about = series_column(value.series);
        return {about.words, about.unit, *series_.find("time"), *series_.find(value.series)};
    }
    const MeasureTable& last = sample(value);
    const std::size_t column = column_of(value, last);
    if (!is_single(value))
        throw Error(ErrorKind::usage, fmt::format("{} has {} rows at a moment, not one value over time",
                                                  value.measure->name, last.rows.size()));
    Curve curve{measure_words(last.columns[column].name), last.columns[column].unit, {}, {}};
    if (const auto average = MeasureOptions(*value.measure).number("average"))
        curve.words += fmt::format(" (mean over {:g} s)", *average);
    // What the run has measured on its way is there at more moments than the frames.
    if (!value.file.empty() && !frames)
        if (const auto text = reader_->files().measure(value.file)) {
            const Columns taken = columns_of(*text);
            const auto* time = taken.find("time");
            const auto* values = taken.find(last.columns[column].name);
            if (time && values && !time->empty()) {
                curve.time = *time;
                curve.value = *values;
                return curve;
            }
        }
    std::vector<std::size_t> all(reader_->size());
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
    for (const auto& [time, table] : tables(value, frames ? *frames : all)) {
        curve.time.push_back(time);
        curve.value.push_back(table.rows.empty() ? NAN : table.rows[0][column]);
    }
    return curve;
}

std::string measure_words(const std::string& column) {
    std::string words = column;
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

double value_at(const Curve& curve, double time) {
    const auto after = std::lower_bound(curve.time.begin(), curve.time.end(), time);
    if (after == curve.time.end()) return NAN;
    const auto k = static_cast<std::size_t>(after - curve.time.begin());
    if (*after == time) return curve.value[k];
    if (k == 0) return NAN;
    const double part = (time - curve.time[k - 1]) / (curve.time[k] - curve.time[k - 1]);
    return curve.value[k - 1] + part * (curve.value[k] - curve.value[k - 1]);
}

std::pair<std::vector<double>, std::vector<double>> against(const Curve& x, const Curve& y) {
    if (x.time == y.time) return {x.value, y.value};
    const std::vector<double>& moments = x.time.size() < y.time.size() ? x.time : y.time;
    std::pair<std::vector<double>, std::vector<double>> points;
    for (const double time : moments) {
        points.first.push_back(value_at(x, time));
        points.second.push_back(value_at(y, time));
    }
    return points;
}

}  // namespace scree
