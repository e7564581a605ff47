// scree microstructure regularise: cells without short edges.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/parallel.h"
#include "io/files.h"
#include "microstructure.h"
#include "microstructure/regularise.h"
#include "options.h"
#include "scree/error.h"

namespace scree::app {
namespace {

nlohmann::ordered_json as_json(const micro::ComplexShape& shape) {
    return {{"corners", shape.corners},
            {"edges", shape.edges},
            {"faces", shape.faces},
            {"mean_diameter", shape.mean_diameter},
            {"shortest_edge", shape.shortest_edge},
            {"largest_bend", shape.largest_bend},
            {"least_dihedral", shape.least_dihedral},
            {"edge_lengths", shape.lengths}};
}

}  // namespace

int microstructure_regularise(const Arguments& arguments) {
    std::string cells;
    std::optional<std::string> out;
    std::optional<double> shortest, bend;
    bool json = false;
    Options options("microstructure regularise", "remove short edges, which no mesh of good elements could resolve");
    options.argument("CELLS", cells, "folder written by `scree microstructure fit` or `make`, or a .tess file");
    options.option("-o,--output", "FOLDER", out,
                   "folder for regular.tess, regular.vtu, regular.geo, regular.csv and regularised.json (default: the "
                   "folder of the cells)");
    options.option("--shortest", "F", shortest,
                   "length of edges to be reached, in mean equivalent diameters of the cells (default 0.2)");
    options.option("--bend", "DEGREES", bend, "how far a face may be bent (default 20)");
    options.flag("--json", json, "print the report as JSON");
    if (!options.parse(arguments)) return 0;
    micro::RegulariseOptions how;
    how.shortest = shortest.value_or(how.shortest);
    how.most_bend = bend.value_or(how.most_bend);
    if (!(how.shortest >= 0 && how.shortest <= 0.5))
        throw Error(ErrorKind::usage, fmt::format("--shortest {}: 0 to 0.5 are possible", how.shortest));
    if (!(how.most_bend >= 0 && how.most_bend <= 60))
        throw Error(ErrorKind::usage, fmt::format("--bend {}: 0 to 60 degrees are possible", how.most_bend));
    set_thread_count(hardware_thread_count());
    const micro::CellComplex before = read_cells(cells);
    const micro::Regularised after = micro::regularise(before, how);
    const micro::ComplexShape shape = micro::shape_of(after.complex);
    const nlohmann::ordered_json report = {{"threshold", after.threshold},
                                           {"merged", after.merged},
                                           {"stretched", after.stretched},
                                           {"short_edges_left", after.left},
                                           {"before", as_json(micro::shape_of(before))},
                                           {"after", as_json(shape)}};
    if (!out) out = std::filesystem::is_directory(cells) ? cells : std::filesystem::path(cells).parent_path().string();
    if (out->empty()) out = ".";
    write_cells(*out, "regular", after.complex);
    write_whole_file(*out + "/regularised.json", report.dump(2) + "\n", Durability::crash_of_program);
    if (after.left > 0)
        fmt::print(stderr,
                   "scree: {} edges stay shorter than {:.3g}, the shortest {:.3g} long; a larger --bend or a "
                   "smaller --shortest leaves fewer\n",
                   after.left, after.threshold, shape.shortest_edge);
    if (json) {
        fmt::print("{}\n", report.dump());
        return 0;
    }
    for (const auto& [key, value] : report.items()) {
        if (!value.is_object()) {
            fmt::print("{:<18} {}\n", key, value.dump());
            continue;
        }
        fmt::print("{}\n", key);
        for (const auto& [inner, number] : value.items()) fmt::print("  {:<16} {}\n", inner, number.dump());
    }
    return 0;
}

}  // namespace scree::app
