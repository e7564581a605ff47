#include <fmt/format.h>

#include "commands.h"
#include "find_command.h"
#include "manual.h"
#include "report.h"

namespace scree::app {

int command_help(const Arguments& arguments) {
    if (arguments.size() == 1 && arguments[0] == "--man") {
        print_result(manual_page());
        return 0;
    }
    if (!arguments.empty() && arguments[0] == "--completions") {
        print_result(completions(arguments.size() > 1 ? arguments[1] : ""));
        return 0;
    }
    if (!arguments.empty())
        if (const Command& command = find_command(arguments[0]); command.run != command_help)
            return command.run({"--help"});
    fmt::print(
        "scree simulates granular materials: one scene file, one command.\n\nusage: scree COMMAND [options]\n\n");
    for (const Command& command : commands()) fmt::print("  {:<15} {}\n", command.name, command.summary);
    fmt::print(
        "\n`scree help COMMAND` lists the options of a command; `scree help --man` is the manual page, and\n"
        "`scree help --completions bash|zsh|fish` what these shells complete commands and options with.\n");
    return 0;
}

}  // namespace scree::app
