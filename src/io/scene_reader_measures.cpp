// The part of the reader that knows measures.
#include <fmt/format.h>

#include "core/nearest.h"
#include "io/scene_reader.h"
#include "measure/measures.h"

namespace scree {
namespace {

// The value of an option as measures take it; nothing for what no option can be.
std::optional<MeasureRequest::Option> option_value(const Value& value) {
    if (const bool* yes = value.as<bool>()) return std::string(*yes ? "true" : "false");
    if (const auto* integer = value.as<std::int64_t>()) return static_cast<double>(*integer);
    if (const double* number = value.as<double>()) return *number;
    if (const auto* text = value.as<std::string>()) return *text;
    if (const auto* array = value.as<Value::Array>()) {
        std::vector<double> numbers;
        for (const Value& item : *array) {
            const auto inner = option_value(item);
            const double* number = inner ? std::get_if<double>(&*inner) : nullptr;
            if (!number) return {};
            numbers.push_back(*number);
        }
        return numbers;
    }
    return {};
}

}  // namespace

void SceneReader::measures(const Key& key, const Scene& scene, std::vector<MeasureRequest>& out) {
    const Value* value = take(key);
    if (!value) return;
    const auto* array = value->as<Value::Array>();
    if (!array) return refuse_type(*value, key, "an array of measures, e.g. [\"energy\", { layers = { count = 20 } }]");
    out.clear();
    for (std::size_t i = 0; i < array->size(); ++i) {
        const Value& item = (*array)[i];
        const std::string path = fmt::format("{}.{}", path_of(key.name), i);
        const auto* table = item.as<Value::Table>();
        const auto* word = item.as<std::string>();
        if (!word && !(table && table->size() == 1)) {
            complain(item, path,
                     "expected the name of a measure, or a table { NAME = { OPTION = VALUE, ... } } with one name");
            continue;
        }
        MeasureRequest request{word ? *word : table->front().key, {}, item.source == 0 ? item.where : Where{-1, 0}};
        const MeasureKind* kind = find_measure(request.name);
        if (!kind) {
            complain(item, path,
                     fmt::format("there is no measure \"{}\"{}; there are: {}", request.name,
                                 nearest_hint(request.name, measure_names()), fmt::join(measure_names(), ", ")));
            continue;
        }
        const auto* options = table ? table->front().value.as<Value::Table>() : nullptr;
        if (table && !options) {
            complain(table->front().value, path + "." + request.name,
                     fmt::format("expected a table of options, not {}", type_name(table->front().value)));
            continue;
        }
        std::vector<std::string> names;
        for (const MeasureOption& option : measure_options(*kind)) names.emplace_back(option.name);
        for (std::size_t k = 0; options && k < options->size(); ++k) {
            const Entry& entry = (*options)[k];
            const std::string option_path = fmt::format("{}.{}.{}", path, request.name, entry.key);
            const MeasureOption* known = nullptr;
            const std::vector<MeasureOption> all = measure_options(*kind);
            for (const MeasureOption& option : all)
                if (entry.key == option.name) known = &option;
            if (!known) {
                complain(entry.value, option_path,
                         fmt::format("unknown option{}; {} has: {}", nearest_hint(entry.key, names), request.name,
                                     names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
                continue;
            }
            const auto given = option_value(entry.value);
            const std::string fault = given ? option_fault(*known, *given, scene)
                                            : fmt::format("{} makes no sense here", type_name(entry.value));
            if (!fault.empty())
                complain(entry.value, option_path, fault);
            else
                request.options.emplace_back(entry.key, *given);
        }
        out.push_back(std::move(request));
    }
}

}  // namespace scree
