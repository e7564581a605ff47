#include "io/json_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

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

nlohmann::ordered_json parse_json(const std::string& text) {
    if (depth_of(text) > deepest) return {};
    auto document = nlohmann::ordered_json::parse(text, nullptr, false);
    return document.is_discarded() ? nlohmann::ordered_json() : document;
}

}  // namespace scree
