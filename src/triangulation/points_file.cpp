#include "points_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "scree/error.h"

namespace scree::tri {
namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

// Commas separate fields; in a line without any semicolons do, and in one without these blanks and tabs.
std::vector<std::string_view> split(std::string_view line) {
    const char separator = line.find(',') != std::string_view::npos   ? ','
                           : line.find(';') != std::string_view::npos ? ';'
                                                                      : ' ';
    const auto separates = [&](char c) { return separator == ' ' ? blank(c) : c == separator; };
    std::vector<std::string_view> fields;
    for (;;) {
        const std::size_t end =
            static_cast<std::size_t>(std::find_if(line.begin(), line.end(), separates) - line.begin());
        std::string_view field = trimmed(line.substr(0, end));
        if (field.size() > 1 && field.front() == '"' && field.back() == '"') field = field.substr(1, field.size() - 2);
        fields.push_back(field);
        if (end == line.size()) return fields;
        line.remove_prefix(end + 1);
        if (separator == ' ') line = trimmed(line);
    }
}

bool parse(std::string_view field, double& value) {
    if (!field.empty() && field.front() == '+') field.remove_prefix(1);
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    return error == std::errc() && end == field.data() + field.size();
}

// What of a strange field is worth showing in a message.
std::string shown(std::string_view field) {
    std::string text;
    for (const char c : field.substr(0, 40)) text += c >= ' ' && c < 127 ? c : '?';
    return field.size() > 40 ? text + "..." : text;
}

enum Column { x, y, z, r, weight, columns, other = columns };
constexpr const char* column_names[columns] = {"x", "y", "z", "r", "weight"};

Column column_of(std::string_view field) {
    std::string name(field);
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (name == "radius") return r;
    for (std::size_t column = 0; column < columns; ++column)
        if (name == column_names[column]) return static_cast<Column>(column);
    return other;
}

}  // namespace

Points read_points(std::string_view text, const std::string& name) {
    Points points;
    std::vector<std::string> wrong;
    std::size_t more = 0;
    const auto complain = [&](std::size_t line, std::size_t column, const std::string& what) {
        if (wrong.size() < 10)
            wrong.push_back(column ? fmt::format("{}:{}:{}: {}", name, line, column, what)
                                   : fmt::format("{}:{}: {}", name, line, what));
        else
            ++more;
    };
    const auto give_up = [&] {
        std::string all;
        for (const std::string& one : wrong) all += (all.empty() ? "" : "\n") + one;
        if (more) all += fmt::format("\n... and {} more", more);
        throw Error(ErrorKind::bad_input, all);
    };
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // byte order mark
    std::vector<Column> layout;
    std::size_t number = 0;
    while (!text.empty()) {
        ++number;
        const std::size_t end = text.find('\n');
        const std::string_view whole = text.substr(0, end), line = trimmed(whole.substr(0, whole.find('#')));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.empty()) continue;
        const std::vector<std::string_view> fields = split(line);
        const auto column_at = [&](std::size_t k) {
            return static_cast<std::size_t>(fields[k].data() - whole.data()) + 1;
        };
        if (layout.empty()) {
            // A first row in which no field is a number is a header.
            bool header = true;
            double ignored;
            for (const auto field : fields) header = header && !parse(field, ignored);
            if (header) {
                for (const auto field : fields) layout.push_back(column_of(field));
                const auto count = [&](Column column) { return std::count(layout.begin(), layout.end(), column); };
                if (count(x) != 1 || count(y) != 1 || count(z) > 1 || count(r) + count(weight) != 1) {
                    for (std::size_t k = 0; k < fields.size(); ++k)
                        if (layout[k] == other)
                            complain(
                                number, column_at(k),
                                fmt::format("\"{}\" is not a column; allowed are x, y, z, and r (radius) or weight",
                                            shown(fields[k])));
                    complain(number, 0, "a header names x, y, z (in space) and either r or weight, each once");
                    give_up();
                }
                points.dimension = count(z) ? 3 : 2;
                continue;
            }
            if (fields.size() == 3)
                layout = {x, y, r};
            else if (fields.size() == 4)
                layout = {x, y, z, r};
            else {
                complain(
                    number, 0,
                    fmt::format("a row has {} columns; it must be x,y,r or x,y,z,r, or a header must name the columns",
                                fields.size()));
                give_up();
            }
            points.dimension = fields.size() == 3 ? 2 : 3;
        }
        if (fields.size() != layout.size()) {
            complain(number, 0,
                     fmt::format("the row has {} columns where {} are expected", fields.size(), layout.size()));
            continue;
        }
        Row row{{0, 0, 0, 0}};
        for (std::size_t k = 0; k < fields.size(); ++k) {
            if (layout[k] == other) continue;
            double value = 0;
            if (!parse(fields[k], value)) {
                complain(number, column_at(k),
                         fmt::format("\"{}\" is not a number (or is out of range)", shown(fields[k])));
            } else if (!std::isfinite(value)) {
                complain(number, column_at(k),
                         fmt::format("{} is {}; coordinates and radii must be finite numbers", column_names[layout[k]],
                                     shown(fields[k])));
            } else if (layout[k] == r) {
                if (value < 0)
                    complain(number, column_at(k), fmt::format("the radius {} is negative", value));
                else if (!std::isfinite(value * value))
                    complain(number, column_at(k),
                             fmt::format("the radius {} is too large: its square is no double", value));
                row.c[3] = value * value;
            } else if (layout[k] == weight) {
                row.c[3] = value;
            } else {
                row.c[layout[k]] = value;
            }
        }
        points.rows.push_back(row);
    }
    if (!wrong.empty()) give_up();
    if (points.rows.empty())
        throw Error(ErrorKind::bad_input, fmt::format("{}: the file holds no points; rows are x,y[,z],r", name));
    return points;
}

}  // namespace scree::tri
