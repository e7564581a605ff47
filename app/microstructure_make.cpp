// scree microstructure make: cells from statistics.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/parallel.h"
#include "io/files.h"
#include "microstructure.h"
#include "microstructure/make.h"
#include "options.h"
#include "scree/error.h"

namespace scree::app {
namespace {

micro::Seeds box_of(const std::string& sides, const std::string& periodic) {
    micro::Seeds box;
    std::vector<double> lengths;
    for (std::size_t begin = 0; begin <= sides.size();) {
        const std::size_t end = std::min(sides.find(',', begin), sides.size());
        double length = 0;
        const auto [stop, error] = std::from_chars(sides.data() + begin, sides.data() + end, length);
        if (error != std::errc() || stop != sides.data() + end || !(length > 0) || length > 1e100)
            throw Error(ErrorKind::usage,
                        fmt::format("--box {}: give two or three positive lengths, e.g. 1,1,1", sides));
        lengths.push_back(length);
        begin = end + 1;
    }
    if (lengths.size() != 2 && lengths.size() != 3)
        throw Error(ErrorKind::usage, fmt::format("--box {}: give two or three lengths, e.g. 1,1,1", sides));
    box.dimension = static_cast<int>(lengths.size());
    for (int k = 0; k < box.dimension; ++k) box.high[k] = lengths[static_cast<std::size_t>(k)];
    for (const char axis : periodic) {
        const int k = axis - 'x';
        if (k < 0 || k >= box.dimension)
            throw Error(ErrorKind::usage, fmt::format("--periodic {}: axes of this box are {}", periodic,
                                                      box.dimension == 3 ? "x, y, z" : "x, y"));
        box.periodic[static_cast<std::size_t>(k)] = true;
    }
    return box;
}

// "lognormal:0.35" or "equal".
double spread_of(const std::string& sizes) {
    if (sizes == "equal") return 0;
    const std::string kind = "lognormal:";
    double spread = 0;
    const bool known = sizes.rfind(kind, 0) == 0;
    const char* const first = sizes.data() + (known ? kind.size() : 0);
    const auto [end, error] = std::from_chars(first, sizes.data() + sizes.size(), spread);
    if (!known || error != std::errc() || end != sizes.data() + sizes.size() || !(spread >= 0 && spread <= 2))
        throw Error(ErrorKind::usage, fmt::format("--sizes {}: give lognormal:S with S from 0 to 2, or equal", sizes));
    return spread;
}

}  // namespace

int microstructure_make(const Arguments& arguments) {
    std::optional<std::string> out, box, sizes, periodic;
    std::optional<double> diameter, sphericity;
    std::optional<std::int64_t> grains, raster, seed, threads;
    bool json = false;
    Options options("microstructure make", "make cells of given sizes and roundness");
    options.option("-o,--output", "FOLDER", out, "folder for the files of the cells and report.json");
    options.option("--grains", "N", grains, "number of grains");
    options.option("--mean-diameter", "L", diameter, "in place of --grains: their mean equivalent diameter");
    options.option("--box", "X,Y,Z", box, "sides of the box (default 1,1,1); two numbers: in the plane");
    options.option("--sizes", "LAW", sizes,
                   "of diameters divided by their mean: lognormal:S (default, S = 0.35) or equal");
    options.option("--sphericity", "M", sphericity,
                   "least mean sphericity to be reached (default 0.855; 0: seeds stay where they fell)");
    options.option("--periodic", "AXES", periodic, "periodic axes, e.g. xyz");
    options.option("--seed", "N", seed, "of the random numbers (default 1)");
    options.option("--raster", "N", raster, "write image.vti, too, with N voxels along the longest side");
    options.option("--threads", "N", threads, "number of threads (default: all); results do not depend on it");
    options.flag("--json", json, "print the report as JSON");
    if (!options.parse(arguments)) return 0;
    if (!out) throw Error(ErrorKind::usage, "make needs -o FOLDER");
    if (grains.has_value() == diameter.has_value())
        throw Error(ErrorKind::usage, "make needs either --grains or --mean-diameter");
    if (threads && (*threads < 1 || *threads > 1024))
        throw Error(ErrorKind::usage, fmt::format("--threads {}: 1 to 1024 are possible", *threads));
    set_thread_count(threads ? static_cast<int>(*threads) : hardware_thread_count());
    const micro::Seeds empty = box_of(box.value_or("1,1,1"), periodic.value_or(""));
    micro::MakeOptions make;
    make.spread = spread_of(sizes.value_or("lognormal:0.35"));
    make.seed = static_cast<std::uint64_t>(seed.value_or(1));
    if (sphericity && !(*sphericity >= 0 && *sphericity < 1))
        throw Error(ErrorKind::usage, fmt::format("--sphericity {}: give a number from 0 to below 1", *sphericity));
    make.unroundness = 1 - sphericity.value_or(0.855);
    if (grains && (*grains < 1 || *grains > 100000000))
        throw Error(ErrorKind::usage, fmt::format("--grains {}: 1 to 10^8 are possible", *grains));
    if (diameter && !(*diameter > 0))
        throw Error(ErrorKind::usage, fmt::format("--mean-diameter {}: it must be positive", *diameter));
    const std::size_t count =
        grains ? static_cast<std::size_t>(*grains) : micro::grains_of_diameter(empty, *diameter, make.spread);
    if (raster && (*raster < 1 || *raster > 4096))
        throw Error(ErrorKind::usage, fmt::format("--raster {}: 1 to 4096 are possible", *raster));

    const micro::Made made = micro::make_cells(empty, count, make);
    const micro::Diagram diagram(made.seeds);
    write_folder(*out, diagram);
    if (raster) {
        const Vec3 sides = empty.high - empty.low;
        const double longest = std::max({sides.x, sides.y, empty.dimension == 3 ? sides.z : 0});
        std::array<std::size_t, 3> voxels = {1, 1, 1};
        for (int k = 0; k < empty.dimension; ++k)
            voxels[static_cast<std::size_t>(k)] = static_cast<std::size_t>(
                std::max(1.0, std::nearbyint(sides[k] / longest * static_cast<double>(*raster))));
        NewFile file(*out + "/image.vti");
        micro::write_image(micro::rasterized(diagram, voxels), *out + "/image.vti",
                           [&](std::string_view text) { file.write(text); });
        file.commit(Durability::crash_of_program);
    }
    const nlohmann::ordered_json report = {{"grains", count},
                                           {"volume_error", made.transport.residual},
                                           {"volumes_met", made.transport.met},
                                           {"size_deviation", made.spread},
                                           {"mean_sphericity", 1 - made.unroundness},
                                           {"sphericity_deviation", made.unroundness_deviation},
                                           {"sphericity_met", made.unroundness <= make.unroundness * 1.01},
                                           {"rounds", made.rounds}};
    write_whole_file(*out + "/report.json", report.dump(2) + "\n", Durability::crash_of_program);
    if (!made.transport.met)
        fmt::print(stderr, "scree: volumes are met to {:.1e} of their mean only, not to {:.0e}\n",
                   made.transport.residual, make.tolerance);
    if (json)
        fmt::print("{}\n", report.dump());
    else
        for (const auto& [key, value] : report.items()) fmt::print("{:<22} {}\n", key, value.dump());
    return 0;
}

}  // namespace scree::app
