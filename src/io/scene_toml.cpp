// The only file that sees toml++.
#include "io/scene_toml.h"

#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "core/nearest.h"

namespace scree {
namespace {

Where where_of(const toml::source_region& region) {
    return {static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

Value converted(const toml::node& node) {
    Value value;
    if (const auto* table = node.as_table()) {
        Value::Table entries;
        for (const auto& [key, child] : *table)
            entries.push_back({std::string(key.str()), where_of(key.source()), converted(child)});
        // toml++ sorts by name; users expect messages and names in their own order.
        std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
            return std::pair(a.where.line, a.where.column) < std::pair(b.where.line, b.where.column);
        });
        value.data = std::move(entries);
    } else if (const auto* array = node.as_array()) {
        Value::Array elements;
        for (const auto& child : *array) elements.push_back(converted(child));
        value.data = std::move(elements);
    } else if (const auto* text = node.as_string()) {
        value.data = text->get();
    } else if (const auto* integer = node.as_integer()) {
        value.data = integer->get();
    } else if (const auto* number = node.as_floating_point()) {
        value.data = number->get();
    } else if (const auto* boolean = node.as_boolean()) {
        value.data = boolean->get();
    } else {
        std::ostringstream text_of_date;
        node.visit([&](const auto& any) {
            if constexpr (toml::is_chronological<decltype(any)>) text_of_date << any.get();
        });
        value.data = Value::Date{text_of_date.str()};
    }
    value.where = where_of(node.source());
    return value;
}

void set_source(Value& value, int source) {
    value.source = source;
    value.where = {};
    if (auto* table = value.as<Value::Table>())
        for (Entry& entry : *table) {
            entry.where = {};
            set_source(entry.value, source);
        }
    if (auto* array = value.as<Value::Array>())
        for (Value& element : *array) set_source(element, source);
}

// "a.\"b.c\".d" -> a, b.c, d
std::vector<std::string> split_path(std::string_view path) {
    std::vector<std::string> parts(1);
    char quote = 0;
    for (const char c : path) {
        if (quote && c == quote)
            quote = 0;
        else if (!quote && (c == '"' || c == '\''))
            quote = c;
        else if (!quote && c == '.')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

// Finds the element called or numbered `part`; null and a complaint when there is none.
Value* element(Value::Array& array, const std::string& part, std::string_view path, std::string& complaint) {
    std::vector<std::string> names;
    for (Value& item : array) {
        const Value* name = item.find("name");
        const auto* text = name ? name->as<std::string>() : nullptr;
        if (text && *text == part) return &item;
        if (text) names.push_back(*text);
    }
    const bool is_index = !part.empty() && part.size() < 10 &&
                          std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (is_index && std::stoul(part) < array.size()) return &array[std::stoul(part)];
    complaint = fmt::format("\"{}\" has {} element{}", path, array.size(), array.size() == 1 ? "" : "s");
    if (array.empty()) return nullptr;
    complaint += array.size() == 1 ? ", with the index 0" : fmt::format(", with the indices 0 to {}", array.size() - 1);
    if (!names.empty())
        complaint += fmt::format(" and the name{} {}", names.size() == 1 ? "" : "s", fmt::join(names, ", "));
    if (!is_index) complaint += nearest_hint(part, names);
    return nullptr;
}

// The text as one TOML value; as a string when it is none.
std::variant<Value, SyntaxError> parse_value(const std::string& text) {
    auto parsed = parse_toml("value = " + text);
    if (const Value* document = std::get_if<Value>(&parsed)) {
        if (std::get<Value::Table>(document->data).size() == 1 && document->find("value"))
            return *document->find("value");
    } else if (!text.empty() && std::string_view("[{\"'").find(text[0]) != std::string_view::npos) {
        return std::get<SyntaxError>(parsed);
    }
    return Value(text);
}

}  // namespace

std::variant<Value, SyntaxError> parse_toml(std::string_view text) {
    try {
        return converted(toml::parse(text));
    } catch (const toml::parse_error& error) {
        return SyntaxError{where_of(error.source()), std::string(error.description())};
    }
}

std::string apply_override(Value& document, std::string_view override_text, int source) {
    const std::size_t equals = override_text.find('=');
    if (equals == std::string_view::npos || equals == 0) return "expected KEY=VALUE, as in simulation.duration=2.5";
    const auto trimmed = [](std::string_view s) {
        const std::size_t first = s.find_first_not_of(" \t"), last = s.find_last_not_of(" \t");
        return first == std::string_view::npos ? std::string() : std::string(s.substr(first, last - first + 1));
    };
    auto parsed = parse_value(trimmed(override_text.substr(equals + 1)));
    if (const auto* error = std::get_if<SyntaxError>(&parsed)) return "the value is not TOML: " + error->message;
    Value value = std::get<Value>(std::move(parsed));
    set_source(value, source);

    const std::vector<std::string> path = split_path(trimmed(override_text.substr(0, equals)));
    Value* place = &document;
    std::string so_far, complaint;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const bool last = i + 1 == path.size();
        if (path[i].empty()) return "an empty name between the dots of the key";
        if (auto* array = place->as<Value::Array>()) {
            Value* item = element(*array, path[i], so_far, complaint);
            if (!item) return complaint;
            if (last) *item = value;
            place = item;
        } else if (const auto* table = place->as<Value::Table>()) {
            // A new shape or material is named as a whole; a key of one that is nearly there is a slip.
            if (!last && i == 1 && !place->find(path[i]) && (so_far == "shapes" || so_far == "materials")) {
                std::vector<std::string> names;
                for (const Entry& entry : *table) names.push_back(entry.key);
                if (const std::string hint = nearest_hint(path[i], names); !hint.empty())
                    return fmt::format("\"{}\" has no \"{}\"{}", so_far, path[i], hint);
            }
            if (last)
                place = &place->set(path[i], value);
            else if (!place->find(path[i])) {
                place = &place->set(path[i], Value());
                place->source = source;
            } else
                place = const_cast<Value*>(place->find(path[i]));
        } else {
            return fmt::format("\"{}\" is {}, which has nothing inside", so_far, type_name(*place));
        }
        so_far += (so_far.empty() ? "" : ".") + path[i];
    }
    return {};
}

}  // namespace scree
