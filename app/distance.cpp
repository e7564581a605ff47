#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "commands.h"
#include "geometry/gjk.h"
#include "options.h"
#include "point_cloud.h"
#include "scree/error.h"

namespace scree::app {
namespace {

constexpr int exact_digits = 25;

const char* name_of(Relation relation) {
    return relation == Relation::separated ? "separated" : relation == Relation::touching ? "touching" : "overlapping";
}

// The rows of the file that carry the closest point.
std::vector<int> rows_of(const Polyhedron& body, const Feature& feature) {
    std::vector<int> rows;
    for (int k = 0; k < feature.count; ++k) rows.push_back(body.source(feature.vertex[static_cast<std::size_t>(k)]));
    std::sort(rows.begin(), rows.end());
    return rows;
}

// Two points may also be the ends of a facet's diagonal.
bool is_edge(const Polyhedron& body, const Feature& feature) {
    const ConvexHull& hull = body.hull();
    const auto at = static_cast<std::size_t>(feature.vertex[0]);
    const auto begin = hull.neighbors.begin() + hull.first_neighbor[at],
               end = hull.neighbors.begin() + hull.first_neighbor[at + 1];
    return std::find(begin, end, feature.vertex[1]) != end;
}

std::string feature_text(const Polyhedron& body, const Feature& feature) {
    if (feature.count == 0) return "inside";
    const char* name = feature.count == 1 ? "vertex" : feature.count == 2 && is_edge(body, feature) ? "edge" : "facet";
    return fmt::format("{} of points {}", name, fmt::join(rows_of(body, feature), ", "));
}

// Without the sign of zero.
Vec3 plain(Vec3 v) { return v + Vec3{0, 0, 0}; }

}  // namespace

int command_distance(const Arguments& arguments) {
    std::string file_a, file_b;
    bool json = false, exactly = false;
    Options options("distance",
                    "Distance and closest points of two convex bodies: the hulls of the points of A and of B.\n"
                    "A and B are OBJ files (their vertices count) or text files of rows x y z; one of them may be - "
                    "(standard input).");
    options.argument("A", file_a, "points of the first body");
    options.argument("B", file_b, "points of the second body");
    options.flag("--json", json, "print one JSON document");
    options.flag("--exact", exactly, "integers instead of doubles: 25 correct digits");
    if (!options.parse(arguments)) return 0;
    if (file_a == "-" && file_b == "-")
        throw Error(ErrorKind::usage, "distance: only one of the two files can be standard input (-)");
    const Polyhedron a(read_point_cloud(file_a)), b(read_point_cloud(file_b));
    Distance result;
    std::string digits;
    if (exactly) {
        WarmStart start;
        const Distance first = distance(a, b, &start);
        const ExactDistance exact = exact_distance(vertex_set(a), vertex_set(b),
                                                   std::span(start.pair).first(static_cast<std::size_t>(start.count)));
        digits = exact.digits(exact_digits);
        result = gjk::from_exact(exact, first.iterations);
    } else {
        result = distance(a, b);
        digits = fmt::format("{}", result.distance);
    }
    const std::vector<int> rows_a = rows_of(a, result.feature_a()), rows_b = rows_of(b, result.feature_b());
    const bool intersect = result.relation != Relation::separated;
    const bool has_normal = norm2(result.normal) > 0;
    const Vec3 p = plain(result.point_a), q = plain(result.point_b), n = plain(result.normal);
    if (json) {
        fmt::print("{{\"distance\": {}, \"overlap\": {}, \"relation\": \"{}\", ", digits, intersect,
                   name_of(result.relation));
        fmt::print("\"point_a\": [{}, {}, {}], \"point_b\": [{}, {}, {}], ", p.x, p.y, p.z, q.x, q.y, q.z);
        fmt::print("\"normal\": {}, ", has_normal ? fmt::format("[{}, {}, {}]", n.x, n.y, n.z) : "null");
        fmt::print("\"feature_a\": [{}], \"feature_b\": [{}], \"iterations\": {}, \"error\": {}, ",
                   fmt::join(rows_a, ", "), fmt::join(rows_b, ", "), result.iterations, result.error);
        if (exactly) fmt::print("\"distance_exact\": \"{}\", ", digits);
        fmt::print("\"vertices_a\": {}, \"vertices_b\": {}, \"dimension_a\": {}, \"dimension_b\": {}}}\n",
                   a.vertex_count(), b.vertex_count(), a.dimension(), b.dimension());
        return 0;
    }
    fmt::print("distance    {}\n", digits);
    fmt::print("overlap     {} ({})\n", intersect ? "yes" : "no", name_of(result.relation));
    fmt::print("point_a     {} {} {}   {}\n", p.x, p.y, p.z, feature_text(a, result.feature_a()));
    fmt::print("point_b     {} {} {}   {}\n", q.x, q.y, q.z, feature_text(b, result.feature_b()));
    if (has_normal)
        fmt::print("normal      {} {} {}\n", n.x, n.y, n.z);
    else
        fmt::print("normal      none: the bodies overlap\n");
    fmt::print("iterations  {}\n", result.iterations);
    fmt::print("bodies      {} and {} vertices\n", a.vertex_count(), b.vertex_count());
    return 0;
}

}  // namespace scree::app
