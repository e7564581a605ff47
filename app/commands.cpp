#include "commands.h"

#include <fmt/format.h>

#include "core/nearest.h"
#include "find_command.h"
#include "manual.h"
#include "report.h"
#include "scree/error.h"

namespace scree::app {
namespace {

constexpr Command table[] = {
    {"run", "run a scene into a run folder", command_run},
    {"resume", "continue a run from its last checkpoint, bit for bit", command_resume},
    {"check", "read and check a scene, print it with every default filled in", command_check},
    {"new", "write a commented scene to start from", command_new},
    {"measure", "measure a run: density, layers, stress, cells, ...", command_measure},
    {"plot", "draw series and measures of runs as PNG, PDF or SVG", command_plot},
    {"export", "write frames of a run as VTK, CSV, POV-Ray, X3D, LAMMPS dump or STL", command_export},
    {"view", "look at a run in the browser, or write it into one HTML file", command_view},
    {"schema", "print the JSON Schema of a scene file", command_schema},
    {"distance", "distance and closest points of two bodies: surfaces, hulls of points, spheres, boxes, unions, ...",
     command_distance},
    {"nurbs", "curves and surfaces of rational splines: what they are, points on them, nearest points", command_nurbs},
    {"decompose", "cut the solid in a surface of triangles into convex pieces", command_decompose},
    {"triangulate", "regular triangulation of the x,y[,z],r rows of a file: counts, edges, cell volumes",
     command_triangulate},
    {"microstructure", "polycrystals as exact cells, from images of grains or statistics", command_microstructure},
    {"bench", "measure speed and memory on named scenes", command_bench},
    {"--version", "the version; with --verbose how it was built", command_version},
    {"help", "this list, or the options of one command: scree help COMMAND", command_help},
};

}  // namespace

std::span<const Command> commands() { return table; }

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
