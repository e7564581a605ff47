#include "io/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/located.h"
#include "scree/error.h"

namespace scree {
namespace {

constexpr int deepest = 100;

// How deep brackets are nested outside of strings.
int depth_of(const std::string& text) {
    int depth = 0, most = 0;
    bool quoted = false;
    for (std::size_t k = 0; k < text.size(); ++k) {
        const char c = text[k];
        if (quoted && c == '\\')
            ++k;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '[' || c == '{'))
            most = std::max(most, ++depth);
        else if (!quoted && (c == ']' || c == '}'))
            --depth;
    }
    return most;
}

}  // namespace

nlohmann::json parse_json(const std::string& text, const std::string& path) {
    if (depth_of(text) > deepest)
        throw Error(ErrorKind::bad_input, fmt::format("{}: is nested more than {} deep", path, deepest));
    try {
        return nlohmann::json::parse(text);
    } catch (const nlohmann::json::parse_error& error) {
        const std::size_t end = std::min(error.byte, text.size());
        const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
        refuse_at(path, static_cast<int>(lines) + 1, 0, fmt::format("is not JSON at byte {}", error.byte));
    } catch (const nlohmann::json::out_of_range&) {
        throw Error(ErrorKind::bad_input, fmt::format("{}: holds a number that is too large", path));
    }
}

nlohmann::ordered_json parse_json(const std::string& text) {
    if (depth_of(text) > deepest) return {};
    auto document = nlohmann::ordered_json::parse(text, nullptr, false);
    return document.is_discarded() ? nlohmann::ordered_json() : document;
}

}  // namespace scree
