// The triangulation against CGAL, and the cost of following motion against building anew.
//
//   bench_triangulation [N] [--no-cgal] [--only PART]     PART: build, check, update, tie
//   bench_triangulation > bench/results/triangulation.csv
//
// Prints CSV rows: what, n, size ratio, motion in radii, scree, CGAL, unit, and for updates the counts per 1000
// vertices and update (rebuilds: of all updates) and what building anew costs scree. Times are processor time of the
// thread, the least of several for both sides in turn; for updates, which differ, the median of six, each from where
// the one before ended.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <numeric>
#include <string>

#include "core/parallel.h"
#include "core/random.h"
#include "triangulation/complex.h"
#include "triangulation/guards.h"
#include "triangulation/spatial_order.h"
#include "triangulation_cgal.h"

using namespace scree;
using namespace scree::tri;

namespace {

// Time of this thread on a processor: other work on the machine does not count.
double now() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double wall_clock() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class F>
double least_of(int times, const F& f) {
    double best = 1e300;
    for (int k = 0; k < times; ++k) {
        const double start = now();
        f();
        best = std::min(best, now() - start);
    }
    return best;
}

// Both build the same points in turn; the least of three each.
double build_both(Complex<3>& complex, const std::vector<Row>& rows, bool with_cgal, bool check,
                  bench::CgalTimes& cgal) {
    double best = 1e300;
    for (int turn = 0; turn < 3; ++turn) {
        best = std::min(best, least_of(1, [&] { complex.build(rows); }));
        if (!with_cgal) continue;
        const bench::CgalTimes times = bench::cgal_times(rows, check);
        if (turn == 0) cgal = times;
        cgal.build = std::min(cgal.build, times.build), cgal.check = std::min(cgal.check, times.check);
    }
    return best;
}

void print_circumstances() {
    std::string line, processor;
    std::ifstream info("/proc/cpuinfo");
    while (std::getline(info, line))
        if (line.starts_with("model name")) processor = line.substr(line.find(':') + 2);
    char date[32];
    const std::time_t today = std::time(nullptr);
    std::strftime(date, sizeof date, "%d %B %Y", std::gmtime(&today));
    double load = 0;
    getloadavg(&load, 1);
    fmt::print("# bench_triangulation, {}, {}, {} cores, load average {:.1f} at the start\n", date, processor,
               hardware_thread_count(), load);
    fmt::print(
        "# Times are processor time of one thread; the speed-up on two cores is by the clock and needs an idle "
        "machine.\n");
}

constexpr double unit = 0x1p-12;  // the smallest radius is 1

void snap(std::vector<Row>& rows, const std::vector<Row>& from) {
    rows.resize(from.size());
    for (std::size_t v = 0; v < from.size(); ++v) {
        for (int k = 0; k < 3; ++k) rows[v].c[k] = std::nearbyint(from[v].c[k] / unit);
        rows[v].c[3] = std::nearbyint(from[v].c[3] / (unit * unit));
    }
}

// A dense random packing (58 % solid): random places, then overlaps are pushed apart, with the triangulation itself to
// find them; guards around it. Rows hold real units.
std::vector<Row> packing(int n, double ratio) {
    Random random(3, 141);
    std::vector<Row> rows(static_cast<std::size_t>(n));
    double volume = 0;
    for (Row& row : rows) {
        const double r = 1 / (1 - random.uniform() * (1 - 1 / ratio));
        row.c[3] = r * r;
        volume += 4.18879 * r * r * r;
    }
    const double side = std::cbrt(volume / 0.58);
    for (Row& row : rows)
        for (int k = 0; k < 3; ++k) row.c[k] = random.uniform(0, side);
    std::vector<Row> snapped;
    snap(snapped, rows);
    Complex<3> complex(true);
    complex.build(snapped);
    std::vector<double> push(3 * rows.size());
    for (int sweep = 0; sweep < 25; ++sweep) {
        std::fill(push.begin(), push.end(), 0.0);
        complex.for_each_edge(0, static_cast<Index>(complex.cells().size()), [&](Index a, Index b) {
            const Row &p = rows[static_cast<std::size_t>(a)], &q = rows[static_cast<std::size_t>(b)];
            const double d[3] = {q.c[0] - p.c[0], q.c[1] - p.c[1], q.c[2] - p.c[2]};
            const double distance = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) + 1e-12;
            const double ra = std::sqrt(p.c[3]), rb = std::sqrt(q.c[3]), overlap = ra + rb - distance;
            if (overlap <= 0) return;
            const double share = rb * rb * rb / (ra * ra * ra + rb * rb * rb);
            for (int k = 0; k < 3; ++k) {
                push[3 * static_cast<std::size_t>(a) + static_cast<std::size_t>(k)] -=
                    0.5 * share * overlap * d[k] / distance;
                push[3 * static_cast<std::size_t>(b) + static_cast<std::size_t>(k)] +=
                    0.5 * (1 - share) * overlap * d[k] / distance;
            }
        });
        for (std::size_t v = 0; v < rows.size(); ++v)
            for (std::size_t k = 0; k < 3; ++k) rows[v].c[k] += push[3 * v + k];
        snap(snapped, rows);
        UpdateCounts counts;
        complex.update(snapped, Ladder{}, counts);
    }
    // Along a curve, as the simulation keeps its grains.
    std::vector<Index> all(rows.size());
    std::iota(all.begin(), all.end(), 0);
    std::vector<Index> curve;
    spatial_order(rows, all, 3, &curve);
    std::vector<Row> sorted;
    for (const Index v : curve) sorted.push_back(rows[static_cast<std::size_t>(v)]);
    rows.swap(sorted);
    double mean = 0;
    Row low = rows[0], high = rows[0];
    for (const Row& r : rows) {
        mean += std::sqrt(r.c[3]) / n;
        for (int k = 0; k < 3; ++k) low.c[k] = std::min(low.c[k], r.c[k]), high.c[k] = std::max(high.c[k], r.c[k]);
    }
    for (int k = 0; k < 3; ++k)
        low.c[k] = std::floor(low.c[k] - ratio - 8 * mean), high.c[k] = std::ceil(high.c[k] + ratio + 8 * mean);
    for (const Row& guard : guard_rows(low, high, 16 * mean, 3)) rows.push_back(guard);
    return rows;
}

