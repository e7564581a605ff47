#include "points_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/located.h"
#include "core/text_input.h"
#include "scree/error.h"

namespace scree::tri {
namespace {

// Commas separate fields; in a line without any semicolons do, and in one without these blanks and tabs.
char separator_of(std::string_view line) {
    return line.find(',') != std::string_view::npos ? ',' : line.find(';') != std::string_view::npos ? ';' : ' ';
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
    const auto complain = [&](int line, int column, const std::string& what) {
        if (wrong.size() < 10)
            wrong.push_back(located(name, line, column) + ": " + what);
        else
            ++more;
    };
    const auto give_up = [&] {
        std::string all;
        for (const std::string& one : wrong) all += (all.empty() ? "" : "\n") + one;
        if (more) all += fmt::format("\n... and {} more", more);
        throw Error(ErrorKind::bad_input, all);
    };
    std::vector<Column> layout;
    for (TextLines lines(text); lines.next();) {
        const int number = lines.number();
        const std::string_view line = lines.line().substr(0, lines.line().find('#'));
        if (line.find_first_not_of(" \t\r\f\v") == std::string_view::npos) continue;
        std::vector<TextField> fields = fields_of(line, separator_of(line));
        for (TextField& field : fields)
            if (field.text.size() > 1 && field.text.front() == '"' && field.text.back() == '"')
                field.text = field.text.substr(1, field.text.size() - 2);
        if (layout.empty()) {
            // A first row in which no field is a number is a header.
            bool header = true;
            double ignored;
            for (const TextField& field : fields) header = header && !read_number(field.text, ignored);
            if (header) {
                for (const TextField& field : fields) layout.push_back(column_of(field.text));
                const auto count = [&](Column column) { return std::count(layout.begin(), layout.end(), column); };
                if (count(x) != 1 || count(y) != 1 || count(z) > 1 || count(r) + count(weight) != 1) {
                    for (std::size_t k = 0; k < fields.size(); ++k)
                        if (layout[k] == other)
                            complain(
                                number, fields[k].column,
                                fmt::format("\"{}\" is not a column; allowed are x, y, z, and r (radius) or weight",
                                            shown(fields[k].text)));
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
            if (!read_number(fields[k].text, value)) {
                complain(number, fields[k].column,
                         fmt::format("\"{}\" is not a number (or is out of range)", shown(fields[k].text)));
            } else if (!std::isfinite(value)) {
                complain(number, fields[k].column,
                         fmt::format("{} is {}; coordinates and radii must be finite numbers", column_names[layout[k]],
                                     shown(fields[k].text)));
            } else if (layout[k] == r) {
                if (value < 0)
                    complain(number, fields[k].column, fmt::format("the radius {} is negative", value));
                else if (!std::isfinite(value * value))
                    complain(number, fields[k].column,
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
