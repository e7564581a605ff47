// Tables in text: a header of column names, then rows with fields separated by commas. Lines may end in CR LF; empty
// lines and lines that begin with # are skipped; spaces around fields are ignored; a field with commas is in quotes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scree {

struct CsvTable {
    std::string file;  // for messages
    std::vector<std::string> columns;
    std::vector<int> line;  // of each row
    std::vector<std::vector<std::string>> fields;
    std::vector<std::vector<int>> at;  // column of each field in its line, from 1
    int header_line = 0;

    // Index of a column, -1 if there is none.
    int column(const std::string& name) const;
    // The number in a field. Throws Error(bad_input) at file:line:column if there is none.
    double number(std::size_t row, int column) const;
    // An error that begins with the place of a field.
    [[noreturn]] void refuse(std::size_t row, int column, const std::string& message) const;
};

// Throws Error(file) if the file cannot be read and Error(bad_input), located, if it is no table: no header, a column
// named twice, rows of another length.
CsvTable read_csv(const std::string& file);
CsvTable parse_csv(std::string_view text, const std::string& file);

// A text as a field: in quotes where it would not read back otherwise.
std::string csv_field(const std::string& text);

}  // namespace scree
