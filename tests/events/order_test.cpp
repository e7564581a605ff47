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
    gas.dynamics->watch = [&](const Collision& c) {
        out.log.push_back({c.time, std::min(c.a, c.b), c.wall ? c.b : std::max(c.a, c.b), c.wall, c.speed});
    };
    gas.run(time, span);
    out.grains = gas.grains;
    out.report = gas.dynamics->report;
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
                const Logged brute = logged(gas, Search::brute, 8, 0.5), grid = logged(gas, Search::grid, 8, 0.5),
                             tri = logged(gas, Search::triangulation, 8, 0.5);
                ASSERT_GT(brute.log.size(), 300u);
                expect_same(brute, grid);
                expect_same(brute, tri);
                EXPECT_GT(tri.report.flips, 0);
                EXPECT_LT(brute.report.deepest, 1e-10);
            }
}

TEST(order, same_events_in_dense_gases_from_a_lattice) {
    // Hundreds of certificates that are zero at the start, and grains that seldom change their neighbors.
    for (const int dimension : {2, 3}) {
        const Gas gas = gas_of(dimension, dimension == 2 ? 16 : 5, 0.5, true, 8);
        const Logged grid = logged(gas, Search::grid, 1, 0.25), tri = logged(gas, Search::triangulation, 1, 0.25);
        ASSERT_GT(grid.log.size(), 1000u);
        expect_same(grid, tri);
        EXPECT_LT(grid.report.deepest, 1e-10);
    }
}

TEST(order, walls_close_in_on_a_lattice_at_rest) {
    // From all sides at once: everything that happens happens many times at the same moment.
    for (const int dimension : {2, 3}) {
        Gas gas = gas_of(dimension, dimension == 2 ? 10 : 4, 0.55, true, 9);
        for (HardGrain& g : gas.grains) g.velocity = {};
        const double time = dimension == 2 ? 3 : 1.2;  // longer, and spheres would not fit any more
        for (WallPiece& wall : gas.walls) {            // touching the outermost grains
            double gap = 1e9;
            for (const HardGrain& g : gas.grains)
                gap = std::min(gap, dot(wall.normal, g.position) - wall.offset - g.radius);
            wall.offset += gap;
            wall.velocity = 0.15 * wall.normal;
        }
        const Logged brute = logged(gas, Search::brute, time, time), grid = logged(gas, Search::grid, time, time),
                     tri = logged(gas, Search::triangulation, time, time);
        ASSERT_GT(brute.log.size(), 100u);
        expect_same(brute, grid);
        expect_same(brute, tri);
        EXPECT_LT(brute.report.deepest, 1e-10);
    }
}

TEST(order, same_events_on_periodic_axes_down_to_four_radii) {
    for (const int dimension : {2, 3})
        for (const std::size_t per_side : {1ul, 2ul, 3ul}) {
            Gas gas = gas_of(dimension, per_side, 0.18, false, 21 + per_side);
            const double time =
                per_side == 1 && dimension == 2
                    ? 1200
                    : 60.0 / static_cast<double>(per_side * per_side * per_side);  // the two discs are slow
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
                        for (const WallPiece& w : gas.walls)
                            ASSERT_GT(dot(w.normal, g.position) - w.offset - g.radius, -1e-10 * g.radius);
                }
            }
}

