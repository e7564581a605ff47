// The sub-algorithms of GJK in one loop, on the same pairs: accuracy, failures and time.
// usage: bench_subalgorithms > results/subalgorithms.csv
//
// Bodies are hulls of points drawn on the unit sphere, in random poses: a gap of 1, touching (a gap of some 1e-16 that
// rounding leaves), and overlapping by a half. The loop is the usual one (Montanari 2017, Algorithm 5) and ends when
// |v|^2 - v.w <= tolerance |v|^2, when the origin is inside, when |v| is below the rounding of the corners, and when
// the sub-algorithm has no answer or none that is nearer. Errors are those against the certified distance. The time of
// a sub-algorithm is that of answering all simplices of its own queries once more, the least of three rounds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/random.h"
#include "geometry/gjk.h"
#include "subalgorithms_peers.h"

namespace scree::bench {
namespace {

using PlacedBody = Placed<Polyhedron>;
constexpr double wrong = 1e-12;  // an error of the distance, of bodies of size 1
volatile double sink;

double seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Signed Volumes as scree's GJK uses it: faces without the newest corner are left out.
SimplexPoint signed_volumes_newest(std::span<const Vec3> s) {
    Front front;
    front.norm2 = std::numeric_limits<double>::infinity();
    if (s.size() == 1)
        newest::point(s[0], 0, front);
    else if (s.size() == 2)
        newest::segment(s[1], 1, s[0], 0, front);
    else if (s.size() == 3)
        newest::triangle(s[2], 2, s[1], 1, s[0], 0, front);
    else
        newest::tetrahedron(s[3], 3, s[2], 2, s[1], 1, s[0], 0, front);
    SimplexPoint found;
    found.count = front.count;
    found.norm2 = front.norm2;
    for (int k = 0; k < front.count; ++k) found.vertex[k] = front.vertex(k);
    if (front.count == 0) {
        found.norm2 = std::numeric_limits<double>::infinity();
    } else if (front.count < 4) {
        found.point = (front.height / front.length2) * front.direction;
    } else {
        found.norm2 = 0;
    }
    return found;
}

struct Algorithm {
    const char* name;
    SimplexPoint (*nearest)(std::span<const Vec3>);
};
SimplexPoint signed_volumes_all(std::span<const Vec3> s) { return signed_volumes(s); }
constexpr Algorithm algorithms[] = {{"johnson", johnson},
                                    {"johnson_backup", johnson_with_backup},
                                    {"backup", backup},
                                    {"voronoi_regions", voronoi_regions},
                                    {"signed_volumes", signed_volumes_all},
                                    {"signed_volumes_newest", signed_volumes_newest}};

struct Pair {
    PlacedBody a, b;
    double distance;  // certified
};

// All vertices in turn, or along the edges from the last one.
Support support(const PlacedBody& body, Vec3 d, bool climbing, int hint) {
    if (climbing) return body.support(d, hint);
    int best = 0;
    const Vec3 local = body.matrix().transposed_times(d);
    double farthest = -std::numeric_limits<double>::infinity();
    for (int k = 0; k < body.vertex_count(); ++k)
        if (const double along = dot(body.body().vertex(k), local); along > farthest) {
            farthest = along;
            best = k;
        }
    return {body.vertex(best), best};
}

struct Ended {
    double distance = 0;
    int rounds = 0;
};

Ended gjk_with(const Algorithm& algorithm, const Pair& pair, double tolerance, bool climbing,
               std::vector<std::vector<Vec3>>* asked) {
    const Vec3 offset = pair.a.origin() - pair.b.origin();
    std::vector<Vec3> simplex;
    Vec3 v = offset;
    if (!(norm2(v) > 0)) v = {1, 0, 0};
    int hint_a = -1, hint_b = -1;
    double best2 = std::numeric_limits<double>::infinity();
    for (Ended ended;;) {
        const Support p = support(pair.a, -v, climbing, hint_a), q = support(pair.b, v, climbing, hint_b);
        hint_a = p.index;
        hint_b = q.index;
        const Vec3 w = (p.point - q.point) + offset;
        ended.distance = std::sqrt(best2);
        if (!simplex.empty() && best2 - dot(v, w) <= tolerance * best2) return ended;
        if (std::find(simplex.begin(), simplex.end(), w) != simplex.end()) return ended;
        simplex.push_back(w);
        if (asked != nullptr) asked->push_back(simplex);
        const SimplexPoint nearest = algorithm.nearest(simplex);
        ended.rounds += 1;
        // No answer, or none that is nearer: doubles have nothing more to say.
        if (nearest.count == 0 || !(nearest.norm2 < best2)) return ended;
        std::vector<Vec3> kept;
        double size2 = 0;
        for (int k = 0; k < nearest.count; ++k) {
            kept.push_back(simplex[static_cast<std::size_t>(nearest.vertex[k])]);
            size2 = std::max(size2, norm2(kept.back()));
        }
        simplex = kept;
        v = nearest.point;
        best2 = nearest.norm2;
        if (nearest.count == 4 || best2 <= gjk::epsilon * gjk::epsilon * size2) {
            ended.distance = 0;
            return ended;
        }
    }
}

void measure(const char* configuration, const std::vector<Pair>& pairs, int vertices, bool climbing, double tolerance) {
    for (const Algorithm& algorithm : algorithms) {
        std::vector<std::vector<Vec3>> asked;
        double worst = 0, rounds = 0;
        int failures = 0;
        for (const Pair& pair : pairs) {
            const Ended ended = gjk_with(algorithm, pair, tolerance, climbing, &asked);
            const double error = std::fabs(ended.distance - pair.distance);
            failures += !(error <= wrong);
            worst = std::max(worst, error);
            rounds += ended.rounds;
        }
        double whole = std::numeric_limits<double>::infinity(), part = whole;
        for (int round = 0; round < 3; ++round) {
            double start = seconds();
            for (const Pair& pair : pairs) sink = gjk_with(algorithm, pair, tolerance, climbing, nullptr).distance;
            whole = std::min(whole, seconds() - start);
            start = seconds();
            for (const std::vector<Vec3>& simplex : asked) sink = algorithm.nearest(simplex).norm2;
            part = std::min(part, seconds() - start);
        }
        const double per_query = 1e9 / static_cast<double>(pairs.size());
        fmt::print("{},{},{},{:.0e},{},{:.2f},{:.0f},{:.0f},{:.1e},{}\n", configuration, vertices,
                   climbing ? "yes" : "no", tolerance, algorithm.name, rounds / static_cast<double>(pairs.size()),
                   part * per_query, whole * per_query, worst, failures);
    }
    std::fflush(stdout);
}

Vec3 random_direction(Random& r) {
    for (;;) {
        const Vec3 d{r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-1, 1)};
        const double length = norm(d);
        if (length > 0.1 && length < 1) return d / length;
    }
}

std::vector<Pair> pairs_at(const std::vector<Polyhedron>& bodies, double gap, Random& r) {
    std::vector<Pair> pairs;
    for (std::size_t k = 0; k + 1 < bodies.size(); ++k) {
        const Polyhedron &a = bodies[k], &b = bodies[k + 1];
        Vec3 at = 4 * random_direction(r);
        // Along the normal of the closest points, until the gap is met.
        for (int round = 0; round < 60; ++round) {
            const Distance d = distance(Placed(a, Mat3{}, {}), Placed(b, Mat3{}, at));
            if (d.relation != Relation::separated) break;
            at -= (d.distance - std::max(0.0, gap)) * d.normal;
        }
        if (gap < 0) at = (1 + 0.5 * gap) * at;
        const Placed placed_a(a, Mat3{}, {}), placed_b(b, Mat3{}, at);
        pairs.push_back({placed_a, placed_b, distance(placed_a, placed_b).distance});
    }
    return pairs;
}

}  // namespace
}  // namespace scree::bench

int main() {
    using namespace scree;
    using namespace scree::bench;
    fmt::print("# processor time on a shared machine, the least of three rounds; g++ {}; 100 pairs a row\n",
               __VERSION__);
    fmt::print(
        "bodies,vertices,climbing,tolerance,algorithm,rounds,sub_algorithm_ns,query_ns,worst_error,wrong_of_100\n");
    Random r(6, 0);
    for (const int vertices : {10, 100, 1000, 10000}) {
        std::vector<Polyhedron> bodies;
        for (int k = 0; k < 101; ++k) {
            std::vector<Vec3> cloud;
            for (int j = 0; j < vertices; ++j) cloud.push_back(random_direction(r));
            bodies.emplace_back(cloud);
        }
        for (const auto& [name, gap] : {std::pair{"apart", 1.0}, {"touching", 0.0}, {"overlapping", -0.5}}) {
            const std::vector<Pair> pairs = pairs_at(bodies, gap, r);
            for (const double tolerance : {1e-8, 1e-10, 1e-12, 1e-14})
                for (const bool climbing : {false, true}) measure(name, pairs, vertices, climbing, tolerance);
        }
    }
}
