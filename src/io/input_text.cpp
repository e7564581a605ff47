#include "io/input_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scree/error.h"

namespace scree {

std::string read_input(const std::string& path, const std::string& wanted) {
    std::ostringstream text;
    if (path == "-") {
        text << std::cin.rdbuf();
        return text.str();
    }
    if (std::filesystem::is_directory(path))
        throw Error(ErrorKind::file, fmt::format("{}: is a folder; give a file of {}", path, wanted));
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw Error(ErrorKind::file, fmt::format("{}: cannot be opened; check the name and the permissions", path));
    text << file.rdbuf();
    if (file.bad()) throw Error(ErrorKind::file, fmt::format("{}: cannot be read to its end", path));
    return text.str();
}

nlohmann::json parse_json(const std::string& text, const std::string& path) {
    try {
        return nlohmann::json::parse(text);
    } catch (const nlohmann::json::parse_error& error) {
        const std::size_t end = std::min(error.byte, text.size());
        const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
        throw Error(ErrorKind::bad_input, fmt::format("{}:{}: is not JSON at byte {}", path, lines + 1, error.byte));
    }
}

}  // namespace scree
