#include "core/located.h"

#include <fmt/format.h>

#include "scree/error.h"

namespace scree {

std::string located(const std::string& file, int line, int column) {
    if (line <= 0) return file;
    return column > 0 ? fmt::format("{}:{}:{}", file, line, column) : fmt::format("{}:{}", file, line);
}

std::string place_of(const Scene& scene, Where where) {
    return scene.file.empty() ? "" : located(scene.file, where.line, where.column) + ": ";
}

void refuse_at(const std::string& file, int line, int column, const std::string& message) {
    throw Error(ErrorKind::bad_input, located(file, line, column) + ": " + message);
}

void refuse_at(const Scene& scene, Where where, const std::string& message) {
    throw Error(ErrorKind::bad_input, place_of(scene, where) + message);
}

std::string shown(std::string_view text) {
    std::string out;
    for (const char c : text.substr(0, 40)) out += c >= ' ' && c < 127 ? c : '?';
    return text.size() > 40 ? out + "..." : out;
}

}  // namespace scree
