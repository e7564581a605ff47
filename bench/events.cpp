// Collisions per second of processor time in an elastic gas of equal hard discs or spheres at packing fraction 0.5.
//
//   bench_events [--dimension D] [--grains N] [--search grid|triangulation] [--collisions C]
//
// Without options: all sizes from 10^3 to 10^6, both dimensions and searches, as CSV; the fastest of three runs, of one
// at 10^6. The gas is periodic for the grid; for the triangulation, which has no periodic axes here, it is in a box. It
// starts on a lattice with random velocities and is stirred by seven collisions per grain or more before the clock
// starts.
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/random.h"
#include "events/dynamics.h"
#include "neighbor/neighborhood.h"

namespace {

using namespace scree;
using namespace scree::events;

double processor_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Gas {
    std::vector<HardGrain> grains;
    double length = 0;
    double beyond = 0;  // how far grains on the lattice stand out of the box
};

// Unit diameter and about unit speed.
Gas make_gas(int dimension, std::size_t wanted, double fraction) {
    Gas gas;
    const double volume = dimension == 2 ? 0.25 * 3.14159265358979 : 3.14159265358979 / 6;
    const auto per_side =
        static_cast<int>(std::ceil(std::pow(static_cast<double>(wanted) / (dimension == 2 ? 1 : 4), 1.0 / dimension)));
    gas.length = std::pow(static_cast<double>(wanted) * volume / fraction, 1.0 / dimension);
    const double cell = gas.length / per_side;
    gas.beyond = std::max(0.0, 0.5 - (dimension == 2 ? 0.5 : 0.25) * cell);
    Random random(7, 0);
    const auto add = [&](double x, double y, double z) {
        if (gas.grains.size() == wanted) return;
        HardGrain grain;
        grain.position = {x * cell, y * cell, dimension == 3 ? z * cell : 0.0};
        for (int k = 0; k < dimension; ++k) grain.velocity[k] = 3.46 * (random.uniform() - 0.5);
        grain.radius = 0.5, grain.inverse_mass = 1;
        gas.grains.push_back(grain);
    };
    for (int i = 0; i < per_side; ++i)
        for (int j = 0; j < per_side; ++j) {
            if (dimension == 2)
                add(i + 0.5, j + 0.5, 0);
            else
                for (int k = 0; k < per_side; ++k)
                    add(i + 0.25, j + 0.25, k + 0.25), add(i + 0.75, j + 0.75, k + 0.25),
                        add(i + 0.75, j + 0.25, k + 0.75), add(i + 0.25, j + 0.75, k + 0.75);
        }
    // As a simulation orders its grains in memory (engine/upkeep.cpp).
    std::vector<double> rows;
    for (const HardGrain& grain : gas.grains)
        rows.insert(rows.end(), {grain.position.x, grain.position.y, grain.position.z, grain.radius});
    std::vector<HardGrain> sorted;
    for (const std::uint32_t k : hilbert_order({rows.data(), 4, gas.grains.size()})) sorted.push_back(gas.grains[k]);
    gas.grains = std::move(sorted);
    return gas;
}

void measure(int dimension, std::size_t n, Search search, std::int64_t collisions) {
    Gas gas = make_gas(dimension, n, 0.5);
    HardSetup setup;
    setup.dimension = dimension;
    setup.laws = {ImpactLaw{}};
    setup.search = search;
    std::vector<WallPiece> walls;
    const double span = 1;  // some 7 collisions per grain in the plane, 13 in space
    for (int k = 0; k < dimension; ++k) {
        if (search == Search::grid) {
            setup.periods.length[k] = gas.length;
            continue;
        }
        WallPiece low, high;
        low.normal[k] = 1, high.normal[k] = -1, high.offset = -gas.length;
        // Walls start where all grains are inside, and have come to their place when the gas has been stirred.
        low.offset -= gas.beyond, high.offset -= gas.beyond;
        low.velocity[k] = gas.beyond / span, high.velocity[k] = -gas.beyond / span;
        walls.push_back(low), walls.push_back(high);
    }
    const auto dynamics = HardDynamics::make(setup);
    const auto advance = [&](double duration) {
        dynamics->advance(gas.grains, walls, duration);
        for (HardGrain& grain : gas.grains)
            for (int k = 0; k < dimension; ++k)
                if (setup.periods.length[k] > 0)
                    grain.position[k] -= gas.length * std::floor(grain.position[k] / gas.length);
    };
    advance(span);
    for (WallPiece& wall : walls) wall.offset += gas.beyond, wall.velocity = {};
    if (n <= 10000) advance(span);
    // The fastest of several runs, one after the other.
    HardReport r;
    double seconds = 0;
    for (int k = 0; k < (n <= 100000 ? 3 : 1); ++k) {
        dynamics->report = {};
        const double start = processor_seconds();
        while (dynamics->report.collisions < collisions) advance(span);
        const double taken = processor_seconds() - start;
        const auto cost = [](double time, const HardReport& report) {
            return time / static_cast<double>(report.collisions);
        };
        if (k == 0 || cost(taken, dynamics->report) < cost(seconds, r)) seconds = taken, r = dynamics->report;
    }
    const auto per = [&](std::int64_t count) { return static_cast<double>(count) / static_cast<double>(r.collisions); };
    std::printf("%d,%zu,%s,%lld,%.3f,%.0f,%.3f,%.3f,%.3f,%.3f,%lld,%.1e\n", dimension, gas.grains.size(),
                search == Search::grid ? "grid" : "triangulation", static_cast<long long>(r.collisions), seconds,
                static_cast<double>(r.collisions) / seconds, per(r.outdated), per(r.crossings), per(r.flips),
                per(r.rechecks), static_cast<long long>(r.repairs), r.deepest);
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
    int dimension = 0;
    std::size_t grains = 0;
    std::int64_t collisions = 0;
    std::string search;
    for (int k = 1; k + 1 < count; k += 2) {
        const std::string name = words[k];
        if (name == "--dimension") dimension = std::atoi(words[k + 1]);
        if (name == "--grains") grains = static_cast<std::size_t>(std::atof(words[k + 1]));
        if (name == "--collisions") collisions = static_cast<std::int64_t>(std::atof(words[k + 1]));
        if (name == "--search") search = words[k + 1];
    }
    std::puts(
        "dimension,grains,search,collisions,seconds,collisions_per_second,outdated,crossings,flips,rechecks,repairs,"
        "largest_overlap");
    for (const int d : {2, 3})
        for (const Search how : {Search::grid, Search::triangulation})
            for (const std::size_t n : {1000ul, 10000ul, 100000ul, 1000000ul}) {
                if ((dimension && d != dimension) ||
                    (!search.empty() && search != (how == Search::grid ? "grid" : "triangulation")))
                    continue;
                if (grains && n != 1000) continue;
                const std::size_t size = grains ? grains : n;
                const std::int64_t least = how == Search::grid ? 300000 : d == 2 ? 100000 : 20000;
                measure(d, size, how, collisions ? collisions : least);
            }
}
