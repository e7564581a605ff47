// Text that a user gives in a file or a pipe: scenes, tables, points, meshes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "scree/error.h"

namespace scree {

// What is read, as messages name it, and the kinds of two errors that are the fault of different people.
struct TextInput {
    const char* what = "a file";  // with its article
    ErrorKind folder = ErrorKind::bad_input, missing = ErrorKind::file;
    bool binary = false;  // zeros are allowed, in ordinary files
};

// The whole text, `-` standing for standard input. A device without end is given up soon: at the first zero byte of a
// text, or at `most_input_bytes`. Throws Error that begins with the path.
std::string read_input(const std::string& path, const TextInput& input);
constexpr std::size_t most_input_bytes = std::size_t(2) << 30;

// A part of a line, without blanks around it; columns are counted from 1.
struct TextField {
    std::string_view text;
    int column = 0;
};

// Lines of a text one by one, without their ends (LF or CR LF); a byte order mark at the start is passed over.
class TextLines {
  public:
    explicit TextLines(std::string_view text);
    bool next();
    std::string_view line() const { return line_; }
    int number() const { return number_; }  // from 1

  private:
    std::string_view rest_, line_;
    int number_ = 0;
};

// Fields between the separators, empty ones included. With '"' around it a field may hold separators, and quotes in
// pairs; the quotes stay (see unquoted). A blank separates as a run of blanks.
std::vector<TextField> fields_of(std::string_view line, char separator);
// A field without the quotes around it.
std::string unquoted(std::string_view field);

// Reads a number with nothing around it but a plus sign; also one that is too large or too small for a double, as
// infinity or zero.
bool read_number(std::string_view text, double& value);

}  // namespace scree
