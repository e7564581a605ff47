// scree triangulate: the regular triangulation of the weighted points of a file.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "options.h"
#include "scree/error.h"
#include "triangulation/dual.h"
#include "triangulation/points_file.h"
#include "triangulation/triangulation.h"

namespace scree::app {
namespace {

std::string read_all(const std::string& name) {
    if (name == "-") return std::string(std::istreambuf_iterator<char>(std::cin), {});
    if (std::filesystem::is_directory(name))
        throw Error(ErrorKind::file, fmt::format("{} is a folder; give a file of points", name));
    std::ifstream file(name, std::ios::binary);
    if (!file) throw Error(ErrorKind::file, fmt::format("{} cannot be read", name));
    std::string text(std::istreambuf_iterator<char>(file), {});
    if (file.bad()) throw Error(ErrorKind::file, fmt::format("{} cannot be read", name));
    return text;
}

void write_all(const std::string& name, const std::string& text) {
    std::ofstream file(name, std::ios::binary);
    file << text;
    file.flush();
    if (!file) throw Error(ErrorKind::file, fmt::format("{} cannot be written", name));
}

// Rows whose center repeats that of an earlier row: they are kept, at most one of each place is visible.
void report_duplicates(const std::vector<tri::Row>& rows) {
    std::map<std::array<double, 3>, std::size_t> first;
    std::size_t count = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const auto [place, fresh] = first.try_emplace({rows[k].c[0], rows[k].c[1], rows[k].c[2]}, k);
        if (fresh) continue;
        if (++count <= 10)
            fmt::print(stderr,
                       "scree: row {} has the center of row {}; the heavier one (of equals the first) is visible, the "
                       "other hidden\n",
                       k, place->second);
    }
    if (count > 10) fmt::print(stderr, "scree: ... and {} more rows repeat a center\n", count - 10);
}

}  // namespace

int command_triangulate(const Arguments& arguments) {
    std::string file;
    std::optional<std::string> edges_file, cells_file;
    bool json = false;
    Options options("triangulate",
                    "The regular (weighted Delaunay) triangulation of the rows x,y[,z],r of POINTS, decided exactly on "
                    "the\nnumbers as given. A header may name the columns x, y, z, r (radius) or weight, others are "
                    "ignored;\nweight = r*r. Commas, semicolons or blanks separate the columns.");
    options.argument("POINTS", file, "table of points, or - for standard input");
    options.flag("--json", json, "print one JSON document: points, dimension, edges, simplices, hidden");
    options.option("--edges", "FILE", edges_file,
                   "write the edges as rows i,j with i < j; rows of POINTS count from 0");
    options.option("--cells", "FILE", cells_file,
                   "write the volumes of the Laguerre cells as rows i,volume (empty when unbounded, 0 when hidden)");
    if (!options.parse(arguments)) return 0;
    const tri::Points points = tri::read_points(read_all(file), file == "-" ? "standard input" : file);
    const int least = points.dimension + 1;
    if (static_cast<int>(points.rows.size()) < least)
        throw Error(ErrorKind::bad_input,
                    fmt::format("{}: {} point{} cannot be triangulated {}; at least {} are needed", file,
                                points.rows.size(), points.rows.size() == 1 ? "" : "s",
                                points.dimension == 3 ? "in space" : "in the plane", least));
    report_duplicates(points.rows);
    tri::Triangulation triangulation(points.dimension);
    triangulation.build(points.rows);
    const auto edges = triangulation.edges();
    const auto hidden = triangulation.hidden();

    if (edges_file) {
        fmt::memory_buffer text;
        for (const auto& [i, j] : edges) fmt::format_to(std::back_inserter(text), "{},{}\n", i, j);
        write_all(*edges_file, fmt::to_string(text));
    }
    if (cells_file) {
        fmt::memory_buffer text;
        const std::vector<double> volumes = tri::dual_volumes(triangulation);
        for (std::size_t k = 0; k < volumes.size(); ++k) {
            if (std::isfinite(volumes[k]))
                fmt::format_to(std::back_inserter(text), "{},{}\n", k, volumes[k]);
            else
                fmt::format_to(std::back_inserter(text), "{},\n", k);
        }
        write_all(*cells_file, fmt::to_string(text));
    }
    if (json) {
        const nlohmann::ordered_json document = {{"points", points.rows.size()},
                                                 {"dimension", triangulation.dimension()},
                                                 {"edges", edges.size()},
                                                 {"simplices", triangulation.simplex_count()},
                                                 {"hidden", hidden}};
        fmt::print("{}\n", document.dump());
        return 0;
    }
    fmt::print("points     {}\ndimension  {}\nedges      {}\nsimplices  {}\nhidden     {}\n", points.rows.size(),
               triangulation.dimension(), edges.size(), triangulation.simplex_count(), hidden.size());
    return 0;
}

}  // namespace scree::app
