// scree microstructure: grains of an image as exact cells.
#include "microstructure.h"

#include <fmt/format.h>

#include "core/nearest.h"
#include "io/files.h"
#include "microstructure/cells.h"
#include "scree/error.h"

namespace scree::app {
namespace {

constexpr Command parts[] = {
    {"fit", "fit the cells of a Laguerre tessellation to an image of grains", microstructure_fit},
    {"make", "make cells of given sizes and roundness at random places", microstructure_make},
    {"compare", "report how well cells agree with an image", microstructure_compare},
};

void print_help() {
    fmt::print(
        "scree microstructure turns images of grains into exact cells.\n\nusage: scree microstructure PART "
        "[options]\n\n");
    for (const Command& part : parts) fmt::print("  {:<8} {}\n", part.name, part.summary);
    fmt::print("\n`scree microstructure PART --help` lists the options of a part.\n");
}

}  // namespace

std::string seeds_file(const std::string& folder) { return folder + "/seeds.csv"; }

void write_folder(const std::string& folder, const micro::Diagram& diagram) {
    create_folders(folder);
    const auto write = [&](const char* name, auto&& fill) {
        NewFile file(folder + "/" + name);
        fill([&](std::string_view text) { file.write(text); });
        file.commit(Durability::crash_of_program);
    };
    const micro::CellComplex complex = micro::cell_complex(diagram);
    const micro::Seeds& seeds = diagram.seeds();
    write("cells.csv", [&](const micro::Put& put) { put(micro::cells_as_csv(complex)); });
    write("cells.vtu", [&](const micro::Put& put) { micro::write_cells_vtu(complex, put); });
    bool all_cells = !seeds.periodic[0] && !seeds.periodic[1] && !seeds.periodic[2];
    for (const auto& cell : complex.cell) all_cells = all_cells && !cell.empty();
    if (all_cells) {
        write("cells.tess", [&](const micro::Put& put) { micro::write_tess(complex, put); });
        write("cells.geo", [&](const micro::Put& put) { micro::write_geo(complex, seeds.mean_spacing() / 4, put); });
    }
    // Last, for it is what other parts look for.
    write("seeds.csv", [&](const micro::Put& put) { put(micro::seeds_as_csv(seeds)); });
}

int command_microstructure(const Arguments& arguments) {
    if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h") {
        print_help();
        return arguments.empty() ? 2 : 0;
    }
    std::vector<std::string> names;
    for (const Command& part : parts) {
        if (arguments[0] == part.name) return part.run(Arguments(arguments.begin() + 1, arguments.end()));
        names.emplace_back(part.name);
    }
    throw Error(ErrorKind::usage,
                fmt::format("microstructure has no part \"{}\"{}; `scree help microstructure` lists them", arguments[0],
                            nearest_hint(arguments[0], names)));
}

}  // namespace scree::app
