#include "core/csv.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "scree/error.h"

namespace scree {
namespace {

struct Field {
    std::string text;
    int at;
};

std::vector<Field> split(std::string_view line) {
    std::vector<Field> fields;
    for (std::size_t begin = 0;;) {
        const std::size_t end = std::min(line.find(',', begin), line.size());
        std::size_t first = begin, last = end;
        while (first < last && (line[first] == ' ' || line[first] == '\t')) ++first;
        while (last > first && (line[last - 1] == ' ' || line[last - 1] == '\t')) --last;
        fields.push_back({std::string(line.substr(first, last - first)), static_cast<int>(first) + 1});
        if (end == line.size()) return fields;
        begin = end + 1;
    }
}

[[noreturn]] void refuse_at(const std::string& file, int line, int column, const std::string& message) {
    throw Error(ErrorKind::bad_input, fmt::format("{}:{}:{}: {}", file, line, column, message));
}

}  // namespace

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
    const char* first = text.c_str() + (text.size() > 1 && text[0] == '+' ? 1 : 0);
    const char* last = text.c_str() + text.size();
    double value = 0;
    const auto [end, error] = std::from_chars(first, last, value);
    if (error != std::errc() || end != last || !std::isfinite(value))
        refuse(row, column,
               fmt::format("column '{}' needs a finite number, not '{}'", columns[static_cast<std::size_t>(column)],
                           text));
    return value;
}

CsvTable parse_csv(const std::string& text, const std::string& file) {
    CsvTable table;
    table.file = file;
    int number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string_view line(text.data() + begin, end - begin);
        begin = end + 1;
        ++number;
        if (number == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.find_first_not_of(" \t") == std::string_view::npos || line[0] == '#') continue;
        std::vector<Field> fields = split(line);
        if (table.columns.empty()) {
            table.header_line = number;
            for (const Field& field : fields) {
                if (field.text.empty()) refuse_at(file, number, field.at, "a column has no name");
                if (table.column(field.text) >= 0)
                    refuse_at(file, number, field.at, fmt::format("the column '{}' is named twice", field.text));
                table.columns.push_back(field.text);
            }
            continue;
        }
        if (fields.size() != table.columns.size())
            refuse_at(file, number,
                      fields.size() < table.columns.size() ? static_cast<int>(line.size()) + 1
                                                           : fields[table.columns.size()].at,
                      fmt::format("this row has {} fields, the header on line {} names {}", fields.size(),
                                  table.header_line, table.columns.size()));
        table.line.push_back(number);
        auto& row = table.fields.emplace_back();
        auto& at = table.at.emplace_back();
        for (Field& field : fields) {
            row.push_back(std::move(field.text));
            at.push_back(field.at);
        }
    }
    if (table.columns.empty())
        refuse_at(file, 1, 1, "the file is empty: its first line must name the columns, as in x,y,z,radius");
    return table;
}

CsvTable read_csv(const std::string& file) {
    if (std::filesystem::is_directory(file))
        throw Error(ErrorKind::bad_input, fmt::format("{}: is a folder, not a CSV file", file));
    std::ifstream in(file, std::ios::binary);
    if (!in) throw Error(ErrorKind::file, fmt::format("cannot read {}: {}", file, std::strerror(errno)));
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (in.bad()) throw Error(ErrorKind::file, fmt::format("cannot read {}: {}", file, std::strerror(errno)));
    return parse_csv(text, file);
}

}  // namespace scree
