// Nearest points of spline curves and surfaces by scree and OpenCASCADE on the same queries: time, and who is right.
// usage: bench_nurbs > results/nurbs.csv
//
// "cold": nothing is known; "warm": after a step by 1e-3, from the place of the query before. The peer finds the feet
// of perpendiculars; where the nearest point is on the border it has another answer or none, so its answers are counted
// as wrong only when a foot in the inside is nearest. The least of several rounds, in turns.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <limits>
#include <vector>

#include "core/random.h"
#include "geometry/nurbs/nurbs_distance.h"
#include "geometry/nurbs_cases.h"
#include "nurbs_occt.h"

namespace scree::bench {
namespace {

volatile double sink;

double seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
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

Vec3 random_query(Random& r, const NurbsBody& body) {
    return body.is_curve() ? Vec3{r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-1, 1)}
                           : Vec3{r.uniform(0.1, 0.9), r.uniform(0.1, 0.9), r.uniform(-0.5, 0.5)};
}

bool within(const Nurbs& nurbs, const NurbsClosest& c) {
    const auto inner = [](const SplineBasis& basis, double x) {
        const double margin = 1e-6 * (basis.last() - basis.first());
        return x > basis.first() + margin && x < basis.last() - margin;
    };
    return inner(nurbs.u, c.u) && (nurbs.is_curve() || inner(nurbs.v, c.v));
}

void compare(const char* name, const std::vector<Nurbs>& bodies) {
    constexpr int queries = 100;
    Random r(61, 0);
    double cold = 0, warm = 0, peer = 0, worst = 0;
    int wrong = 0, asked = 0;
    for (const Nurbs& nurbs : bodies) {
        const NurbsBody body(nurbs);
        OcctProjection other(nurbs);
        std::vector<Vec3> points;
        for (int k = 0; k < queries; ++k) points.push_back(random_query(r, body));
        cold += least_time(5, [&] {
            for (const Vec3& q : points) sink = closest_point(body, q).distance;
        });
        peer += least_time(3, [&] {
            for (const Vec3& q : points) sink = other.distance(q);
        });
        const Vec3 step{1e-3, 0, 0};
        NurbsStart start;
        Vec3 q = points[0];
        warm += least_time(5, [&] {
            for (int k = 0; k < queries; ++k, q += k / 50 % 2 == 0 ? step : -step)
                sink = closest_point(body, q, &start).distance;
        });
        for (const Vec3& p : points) {
            const NurbsClosest c = closest_point(body, p);
            if (!within(nurbs, c)) continue;
            ++asked;
            const double d = other.distance(p);
            if (d < 0 || d > c.distance + 1e-7) ++wrong;
            if (d >= 0) worst = std::max(worst, c.distance - d);
        }
    }
    const double scale = 1e6 / (queries * static_cast<double>(bodies.size()));
    fmt::print("{},{:.1f},{:.1f},{:.1f},{:.2f},{},{},{:.1e}\n", name, scale * cold, scale * warm, scale * peer,
               peer / cold, asked, wrong, worst);
    std::fflush(stdout);
}

}  // namespace
}  // namespace scree::bench

// With the word "warm" or "cold": queries of one surface alone, to count instructions.
int main(int count, char** words) {
    using namespace scree;
    Random r(62, 0);
    std::vector<Nurbs> curves, surfaces, rational;
    for (int k = 0; k < 10; ++k) {
        curves.push_back(cubic(r));
        surfaces.push_back(bicubic(r, false));
        rational.push_back(bicubic(r, true));
    }
    if (count > 1) {
        const bool warm = std::strcmp(words[1], "warm") == 0;
        const NurbsBody body(surfaces[0]);
        NurbsStart start;
        Vec3 q{0.3, 0.4, 0.3};
        for (int k = 0; k < 200; ++k, q += Vec3{1e-3, 0, 0})
            bench::sink = closest_point(body, q, warm ? &start : nullptr).distance;
        return 0;
    }
    fmt::print("# processor time on a shared machine, the least of several rounds; g++ {}\n", __VERSION__);
    fmt::print("bodies,cold_us,warm_us,occt_us,occt_over_cold,feet,occt_wrong,occt_nearer_by\n");
    bench::compare("cubic curves of 10 points", curves);
    bench::compare("bicubic surfaces 8 x 8", surfaces);
    bench::compare("rational bicubic surfaces 8 x 8", rational);
}
