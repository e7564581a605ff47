// scree microstructure fit and compare.
#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/parallel.h"
#include "dream3d.h"
#include "io/files.h"
#include "microstructure.h"
#include "microstructure/fit.h"
#include "options.h"
#include "scree/error.h"

namespace scree::app {
namespace {

// What both parts say about an image.
struct ImageOptions {
    std::optional<std::string> periodic, void_label, array;
    std::optional<std::int64_t> least, threads;

    void declare(Options& options) {
        options.option("--periodic", "AXES", periodic, "axes along which the image repeats itself, e.g. xyz");
        options.option("--void", "LABEL", void_label,
                       "label of voxels that belong to no grain (default 0), or none; negative labels never do");
        options.option("--least", "N", least, "leave out grains of fewer than N voxels (default 1)");
        options.option("--array", "PATH", array,
                       "array of labels in a .dream3d file (default: the one named FeatureIds)");
        options.option("--threads", "N", threads, "number of threads (default: all); results do not depend on it");
    }

    micro::GrainMap read(const std::string& path) const {
        if (threads) {
            if (*threads < 1 || *threads > 1024)
                throw Error(ErrorKind::usage, fmt::format("--threads {}: 1 to 1024 are possible", *threads));
            set_thread_count(static_cast<int>(*threads));
        } else {
            set_thread_count(hardware_thread_count());
        }
        micro::GrainMapOptions map;
        if (void_label && *void_label == "none") {
            map.void_label.reset();
        } else if (void_label) {
            micro::Label label = 0;
            const auto [end, error] =
                std::from_chars(void_label->data(), void_label->data() + void_label->size(), label);
            if (error != std::errc() || end != void_label->data() + void_label->size())
                throw Error(ErrorKind::usage, fmt::format("--void {}: give a whole number or none", *void_label));
            map.void_label = label;
        }
        if (least && *least < 1) throw Error(ErrorKind::usage, fmt::format("--least {}: at least 1 is needed", *least));
        map.least = static_cast<std::size_t>(least.value_or(1));
        const bool dream3d = std::filesystem::path(path).extension() == ".dream3d";
        if (array && !dream3d) throw Error(ErrorKind::usage, "--array is for .dream3d files");
        const micro::Image image = dream3d ? read_dream3d(path, array.value_or("")) : micro::read_image(path);
        for (const char axis : periodic.value_or("")) {
            const int k = axis - 'x';
            if (k < 0 || k >= image.dimension)
                throw Error(ErrorKind::usage, fmt::format("--periodic {}: axes of this image are {}", *periodic,
                                                          image.dimension == 3 ? "x, y, z" : "x, y"));
            map.periodic[static_cast<std::size_t>(k)] = true;
        }
        return micro::GrainMap(image, map);
    }
};

nlohmann::ordered_json as_json(const micro::GrainMap& map) {
    const micro::GrainMap::Counts& counts = map.counts();
    return {{"size", map.size()},
            {"grains", map.grains()},
            {"void_voxels", counts.empty},
            {"small_grains", counts.small_grains},
            {"small_voxels", counts.small_voxels},
            {"satellites", counts.satellites},
            {"satellite_voxels", counts.satellite_voxels}};
}

nlohmann::ordered_json as_json(const micro::Comparison& c) {
    const auto part = [](std::size_t a, std::size_t b) {
        return b == 0 ? 1.0 : static_cast<double>(a) / static_cast<double>(b);
    };
    return {{"voxels", c.voxels},
            {"right", part(c.right, c.voxels)},
            {"mean_overlap", c.mean_overlap},
            {"border_voxels", c.border_voxels},
            {"distance_to_cell", c.distance_to_cell},
            {"distance_to_cell_voxels", c.distance_to_cell / c.voxel},
            {"distance_to_cell_spacings", c.distance_to_cell / c.mean_spacing},
            {"distance_to_surface", c.distance_to_surface},
            {"distance_to_surface_voxels", c.distance_to_surface / c.voxel},
            {"distance_to_surface_spacings", c.distance_to_surface / c.mean_spacing},
            {"volume_error", c.volume_error},
            {"centroid_error_spacings", c.centroid_error},
            {"neighbor_precision", c.neighbor_precision},
            {"neighbor_recall", c.neighbor_recall}};
}

void print_text(const nlohmann::ordered_json& document) {
    for (const auto& [key, value] : document.items()) fmt::print("{:<28} {}\n", key, value.dump());
}

}  // namespace

int microstructure_fit(const Arguments& arguments) {
    std::string image;
    std::optional<std::string> out;
    std::optional<std::int64_t> voxels;
    bool json = false;
    ImageOptions image_options;
    Options options("microstructure fit", "fit the cells of a Laguerre tessellation to an image of grains");
    options.argument("IMAGE", image, fmt::format("image of labels: {} or .dream3d", micro::image_endings()));
    options.option("-o,--output", "FOLDER", out,
                   "folder for seeds.csv, cells.csv, cells.vtu, cells.tess, cells.geo and report.json");
    options.option("--voxels", "N", voxels, "look at about so many voxels per grain at most (default 1500)");
    options.flag("--json", json, "print the report as JSON");
    image_options.declare(options);
    if (!options.parse(arguments)) return 0;
    if (!out) throw Error(ErrorKind::usage, "fit needs -o FOLDER");
    if (voxels && *voxels < 10)
        throw Error(ErrorKind::usage, fmt::format("--voxels {}: at least 10 are needed", *voxels));

    const micro::GrainMap map = image_options.read(image);
    micro::FitOptions fit_options;
    if (voxels) fit_options.voxels_per_grain = static_cast<std::size_t>(*voxels);
    fmt::print(stderr, "{} grains in {} x {} x {} voxels\n", map.grains(), map.size()[0], map.size()[1], map.size()[2]);
    const micro::Fit fitted = micro::fit(map, fit_options, [](const micro::FitStage& stage) {
        fmt::print(stderr, "borders soft over {} voxels: {} rounds, {:.2f} % of the voxels held back are right\n",
                   stage.softness, stage.rounds, 100 * stage.held_right);
    });
    const micro::Diagram diagram(fitted.seeds);
    const micro::Comparison comparison = micro::compare(map, diagram);
    nlohmann::ordered_json report = {{"image", as_json(map)}};
    nlohmann::ordered_json& part = report["fit"];
    part["voxels"] = fitted.voxels;
    for (const micro::FitStage& stage : fitted.stages)
        part["stages"].push_back({{"softness", stage.softness},
                                  {"rounds", stage.rounds},
                                  {"loss", stage.loss},
                                  {"held_right", stage.held_right}});
    part["chosen"] = fitted.chosen;
    part["empty"] = fitted.empty;
    report["start"] = as_json(micro::compare(map, micro::Diagram(micro::starting_seeds(map))));
    report["result"] = as_json(comparison);
    write_folder(*out, diagram);
    write_whole_file(*out + "/report.json", report.dump(2) + "\n", Durability::crash_of_program);
    if (!fitted.empty.empty())
        fmt::print(stderr, "scree: {} grains got no cell; report.json lists them\n", fitted.empty.size());
    if (json)
        fmt::print("{}\n", report.dump());
    else
        print_text(report["result"]);
    return 0;
}

int microstructure_compare(const Arguments& arguments) {
    std::string image, folder;
    bool json = false;
    ImageOptions image_options;
    Options options("microstructure compare", "tell how well cells agree with an image");
    options.argument("IMAGE", image, fmt::format("image of labels: {} or .dream3d", micro::image_endings()));
    options.argument("FOLDER", folder, "folder written by `scree microstructure fit`, or a file of seeds");
    options.flag("--json", json, "print one JSON document");
    image_options.declare(options);
    if (!options.parse(arguments)) return 0;
    const micro::Seeds seeds = micro::read_seeds(std::filesystem::is_directory(folder) ? seeds_file(folder) : folder);
    std::string axes;
    for (int k = 0; k < 3; ++k)
        if (seeds.periodic[static_cast<std::size_t>(k)]) axes += "xyz"[k];
    if (!image_options.periodic && !axes.empty()) image_options.periodic = axes;
    const nlohmann::ordered_json report = as_json(micro::compare(image_options.read(image), micro::Diagram(seeds)));
    if (json)
        fmt::print("{}\n", report.dump());
    else
        print_text(report);
    return 0;
}

}  // namespace scree::app
