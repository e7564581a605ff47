#include "core/text_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "core/located.h"

namespace scree {
namespace {

constexpr std::size_t piece = 1 << 16;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

std::string read_stream(std::istream& in, const std::string& path, const TextInput& input) {
    std::string text;
    while (in) {
        const std::size_t used = text.size();
        text.resize(used + piece);
        in.read(text.data() + used, piece);
        text.resize(used + static_cast<std::size_t>(in.gcount()));
        if (!input.binary)
            if (const std::size_t zero = text.find('\0', used); zero != std::string::npos) {
                const std::string_view before(text.data(), zero);
                refuse_at(path, 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')), 0,
                          fmt::format("a byte 0: this is not {}, which is text", input.what));
            }
        if (text.size() > most_input_bytes)
            throw Error(ErrorKind::bad_input, fmt::format("{}: is longer than {} GB, which is too much for {}", path,
                                                          most_input_bytes >> 30, input.what));
    }
    if (in.bad())
        throw Error(ErrorKind::file,
                    fmt::format("cannot read {} to its end: {}", path, errno ? std::strerror(errno) : "read error"));
    return text;
}

}  // namespace

std::string read_input(const std::string& path, const TextInput& input) {
    errno = 0;
    if (path == "-") return read_stream(std::cin, "<stdin>", input);
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        throw Error(input.folder, fmt::format("{}: is a folder, not {}", path, input.what));
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw Error(errno == ENOENT ? input.missing : ErrorKind::file,
                    fmt::format("cannot read {}: {}", path, std::strerror(errno)));
    TextInput how = input;
    how.binary = input.binary && std::filesystem::is_regular_file(path, ignored);
    return read_stream(file, path, how);
}

TextLines::TextLines(std::string_view text) : rest_(text) {
    if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);
}

bool TextLines::next() {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    ++number_;
    return true;
}

std::vector<TextField> fields_of(std::string_view line, char separator) {
    std::vector<TextField> fields;
    const auto separates = [&](char c) { return separator == ' ' ? is_blank(c) : c == separator; };
    const auto skip_blanks = [&](std::size_t at) {
        while (at < line.size() && is_blank(line[at])) ++at;
        return at;
    };
    std::size_t at = skip_blanks(0);
    for (;;) {
        std::size_t end = at;
        if (end < line.size() && line[end] == '"') {
            // To the quote that is followed by a separator or the end; what is never closed ends at the separator.
            std::size_t close = end + 1;
            while (close < line.size()) {
                close = std::min(line.find('"', close), line.size());
                if (close + 1 < line.size() && line[close + 1] == '"') {
                    close += 2;
                    continue;
                }
                break;
            }
            if (close < line.size()) end = close + 1;
        }
        while (end < line.size() && !separates(line[end])) ++end;
        std::size_t last = end;
        while (last > at && is_blank(line[last - 1])) --last;
        fields.push_back({line.substr(at, last - at), static_cast<int>(at) + 1});
        if (separator == ' ') end = skip_blanks(end);
        if (end == line.size()) return fields;
        at = separator == ' ' ? end : skip_blanks(end + 1);
    }
}

std::string unquoted(std::string_view field) {
    if (field.size() < 2 || field.front() != '"' || field.back() != '"') return std::string(field);
    std::string out;
    for (std::size_t k = 1; k + 1 < field.size(); ++k) {
        out += field[k];
        if (field[k] == '"' && k + 2 < field.size() && field[k + 1] == '"') ++k;
    }
    return out;
}

bool read_number(std::string_view text, double& value) {
    if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::invalid_argument || end != text.data() + text.size()) return false;
    if (error == std::errc::result_out_of_range) value = std::strtod(std::string(text).c_str(), nullptr);
    return true;
}

}  // namespace scree
