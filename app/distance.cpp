#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "commands.h"
#include "io/body_file.h"
#include "options.h"
#include "scree/error.h"

namespace scree::app {
namespace {

constexpr int exact_digits = 25;
constexpr double infinite = std::numeric_limits<double>::infinity();

struct Wanted {
    std::vector<std::string> files;
    std::string pairs;
    double longest = infinite;
    std::optional<double> moving;
    bool json = false, exact = false, depth = false, hulls = false;
};

[[noreturn]] void refuse(const std::string& why) {
    throw Error(ErrorKind::usage, fmt::format("distance: {}; see `scree help distance`", why));
}

// Nothing when the help was asked for.
std::optional<Wanted> parse(const Arguments& arguments) {
    Wanted wanted;
    std::optional<std::string> pairs;
    std::optional<double> longest;
    Options options("distance",
                    "distance and closest points of two bodies: surfaces (STL, OBJ), hulls of points (rows x y z), "
                    "splines (IGES, JSON), and what TOML or JSON describes");
    options.arguments("FILE", wanted.files, "the two bodies; one may be - (standard input)");
    options.flag("--json", wanted.json, "print one JSON document");
    options.flag("--exact", wanted.exact, "integers instead of doubles: 25 correct digits (hulls, convex surfaces)");
    options.flag("--depth", wanted.depth, "of overlapping convex bodies: the least shift that separates them");
    options.flag("--hull", wanted.hulls, "the convex hulls of surfaces");
    options.option("--max", "R", longest, "distances of R and more need not be found");
    options.option("--moving", "T", wanted.moving,
                   "the time at which the bodies meet first, up to T: they move with the velocity and spin of their "
                   "files");
    options.option("--pairs", "FILE", pairs, "rows of two file names, looked up beside FILE: one answer for each");
    if (!options.parse(arguments)) return {};
    if (longest && !(*longest > 0)) refuse(fmt::format("--max needs a positive length, got {}", *longest));
    if (wanted.moving && !(*wanted.moving >= 0))
        refuse(fmt::format("--moving needs a time that is not negative, got {}", *wanted.moving));
    if (wanted.moving && (wanted.exact || wanted.depth || longest || pairs))
        refuse("--moving is a question of its own, without --exact, --depth, --max and --pairs");
    wanted.longest = longest.value_or(infinite);
    wanted.pairs = pairs.value_or("");
    if (pairs) {
        if (!wanted.files.empty()) refuse("--pairs FILE takes the place of the two files");
        if (wanted.exact || wanted.depth) refuse("--pairs answers with distances alone");
    } else if (wanted.files.size() != 2) {
        refuse(fmt::format("needs two files, got {}", wanted.files.size()));
    } else if (wanted.files[0] == "-" && wanted.files[1] == "-") {
        refuse("only one of the two files can be standard input (-)");
    }
    return wanted;
}

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
std::string list_of(Vec3 v, const char* between) {
    return fmt::format("{}{}{}{}{}", v.x + 0.0, between, v.y + 0.0, between, v.z + 0.0);
}
std::string json_of(Vec3 v) { return '[' + list_of(v, ", ") + ']'; }

// A hull where it was given: its vertices have rows in the file, and its distance can be computed in integers.
const Polyhedron* plain_hull(const Compound& body) {
    if (body.parts.size() != 1 || body.parts[0].radius > 0 || !(body.parts[0].pose == MeshPose{})) return nullptr;
    return std::get_if<Polyhedron>(body.parts[0].form.get());
}

// What is said about the least shift that separates two bodies, as further keys or lines.
std::string depth_text(const Compound& a, const Compound& b, Relation relation, bool json) {
    if (relation != Relation::overlapping) return json ? ", \"depth\": 0" : "depth       0\n";
    const std::optional<Depth> found = depth(a, b);
    if (!found)
        throw Error(ErrorKind::bad_input,
                    "distance: --depth is for two single convex bodies, and one of these is a concave surface or a "
                    "union; --hull takes the hulls of surfaces");
    std::string text;
    if (json) {
        std::vector<std::string> directions;
        for (const Vec3& n : found->directions) directions.push_back(json_of(n));
        return fmt::format(
            ", \"depth\": {}, \"depth_error\": {}, \"depth_point_a\": {}, \"depth_point_b\": {}, "
            "\"directions\": [{}]",
            found->depth, found->error, json_of(found->point_a), json_of(found->point_b), fmt::join(directions, ", "));
    }
    text = fmt::format("depth       {}   b moved so far along a direction below touches a\n", found->depth);
    for (const Vec3& n : found->directions) text += fmt::format("direction   {}\n", list_of(n, " "));
    return text;
}

void answer_hulls(const Polyhedron& a, const Polyhedron& b, const BodyFile& body_a, const BodyFile& body_b,
                  const Wanted& options) {
    Distance result;
    std::string digits;
    if (options.exact) {
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
    const std::string depth =
        options.depth ? depth_text(body_a.body, body_b.body, result.relation, options.json) : std::string();
    if (options.json) {
        fmt::print("{{\"distance\": {}, \"overlap\": {}, \"relation\": \"{}\", ", digits, intersect,
                   name_of(result.relation));
        fmt::print("\"point_a\": {}, \"point_b\": {}, ", json_of(result.point_a), json_of(result.point_b));
        fmt::print("\"normal\": {}, ", has_normal ? json_of(result.normal) : "null");
        fmt::print("\"feature_a\": [{}], \"feature_b\": [{}], \"iterations\": {}, \"error\": {}, ",
                   fmt::join(rows_a, ", "), fmt::join(rows_b, ", "), result.iterations, result.error);
        if (options.exact) fmt::print("\"distance_exact\": \"{}\", ", digits);
        fmt::print("\"vertices_a\": {}, \"vertices_b\": {}, \"dimension_a\": {}, \"dimension_b\": {}{}, ",
                   a.vertex_count(), b.vertex_count(), a.dimension(), b.dimension(), depth);
        fmt::print("\"kind_a\": \"{}\", \"kind_b\": \"{}\"}}\n", body_a.kind, body_b.kind);
        return;
    }
    fmt::print("distance    {}\n", digits);
    fmt::print("overlap     {} ({})\n", intersect ? "yes" : "no", name_of(result.relation));
    fmt::print("point_a     {}   {}\n", list_of(result.point_a, " "), feature_text(a, result.feature_a()));
    fmt::print("point_b     {}   {}\n", list_of(result.point_b, " "), feature_text(b, result.feature_b()));
    fmt::print("normal      {}\n", has_normal ? list_of(result.normal, " ") : "none: the bodies overlap");
    fmt::print("{}", depth);
    fmt::print("iterations  {}\n", result.iterations);
    fmt::print("bodies      {} and {} vertices\n", a.vertex_count(), b.vertex_count());
}

std::string json_answer(const CompoundDistance& d, const BodyFile& a, const BodyFile& b, double longest,
                        const std::string& more) {
    std::string text;
    if (d.distance < infinite)
        text = fmt::format(
            "{{\"distance\": {}, \"overlap\": {}, \"relation\": \"{}\", \"point_a\": {}, "
            "\"point_b\": {}, \"normal\": {}, \"iterations\": {}, \"error\": {}",
            d.distance, d.relation != Relation::separated, name_of(d.relation), json_of(d.point_a), json_of(d.point_b),
            norm2(d.normal) > 0 ? json_of(d.normal) : "null", d.iterations, d.error);
    else
        text = fmt::format("{{\"distance\": null, \"at_least\": {}, \"overlap\": false, \"relation\": \"separated\"",
                           longest);
    return text + fmt::format("{}, \"kind_a\": \"{}\", \"kind_b\": \"{}\"", more, a.kind, b.kind);
}

void answer(const BodyFile& a, const BodyFile& b, const Wanted& options) {
    const Polyhedron *hull_a = plain_hull(a.body), *hull_b = plain_hull(b.body);
    if (hull_a != nullptr && hull_b != nullptr && !(options.longest < infinite))
        return answer_hulls(*hull_a, *hull_b, a, b, options);
    if (options.exact)
        throw Error(ErrorKind::bad_input,
                    "distance: --exact is for hulls of points and convex surfaces, without rounding and --max");
    const CompoundDistance d = distance(a.body, b.body, options.longest);
    const std::string depth = options.depth ? depth_text(a.body, b.body, d.relation, options.json) : std::string();
    if (options.json) {
        fmt::print("{}}}\n", json_answer(d, a, b, options.longest, depth));
        return;
    }
    if (!(d.distance < infinite)) {
        fmt::print("distance    {} or more\noverlap     no (separated)\n", options.longest);
    } else {
        const bool intersect = d.relation != Relation::separated;
        fmt::print("distance    {}\n", d.distance);
        fmt::print("overlap     {} ({})\n", intersect ? "yes" : "no", name_of(d.relation));
        fmt::print("point_a     {}\n", list_of(d.point_a, " "));
        fmt::print("point_b     {}\n", list_of(d.point_b, " "));
        fmt::print("normal      {}\n", norm2(d.normal) > 0 ? list_of(d.normal, " ") : "none: the bodies overlap");
        fmt::print("{}", depth);
        fmt::print("iterations  {}\n", d.iterations);
    }
    fmt::print("bodies      {} and {}\n", a.kind, b.kind);
}

// Bodies meet when no more than this part of their size is between them.
constexpr double nearly = 1e-12;

void answer_moving(const BodyFile& a, const BodyFile& b, double until, bool json) {
    double size = 0;
    for (const BodyFile* file : {&a, &b})
        for (const CompoundPart& part : file->body.parts)
            size = std::max(size, reach_about(part, a.motion.center) + part.radius);
    const FirstContact found = first_contact(a.body, a.motion, b.body, b.motion, until, nearly * size);
    const CompoundDistance& d = found.then;
    if (json) {
        fmt::print("{{\"meets\": {}, \"time\": {}, \"distance\": {}, \"point_a\": {}, \"point_b\": {}, ", found.meets,
                   found.meets ? fmt::format("{}", found.time) : "null", d.distance, json_of(d.point_a),
                   json_of(d.point_b));
        fmt::print("\"normal\": {}, \"rounds\": {}, \"kind_a\": \"{}\", \"kind_b\": \"{}\"}}\n",
                   norm2(d.normal) > 0 ? json_of(d.normal) : "null", found.rounds, a.kind, b.kind);
        return;
    }
    if (found.meets)
        fmt::print("time        {}\n", found.time);
    else
        fmt::print("time        none until {}\ndistance    {}   then\n", until, d.distance);
    fmt::print("point_a     {}\npoint_b     {}\n", list_of(d.point_a, " "), list_of(d.point_b, " "));
    fmt::print("normal      {}\n", norm2(d.normal) > 0 ? list_of(d.normal, " ") : "none: the bodies overlap");
    fmt::print("rounds      {}\nbodies      {} and {}\n", found.rounds, a.kind, b.kind);
}

// Rows of two file names; each file is read once.
void answer_pairs(const Wanted& options) {
    std::ifstream file(options.pairs);
    if (!file || std::filesystem::is_directory(options.pairs))
        throw Error(ErrorKind::file,
                    fmt::format("{}: cannot be opened; check the name and the permissions", options.pairs));
    std::map<std::string, BodyFile> bodies;
    const auto body = [&](const std::string& name) -> const BodyFile& {
        const std::string path = (std::filesystem::path(options.pairs).parent_path() / name).string();
        const auto known = bodies.find(path);
        return known != bodies.end() ? known->second
                                     : bodies.emplace(path, read_body(path, options.hulls)).first->second;
    };
    if (options.json)
        fmt::print("[");
    else
        fmt::print("a,b,distance,relation,ax,ay,az,bx,by,bz,nx,ny,nz\n");
    std::string line;
    bool first = true;
    for (int number = 1; std::getline(file, line); ++number) {
        std::istringstream words(line.substr(0, line.find('#')));
        std::string name_a, name_b, rest;
        if (!(words >> name_a)) continue;
        if (!(words >> name_b) || words >> rest)
            throw Error(
                ErrorKind::bad_input,
                fmt::format("{}:{}: a row has the names of two files, separated by blanks", options.pairs, number));
        const BodyFile &a = body(name_a), &b = body(name_b);
        const CompoundDistance d = distance(a.body, b.body, options.longest);
        if (options.json)
            fmt::print("{}{}, \"a\": {}, \"b\": {}}}", first ? "" : ",\n ", json_answer(d, a, b, options.longest, ""),
                       nlohmann::json(name_a).dump(), nlohmann::json(name_b).dump());
        else if (d.distance < infinite)
            fmt::print("{},{},{},{},{},{},{}\n", name_a, name_b, d.distance, name_of(d.relation),
                       list_of(d.point_a, ","), list_of(d.point_b, ","), list_of(d.normal, ","));
        else
            fmt::print("{},{},,separated,,,,,,,,,\n", name_a, name_b);
        first = false;
    }
    fmt::print("{}", options.json ? "]\n" : "");
}

}  // namespace

int command_distance(const Arguments& arguments) {
    const std::optional<Wanted> options = parse(arguments);
    if (!options) return 0;
    if (!options->pairs.empty())
        answer_pairs(*options);
    else if (options->moving)
        answer_moving(read_body(options->files[0], options->hulls), read_body(options->files[1], options->hulls),
                      *options->moving, options->json);
    else
        answer(read_body(options->files[0], options->hulls), read_body(options->files[1], options->hulls), *options);
    return 0;
}

}  // namespace scree::app
