// The JSON Schema of a scene. Says what can be said without looking at two keys at once: vectors may have two or three
// components, names may be any. `scree check` knows the rest.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

#include "io/scene_file.h"
#include "io/scene_reference.h"
#include "measure/measures.h"

namespace scree {
namespace {

using Json = nlohmann::ordered_json;
using Type = KeyReference::Type;

Json table_schema(const KeyTable& table);

Json number_schema(const Range& range, const char* type = "number") {
    Json out{{"type", type}};
    if (range.low != -forever) out[range.above_low ? "exclusiveMinimum" : "minimum"] = range.low;
    if (range.high != forever) out["maximum"] = range.high;
    return out;
}

Json array_schema(Json items, std::size_t least, std::size_t most = 0) {
    Json out{{"type", "array"}, {"items", std::move(items)}, {"minItems", least}};
    if (most > 0) out["maxItems"] = most;
    return out;
}

Json words_schema(const std::vector<Choice>& choices) {
    Json words = Json::array();
    for (const Choice& choice : choices)
        if (choice.available) words.push_back(choice.name);
    return {{"enum", words}};
}

Json option_schema(const MeasureOption& option) {
    Json out;
    switch (option.kind) {
        case MeasureOption::Kind::number:
            out = number_schema(option.positive ? positive : any_number);
            break;
        case MeasureOption::Kind::count:
            out = number_schema({1, 1e6}, "integer");
            break;
        case MeasureOption::Kind::vector:
            out = array_schema(number_schema(any_number), 2, 3);
            break;
        case MeasureOption::Kind::axis:
            out = {{"enum", {"x", "y", "z"}}};
            break;
        case MeasureOption::Kind::yes_no:
            out = {{"type", "boolean"}};
            break;
        case MeasureOption::Kind::group:
        case MeasureOption::Kind::wall:
            out = {{"type", "string"}};
            break;
    }
    out["description"] = std::string(option.doc) + (*option.unit ? std::string(" Unit: ") + option.unit + "." : "") +
                         " Default: " + option.fallback + ".";
    return out;
}

// A word, or a table of one key that holds the options.
Json measures_schema() {
    Json alternatives = Json::array({Json{{"enum", measure_names()}}});
    for (const MeasureKind* kind : measure_kinds()) {
        Json options = Json::object();
        for (const MeasureOption& option : measure_options(*kind)) options[option.name] = option_schema(option);
        Json table{
            {"type", "object"}, {"description", kind->doc}, {"properties", options}, {"additionalProperties", false}};
        alternatives.push_back({{"type", "object"},
                                {"properties", {{kind->name, table}}},
                                {"required", {kind->name}},
                                {"additionalProperties", false}});
    }
    return {{"anyOf", alternatives}};
}

Json type_schema(const KeyReference& reference) {
    const Range& range = reference.key.range;
    switch (reference.type) {
        case Type::boolean:
            return {{"type", "boolean"}};
        case Type::integer:
            return number_schema(range, "integer");
        case Type::number:
            return number_schema(range);
        case Type::number_or_auto:
            return {{"anyOf", {Json{{"const", "auto"}}, number_schema(range)}}};
        case Type::text:
        case Type::name:
        case Type::file:
            return {{"type", "string"}};
        case Type::choice:
            return words_schema(reference.choices);
        case Type::measures:
            return array_schema(measures_schema(), 0);
        case Type::vector:
            return array_schema(number_schema(range), 2, 3);
        case Type::spin:
            return {{"anyOf", {number_schema(range), array_schema(number_schema(range), 3, 3)}}};
        case Type::vectors:
            return array_schema(array_schema(number_schema(range), 2, 3), reference.count, reference.most);
        case Type::numbers:
            return array_schema(number_schema(range), reference.count, reference.count);
        case Type::rows:
            return array_schema(
                array_schema(number_schema(range), std::min<std::size_t>(reference.count, 3), reference.count), 1);
        case Type::names:
            return array_schema({{"type", "string"}}, reference.count, reference.count);
        case Type::table:
            return table_schema(reference.inner[0]);
        case Type::list:
            return array_schema(table_schema(reference.inner[0]), 0);
        case Type::named: {
            Json out{{"type", "object"}, {"additionalProperties", table_schema(reference.inner[0])}};
            if (reference.key.required) out["minProperties"] = 1;
            return out;
        }
        case Type::plain_or_table:
            return {{"anyOf", {type_schema(reference.plain[0]), table_schema(reference.inner[0])}}};
        case Type::refused:
            return false;
    }
    return {};
}

Json key_schema(const KeyReference& reference) {
    Json out = type_schema(reference);
    if (!out.is_object()) return out;
    std::string doc = reference.key.doc;
    if (*reference.key.unit) doc += std::string(" Unit: ") + reference.key.unit + ".";
    if (!reference.default_text.empty() && !reference.default_is_value)
        doc += " Default: " + reference.default_text + ".";
    out["description"] = doc;
    if (reference.default_is_value) {
        const Json fallback = Json::parse(reference.default_text, nullptr, false);
        if (!fallback.is_discarded()) out["default"] = fallback;  // TOML's inf is not JSON
    }
    return out;
}

// Keys of all kinds are properties; which ones go together is said by names. A key that kinds describe differently is
// any of that as a property, for editors that look no further, and that of its kind where the kind is known.
Json table_schema(const KeyTable& table) {
    std::map<std::string, Json> described;
    for (const KeyKind& kind : table.kinds)
        for (const KeyReference& reference : kind.keys) {
            if (!kind.choice.available) continue;
            Json& all = described.try_emplace(reference.key.name, Json::array()).first->second;
            const Json one = key_schema(reference);
            if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
        }
    Json properties = Json::object(), required = Json::array(), common = Json::array();
    for (const KeyReference& reference : table.keys) {
        properties[reference.key.name] = key_schema(reference);
        common.push_back(reference.key.name);
        if (reference.key.required) required.push_back(reference.key.name);
    }
    Json alternatives = Json::array();
    for (const KeyKind& kind : table.kinds) {
        if (!kind.choice.available) continue;
        Json needed = Json::array(), allowed = common, own = Json::object();
        for (const KeyReference& reference : kind.keys) {
            const Json& all = described.at(reference.key.name);
            if (!properties.contains(reference.key.name))
                properties[reference.key.name] = all.size() == 1 ? all[0] : Json{{"anyOf", all}};
            if (all.size() > 1) own[reference.key.name] = key_schema(reference);
            allowed.push_back(reference.key.name);
            if (reference.key.required) needed.push_back(reference.key.name);
        }
        Json one{{"required", needed}, {"propertyNames", {{"enum", allowed}}}};
        if (!own.empty()) one["properties"] = own;
        if (!table.tag.empty())
            one = {{"if", {{"properties", {{table.tag, {{"const", kind.choice.name}}}}}, {"required", {table.tag}}}},
                   {"then", one}};
        alternatives.push_back(one);
    }
    Json out{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
    if (!required.empty()) out["required"] = required;
    if (!alternatives.empty()) out[table.tag.empty() ? "oneOf" : "allOf"] = alternatives;
    return out;
}

}  // namespace

std::string scene_schema() {
    Json out{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "Scene of scree"}};
    out.update(table_schema(scene_reference()));
    return out.dump(2) + "\n";
}

}  // namespace scree
