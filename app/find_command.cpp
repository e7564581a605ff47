#include "find_command.h"

#include <fmt/format.h>

#include "core/nearest.h"
#include "scree/error.h"

namespace scree::app {

const Command& find_command(const std::string& name) {
    const std::string meant = name == "-h" || name == "--help"    ? "help"
                              : name == "-V" || name == "version" ? "--version"
                                                                  : name;
    std::vector<std::string> names;
    for (const Command& command : commands()) {
        if (meant == command.name) return command;
        names.emplace_back(command.name);
    }
    throw Error(ErrorKind::usage,
                fmt::format("there is no command \"{}\"{}; `scree help` lists them", name, nearest_hint(name, names)));
}

}  // namespace scree::app
