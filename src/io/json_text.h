// JSON that somebody else may have written.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace scree {

// The document, or null when the text is none or is nested deeper than anything scree writes: deep nesting takes more
// of the stack than there is when a document is written again.
nlohmann::ordered_json parse_json(const std::string& text);
// The document of a file that a user has named. Throws Error (bad_input with the line) in place of giving null.
nlohmann::json parse_json(const std::string& text, const std::string& path);

}  // namespace scree
