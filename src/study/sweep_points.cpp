#include "study/sweep_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/text_input.h"
#include "scree/error.h"

namespace scree {
namespace {

constexpr std::size_t most_points = 100000;

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
    throw Error(
        ErrorKind::usage,
        fmt::format("--over {}: {}; write KEY=FROM:TO:COUNT, KEY=FROM:TO:COUNT:log or KEY=VALUE,VALUE,...", text, why));
}

// Fields between commas that are in no brackets and no quotes.
std::vector<std::string> listed(std::string_view text) {
    std::vector<std::string> fields(1);
    int depth = 0;
    char quote = 0;
    for (const char c : text) {
        if (quote ? c == quote : c == '"' || c == '\'') quote = quote ? 0 : c;
        if (!quote) depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
        if (c == ',' && !quote && depth == 0)
            fields.emplace_back();
        else if (c != ' ' || quote || depth > 0)
            fields.back() += c;
    }
    return fields;
}

// Twelve digits: of a tenth and its double, 0.3 and not 0.30000000000000004.
std::string value_text(double value) { return fmt::format("{:.12g}", value); }

std::vector<std::string> range(const std::string& text, const std::vector<TextField>& parts) {
    double from = 0, to = 0, count = 0;
    const bool logarithmic = parts.size() == 4;
    if (!read_number(parts[0].text, from) || !read_number(parts[1].text, to) || !std::isfinite(from) ||
        !std::isfinite(to))
        refuse(text, "the ends of a range are numbers");
    if (!read_number(parts[2].text, count) || count != std::floor(count) || !(count >= 1 && count <= most_points))
        refuse(text, fmt::format("\"{}\" is not a number of values from 1 to {}", parts[2].text, most_points));
    if (logarithmic && parts[3].text != "log") refuse(text, fmt::format("\"{}\" is not \"log\"", parts[3].text));
    if (logarithmic && !(from > 0 && to > 0)) refuse(text, "equal ratios need ends above zero");
    if (count == 1 && from != to) refuse(text, "one value cannot reach from one end to the other");
    std::vector<std::string> values;
    for (int k = 0; k < static_cast<int>(count); ++k) {
        const double part = count > 1 ? k / (count - 1) : 0;
        values.push_back(value_text(logarithmic ? from * std::pow(to / from, part) : from + (to - from) * part));
    }
    return values;
}

}  // namespace

SweptKey parse_swept_key(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) refuse(text, "there is no key before a \"=\"");
    SweptKey swept{text.substr(0, equals), {}};
    const std::string values = text.substr(equals + 1);
    const std::vector<TextField> parts = fields_of(values, ':');
    double number = 0;
    if ((parts.size() == 3 || parts.size() == 4) && read_number(parts[0].text, number)) {
        swept.values = range(text, parts);
        return swept;
    }
    swept.values = listed(values);
    for (std::size_t k = 0; k < swept.values.size(); ++k) {
        if (swept.values[k].empty()) refuse(text, "a value is missing");
        for (std::size_t j = 0; j < k; ++j)
            if (same_value(swept.values[j], swept.values[k]))
                refuse(text, fmt::format("{} is there twice", swept.values[k]));
    }
    return swept;
}

std::vector<std::vector<std::string>> sweep_points(const std::vector<SweptKey>& keys) {
    std::vector<std::vector<std::string>> points(1);
    for (const SweptKey& swept : keys) {
        if (points.size() * swept.values.size() > most_points)
            throw Error(ErrorKind::usage,
                        fmt::format("--over {}: the values make more than {} runs", swept.key, most_points));
        std::vector<std::vector<std::string>> longer;
        for (const auto& point : points)
            for (const std::string& value : swept.values) {
                longer.push_back(point);
                longer.back().push_back(value);
            }
        points = std::move(longer);
    }
    return points;
}

bool same_value(const std::string& a, const std::string& b) {
    if (a == b) return true;
    double x = 0, y = 0;
    return read_number(a, x) && read_number(b, y) && x == y;
}

}  // namespace scree
