// Time of a distance query of two concave surfaces, in microseconds on one core, for scree and FCL on the same pairs.
// usage: bench_mesh_distance > results/mesh_distance.csv
//
// Bodies in random poses: rocks (balls with dents and bumps), rings, and pairs of linked rings, all of some 10^4
// triangles. "cold": trees are there, nothing is known of the pair; "warm": after a turn by 1e-3, from what the query
// before has left; ten turns, each of another axis. The least of several rounds, in turns.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <limits>
#include <string>

#include "mesh_distance_fcl.h"
#include "shape/meshes.h"

namespace scree::bench {
namespace {

// Of the processor: the machine may be shared.
double seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Vec3 random_direction(Random& r) {
    for (;;) {
        const Vec3 d{r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-1, 1)};
        if (norm(d) > 0.1 && norm(d) < 1) return normalized(d);
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

template <class F>
double least_time(int rounds, F&& f) {
    double best = std::numeric_limits<double>::infinity();
    for (int k = 0; k < rounds; ++k) {
        const double start = seconds();
        f();
        best = std::min(best, seconds() - start);
    }
    return best;
}

void compare(const char* name, const TriangleMesh& mesh_a, const TriangleMesh& mesh_b, double gap, bool linked) {
    constexpr int pairs = 40;
    const MeshBody a(mesh_a), b(mesh_b);
    const FclMesh fcl_a(mesh_a), fcl_b(mesh_b);
    Random r(5, 0);
    double cold = 0, warm = 0, fcl = 0, worst = 0;
    for (int k = 0; k < pairs; ++k) {
        const MeshPose p{rotation(random_direction(r), r.uniform(0, 3)), {}};
        MeshPose q{rotation(random_direction(r), r.uniform(0, 3)), 4 * random_direction(r)};
        if (linked) {
            // Upright to the first ring, off its middle.
            const Vec3 shift{r.uniform(0.85, 1.15), r.uniform(-0.15, 0.15), r.uniform(-0.15, 0.15)};
            q = {product(p.rotation, rotation({1, 0, 0}, 1.57 + r.uniform(-0.2, 0.2))), p.rotation * shift};
        } else {
            for (int round = 0; round < 30; ++round) {
                const MeshDistance d = distance(a, p, b, q);
                q.position -= (d.distance - gap) * d.normal;
            }
        }
        MeshStart start;
        const MeshDistance d = distance(a, p, b, q, &start);
        double other = 0;
        cold += least_time(10, [&] { distance(a, p, b, q); });
        fcl += least_time(4, [&] { other = FclMesh::distance(fcl_a, p, fcl_b, q); });
        worst = std::max(worst, std::fabs(other - d.distance));
        MeshPose next = q;
        warm += least_time(10, [&] {
            next.rotation = product(rotation(random_direction(r), 1e-3), next.rotation);
            distance(a, p, b, next, &start);
        });
    }
    const double scale = 1e6 / pairs;
    fmt::print("{},{},{},{},{:.1f},{:.1f},{:.1f},{:.2f},{:.1e}\n", name, a.size(), b.size(), gap, scale * cold,
               scale * warm, scale * fcl, fcl / cold, worst);
    std::fflush(stdout);
}

void describe_machine() {
    char date[32];
    const std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%Y-%m-%d", std::localtime(&now));
    std::string processor = "unknown processor", line;
    std::ifstream info("/proc/cpuinfo");
    while (std::getline(info, line))
        if (line.starts_with("model name")) {
            processor = line.substr(line.find(':') + 2);
            break;
        }
    fmt::print("# {}, {}, g++ {}, processor time on a shared machine, the least of several rounds\n", date, processor,
               __VERSION__);
}

}  // namespace
}  // namespace scree::bench

int main() {
    using namespace scree;
    bench::describe_machine();
    fmt::print("bodies,triangles_a,triangles_b,gap,cold_us,warm_us,fcl_us,fcl_over_cold,largest_difference\n");
    const TriangleMesh rock_a = rock(4, 0.5, 1), rock_b = rock(4, 0.5, 2), ring = torus(100, 50, 0.3);
    for (const double gap : {1.0, 1e-1, 1e-2, 1e-4}) {
        bench::compare("rocks", rock_a, rock_b, gap, false);
        bench::compare("rings", ring, ring, gap, false);
    }
    bench::compare("linked rings", ring, ring, 0.25, true);
}
