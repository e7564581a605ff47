#include "points_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "scree/error.h"

namespace scree::tri {
namespace {

std::string_view trimmed(std::string_view text) {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

std::vector<std::string_view> split(std::string_view line) {
    std::vector<std::string_view> fields;
    for (;;) {
        const std::size_t comma = line.find(',');
        fields.push_back(trimmed(line.substr(0, comma)));
        if (comma == std::string_view::npos) return fields;
        line.remove_prefix(comma + 1);
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

enum Column { x, y, z, r, weight, columns };
constexpr const char* column_names[columns] = {"x", "y", "z", "r", "weight"};

}  // namespace

Points read_points(std::string_view text, const std::string& name) {
    Points points;
    std::vector<std::string> wrong;
    std::size_t more = 0;
    const auto complain = [&](std::size_t line, std::size_t column, const std::string& what) {
        if (wrong.size() < 10) wrong.push_back(column ? fmt::format("{}:{}:{}: {}", name, line, column, what) : fmt::format("{}:{}: {}", name, line, what));
        else ++more;
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
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.empty() || line.front() == '#') continue;
        const std::vector<std::string_view> fields = split(line);
        if (layout.empty()) {
            // A first row in which no field is a number is a header.
            bool header = true;
            double ignored;
            for (const auto field : fields) header = header && !parse(field, ignored);
            if (header) {
                for (std::size_t k = 0; k < fields.size(); ++k) {
                    std::size_t column = 0;
                    while (column < columns && fields[k] != column_names[column]) ++column;
                    if (column == columns) complain(number, k + 1, fmt::format("\"{}\" is not a column; allowed are x, y, z, and r (radius) or weight", shown(fields[k])));
                    else layout.push_back(static_cast<Column>(column));
                }
                const auto count = [&](Column column) { return std::count(layout.begin(), layout.end(), column); };
                if (wrong.empty() && (count(x) != 1 || count(y) != 1 || count(z) > 1 || count(r) + count(weight) != 1))
                    complain(number, 0, "a header names x, y, z (in space) and either r or weight, each once");
                if (!wrong.empty()) give_up();
                points.dimension = count(z) ? 3 : 2;
                continue;
            }
            if (fields.size() == 3) layout = {x, y, r};
            else if (fields.size() == 4) layout = {x, y, z, r};
            else {
                complain(number, 0, fmt::format("a row has {} columns; it must be x,y,r or x,y,z,r, or a header must name the columns", fields.size()));
                give_up();
            }
            points.dimension = fields.size() == 3 ? 2 : 3;
        }
        if (fields.size() != layout.size()) {
            complain(number, 0, fmt::format("the row has {} columns where {} are expected", fields.size(), layout.size()));
            continue;
        }
        Row row{{0, 0, 0, 0}};
        for (std::size_t k = 0; k < fields.size(); ++k) {
            double value = 0;
            if (!parse(fields[k], value)) {
                complain(number, k + 1, fmt::format("\"{}\" is not a number (or is out of range)", shown(fields[k])));
            } else if (!std::isfinite(value)) {
                complain(number, k + 1, fmt::format("{} is {}; coordinates and radii must be finite numbers", column_names[layout[k]], shown(fields[k])));
            } else if (layout[k] == r) {
                if (value < 0) complain(number, k + 1, fmt::format("the radius {} is negative", value));
                else if (!std::isfinite(value * value)) complain(number, k + 1, fmt::format("the radius {} is too large: its square is no double", value));
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
    if (points.rows.empty()) throw Error(ErrorKind::bad_input, fmt::format("{}: the file holds no points; rows are x,y[,z],r", name));
    return points;
}

}  // namespace scree::tri
