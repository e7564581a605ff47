#include "io/version.h"

#include <fmt/format.h>

#include <CLI/Version.hpp>
#include <nlohmann/detail/abi_macros.hpp>
#include <string>

#include "commands.h"
#include "engine/kernels/kernel.h"
#include "options.h"
#include "report.h"

namespace scree::app {

int command_version(const Arguments& arguments) {
    bool verbose = false;
    Options options("--version", "the version of scree");
    options.flag("-v,--verbose", verbose, "also compiler, flags, instruction set and libraries");
    if (!options.parse(arguments)) return 0;
    std::string text = fmt::format("scree {}\n", version());
    if (verbose) {
        text += fmt::format("compiler         {}\n", compiler());
        text += fmt::format("flags            {}\n", compile_flags());
        text += fmt::format("instruction set  {}\n", kernel_instruction_set());
        text +=
            fmt::format("libraries        HDF5 {}, fmt {}.{}.{}, nlohmann-json {}.{}.{}, CLI11 {}\n", hdf5_version(),
                        FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100, NLOHMANN_JSON_VERSION_MAJOR,
                        NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH, CLI11_VERSION);
    }
    print_result(text);
    return 0;
}

}  // namespace scree::app
