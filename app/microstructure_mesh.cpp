// scree microstructure mesh: cells as tetrahedra, in the plane triangles.
#include "microstructure/mesh_quality.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/parallel.h"
#include "io/files.h"
#include "microstructure.h"
#include "options.h"
#include "scree/error.h"

namespace scree::app {

int microstructure_mesh(const Arguments& arguments) {
    std::string cells;
    std::optional<std::string> out;
    std::optional<double> size;
    bool json = false;
    Options options("microstructure mesh", "fill cells with tetrahedra, in the plane with triangles");
    options.argument("CELLS", cells,
                     "folder with regularised cells (regular.tess), a .tess file, or a file of seeds (seeds.csv)");
    options.option("-o,--output", "FOLDER", out,
                   "folder for mesh.msh, mesh.vtu and mesh.json (default: the folder of the cells)");
    options.option("--size", "H", size, "length of edges (default: a quarter of the mean spacing of cells)");
    options.flag("--json", json, "print the report as JSON");
    if (!options.parse(arguments)) return 0;
    if (size && !(*size > 0)) throw Error(ErrorKind::usage, fmt::format("--size {}: it must be positive", *size));
    set_thread_count(hardware_thread_count());
    const bool folder = std::filesystem::is_directory(cells);
    const std::string regular = cells + "/regular.tess";
    if (folder && !std::filesystem::exists(regular))
        throw Error(ErrorKind::usage, fmt::format("{} holds no regular.tess; run `scree microstructure regularise {}` "
                                                  "first, or name {} to mesh its cells as they are",
                                                  cells, cells, seeds_file(cells)));
    const micro::CellComplex complex = read_cells(folder ? regular : cells);
    const double spacing = complex.seeds.mean_spacing(), length = size.value_or(spacing / 4);
    if (length < spacing / 200)
        throw Error(
            ErrorKind::usage,
            fmt::format("--size {}: at least {:.3g}, a 200th of the mean spacing, is possible", length, spacing / 200));
    const micro::Mesh mesh = micro::mesh_of(complex, length);
    const micro::MeshQuality quality = micro::quality_of(mesh);
    const nlohmann::ordered_json report = {{"size", length},
                                           {"nodes", mesh.node.size()},
                                           {"elements", mesh.element.size()},
                                           {"mean_edge", quality.mean_edge},
                                           {"least_quality", quality.least},
                                           {"mean_quality", quality.mean},
                                           {"least_angle", quality.least_angle},
                                           {"largest_angle", quality.largest_angle},
                                           {"least_angles", quality.angles}};
    if (!out) out = folder ? cells : std::filesystem::path(cells).parent_path().string();
    if (out->empty()) out = ".";
    create_folders(*out);
    const auto write = [&](const char* name, auto&& fill) {
        NewFile file(*out + "/" + name);
        fill([&](std::string_view text) { file.write(text); });
        file.commit(Durability::crash_of_program);
    };
    write("mesh.msh", [&](const micro::Put& put) { micro::write_msh(mesh, put); });
    write("mesh.vtu", [&](const micro::Put& put) { micro::write_mesh_vtu(mesh, put); });
    write_whole_file(*out + "/mesh.json", report.dump(2) + "\n", Durability::crash_of_program);
    if (json)
        fmt::print("{}\n", report.dump());
    else
        for (const auto& [key, value] : report.items()) fmt::print("{:<16} {}\n", key, value.dump());
    return 0;
}

}  // namespace scree::app
