#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>

#include "core/nearest.h"
#include "measure/measures.h"
#include "scree/error.h"

namespace scree {
namespace {

using Kind = MeasureOption::Kind;

constexpr MeasureOption average{
    "average", Kind::number, "s", "none", "Moving average: means over the moments of so long a time up to now.", true};

constexpr const MeasureKind* kinds[] = {
    &energy_measure,       &motion_measure,        &density_measure, &void_ratio_measure, &layers_measure,
    &rings_measure,        &coordination_measure,  &fabric_measure,  &forces_measure,     &stress_measure,
    &grain_stress_measure, &wall_pressure_measure, &flow_measure,    &velocity_measure,   &convection_measure,
    &mixing_measure,       &segregation_measure,   &angle_measure,   &repose_measure,     &cells_measure,
    &rdf_measure,
};

std::string number_of(double value) { return fmt::format("{}", value); }

std::optional<double> as_number(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return {};
    return value;
}

MeasureRequest::Option parse_value(const std::string& text) {
    if (text.size() >= 2 && text.front() == '[' && text.back() == ']') {
        std::vector<double> values;
        std::size_t at = 1;
        while (at < text.size() - 1) {
            const std::size_t end = std::min(text.find(',', at), text.size() - 1);
            std::string part = text.substr(at, end - at);
            part.erase(0, std::min(part.size(), part.find_first_not_of(' ')));
            const auto value = as_number(part);
            if (!value) throw Error(ErrorKind::usage, fmt::format("\"{}\" in {} is not a number", part, text));
            values.push_back(*value);
            at = end + 1;
        }
        return values;
    }
    if (const auto value = as_number(text)) return *value;
    return text;
}

std::vector<std::string> option_names(const MeasureKind& kind) {
    std::vector<std::string> names;
    for (const MeasureOption& option : measure_options(kind)) names.emplace_back(option.name);
    return names;
}

// Memory of an average: length of the measure's own memory, that memory, then samples of time and values.
MeasureTable averaged(double window, MeasureTable table, double time, Memory& samples) {
    std::size_t width = 1;
    for (const auto& row : table.rows) width += row.size();
    if (samples.size() % width != 0) samples.clear();
    samples.push_back(time);
    for (const auto& row : table.rows) samples.insert(samples.end(), row.begin(), row.end());
    std::size_t first = 0;
    // The moment one window ago is not part of it, up to the rounding of step times.
    while (samples[first] <= time - window * (1 - 1e-9)) first += width;
    samples.erase(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(first));
    std::size_t column = 1;
    for (auto& row : table.rows)
        for (double& value : row) {
            double sum = 0, count = 0;
            for (std::size_t at = column; at < samples.size(); at += width)
                if (!std::isnan(samples[at])) {
                    sum += samples[at];
                    count += 1;
                }
            value = count > 0 ? sum / count : NAN;
            ++column;
        }
    return table;
}

}  // namespace

std::span<const MeasureKind* const> measure_kinds() { return kinds; }

std::size_t value_column(const MeasureTable& table) {
    const auto beside = [](const MeasureColumn& column) {
        for (const char* name :
             {"low", "high", "inner", "outer", "id", "x", "y", "z", "across", "height", "radius", "grains"})
            if (column.name == name) return true;
        return false;
    };
    const auto at = std::find_if_not(table.columns.begin(), table.columns.end(), beside);
    return at == table.columns.end() ? 0 : static_cast<std::size_t>(at - table.columns.begin());
}

std::vector<std::string> measure_names() {
    std::vector<std::string> names;
    for (const MeasureKind* kind : kinds) names.emplace_back(kind->name);
    return names;
}

const MeasureKind* find_measure(std::string_view name) {
    const auto found =
        std::find_if(std::begin(kinds), std::end(kinds), [&](const MeasureKind* kind) { return kind->name == name; });
    return found == std::end(kinds) ? nullptr : *found;
}

std::vector<MeasureOption> measure_options(const MeasureKind& kind) {
    std::vector<MeasureOption> options(kind.options.begin(), kind.options.end());
    if (kind.fixed_rows) options.push_back(average);
    return options;
}

// ---- Options ------------------------------------------------------------------------------------------------------------

const MeasureRequest::Option* MeasureOptions::find(std::string_view name) const {
    for (const auto& [key, value] : request_->options)
        if (key == name) return &value;
    return nullptr;
}

std::optional<double> MeasureOptions::number(std::string_view name) const {
    const auto* option = find(name);
    const double* value = option ? std::get_if<double>(option) : nullptr;
    return value ? std::optional(*value) : std::nullopt;
}

std::optional<Vec3> MeasureOptions::vector(std::string_view name) const {
    const auto* option = find(name);
    const auto* values = option ? std::get_if<std::vector<double>>(option) : nullptr;
    if (!values || values->size() < 2) return {};
    return Vec3{(*values)[0], (*values)[1], values->size() > 2 ? (*values)[2] : 0};
}

std::optional<std::string> MeasureOptions::word(std::string_view name) const {
    const auto* option = find(name);
    const auto* text = option ? std::get_if<std::string>(option) : nullptr;
    return text ? std::optional(*text) : std::nullopt;
}

std::optional<int> MeasureOptions::axis(std::string_view name) const {
    const auto text = word(name);
    return text ? std::optional(*text == "x" ? 0 : *text == "y" ? 1 : 2) : std::nullopt;
}

std::size_t MeasureOptions::count(std::string_view name, std::size_t fallback) const {
    const auto value = number(name);
    return value ? static_cast<std::size_t>(*value) : fallback;
}

bool MeasureOptions::yes(std::string_view name, bool fallback) const {
    const auto text = word(name);
    return text ? *text == "true" : fallback;
}

std::string MeasureOptions::with(std::string_view options) const {
    if (request_->where.line != 0) return fmt::format("measures = [{{ {} = {{ {} }} }}]", request_->name, options);
    std::string text = request_->name + ":";
    std::copy_if(options.begin(), options.end(), std::back_inserter(text), [](char c) { return c != ' ' && c != '"'; });
    return text;
}

// ---- Requests -----------------------------------------------------------------------------------------------------------

MeasureRequest parse_measure(const std::string& text) {
    const std::size_t colon = text.find(':');
    MeasureRequest request{text.substr(0, colon), {}};
    const MeasureKind* kind = find_measure(request.name);
    if (!kind)
        throw Error(ErrorKind::usage,
                    fmt::format("there is no measure \"{}\"{}; there are: {}", request.name,
                                nearest_hint(request.name, measure_names()), fmt::join(measure_names(), ", ")));
    std::size_t at = colon == std::string::npos ? text.size() : colon + 1;
    while (at < text.size()) {
        std::size_t end = at;
        for (int depth = 0; end < text.size() && (depth > 0 || text[end] != ','); ++end)
            depth += (text[end] == '[') - (text[end] == ']');
        const std::string part = text.substr(at, end - at);
        const std::size_t equal = part.find('=');
        const std::string name = part.substr(0, equal);
        const std::vector<std::string> names = option_names(*kind);
        if (std::find(names.begin(), names.end(), name) == names.end())
            throw Error(ErrorKind::usage,
                        fmt::format("the measure {} has no option \"{}\"{}; it has: {}", request.name, name,
                                    nearest_hint(name, names),
                                    names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
        if (equal == std::string::npos)
            throw Error(ErrorKind::usage, fmt::format("the option {} of {} needs a value, as in {}:{}=VALUE", name,
                                                      request.name, request.name, name));
        request.options.emplace_back(name, parse_value(part.substr(equal + 1)));
        at = end + 1;
    }
    return request;
}

std::string measure_text(const MeasureRequest& request) {
    std::string text = request.name;
    for (const auto& [name, value] : request.options) {
        text += (text.size() == request.name.size() ? ":" : ",") + name + "=";
        if (const double* number = std::get_if<double>(&value))
            text += number_of(*number);
        else if (const auto* word = std::get_if<std::string>(&value))
            text += *word;
        else
            text += fmt::format("[{}]", fmt::join(std::get<std::vector<double>>(value), ","));
    }
    return text;
}

std::string option_fault(const MeasureOption& option, const MeasureRequest::Option& value, const Scene& scene) {
    const double* number = std::get_if<double>(&value);
    const auto* word = std::get_if<std::string>(&value);
    const auto* vector = std::get_if<std::vector<double>>(&value);
    const auto one_of = [&](const std::vector<std::string>& names, const char* what) {
        if (word && std::find(names.begin(), names.end(), *word) != names.end()) return std::string();
        return fmt::format("expected the name of a {}{}; {}", what, word ? nearest_hint(*word, names) : "",
                           names.empty() ? "the scene has none" : fmt::format("there are: {}", fmt::join(names, ", ")));
    };
    std::vector<std::string> names;
    switch (option.kind) {
        case Kind::number:
            if (!number || !std::isfinite(*number)) return "expected a number";
            return option.positive && *number <= 0 ? "must be > 0" : "";
        case Kind::count:
            if (!number || *number != std::floor(*number)) return "expected an integer";
            return *number < 1 || *number > 1e6 ? "must be >= 1 and <= 1000000" : "";
        case Kind::vector:
            if (!vector || static_cast<int>(vector->size()) != scene.dimension ||
                !std::all_of(vector->begin(), vector->end(), [](double v) { return std::isfinite(v); }))
                return fmt::format("expected {} numbers {}", scene.dimension,
                                   scene.dimension == 2 ? "[x, y]" : "[x, y, z]");
            return "";
        case Kind::axis: {
            const bool known = word && (*word == "x" || *word == "y" || (*word == "z" && scene.dimension == 3));
            return known ? "" : scene.dimension == 2 ? "expected \"x\" or \"y\"" : "expected \"x\", \"y\" or \"z\"";
        }
        case Kind::group:
            // Those without a name are given one when the scene has been read.
            for (std::size_t k = 0; k < scene.grains.size(); ++k)
                names.push_back(scene.grains[k].name.empty() ? fmt::format("grains{}", k + 1) : scene.grains[k].name);
            return one_of(names, "group of grains");
        case Kind::wall:
            for (std::size_t k = 0; k < scene.walls.size(); ++k)
                names.push_back(scene.walls[k].name.empty() ? fmt::format("wall{}", k + 1) : scene.walls[k].name);
            return one_of(names, "wall");
        case Kind::yes_no:
            return word && (*word == "true" || *word == "false") ? "" : "expected true or false";
    }
    return "";
}

void check_measure(const MeasureRequest& request, const Scene& scene) {
    const MeasureKind* kind = find_measure(request.name);
    if (!kind) throw Error(ErrorKind::usage, fmt::format("there is no measure \"{}\"", request.name));
    for (const auto& [name, value] : request.options)
        for (const MeasureOption& option : measure_options(*kind))
            if (name == option.name)
                if (const std::string fault = option_fault(option, value, scene); !fault.empty())
                    throw Error(ErrorKind::usage, fmt::format("{}: option {}: {}", request.name, name, fault));
}

MeasureTable take_measure(const MeasureRequest& request, const Snapshot& snapshot, std::vector<double>& memory) {
    const MeasureKind* kind = find_measure(request.name);
    const MeasureOptions options(request);
    const auto window = options.number("average");
    if (!window) return kind->take(snapshot, options, memory);
    const auto own_size = memory.empty() ? 0 : static_cast<std::size_t>(memory[0]);
    Memory own, samples;
    if (!memory.empty()) {
        own.assign(memory.begin() + 1, memory.begin() + 1 + static_cast<std::ptrdiff_t>(own_size));
        samples.assign(memory.begin() + 1 + static_cast<std::ptrdiff_t>(own_size), memory.end());
    }
    MeasureTable table = averaged(*window, kind->take(snapshot, options, own), snapshot.time, samples);
    memory.assign(1, static_cast<double>(own.size()));
    memory.insert(memory.end(), own.begin(), own.end());
    memory.insert(memory.end(), samples.begin(), samples.end());
    return table;
}

}  // namespace scree
