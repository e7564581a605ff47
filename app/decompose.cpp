// scree decompose: a solid bounded by triangles as convex pieces.
#include <fmt/format.h>

#include <cmath>

#include "commands.h"
#include "geometry/extent.h"
#include "io/files.h"
#include "options.h"
#include "scree/error.h"
#include "shape/decomposition.h"
#include "shape/mass.h"
#include "shape/mesh.h"

namespace scree::app {
namespace {

constexpr double usual_depth = 0.01;  // of the size of the mesh

struct Summary {
    double solid = 0, hulls = 0, depth = 0, convexity = 0;
    double outside() const { return std::fmax(0, hulls - solid); }
};

Summary summary_of(const TriangleMesh& mesh, const std::vector<ConvexPiece>& parts) {
    Summary sum;
    sum.solid = moments_of(mesh.points, mesh.triangles).volume;
    for (const ConvexPiece& part : parts) {
        sum.hulls += part.volume;
        sum.depth = std::fmax(sum.depth, part.depth);
        sum.convexity = std::fmax(sum.convexity, part.convexity);
    }
    return sum;
}

// An object for each piece, its sides as polygons.
std::string obj_of(const std::vector<ConvexPiece>& parts) {
    std::string text;
    int before = 1;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const ConvexHull& hull = parts[k].hull;
        text += fmt::format("o piece_{}\n", k + 1);
        for (const Vec3& p : hull.points) text += fmt::format("v {} {} {}\n", p.x, p.y, p.z);
        for (const std::vector<int>& corners : hull.facets) {
            text += 'f';
            for (const int corner : corners) text += fmt::format(" {}", before + corner);
            text += '\n';
        }
        before += static_cast<int>(hull.points.size());
    }
    return text;
}

void print_json(const Summary& sum, const std::vector<ConvexPiece>& parts) {
    fmt::print(
        "{{\"pieces\": {}, \"volume\": {}, \"volume_outside\": {}, \"depth\": {}, \"convexity\": {}, \"parts\": [",
        parts.size(), sum.solid, sum.outside(), sum.depth, sum.convexity);
    for (std::size_t k = 0; k < parts.size(); ++k)
        fmt::print("{}{{\"vertices\": {}, \"volume\": {}, \"depth\": {}, \"convexity\": {}}}", k > 0 ? ", " : "",
                   parts[k].hull.points.size(), parts[k].volume, parts[k].depth, parts[k].convexity);
    fmt::print("]}}\n");
}

void print_text(const Summary& sum, const std::vector<ConvexPiece>& parts) {
    fmt::print("pieces      {}\n", parts.size());
    fmt::print("volume      {}\n", sum.solid);
    fmt::print("outside     {:.4g}   ({:.3g} % of the volume)\n", sum.outside(), 100 * sum.outside() / sum.solid);
    fmt::print("depth       {:.4g}   deepest place below the nearest side of its piece\n", sum.depth);
    fmt::print("convexity   {:.4g}   ... below the piece along the surface's normal\n", sum.convexity);
}

}  // namespace

int command_decompose(const Arguments& arguments) {
    std::string file;
    std::optional<std::string> output;
    std::optional<double> depth;
    bool json = false;
    Options options("decompose",
                    "Cuts the solid in MESH into convex pieces whose hulls have no inner points in common, until the\n"
                    "surface lies nowhere deeper below its piece than --depth.");
    options.argument("MESH", file, "a closed surface, STL or OBJ");
    options.option("-o,--output", "FILE", output, "write the pieces as an OBJ file, an object each");
    options.option("--depth", "D", depth, "a length; 0.01 of the mesh's diagonal where it is left out");
    options.flag("--json", json, "print one JSON document, with each piece");
    if (!options.parse(arguments)) return 0;
    if (depth && !(*depth >= 0))
        throw Error(ErrorKind::usage, fmt::format("decompose: --depth {}: give a length that is not negative", *depth));
    TriangleMesh mesh = read_mesh(file);
    mend(mesh);
    require_solid(mesh, file);
    Extent box;
    for (const Vec3& p : mesh.points) box.include(p);
    const double wanted = depth.value_or(usual_depth * norm(box.high - box.low));
    const std::vector<ConvexPiece> parts = described_pieces(mesh, wanted);
    const Summary sum = summary_of(mesh, parts);
    if (sum.depth > wanted)
        fmt::print(stderr,
                   "scree: a depth of {:.4g} was not reached by cutting seven times in sequence: {:.4g} is left\n",
                   wanted, sum.depth);
    if (output) write_whole_file(*output, obj_of(parts), Durability::crash_of_program);
    if (json)
        print_json(sum, parts);
    else
        print_text(sum, parts);
    return 0;
}

}  // namespace scree::app
