// Text that users hand to commands, from a file or standard input.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace scree {

// `path` may be - for standard input. `wanted` says what the file should hold. Throws Error (file).
std::string read_input(const std::string& path, const std::string& wanted);

// Throws Error (bad_input with the line).
nlohmann::json parse_json(const std::string& text, const std::string& path);

}  // namespace scree
