// Time of a distance query, in nanoseconds on one core, on the same pairs for scree and for the other libraries.
// usage: bench_distance > results/distance.csv
//
// Bodies are hulls of points drawn on the unit sphere, in random poses; "separated" pairs are 1 apart, "close" pairs
// 1e-3. Each code is timed in turns with the others, the least of many short bursts counts: the machine may be shared.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <limits>
#include <string>

#include "core/random.h"
#include "distance_peers.h"
#include "geometry/closed_forms.h"
#include "geometry/gjk.h"

namespace scree::bench {
namespace {

using PlacedBody = Placed<Polyhedron>;
volatile double sink;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Vec3 random_direction(Random& r) {
    for (;;) {
        const Vec3 d{r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-1, 1)};
        const double length = norm(d);
        if (length > 0.1 && length < 1) return d / length;
    }
}

Mat3 rotation(Vec3 axis, double angle) {
    const double c = std::cos(angle), s = std::sin(angle), k = 1 - c;
    return {{{c + k * axis.x * axis.x, k * axis.x * axis.y - s * axis.z, k * axis.x * axis.z + s * axis.y},
             {k * axis.x * axis.y + s * axis.z, c + k * axis.y * axis.y, k * axis.y * axis.z - s * axis.x},
             {k * axis.x * axis.z - s * axis.y, k * axis.y * axis.z + s * axis.x, c + k * axis.z * axis.z}}};
}

Mat3 product(const Mat3& a, const Mat3& b) {
    Mat3 result;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            result.row[i][j] = a.row[i].x * b.row[0][j] + a.row[i].y * b.row[1][j] + a.row[i].z * b.row[2][j];
    return result;
}

struct Query {
    int a, b;
    Pose pose_a, pose_b;
};

struct Scene {
    std::vector<Polyhedron> bodies;
    std::vector<Query> queries;
};

Scene make_scene(int vertices, double gap, int pairs) {
    Random r(7, static_cast<std::uint64_t>(vertices));
    Scene scene;
    for (int k = 0; k < 2 * pairs; ++k) {
        std::vector<Vec3> cloud;
        for (int v = 0; v < vertices; ++v) cloud.push_back(random_direction(r));
        scene.bodies.emplace_back(cloud);
    }
    for (int k = 0; k < pairs; ++k) {
        Query q{2 * k,
                2 * k + 1,
                {rotation(random_direction(r), r.uniform(0, 3)), {}},
                {rotation(random_direction(r), r.uniform(0, 3)), {}}};
        q.pose_a.position = r.uniform(0, 10) * random_direction(r);
        q.pose_b.position = q.pose_a.position + 4 * random_direction(r);
        for (int round = 0; round < 100; ++round) {
            const auto& A = scene.bodies[static_cast<std::size_t>(q.a)];
            const auto& B = scene.bodies[static_cast<std::size_t>(q.b)];
            const Distance d = distance(PlacedBody(A, q.pose_a.rotation, q.pose_a.position),
                                        PlacedBody(B, q.pose_b.rotation, q.pose_b.position));
            q.pose_b.position -= (d.distance - gap) * d.normal;
            if (std::fabs(d.distance - gap) < 1e-12) break;
        }
        scene.queries.push_back(q);
    }
    return scene;
}

double own_distance(const Scene& scene, const Query& q, WarmStart* warm = nullptr) {
    const PlacedBody a(scene.bodies[static_cast<std::size_t>(q.a)], q.pose_a.rotation, q.pose_a.position);
    const PlacedBody b(scene.bodies[static_cast<std::size_t>(q.b)], q.pose_b.rotation, q.pose_b.position);
    return distance(a, b, warm).distance;
}

// Least time per call over bursts of all queries.
template <class F>
double burst(const Scene& scene, F&& f) {
    const double start = seconds();
    double sum = 0;
    for (const Query& q : scene.queries) sum += f(q);
    const double time = (seconds() - start) / static_cast<double>(scene.queries.size());
    sink = sum;
    return 1e9 * time;
}

void cold_queries() {
    for (const int vertices : {8, 16, 64, 512})
        for (const double gap : {1.0, 1e-3}) {
            const Scene scene = make_scene(vertices, gap, 64);
            const auto others = peers();
            for (const auto& peer : others)
                for (const Polyhedron& body : scene.bodies) peer->add(body);
            std::vector<double> best(others.size() + 1, std::numeric_limits<double>::infinity()),
                worst_error(others.size() + 1, 0);
            const double budget = seconds() + 2;
            for (int round = 0; round < 20 || seconds() < budget; ++round) {
                for (int repeat = 0; repeat < 5; ++repeat)
                    best[0] = std::min(best[0], burst(scene, [&](const Query& q) { return own_distance(scene, q); }));
                for (std::size_t k = 0; k < others.size(); ++k)
                    best[k + 1] = std::min(best[k + 1], burst(scene, [&](const Query& q) {
                                               return others[k]->distance(q.a, q.pose_a, q.b, q.pose_b);
                                           }));
            }
            for (const Query& q : scene.queries) {
                worst_error[0] = std::max(worst_error[0], std::fabs(own_distance(scene, q) - gap));
                for (std::size_t k = 0; k < others.size(); ++k)
                    worst_error[k + 1] = std::max(worst_error[k + 1],
                                                  std::fabs(others[k]->distance(q.a, q.pose_a, q.b, q.pose_b) - gap));
            }
            for (std::size_t k = 0; k < best.size(); ++k)
                fmt::print("cold,{},{},{},{:.1f},{:.2f},{:.1e}\n", k == 0 ? "scree" : others[k - 1]->name(), vertices,
                           gap, best[k], best[k] / best[0], worst_error[k]);
            std::fflush(stdout);
        }
}

// Both bodies turn by 1e-3 per query; poses are made beforehand.
void warm_queries() {
    constexpr int steps = 50;
    for (const int vertices : {8, 16, 64, 512})
        for (const double gap : {1.0, 1e-3}) {
            Scene scene = make_scene(vertices, gap, 64);
            Random r(8, 1);
            std::vector<std::vector<Query>> turned;
            for (const Query& q : scene.queries) {
                const Mat3 turn_a = rotation(random_direction(r), 1e-3), turn_b = rotation(random_direction(r), 1e-3);
                std::vector<Query> path{q};
                for (int k = 1; k < steps; ++k) {
                    Query next = path.back();
                    next.pose_a.rotation = product(turn_a, next.pose_a.rotation);
                    next.pose_b.rotation = product(turn_b, next.pose_b.rotation);
                    path.push_back(next);
                }
                turned.push_back(std::move(path));
            }
            double best[2] = {1e300, 1e300};
            for (int round = 0; round < 100; ++round)
                for (int warm = 0; warm < 2; ++warm) {
                    double total = 0;
                    for (const std::vector<Query>& path : turned) {
                        WarmStart state;
                        double sum = own_distance(scene, path[0], warm == 1 ? &state : nullptr);
                        const double start = seconds();
                        for (int k = 1; k < steps; ++k)
                            sum += own_distance(scene, path[static_cast<std::size_t>(k)], warm == 1 ? &state : nullptr);
                        total += seconds() - start;
                        sink = sum;
                    }
                    best[warm] = std::min(best[warm], 1e9 * total / (64.0 * (steps - 1)));
                }
            fmt::print("turning_cold,scree,{},{},{:.1f},1.00,\nturning_warm,scree,{},{},{:.1f},{:.2f},\n", vertices,
                       gap, best[0], vertices, gap, best[1], best[0] / best[1]);
            std::fflush(stdout);
        }
}

// Points, segments and triangles by closed form and by GJK, as bodies in the world; all apart, drawn in neighboring
// cubes.
template <class Closed, class General>
void compare(const char* name, int count, Closed&& closed, General&& general) {
    double best[2] = {1e300, 1e300};
    for (int round = 0; round < 2000; ++round)
        for (int way = 0; way < 2; ++way) {
            double sum = 0;
            const double start = seconds();
            for (int k = 0; k < count; ++k) sum += way == 0 ? closed(k) : general(k);
            best[way] = std::min(best[way], 1e9 * (seconds() - start) / count);
            sink = sum;
        }
    fmt::print("{},closed_form,,,{:.1f},{:.2f},\n{},gjk,,,{:.1f},1.00,\n", name, best[0], best[1] / best[0], name,
               best[1]);
    std::fflush(stdout);
}

void closed_forms() {
    constexpr int count = 256;
    Random r(9, 1);
    const auto point = [&](double shift) { return Vec3{r.uniform() + shift, r.uniform(), r.uniform()}; };
    std::vector<Vec3> p;
    std::vector<Segment> s, t;
    std::vector<Triangle> u, v;
    for (int k = 0; k < count; ++k) {
        p.push_back(point(0));
        s.push_back({point(0), point(0)});
        t.push_back({point(1.1), point(1.1)});
        u.push_back({point(0), point(0), point(0)});
        v.push_back({point(1.1), point(1.1), point(1.1)});
    }
    const auto body2 = [](const Segment& x) { return SegmentBody(x.a, x.b); };
    const auto body3 = [](const Triangle& x) { return TriangleBody(x.a, x.b, x.c); };
    const auto at = [](const auto& list, int k) -> const auto& { return list[static_cast<std::size_t>(k)]; };
    compare(
        "point_segment", count, [&](int k) { return closest_points(at(p, k), at(t, k)).distance; },
        [&](int k) { return distance(PointBody(at(p, k)), body2(at(t, k))).distance; });
    compare(
        "point_triangle", count, [&](int k) { return closest_points(at(p, k), at(v, k)).distance; },
        [&](int k) { return distance(PointBody(at(p, k)), body3(at(v, k))).distance; });
    compare(
        "segment_segment", count, [&](int k) { return closest_points(at(s, k), at(t, k)).distance; },
        [&](int k) { return distance(body2(at(s, k)), body2(at(t, k))).distance; });
    compare(
        "segment_triangle", count, [&](int k) { return closest_points(at(s, k), at(v, k)).distance; },
        [&](int k) { return distance(body2(at(s, k)), body3(at(v, k))).distance; });
    compare(
        "triangle_triangle", count, [&](int k) { return closest_points(at(u, k), at(v, k)).distance; },
        [&](int k) { return distance(body3(at(u, k)), body3(at(v, k))).distance; });
}

}  // namespace
}  // namespace scree::bench

// Date, processor and compiler, as comments.
void describe_machine() {
    char date[32];
    const std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    std::ifstream file("/proc/cpuinfo");
    std::string line, processor = "unknown";
    while (std::getline(file, line))
        if (line.rfind("model name", 0) == 0) {
            processor = line.substr(line.find(':') + 2);
            break;
        }
    fmt::print("# {}, {}, g++ {}, one core of a shared machine; nanoseconds are the least of many bursts\n", date,
               processor, __VERSION__);
    fmt::print("# ratio: of the code to scree (cold), cold to warm (turning), GJK to the closed form\n");
}

// Without arguments all parts; else those named: cold, warm, closed.
int main(int argc, char** argv) {
    const auto wanted = [&](const std::string& part) {
        return argc < 2 || std::any_of(argv + 1, argv + argc, [&](const char* name) { return name == part; });
    };
    describe_machine();
    fmt::print("case,code,vertices,gap,ns_per_query,ratio,worst_error\n");
    if (wanted("closed")) scree::bench::closed_forms();
    if (wanted("cold")) scree::bench::cold_queries();
    if (wanted("warm")) scree::bench::warm_queries();
}