void row(const std::string& what, int n, double ratio, double motion, double ours, double theirs, const char* in,
         const std::string& more = "") {
    fmt::print("{},{},{},{},{:.4g},{},{}{}{}\n", what, n, ratio, motion, ours,
               theirs > 0 ? fmt::format("{:.4g}", theirs) : "", in, more.empty() ? "" : ",", more);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    int n = 100'000;
    bool with_cgal = true;
    std::string only;
    for (int k = 1; k < argc; ++k) {
        if (!std::strcmp(argv[k], "--no-cgal"))
            with_cgal = false;
        else if (!std::strcmp(argv[k], "--only") && k + 1 < argc)
            only = argv[++k];
        else
            n = std::atoi(argv[k]);
    }
    const auto wanted = [&](const char* part) { return only.empty() || only == part; };
    print_circumstances();
    fmt::print(
        "what,n,ratio,motion,scree,cgal,unit,illegal,inverted,flips,substeps,reinserted,rebuilds,scree_rebuild\n");
    set_thread_count(1);

    if (wanted("build"))
        for (const int points : {n, 10 * n})
            for (const double ratio : {1.0, 10.0}) {
                Random random(1, 2);
                std::vector<Row> rows(static_cast<std::size_t>(points));
                const double side = std::cbrt(points * 8.0);
                for (Row& r : rows) {
                    for (int k = 0; k < 3; ++k) r.c[k] = std::nearbyint(random.uniform(0, side) / unit);
                    r.c[3] = std::nearbyint(std::pow((1 + 0.1 * (ratio - 1) * random.uniform()) / unit / 2, 2));
                }
                Complex<3> complex(true);
                bench::CgalTimes cgal;
                const double ours = build_both(complex, rows, with_cgal, false, cgal);
                row("build", points, ratio, 0, 1e6 * ours / points, 1e6 * cgal.build / points, "us per point");
                row("memory", points, ratio, 0, static_cast<double>(complex.bytes()) / points, cgal.bytes,
                    "bytes per vertex");
            }

    if (wanted("check") || wanted("update"))
        for (const double ratio : {1.0, 2.0, 10.0, 100.0}) {
            const std::vector<Row> rows = packing(n, ratio);
            std::vector<Row> snapped;
            snap(snapped, rows);
            Complex<3> complex(true);
            bench::CgalTimes cgal;
            const double build = build_both(complex, snapped, with_cgal, true, cgal);
            row("build packing", n, ratio, 0, 1e6 * build / n, 1e6 * cgal.build / n, "us per point");
            if (wanted("check")) {
                const double one = least_of(7, [&] { complex.check(); });
                row("check", n, ratio, 0, 1e9 * one / n, 1e9 * cgal.check / n, "ns per vertex");
                // Two cores by the wall clock, against one core by the same clock.
                double wall[2] = {1e300, 1e300};
                for (int repeat = 0; repeat < 15; ++repeat)
                    for (const int threads : {1, 2}) {
                        set_thread_count(threads);
                        const double start = wall_clock();
                        complex.check();
                        wall[threads - 1] = std::min(wall[threads - 1], wall_clock() - start);
                    }
                set_thread_count(1);
                row("check speed-up on two cores", n, ratio, 0, wall[0] / wall[1], 0, "times");
            }
            if (!wanted("update")) continue;
            for (const double motion : {1e-4, 1e-3, 1e-2, 3e-2, 1e-1, 3e-1, 1.0}) {
                std::vector<double> times;
                UpdateCounts counts;
                const int updates = 6;
                Random random(5, 6);
                complex.build(snapped);
                std::vector<Row> moved = rows;
                for (int u = 0; u < updates; ++u) {
                    for (std::size_t v = 0; v < static_cast<std::size_t>(n); ++v) {
                        Row& r = moved[v];
                        // A step of the given length (in units of the own radius) in a random direction.
                        double d[3], square;
                        do {
                            square = 0;
                            for (double& x : d) x = random.uniform(-1, 1), square += x * x;
                        } while (square > 1 || square < 0.01);
                        for (int k = 0; k < 3; ++k) r.c[k] += motion * std::sqrt(r.c[3] / square) * d[k];
                    }
                    std::vector<Row> target;
                    snap(target, moved);
                    const double start = now();
                    complex.update(std::move(target), Ladder{}, counts);
                    times.push_back(now() - start);
                }
                std::sort(times.begin(), times.end());
                const double middle = 0.5 * (times[updates / 2 - 1] + times[updates / 2]);
                const double per = 1e3 / n / updates;
                const auto each = [&](std::int64_t count) { return per * static_cast<double>(count); };
                row("update", n, ratio, motion, 1e9 * middle / n, 1e9 * cgal.build / n, "ns per vertex",
                    fmt::format("{:.4g},{:.4g},{:.4g},{},{:.4g},{},{:.4g}", each(counts.illegal_facets),
                                each(counts.inverted_cells), each(counts.flips), counts.substeps,
                                each(counts.reinserted), counts.rebuilds, 1e9 * build / n));
            }
        }

    if (wanted("tie")) {
        std::vector<Row> corner;
        Bounds bounds(true);
        for (int k = 0; k < 8; ++k) {
            corner.push_back(
                {{8191.0 * (1000 + (k & 1)), 8191.0 * (1200 + (k >> 1 & 1)), 8191.0 * (500 + (k >> 2)), 0x1p24}});
            bounds.cover(corner.back());
        }
        const int tests = 2'000'000;
        int sum = 0;
        const double ours = least_of(3, [&] {
            for (int k = 0; k < tests; ++k)
                sum += power3(bounds, corner[0], corner[1], corner[2], corner[4],
                              corner[static_cast<std::size_t>(3 + (k & 1) * 4)]);
        });
        row("tied power test", 8, 1, 0, 1e9 * ours / tests + (sum == 1 ? 1e-9 : 0),
            with_cgal ? bench::cgal_tied_power_test() : 0, "ns");
    }
}
