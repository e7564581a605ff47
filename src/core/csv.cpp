#include "core/csv.h"

#include <fmt/format.h>

#include <cmath>

#include "core/located.h"
#include "core/number_range.h"
#include "core/text_input.h"

namespace scree {

int CsvTable::column(const std::string& name) const {
    for (std::size_t k = 0; k < columns.size(); ++k)
        if (columns[k] == name) return static_cast<int>(k);
    return -1;
}

void CsvTable::refuse(std::size_t row, int column, const std::string& message) const {
    refuse_at(file, line[row], column < 0 ? 1 : at[row][static_cast<std::size_t>(column)], message);
}

double CsvTable::number(std::size_t row, int column) const {
    const std::string& text = fields[row][static_cast<std::size_t>(column)];
    double value = 0;
    if (!read_number(text, value) || !std::isfinite(value))
        refuse(row, column,
               fmt::format("column '{}' needs a finite number, not '{}'", columns[static_cast<std::size_t>(column)],
                           shown(text)));
    if (const char* fault = range_fault(value, false, false))
        refuse(row, column,
               fmt::format("{} in column '{}' {}", value, columns[static_cast<std::size_t>(column)], fault));
    return value;
}

CsvTable parse_csv(std::string_view text, const std::string& file) {
    CsvTable table;
    table.file = file;
    for (TextLines lines(text); lines.next();) {
        const std::string_view line = lines.line();
        const int number = lines.number();
        if (line.find_first_not_of(" \t") == std::string_view::npos || line[0] == '#') continue;
        const std::vector<TextField> fields = fields_of(line, ',');
        if (table.columns.empty()) {
            table.header_line = number;
            for (const TextField& field : fields) {
                const std::string name = unquoted(field.text);
                if (name.empty()) refuse_at(file, number, field.column, "a column has no name");
                if (table.column(name) >= 0)
                    refuse_at(file, number, field.column, fmt::format("the column '{}' is named twice", shown(name)));
                table.columns.push_back(name);
            }
            continue;
        }
        if (fields.size() != table.columns.size())
            refuse_at(file, number,
                      fields.size() < table.columns.size() ? static_cast<int>(line.size()) + 1
                                                           : fields[table.columns.size()].column,
                      fmt::format("this row has {} fields, the header on line {} names {}", fields.size(),
                                  table.header_line, table.columns.size()));
        table.line.push_back(number);
        auto& row = table.fields.emplace_back();
        auto& at = table.at.emplace_back();
        for (const TextField& field : fields) {
            row.push_back(unquoted(field.text));
            at.push_back(field.column);
        }
    }
    if (table.columns.empty())
        refuse_at(file, 1, 1, "the file is empty: its first line must name the columns, as in x,y,z,radius");
    return table;
}

std::string csv_field(const std::string& text) {
    const bool plain = text.find_first_of(",\"\r\n") == std::string::npos &&
                       (text.empty() || (text.front() != ' ' && text.back() != ' '));
    if (plain) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

CsvTable read_csv(const std::string& file) { return parse_csv(read_input(file, {"a CSV file"}), file); }

}  // namespace scree
