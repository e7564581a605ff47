// From TOML text to a tree of values with places, and --set overrides applied to such a tree.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/scene_document.h"

namespace scree {

struct SyntaxError {
    Where where;
    std::string message;
};

// The document, or the reason why the text is not TOML.
std::variant<Value, SyntaxError> parse_toml(std::string_view text);

// Applies one override "a.b.0.c=value" (source: its number from 1). Elements of arrays are met by index, or by their
// `name`. The value is TOML; a text that is not becomes a string. Returns a complaint, or nothing.
std::string apply_override(Value& document, std::string_view override_text, int source);

}  // namespace scree
