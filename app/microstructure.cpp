// scree microstructure: grains of an image as exact cells.
#include "microstructure.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/nearest.h"
#include "io/files.h"
#include "microstructure/cells.h"
#include "scree/error.h"

namespace scree::app {
namespace {

constexpr Command parts[] = {
    {"fit", "fit the cells of a Laguerre tessellation to an image of grains", microstructure_fit},
    {"make", "make cells of given sizes and roundness at random places", microstructure_make},
    {"regularise", "remove short edges, which no mesh of good elements could resolve", microstructure_regularise},
    {"mesh", "fill cells with tetrahedra, in the plane with triangles", microstructure_mesh},
    {"compare", "report how well cells agree with an image", microstructure_compare},
};

void print_help() {
    fmt::print(
        "scree microstructure turns images of grains into exact cells and meshes.\n\nusage: scree microstructure PART "
        "[options]\n\n");
    for (const Command& part : parts) fmt::print("  {:<10} {}\n", part.name, part.summary);
    fmt::print("\n`scree microstructure PART --help` lists the options of a part.\n");
}

}  // namespace

std::string seeds_file(const std::string& folder) { return folder + "/seeds.csv"; }

namespace {

template <class Fill>
void write_file(const std::string& path, Fill&& fill) {
    NewFile file(path);
    fill([&](std::string_view text) { file.write(text); });
    file.commit(Durability::crash_of_program);
}

}  // namespace

void write_cells(const std::string& folder, const std::string& name, const micro::CellComplex& complex) {
    create_folders(folder);
    const std::string base = folder + "/" + name;
    const micro::Seeds& seeds = complex.seeds;
    write_file(base + ".csv", [&](const micro::Put& put) { put(micro::cells_as_csv(complex)); });
    write_file(base + ".vtu", [&](const micro::Put& put) { micro::write_cells_vtu(complex, put); });
    bool all_cells = !seeds.periodic[0] && !seeds.periodic[1] && !seeds.periodic[2];
    for (const auto& cell : complex.cell) all_cells = all_cells && !cell.empty();
    if (!all_cells) return;
    write_file(base + ".tess", [&](const micro::Put& put) { micro::write_tess(complex, put); });
    write_file(base + ".geo", [&](const micro::Put& put) { micro::write_geo(complex, seeds.mean_spacing() / 4, put); });
}

void write_folder(const std::string& folder, const micro::Diagram& diagram) {
    // What was made of other cells, in the same folder, says nothing about these.
    for (const char* old : {"regular.tess", "regular.vtu", "regular.geo", "regular.csv", "regularised.json", "mesh.msh",
                            "mesh.vtu", "mesh.json"})
        std::filesystem::remove(folder + "/" + old);
    write_cells(folder, "cells", micro::cell_complex(diagram));
    // Last, for it is what other parts look for.
    write_file(seeds_file(folder), [&](const micro::Put& put) { put(micro::seeds_as_csv(diagram.seeds())); });
}

micro::CellComplex read_cells(const std::string& path) {
    if (std::filesystem::path(path).extension() == ".tess") return micro::parse_tess(micro::map_file(path));
    const std::string seeds = std::filesystem::is_directory(path) ? seeds_file(path) : path;
    return micro::cell_complex(micro::Diagram(micro::read_seeds(seeds)));
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
