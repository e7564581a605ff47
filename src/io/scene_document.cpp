#include "io/scene_document.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace scree {

const Entry* Value::entry(std::string_view key) const {
    if (const Table* table = as<Table>())
        for (const Entry& entry : *table)
            if (entry.key == key) return &entry;
    return nullptr;
}

const Value* Value::find(std::string_view key) const {
    const Entry* found = entry(key);
    return found ? &found->value : nullptr;
}

Value& Value::set(std::string_view key, Value value) {
    Table& table = std::get<Table>(data);
    for (Entry& entry : table)
        if (entry.key == key) return entry.where = value.where, entry.value = std::move(value);
    table.push_back({std::string(key), value.where, std::move(value)});
    return table.back().value;
}

std::string_view type_name(const Value& value) {
    constexpr std::string_view names[] = {"a boolean",      "an integer", "a number", "a string",
                                          "a date or time", "an array",   "a table"};
    return names[value.data.index()];
}

std::string number_text(double number) {
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
    std::string text(buffer, end);
    // 1e-04 -> 1e-4, 1e+07 -> 1e7
    if (const std::size_t e = text.find('e'); e != std::string::npos) {
        const bool negative = text[e + 1] == '-';
        const std::size_t digits = std::min(text.find_first_not_of("+-0", e + 1), text.size() - 1);
        text = text.substr(0, e + 1) + (negative ? "-" : "") + text.substr(digits);
    }
    // Without a point it would be an integer, which has no minus zero and ends at 2^63.
    const bool integer = text.find_first_of(".e") == std::string::npos;
    if (integer && (text.size() > 15 || text == "-0")) text += ".0";
    return text;
}

namespace {

std::string in_quotes(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            out += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
        else
            out += c;
    }
    return out + '"';
}

std::string key_text(std::string_view key) {
    const auto bare = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; };
    return !key.empty() && std::all_of(key.begin(), key.end(), bare) ? std::string(key) : in_quotes(key);
}

struct InlineText {
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return number_text(value); }
    std::string operator()(const std::string& value) const { return in_quotes(value); }
    std::string operator()(const Value::Date& value) const { return value.text; }
    std::string operator()(const Value::Array& values) const {
        std::string out = "[";
        for (const Value& value : values) out += (out.size() > 1 ? ", " : "") + inline_toml(value);
        return out + "]";
    }
    std::string operator()(const Value::Table& table) const {
        if (table.empty()) return "{}";
        std::string out = "{ ";
        for (const Entry& entry : table)
            out += (out.size() > 2 ? ", " : "") + key_text(entry.key) + " = " + inline_toml(entry.value);
        return out + " }";
    }
};

bool all_tables(const Value::Table& table) {
    return !table.empty() &&
           std::all_of(table.begin(), table.end(), [](const Entry& e) { return e.value.as<Value::Table>(); });
}

bool is_list_of_tables(const Value& value) {
    const auto* array = value.as<Value::Array>();
    return array && !array->empty() &&
           std::all_of(array->begin(), array->end(), [](const Value& v) { return v.as<Value::Table>(); });
}

std::string body(const Value::Table& table) {
    std::string out;
    for (const Entry& entry : table) out += key_text(entry.key) + " = " + inline_toml(entry.value) + "\n";
    return out;
}

}  // namespace

std::string inline_toml(const Value& value) { return std::visit(InlineText{}, value.data); }

std::string document_toml(const Value& document) {
    std::string scalars, tables;
    for (const Entry& entry : std::get<Value::Table>(document.data)) {
        const std::string key = key_text(entry.key);
        if (const auto* table = entry.value.as<Value::Table>()) {
            if (all_tables(*table)) {
                for (const Entry& inner : *table)
                    tables += fmt::format("\n[{}.{}]\n{}", key, key_text(inner.key),
                                          body(std::get<Value::Table>(inner.value.data)));
            } else {
                tables += fmt::format("\n[{}]\n{}", key, body(*table));
            }
        } else if (is_list_of_tables(entry.value)) {
            for (const Value& item : std::get<Value::Array>(entry.value.data))
                tables += fmt::format("\n[[{}]]\n{}", key, body(std::get<Value::Table>(item.data)));
        } else {
            scalars += fmt::format("{} = {}\n", key, inline_toml(entry.value));
        }
    }
    return scalars + tables;
}

}  // namespace scree
