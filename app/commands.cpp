#include "commands.h"

#include <fmt/format.h>

namespace scree::app {
namespace {

constexpr Command table[] = {
    {"help", "this list, or the options of one command: scree help COMMAND", command_help},
    {"triangulate", "regular triangulation of the x,y[,z],r rows of a file: counts, edges, cell volumes", command_triangulate},
};

}  // namespace

std::span<const Command> commands() { return table; }

int command_help(const Arguments& arguments) {
    if (!arguments.empty()) {
        for (const Command& command : commands())
            if (arguments[0] == command.name && command.run != command_help) return command.run({"--help"});
    }
    fmt::print("scree simulates granular materials: one scene file, one command.\n\nusage: scree COMMAND [options]\n\n");
    for (const Command& command : commands()) fmt::print("  {:<12} {}\n", command.name, command.summary);
    fmt::print("\n`scree help COMMAND` tells the options of a command.\n");
    return 0;
}

}  // namespace scree::app
