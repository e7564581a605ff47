#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>

#include "commands.h"
#include "scree/error.h"

int main(int argc, char** argv) {
    using namespace scree;
    try {
        const std::string name = argc > 1 ? argv[1] : "help";
        const app::Arguments arguments(argv + (argc > 1 ? 2 : 1), argv + argc);
        for (const app::Command& command : app::commands())
            if (name == command.name) return command.run(arguments);
        throw Error(ErrorKind::usage, fmt::format("there is no command \"{}\"; `scree help` lists them", name));
    } catch (const Error& error) {
        fmt::print(stderr, "scree: {}\n", error.what());
        return static_cast<int>(error.kind());
    } catch (const std::exception& error) {
        fmt::print(stderr, "scree: {}\n", error.what());
        return static_cast<int>(ErrorKind::run_time);
    }
}
