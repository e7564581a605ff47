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
    throw Error(ErrorKind::bad_input, harmless(located(file, line, column) + ": " + message));
}

void refuse_at(const Scene& scene, Where where, const std::string& message) {
    throw Error(ErrorKind::bad_input, harmless(place_of(scene, where) + message));
}

namespace {

// How many bytes of a control character begin at k.
std::size_t control_at(std::string_view text, std::size_t k) {
    const auto c = static_cast<unsigned char>(text[k]);
    if (c == '\n' || c == '\t') return 0;
    if (c < 0x20 || c == 0x7f) return 1;
    const bool high = c == 0xc2 && k + 1 < text.size() && static_cast<unsigned char>(text[k + 1]) < 0xa0;
    return high ? 2 : 0;
}

}  // namespace

bool has_control(std::string_view text) {
    for (std::size_t k = 0; k < text.size(); ++k)
        if (control_at(text, k)) return true;
    return false;
}

std::string harmless(std::string text) {
    for (std::size_t k = 0; k < text.size(); ++k)
        if (const std::size_t bytes = control_at(text, k)) text.replace(k, bytes, "?");
    return text;
}

std::string shown(std::string_view text) {
    std::string out;
    for (const char c : text.substr(0, 40)) out += c >= ' ' && c < 127 ? c : '?';
    return text.size() > 40 ? out + "..." : out;
}

}  // namespace scree