// Hard grains without spin in a box, as simply as can be, in long double: the earliest of all meetings, everybody moved
// there, one impulse, and again.
std::vector<Collision> simplest_simulation(const Gas& gas, std::size_t count, double e) {
    using Real = long double;
    struct Body {
        Real x[3], v[3], r, w;
    };
    std::vector<Body> bodies;
    for (const HardGrain& g : gas.grains)
        bodies.push_back({{g.position.x, g.position.y, g.position.z},
                          {g.velocity.x, g.velocity.y, g.velocity.z},
                          g.radius,
                          g.inverse_mass});
    const Real g[3] = {gas.setup.gravity.x, gas.setup.gravity.y, gas.setup.gravity.z};
    std::vector<Collision> log;
    Real now = 0;
    while (log.size() < count) {
        Real first = 1e30L;
        std::size_t a = 0, b = 0;
        bool wall = false;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            for (std::size_t j = i + 1; j < bodies.size(); ++j) {
                Real du = 0, dd = 0, uu = 0;
                for (int k = 0; k < 3; ++k) {
                    const Real d = bodies[j].x[k] - bodies[i].x[k], u = bodies[j].v[k] - bodies[i].v[k];
                    du += d * u;
                    dd += d * d;
                    uu += u * u;
                }
                const Real reach = bodies[i].r + bodies[j].r, root = du * du - uu * (dd - reach * reach);
                if (du >= 0 || root < 0) continue;
                const Real t = (-du - std::sqrt(root)) / uu;
                if (t < first) {
                    first = t;
                    a = i;
                    b = j;
                    wall = false;
                }
            }
            for (std::size_t w = 0; w < gas.walls.size(); ++w) {
                Real h = -Real(gas.walls[w].offset) - bodies[i].r, v = 0, p = 0;
                for (int k = 0; k < 3; ++k) {
                    const Real n = gas.walls[w].normal[k];
                    h += n * bodies[i].x[k];
                    v += n * bodies[i].v[k];
                    p += n * g[k];
                }
                // The root of h + v t + p t^2/2 at which the grain comes down to the wall.
                Real t = 1e30L;
                if (p == 0)
                    t = v < 0 ? -h / v : t;
                else if (const Real root = v * v - 2 * p * h; root >= 0)
                    t = (-v - std::sqrt(root)) / p;
                if (v + p * t < 0 && t > -1e-15L && t < first) {
                    first = t;
                    a = i;
                    b = w;
                    wall = true;
                }
            }
        }
        for (Body& body : bodies)
            for (int k = 0; k < 3; ++k) {
                body.x[k] += first * (body.v[k] + 0.5L * first * g[k]);
                body.v[k] += first * g[k];
            }
        now += first;
        Body& one = bodies[a];
        Real n[3], length = 0, speed = 0;
        for (int k = 0; k < 3; ++k) {
            n[k] = wall ? Real(gas.walls[b].normal[k]) : one.x[k] - bodies[b].x[k];
            length += n[k] * n[k];
        }
        for (int k = 0; k < 3; ++k) {
            n[k] /= std::sqrt(length);
            speed += n[k] * (one.v[k] - (wall ? 0 : bodies[b].v[k]));
        }
        const Real impulse = -(1 + Real(e)) * speed / (one.w + (wall ? 0 : bodies[b].w));
        for (int k = 0; k < 3; ++k) {
            one.v[k] += impulse * one.w * n[k];
            if (!wall) bodies[b].v[k] -= impulse * bodies[b].w * n[k];
        }
        log.push_back({static_cast<double>(now), static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), wall,
                       static_cast<double>(-speed)});
    }
    return log;
}

TEST(order, every_collision_is_that_of_the_simplest_simulation) {
    // Small differences grow with every collision, some five times.
    std::size_t compared = 0;
    for (const Search search : {Search::grid, Search::triangulation})
        for (const int dimension : {2, 3})
            for (std::uint64_t seed = 101; seed < 111; ++seed) {
                Gas gas = mixture(dimension, seed, seed % 2 == 0);
                gas.setup.laws = {ImpactLaw{0.9, 1, 0, 0}};
                gas.setup.cutoff = 0;
                gas.setup.search = search;
                for (HardGrain& g : gas.grains) g.rim = {};
                const std::size_t count = gas.grains.size();
                const std::vector<Collision> expected = simplest_simulation(gas, count, 0.9);
                gas.start();
                std::vector<Collision> log;
                gas.dynamics->watch = [&](const Collision& c) {
                    log.push_back({c.time, c.wall ? c.a : std::min(c.a, c.b), c.wall ? c.b : std::max(c.a, c.b), c.wall,
                                   c.speed});
                };
                gas.run(expected.back().time, expected.back().time);
                ASSERT_GE(log.size() + 1, count);
                for (std::size_t k = 0; k + 1 < count; ++k, ++compared) {
                    ASSERT_EQ(log[k].a, expected[k].a) << "seed " << seed << " collision " << k;
                    ASSERT_EQ(log[k].b, expected[k].b) << "seed " << seed << " collision " << k;
                    ASSERT_EQ(log[k].wall, expected[k].wall);
                    ASSERT_NEAR(log[k].time, expected[k].time, 1e-7);
                    ASSERT_NEAR(log[k].speed, expected[k].speed, 1e-7 * (1 + expected[k].speed));
                }
            }
    EXPECT_GT(compared, 3000u);
}

