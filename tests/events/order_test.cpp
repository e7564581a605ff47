// Events in their order: none lost, the same for every neighborhood, moving walls, degenerate starts.
#include <gtest/gtest.h>

#include <algorithm>

#include "gas.h"
#include "math/elementary.h"
#include "triangulation/triangulation.h"

namespace scree::events {
namespace {

struct Logged {
    std::vector<Collision> log;
    std::vector<HardGrain> grains;
    HardReport report;
};

Logged logged(Gas gas, Search search, double time, double span) {
    Logged out;
    gas.setup.search = search;
    gas.start();
    gas.dynamics->watch = [&](const Collision& c) { out.log.push_back({c.time, std::min(c.a, c.b), c.wall ? c.b : std::max(c.a, c.b), c.wall, c.speed}); };
    gas.run(time, span);
    out.grains = gas.grains, out.report = gas.dynamics->report;
    return out;
}

void expect_same(const Logged& a, const Logged& b) {
    ASSERT_EQ(a.log.size(), b.log.size());
    for (std::size_t k = 0; k < a.log.size(); ++k) {
        ASSERT_EQ(a.log[k].time, b.log[k].time) << "event " << k;
        ASSERT_EQ(a.log[k].a, b.log[k].a) << "event " << k;
        ASSERT_EQ(a.log[k].b, b.log[k].b) << "event " << k;
    }
    for (std::size_t i = 0; i < a.grains.size(); ++i) {
        ASSERT_EQ(a.grains[i].position, b.grains[i].position);
        ASSERT_EQ(a.grains[i].velocity, b.grains[i].velocity);
        ASSERT_EQ(a.grains[i].rim, b.grains[i].rim);
    }
}

// Sizes 1:8, gravity, friction, a box.
Gas mixture(int dimension, std::uint64_t seed, bool gravity) {
    Gas gas = gas_of(dimension, dimension == 2 ? 8 : 3, 0.25, true, seed, ImpactLaw{0.9, 0.5, 0.3, 0});
    Random random(seed, 9);
    for (HardGrain& g : gas.grains) {
        g.radius *= random.uniform() < 0.3 ? 0.125 : random.uniform(0.5, 1);
        g.inverse_mass = 1 / (g.radius * g.radius);
        g.rim.z = random.uniform(-1, 1);
    }
    if (gravity) gas.setup.gravity = dimension == 2 ? Vec3{0.1, -1, 0} : Vec3{0.2, 0.1, -1};
    gas.setup.cutoff = 1e-5;
    return gas;
}

TEST(order, same_events_by_grid_triangulation_and_brute_force) {
    for (const int dimension : {2, 3})
        for (const bool gravity : {false, true})
            for (std::uint64_t seed = 1; seed <= 3; ++seed) {
                const Gas gas = mixture(dimension, seed, gravity);
                const Logged brute = logged(gas, Search::brute, 8, 0.5), grid = logged(gas, Search::grid, 8, 0.5), tri = logged(gas, Search::triangulation, 8, 0.5);
                ASSERT_GT(brute.log.size(), 300u);
                expect_same(brute, grid);
                expect_same(brute, tri);
                EXPECT_GT(tri.report.flips, 0);
                EXPECT_LT(brute.report.deepest, 1e-10);
            }
}

TEST(order, same_events_on_periodic_axes_down_to_four_radii) {
    for (const int dimension : {2, 3})
        for (const std::size_t per_side : {1ul, 2ul, 3ul}) {
            Gas gas = gas_of(dimension, per_side, 0.18, false, 21 + per_side);
            const double time = per_side == 1 && dimension == 2 ? 1200 : 60.0 / static_cast<double>(per_side * per_side * per_side);  // the two discs are slow
            const Logged brute = logged(gas, Search::brute, time, 0.25), grid = logged(gas, Search::grid, time, 0.25);
            ASSERT_GT(brute.log.size(), per_side == 1 ? 3u : 10u);
            expect_same(brute, grid);
        }
}

TEST(order, no_collision_is_missed) {
    // Looks at many moments between events by brute force: nobody may overlap at any of them.
    for (const Search search : {Search::grid, Search::triangulation})
        for (const int dimension : {2, 3})
            for (std::uint64_t seed = 31; seed < 36; ++seed) {
                Gas gas = mixture(dimension, seed, seed % 2 == 0);
                gas.setup.search = search;
                gas.start();
                for (int look = 0; look < 60; ++look) {
                    gas.run(0.037, 0.037);
                    ASSERT_LT(gas.overlap(), 1e-10) << "seed " << seed << " look " << look;
                    for (const HardGrain& g : gas.grains)
                        for (const WallPiece& w : gas.walls) ASSERT_GT(dot(w.normal, g.position) - w.offset - g.radius, -1e-10 * g.radius);
                }
            }
}

TEST(order, triangulation_is_that_of_a_fresh_build_at_random_times) {
    Random random(41, 0);
    for (const int dimension : {2, 3}) {
        Gas gas = mixture(dimension, 42, true);
        gas.setup.search = Search::triangulation;
        gas.start();
        for (int look = 0; look < 25; ++look) {
            const double span = random.uniform(0.01, 0.3);
            gas.run(span, span);
            // Edges of the flipped triangulation, grains only, against a build of grains alone: inside they are equal; guards
            // change the edges of the hull, so compare grains none of whose neighbors is on it.
            const auto flipped = gas.dynamics->edges();
            tri::Triangulation fresh(dimension);
            std::vector<tri::Row> rows;
            for (const HardGrain& g : gas.grains) rows.push_back({{g.position.x, g.position.y, g.position.z, g.radius * g.radius}});
            fresh.build(rows);
            std::vector<bool> inner(gas.grains.size());
            for (std::size_t i = 0; i < inner.size(); ++i) inner[i] = !fresh.on_hull(static_cast<tri::Index>(i));
            std::vector<std::pair<std::uint32_t, std::uint32_t>> expected, found;
            for (const auto& [i, j] : fresh.edges())
                if (inner[static_cast<std::size_t>(i)] && inner[static_cast<std::size_t>(j)]) expected.emplace_back(i, j);
            for (const auto& [i, j] : flipped)
                if (inner[i] && inner[j]) found.emplace_back(i, j);
            std::size_t missing = 0;
            for (const auto& edge : found) missing += !std::binary_search(expected.begin(), expected.end(), edge);
            EXPECT_EQ(missing, 0u) << "dimension " << dimension << " look " << look;
            ASSERT_FALSE(expected.empty());
        }
        EXPECT_GT(gas.dynamics->report.flips, 50);
    }
}

TEST(order, newtons_cradle_is_resolved_ball_by_ball) {
    Gas gas;
    gas.setup.dimension = 2, gas.setup.laws = {ImpactLaw{}};
    for (int k = 0; k < 5; ++k) gas.grains.push_back(grain_at({1.0 * k, 0, 0}, {}));  // touching
    gas.grains.push_back(grain_at({-2, 0, 0}, {1, 0, 0}));
    gas.start();
    std::vector<Collision> log;
    gas.dynamics->watch = [&](const Collision& c) { log.push_back(c); };
    gas.run(3, 3);
    ASSERT_EQ(log.size(), 5u);
    const std::uint32_t order[][2] = {{0, 5}, {0, 1}, {1, 2}, {2, 3}, {3, 4}};
    for (std::size_t k = 0; k < 5; ++k) {
        EXPECT_EQ(std::min(log[k].a, log[k].b), order[k][0]);
        EXPECT_EQ(std::max(log[k].a, log[k].b), order[k][1]);
        EXPECT_EQ(log[k].time, 1);
    }
    EXPECT_NEAR(gas.grains[4].velocity.x, 1, 1e-15);
    for (const std::size_t k : {0, 1, 2, 3, 5}) EXPECT_NEAR(gas.grains[k].velocity.x, 0, 1e-15);
}

TEST(order, disc_on_a_sine_plate_as_integrated_independently) {
    const double g = 9.81, a = 0.004, f = 12, e = 0.7, r = 0.05;
    Gas gas;
    gas.setup.dimension = 2, gas.setup.laws = {ImpactLaw{e, 1, 0, 0}}, gas.setup.gravity = {0, -g, 0};
    WallPiece plate;
    plate.normal = {0, 1, 0}, plate.amplitude = {0, a, 0}, plate.frequency = f;
    gas.walls = {plate};
    gas.grains = {grain_at({0, r + 0.03, 0}, {0, 0, 0}, r)};
    gas.start();
    std::vector<double> times;
    gas.dynamics->watch = [&](const Collision& c) { times.push_back(c.time); };
    gas.run(2, 2);
    // In long double: small steps until the gap changes sign, then bisection.
    using Real = long double;
    const Real pi_ = 3.14159265358979323846264338327950288L;
    const auto plate_at = [&](Real t) { return Real(a) * std::sin(2 * pi_ * f * t); };
    Real t0 = 0, h0 = 0.03L, v0 = 0;
    std::vector<double> expected;
    while (expected.size() < times.size()) {
        const auto gap = [&](Real t) { return h0 + v0 * (t - t0) - 0.5L * g * (t - t0) * (t - t0) - plate_at(t); };
        Real t = t0 + 1e-9L;
        const Real step = 1e-6L;
        while (gap(t + step) > 0) t += step;
        Real low = t, high = t + step;
        for (int k = 0; k < 80; ++k) ((gap(0.5L * (low + high)) > 0) ? low : high) = 0.5L * (low + high);
        const Real v = v0 - g * (low - t0), w = 2 * pi_ * f * a * std::cos(2 * pi_ * f * low);
        h0 = plate_at(low), v0 = w - e * (v - w), t0 = low;
        expected.push_back(static_cast<double>(low));
    }
    ASSERT_GT(times.size(), 10u);
    // Bouncing on a sine is chaotic: errors grow by a factor of some e per bounce.
    double bound = 1e-13;
    for (std::size_t k = 0; k < times.size(); ++k, bound *= 4) EXPECT_NEAR(times[k], expected[k], bound) << "bounce " << k;
}

TEST(order, grain_never_passes_a_plate_of_any_stroke) {
    Random random(51, 0);
    for (int trial = 0; trial < 40; ++trial) {
        Gas gas;
        gas.setup.dimension = 2, gas.setup.laws = {ImpactLaw{random.uniform(0.2, 1), 1, 0, 0}}, gas.setup.gravity = {0, -9.81, 0};
        gas.setup.cutoff = 1e-5;
        WallPiece plate;
        plate.normal = {0, 1, 0}, plate.amplitude = {0, random.uniform(-0.4, 0.4), 0};
        plate.frequency = random.uniform(1, 30), plate.phase = random.uniform();
        gas.walls = {plate};
        gas.grains = {grain_at({0, 0.5, 0}, {0, random.uniform(-3, 3), 0}, 0.01)};
        gas.start();
        for (int look = 0; look < 300; ++look) {
            WallPiece& p = gas.walls[0];
            gas.run(0.01, 0.01);
            p.phase += 0.01 * p.frequency;
            ASSERT_GT(gas.grains[0].position.y - gas.grains[0].radius - p.position_at(0), -1e-12) << "trial " << trial;
        }
    }
}

TEST(order, lattice_at_rest_is_shaken) {
    // Touching discs on a square lattice, at rest on the plate: every certificate and every contact is a tie.
    for (const Search search : {Search::grid, Search::triangulation}) {
        Gas gas;
        gas.setup.dimension = 2, gas.setup.laws = {ImpactLaw{0.6, 0.5, 0.4, 0}}, gas.setup.gravity = {0, -9.81, 0}, gas.setup.search = search;
        gas.setup.cutoff = 1e-4;
        for (int i = 0; i < 8; ++i)
            for (int j = 0; j < 5; ++j) gas.grains.push_back(grain_at({0.01 * i + 0.005, 0.01 * j + 0.005, 0}, {}, 0.005, 0.2));
        WallPiece floor, left, right;
        floor.normal = {0, 1, 0}, floor.amplitude = {0, 0.005, 0}, floor.frequency = 15;
        left.normal = {1, 0, 0}, right.normal = {-1, 0, 0}, right.offset = -0.08;
        left.wall = 1, right.wall = 2;
        gas.walls = {floor, left, right};
        gas.start();
        for (int beat = 0; beat < 50; ++beat) {
            gas.run(0.01, 0.01);
            gas.walls[0].phase += 0.15;
            ASSERT_LT(gas.overlap(), 1e-10);
        }
        EXPECT_GT(gas.dynamics->report.collisions, 100);
        EXPECT_GT(gas.kinetic(), 0);
    }
}

TEST(order, falling_grains_meet_fixed_ones) {
    // A disc falls past and onto fixed ones; closed form for a central hit, brute force for the rest.
    Gas gas;
    gas.setup.dimension = 2, gas.setup.laws = {ImpactLaw{1, 1, 0, 0}}, gas.setup.gravity = {0, -10, 0};
    gas.grains = {grain_at({0, 0, 0}, {}, 0.5, 0), grain_at({0, 2, 0}, {}, 0.5)};
    gas.start();
    std::vector<double> times;
    gas.dynamics->watch = [&](const Collision& c) { times.push_back(c.time); };
    gas.run(2, 2);
    ASSERT_EQ(times.size(), 2u);
    EXPECT_NEAR(times[0], std::sqrt(0.2), 1e-14);
    EXPECT_NEAR(times[1], 3 * std::sqrt(0.2), 1e-13);

    Random random(61, 0);
    Gas maze;
    maze.setup.dimension = 2, maze.setup.laws = {ImpactLaw{0.8, 1, 0.2, 0}}, maze.setup.gravity = {0, -10, 0}, maze.setup.cutoff = 1e-5;
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j) maze.grains.push_back(grain_at({2.0 * i + (j % 2), 2.0 * j, 0}, {}, 0.3, 0));
    for (int k = 0; k < 8; ++k) maze.grains.push_back(grain_at({1.1 * k, 12, 0}, {random.uniform(-1, 1), 0, 0}, 0.25));
    WallPiece floor;
    floor.normal = {0, 1, 0}, floor.offset = -3;
    maze.walls = {floor};
    maze.start();
    for (int look = 0; look < 200; ++look) {
        maze.run(0.01, 0.01);
        ASSERT_LT(maze.overlap(), 1e-10);
    }
    EXPECT_GT(maze.dynamics->report.collisions, 20);
}

TEST(order, first_root_is_never_late) {
    Random random(71, 0);
    for (int trial = 0; trial < 20000; ++trial) {
        // Known roots: the smallest positive one at which the sign turns negative.
        const int degree = 4 + trial % 2;
        std::vector<double> roots;
        for (int k = 0; k < degree; ++k) roots.push_back(random.uniform(-1, 3));
        double c[6] = {1, 0, 0, 0, 0, 0};
        for (int k = 0; k < degree; ++k) {
            double next[6] = {};
            for (int m = 0; m <= k; ++m) next[m] -= roots[static_cast<std::size_t>(k)] * c[m], next[m + 1] += c[m];
            std::copy(next, next + 6, c);
        }
        if (c[0] < 0)
            for (double& x : c) x = -x;
        double first = 2.5;
        for (const double root : roots)
            if (root > 0) first = std::min(first, root);
        const double found = first_negative(c, degree, 2.5, 400);
        ASSERT_LE(found, first + 1e-9) << trial;
        ASSERT_GE(found, first - 1e-6) << trial;
    }
}

}  // namespace
}  // namespace scree::events
