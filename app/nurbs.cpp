// scree nurbs: curves and surfaces of rational splines: what they are, points on them, and nearest points with a proof.
#include <fmt/format.h>

#include "commands.h"
#include "core/text_input.h"
#include "geometry/nurbs/nurbs_distance.h"
#include "io/nurbs_file.h"
#include "io/point_cloud.h"
#include "options.h"
#include "scree/error.h"

namespace scree::app {
namespace {

std::string domain_of(const SplineBasis& basis) { return fmt::format("[{}, {}]", basis.first(), basis.last()); }

std::string list_of(Vec3 v) { return fmt::format("{},{},{}", v.x + 0.0, v.y + 0.0, v.z + 0.0); }

void describe(const std::vector<Nurbs>& bodies, bool json) {
    if (json) fmt::print("[");
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        const Nurbs& n = bodies[k];
        const std::size_t patches = bezier_patches(n).size();
        if (json && n.is_curve())
            fmt::print("{}{{\"kind\": \"curve\", \"degree\": {}, \"points\": {}, \"domain\": {}, \"patches\": {}}}",
                       k > 0 ? ",\n " : "", n.u.degree, n.points.size(), domain_of(n.u), patches);
        else if (json)
            fmt::print(
                "{}{{\"kind\": \"surface\", \"degree_u\": {}, \"degree_v\": {}, \"points_u\": {}, \"points_v\": "
                "{}, \"domain_u\": {}, \"domain_v\": {}, \"patches\": {}}}",
                k > 0 ? ",\n " : "", n.u.degree, n.v.degree, n.u.count(), n.v.count(), domain_of(n.u), domain_of(n.v),
                patches);
        else if (n.is_curve())
            fmt::print("curve    degree {}, {} points, domain {}, {} pieces\n", n.u.degree, n.points.size(),
                       domain_of(n.u), patches);
        else
            fmt::print("surface  degree {} x {}, {} x {} points, domain {} x {}, {} patches\n", n.u.degree, n.v.degree,
                       n.u.count(), n.v.count(), domain_of(n.u), domain_of(n.v), patches);
    }
    if (json) fmt::print("]\n");
}

void sample(const std::vector<NurbsBody>& bodies, const std::vector<Nurbs>& nurbs, int steps) {
    fmt::print("body,u,v,x,y,z\n");
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        const SplineBasis &u = nurbs[k].u, &v = nurbs[k].v;
        const auto between = [&](const SplineBasis& basis, int step) {
            return basis.first() + (basis.last() - basis.first()) * step / steps;
        };
        for (int i = 0; i <= steps; ++i)
            for (int j = 0; j <= (bodies[k].is_curve() ? 0 : steps); ++j)
                fmt::print("{},{},{},{}\n", k, between(u, i), between(v, j),
                           list_of(bodies[k].evaluate(between(u, i), between(v, j)).at));
    }
}

// Of all bodies the nearest.
void closest(const std::vector<NurbsBody>& bodies, const std::vector<Vec3>& queries) {
    fmt::print("x,y,z,distance,error,body,u,v,px,py,pz\n");
    for (const Vec3& q : queries) {
        NurbsClosest best;
        std::size_t number = 0;
        for (std::size_t k = 0; k < bodies.size(); ++k) {
            const NurbsClosest c = closest_point(bodies[k], q);
            if (k > 0 && !(c.distance < best.distance)) continue;
            best = c;
            number = k;
        }
        fmt::print("{},{},{},{},{},{},{}\n", list_of(q), best.distance, best.error, number, best.u, best.v,
                   list_of(best.point));
    }
}

// Of all bodies all places nearer than the radius whose neighbors are farther.
void all_within(const std::vector<NurbsBody>& bodies, const std::vector<Vec3>& queries, double radius) {
    fmt::print("x,y,z,distance,body,u,v,px,py,pz\n");
    bool complete = true;
    for (const Vec3& q : queries)
        for (std::size_t k = 0; k < bodies.size(); ++k) {
            const NurbsMinima minima = local_minima(bodies[k], q, radius);
            complete = complete && minima.complete;
            for (const NurbsClosest& c : minima.points)
                fmt::print("{},{},{},{},{},{}\n", list_of(q), c.distance, k, c.u, c.v, list_of(c.point));
        }
    if (!complete)
        fmt::print(stderr,
                   "scree: for some points whole lines are equally near; of these only some places are listed\n");
}

}  // namespace

int command_nurbs(const Arguments& arguments) {
    std::string file;
    bool json = false;
    std::optional<std::string> queries;
    std::optional<std::int64_t> steps;
    std::optional<double> radius;
    Options options(
        "nurbs", "curves and surfaces of rational splines (JSON, IGES): what they are, points on them, nearest points");
    options.argument("FILE", file, "IGES, or JSON with degree, knots, points and weights, or as geomdl writes it");
    options.option("--closest", "POINTS", queries,
                   "the nearest point to each row x y z of a file, as CSV, with a bound");
    options.option("--within", "R", radius,
                   "with --closest: all places nearer than R whose neighbors are farther away");
    options.option("--sample", "N", steps, "points at N steps of each parameter, as CSV");
    options.flag("--json", json, "what the bodies are as one JSON document");
    if (!options.parse(arguments)) return 0;
    if (queries && steps) throw Error(ErrorKind::usage, "nurbs: --closest and --sample are two questions; ask one");
    if (radius && !(queries && *radius > 0))
        throw Error(ErrorKind::usage, "nurbs: --within takes a positive length, beside --closest");
    if (steps && (*steps < 1 || *steps > 100000))
        throw Error(ErrorKind::usage, fmt::format("nurbs: --sample {}: give 1 to 100000 steps", *steps));
    const std::vector<Nurbs> nurbs = read_nurbs(file);
    std::vector<NurbsBody> bodies(nurbs.begin(), nurbs.end());
    if (queries) {
        const std::vector<Vec3> points =
            points_of_text(read_input(*queries, {"a file of points", ErrorKind::file}), *queries);
        if (radius)
            all_within(bodies, points, *radius);
        else
            closest(bodies, points);
    } else if (steps)
        sample(bodies, nurbs, static_cast<int>(*steps));
    else
        describe(nurbs, json);
    return 0;
}

}  // namespace scree::app