// The edges of a fresh build of the same sites, those with a grain at one end at least: guards are on a lattice, where
// edges are a matter of taste.
using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
Edges fresh_edges(const Gas& gas, const std::vector<tri::Row>& sites) {
    tri::Triangulation fresh(gas.setup.dimension);
    fresh.build(sites);
    Edges out;
    for (const auto& [i, j] : fresh.edges())
        if (static_cast<std::size_t>(i) < gas.grains.size()) out.emplace_back(i, j);
    return out;
}
Edges kept_edges(const Gas& gas) {
    Edges out = gas.dynamics->edges();
    std::erase_if(out, [&](const auto& edge) { return edge.first >= gas.grains.size(); });
    return out;
}

TEST(order, triangulation_is_that_of_a_fresh_build_at_random_times) {
    // By flips alone within a span: what a span begins with is repaired as a whole, so spans differ in length, and the
    // long ones see hundreds of flips.
    Random random(41, 0);
    for (const int dimension : {2, 3}) {
        std::int64_t flips = 0;
        int told_apart = 0, looks = 0;
        for (std::uint64_t seed = 42; seed < 46; ++seed) {
            Gas gas = mixture(dimension, seed, seed % 2 == 0);
            gas.setup.laws = {ImpactLaw{}};
            gas.setup.search = Search::triangulation;
            gas.start();
            for (int look = 0; look < (dimension == 2 ? 60 : 20); ++look, ++looks) {
                const double span = look % 10 == 9 ? random.uniform(1, 3) : random.uniform(0.001, 0.3);
                gas.run(span, span);
                const std::vector<tri::Row> sites = gas.dynamics->sites();
                const Edges kept = kept_edges(gas);
                ASSERT_EQ(kept, fresh_edges(gas, sites))
                    << "dimension " << dimension << " seed " << seed << " look " << look;
                // Would a stale triangulation be noticed? The same comparison with the grains where they fly to soon.
                std::vector<tri::Row> later = sites;
                for (std::size_t i = 0; i < gas.grains.size(); ++i)
                    for (int k = 0; k < dimension; ++k) later[i].c[k] += 0.1 * gas.grains[i].velocity[k];
                told_apart += kept != fresh_edges(gas, later);
            }
            flips += gas.dynamics->report.flips;
            EXPECT_EQ(gas.dynamics->report.repairs, 0);
        }
        EXPECT_GT(flips, 2000);
        EXPECT_GT(told_apart, looks / 2);
    }
}

TEST(order, newtons_cradle_is_resolved_ball_by_ball) {
    Gas gas;
    gas.setup.dimension = 2;
    gas.setup.laws = {ImpactLaw{}};
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
    gas.setup.dimension = 2;
    gas.setup.laws = {ImpactLaw{e, 1, 0, 0}};
    gas.setup.gravity = {0, -g, 0};
    WallPiece plate;
    plate.normal = {0, 1, 0};
    plate.amplitude = {0, a, 0};
    plate.frequency = f;
    gas.walls = {plate};
    gas.grains = {grain_at({0, r + 0.03, 0}, {0, 0, 0}, r)};
    gas.start();
    std::vector<Collision> bounces;
    gas.dynamics->watch = [&](const Collision& c) { bounces.push_back(c); };
    gas.run(4, 4);
    ASSERT_GT(bounces.size(), 20u);
    // In long double: small steps until the gap changes sign, then bisection. Bouncing on a sine is chaotic, so each
    // flight is integrated from where the bounce before it was seen.
    using Real = long double;
    const Real pi_ = 3.14159265358979323846264338327950288L;
    const auto plate_at = [&](Real t) { return Real(a) * std::sin(2 * pi_ * f * t); };
    const auto plate_speed = [&](Real t) { return 2 * pi_ * f * a * std::cos(2 * pi_ * f * t); };
    Real t0 = 0, h0 = 0.03L, v0 = 0;
    for (std::size_t k = 0; k < bounces.size(); ++k) {
        const auto gap = [&](Real t) { return h0 + v0 * (t - t0) - 0.5L * g * (t - t0) * (t - t0) - plate_at(t); };
        const Real step = 2e-6L;
        Real low = t0 + 1e-9L;
        while (gap(low + step) > 0) low += step;
        Real high = low + step;
        for (int half = 0; half < 60; ++half) ((gap(0.5L * (low + high)) > 0) ? low : high) = 0.5L * (low + high);
        const Real speed = plate_speed(low) - (v0 - g * (low - t0));
        // Times are good to some units in the last place of 4 s, divided by the sine of the angle at which curves
        // cross.
        ASSERT_NEAR(bounces[k].time, static_cast<double>(low), 1e-14 * (1 + 1 / static_cast<double>(speed)))
            << "bounce " << k;
        ASSERT_NEAR(bounces[k].speed, static_cast<double>(speed), 1e-11) << "bounce " << k;
        t0 = bounces[k].time;
        h0 = plate_at(t0);
        v0 = plate_speed(t0) + e * bounces[k].speed;
    }
}

TEST(order, grain_never_passes_a_plate_of_any_stroke) {
    Random random(51, 0);
    for (int trial = 0; trial < 40; ++trial) {
        Gas gas;
        gas.setup.dimension = 2;
        gas.setup.laws = {ImpactLaw{random.uniform(0.2, 1), 1, 0, 0}};
        gas.setup.gravity = {0, -9.81, 0};
        gas.setup.cutoff = 1e-5;
        WallPiece plate;
        plate.normal = {0, 1, 0};
        plate.amplitude = {0, random.uniform(-0.4, 0.4), 0};
        plate.frequency = random.uniform(1, 30);
        plate.phase = random.uniform();
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
        gas.setup.dimension = 2;
        gas.setup.laws = {ImpactLaw{0.6, 0.5, 0.4, 0}};
        gas.setup.gravity = {0, -9.81, 0};
        gas.setup.search = search;
        gas.setup.cutoff = 1e-4;
        for (int i = 0; i < 8; ++i)
            for (int j = 0; j < 5; ++j)
                gas.grains.push_back(grain_at({0.01 * i + 0.005, 0.01 * j + 0.005, 0}, {}, 0.005, 0.2));
        WallPiece floor, left, right;
        floor.normal = {0, 1, 0};
        floor.amplitude = {0, 0.005, 0};
        floor.frequency = 15;
        left.normal = {1, 0, 0};
        right.normal = {-1, 0, 0};
        right.offset = -0.08;
        left.wall = 1;
        right.wall = 2;
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
    gas.setup.dimension = 2;
    gas.setup.laws = {ImpactLaw{1, 1, 0, 0}};
    gas.setup.gravity = {0, -10, 0};
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
    maze.setup.dimension = 2;
    maze.setup.laws = {ImpactLaw{0.8, 1, 0.2, 0}};
    maze.setup.gravity = {0, -10, 0};
    maze.setup.cutoff = 1e-5;
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j) maze.grains.push_back(grain_at({2.0 * i + (j % 2), 2.0 * j, 0}, {}, 0.3, 0));
    for (int k = 0; k < 8; ++k) maze.grains.push_back(grain_at({1.1 * k, 12, 0}, {random.uniform(-1, 1), 0, 0}, 0.25));
    WallPiece floor;
    floor.normal = {0, 1, 0};
    floor.offset = -3;
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
            for (int m = 0; m <= k; ++m) {
                next[m] -= roots[static_cast<std::size_t>(k)] * c[m];
                next[m + 1] += c[m];
            }
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
