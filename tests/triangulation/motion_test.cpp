// The triangulation follows moving sites: after each update it is valid and equals a fresh build.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <cstdlib>
#include <functional>

#include "core/parallel.h"
#include "core/random.h"
#include "math/elementary.h"
#include "reference.h"
#include "triangulation/guards.h"

namespace scree::tri {
namespace {

template <int D>
void expect_equals_fresh_build(const Complex<D>& complex, const std::string& name) {
    ASSERT_EQ(complex.validate(), "") << name;
    Complex<D> fresh(complex.bounds().integral());
    ASSERT_TRUE(fresh.build(complex.rows()));
    EXPECT_TRUE(edges_of(complex) == edges_of(fresh)) << name;
    auto hidden = complex.hidden_vertices(), expected = fresh.hidden_vertices();
    std::sort(hidden.begin(), hidden.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(hidden, expected) << name;
}

std::vector<Row> jiggled(std::vector<Row> rows, int dimension, double size, Random& random) {
    for (Row& row : rows)
        for (int k = 0; k < dimension; ++k) row.c[k] = std::nearbyint(row.c[k] + random.uniform(-size, size));
    return rows;
}

template <int D>
void follow_random_motion(double motion, double ratio, int n, int updates) {
    auto rows = snapped(random_sites(D, n, ratio, 11, 0.6), 0x1p-12);
    Complex<D> complex(true);
    ASSERT_TRUE(complex.build(rows));
    Random random(8, 8);
    UpdateCounts counts;
    for (int k = 0; k < updates; ++k) {
        rows = jiggled(rows, D, motion * 4096, random);
        ASSERT_TRUE(complex.update(rows, Ladder{}, counts));
        expect_equals_fresh_build(complex, fmt::format("{}D, motion {}, ratio {}, update {}", D, motion, ratio, k));
    }
    EXPECT_EQ(counts.updates, updates);
}

TEST(motion, random_motion_of_any_size_is_followed_3d) {
    const bool longer = std::getenv("SCREE_LONG") != nullptr;
    for (const double ratio : {1.0, 2.0, 10.0})
        for (const double motion : {1e-3, 1e-2, 1e-1, 0.5, 2.0})
            follow_random_motion<3>(motion, ratio, longer ? 20'000 : 2000, longer ? 20 : 4);
}

TEST(motion, random_motion_of_any_size_is_followed_2d) {
    for (const double ratio : {1.0, 2.0, 10.0})
        for (const double motion : {1e-3, 1e-2, 1e-1, 0.5, 2.0}) follow_random_motion<2>(motion, ratio, 2000, 4);
}

// Updates a random set until the wanted rung has been used; every update must be exact.
template <int D>
UpdateCounts climb(const Ladder& ladder, double motion, int updates) {
    auto rows = snapped(random_sites(D, 400, 2, 5, 0.5), 0x1p-12);
    Complex<D> complex(true);
    EXPECT_TRUE(complex.build(rows));
    Random random(2, 2);
    UpdateCounts counts;
    for (int k = 0; k < updates; ++k) {
        rows = jiggled(rows, D, motion * 4096, random);
        EXPECT_TRUE(complex.update(rows, ladder, counts));
        expect_equals_fresh_build(complex, fmt::format("update {}", k));
    }
    return counts;
}

TEST(ladder, small_motion_needs_flips_only) {
    const UpdateCounts counts = climb<3>(Ladder{}, 3e-3, 20);
    EXPECT_GT(counts.flips, 0);
    EXPECT_EQ(counts.substeps + counts.rebuilds, 0);
}

TEST(ladder, inverted_cells_are_flipped_away) {
    const UpdateCounts counts = climb<3>(Ladder{}, 3e-2, 10);
    EXPECT_GT(counts.inverted_cells, 0);
    EXPECT_GT(counts.untangled, 0);
}

TEST(ladder, substeps_stop_before_cells_flatten) {
    Ladder ladder;
    ladder.reinsertion = false;
    const UpdateCounts counts = climb<3>(ladder, 5e-2, 40);
    EXPECT_GT(counts.substeps, 0);
    EXPECT_EQ(counts.reinserted, 0);
    EXPECT_GT(climb<2>(ladder, 0.3, 40).substeps, 0);
}

TEST(ladder, offenders_are_taken_out_and_put_back) {
    Ladder ladder;
    ladder.substeps = false;
    ladder.most_reinserted = 0.5;
    EXPECT_GT(climb<3>(ladder, 5e-2, 20).reinserted, 0);
    EXPECT_GT(climb<2>(ladder, 0.3, 20).reinserted, 0);
}

TEST(ladder, without_flips_everything_is_reinserted) {
    Ladder ladder;
    ladder.flips = ladder.substeps = false;
    const UpdateCounts counts = climb<3>(ladder, 1e-3, 5);
    EXPECT_GT(counts.reinserted + counts.rebuilds, 0);
}

TEST(ladder, large_motion_is_rebuilt) {
    EXPECT_GT(climb<3>(Ladder{}, 2, 3).rebuilds, 0);
    Ladder ladder;
    ladder.substeps = ladder.reinsertion = false;
    EXPECT_GT(climb<3>(ladder, 0.1, 3).rebuilds, 0);
}

// Where the sites are at time t, from where they were at the start.
using Trajectory = std::function<void(const Row& start, double t, Row& now)>;

template <int D>
void follow(const std::string& name, const Trajectory& place) {
    const auto start = snapped(random_sites(D, 500, 2, 7, 0.5), 0x1p-12);
    double middle = 0;
    for (const Row& row : start) middle += row.c[0] / 500;
    auto rows = start;
    Complex<D> complex(true);
    ASSERT_TRUE(complex.build(rows));
    UpdateCounts counts;
    for (int k = 1; k <= 25; ++k) {
        for (std::size_t v = 0; v < rows.size(); ++v) {
            Row relative = start[v];
            for (int m = 0; m < D; ++m) relative.c[m] -= middle;
            place(relative, 0.01 * k, rows[v]);
            for (int m = 0; m < D; ++m) rows[v].c[m] = std::nearbyint(rows[v].c[m] + middle);
        }
        ASSERT_TRUE(complex.update(rows, Ladder{}, counts));
        expect_equals_fresh_build(complex, fmt::format("{} {}D step {}", name, D, k));
    }
}

TEST(motion, trajectories_are_followed) {
    const std::pair<const char*, Trajectory> trajectories[] = {
        {"straight lines",
         [](const Row& s, double t, Row& now) {
             now.c[0] = s.c[0] + t * 9000;
             now.c[1] = s.c[1] - t * 3000;
         }},
        {"shear", [](const Row& s, double t, Row& now) { now.c[0] = s.c[0] + t * s.c[1]; }},
        {"rotation",
         [](const Row& s, double t, Row& now) {
             const SinCos turn = same_sincos(3 * t);
             now.c[0] = turn.cos * s.c[0] - turn.sin * s.c[1];
             now.c[1] = turn.sin * s.c[0] + turn.cos * s.c[1];
         }},
        {"vibration",
         [](const Row& s, double t, Row& now) { now.c[1] = s.c[1] + 3000 * same_sin(40 * t + s.c[0] * 1e-4); }},
        {"free fall into a pile", [](const Row& s, double t, Row& now) {
             // Those above the middle fall until they reach the pile.
             if (s.c[1] > 0) now.c[1] = std::max(s.c[1] - 400'000 * t * t, s.c[1] * 0.3);
         }}};
    for (const auto& [name, place] : trajectories) {
        const auto whole = [&place = place](const Row& s, double t, Row& now) {
            for (int k = 0; k < 3; ++k) now.c[k] = s.c[k];
            place(s, t, now);
        };
        follow<3>(name, whole);
        follow<2>(name, whole);
    }
}

// Sequences of small and large motions of some or all sites, on coarse grids where ties and coincidences abound.
template <int D>
void random_motions(int range) {
    const int n = *rc::gen::inRange(D + 2, 40);
    std::vector<Row> rows;
    const auto anywhere = [&] {
        Row row{{0, 0, 0, 0}};
        for (int k = 0; k < D; ++k) row.c[k] = *rc::gen::inRange(0, range);
        row.c[3] = *rc::gen::inRange(0, range);
        return row;
    };
    for (int k = 0; k < n; ++k) rows.push_back(anywhere());
    Complex<D> complex(true);
    if (!complex.build(rows)) return;
    Ladder ladder;
    ladder.substeps = *rc::gen::inRange(0, 2) != 0;
    ladder.reinsertion = *rc::gen::inRange(0, 2) != 0;
    UpdateCounts counts;
    const int steps = *rc::gen::inRange(1, 8);
    for (int step = 0; step < steps; ++step) {
        const int size = *rc::gen::elementOf(std::vector<int>{1, 2, range / 3 + 1});
        for (Row& row : rows)
            for (int k = 0; k < D; ++k) row.c[k] += *rc::gen::inRange(-size, size + 1);
        if (!complex.update(rows, ladder, counts)) return;  // flat
        RC_ASSERT(complex.validate() == "");
        Complex<D> fresh(true);
        RC_ASSERT(fresh.build(rows));
        RC_ASSERT(edges_of(complex) == edges_of(fresh));
    }
}

TEST(motion, random_sequences_stay_valid) {
    EXPECT_TRUE(rc::check("coarse, space", [] { random_motions<3>(5); }));
    EXPECT_TRUE(rc::check("fine, space", [] { random_motions<3>(1000); }));
    EXPECT_TRUE(rc::check("coarse, plane", [] { random_motions<2>(6); }));
    EXPECT_TRUE(rc::check("fine, plane", [] { random_motions<2>(1000); }));
}

TEST(motion, check_finds_the_same_for_any_thread_count) {
    const auto rows = snapped(random_sites(3, 5000, 2, 5, 0.5), 0x1p-12);
    Complex<3> complex(true);
    ASSERT_TRUE(complex.build(rows));
    Random random(1, 5);
    to_damage(complex.rows()) = jiggled(rows, 3, 100, random);
    set_thread_count(1);
    const auto one = complex.check();
    EXPECT_FALSE(one.illegal.empty());
    for (const int threads : {2, 3}) {
        set_thread_count(threads);
        const auto many = complex.check();
        EXPECT_EQ(many.illegal, one.illegal);
        EXPECT_EQ(many.inverted, one.inverted);
    }
    set_thread_count(1);
}

// Without guards the flat hull of a box of grains is rebuilt at every motion; with them flips suffice.
TEST(motion, guards_keep_flat_walls_cheap) {
    Random random(1, 1);
    std::vector<Row> rows;
    const int side = 10;
    for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j)
            for (int k = 0; k < side; ++k) {
                Row row{{0, 0, 0, 0x1p24}};
                const int at[3] = {i, j, k};
                for (int m = 0; m < 3; ++m)
                    row.c[m] = std::nearbyint(
                        4096 * (2 * at[m] + (at[m] == 0 || at[m] == side - 1 ? 0 : random.uniform(-0.3, 0.3))));
                rows.push_back(row);
            }
    const std::size_t n = rows.size();
    const double margin = 4096 * 6.0, far = 4096 * 2.0 * (side - 1) + margin;
    for (const Row& guard : guard_rows({{-margin, -margin, -margin, 0}}, {{far, far, far, 0}}, 4096 * 8.0, 3))
        rows.push_back(guard);
    Complex<3> complex(true);
    ASSERT_TRUE(complex.build(rows));
    UpdateCounts counts;
    for (int u = 0; u < 5; ++u) {
        for (std::size_t v = 0; v < n; ++v)
            for (int k = 0; k < 3; ++k) rows[v].c[k] = std::nearbyint(rows[v].c[k] + random.uniform(-40, 40));
        ASSERT_TRUE(complex.update(rows, Ladder{}, counts));
        ASSERT_EQ(complex.validate(), "");
    }
    EXPECT_EQ(counts.rebuilds, 0);
    EXPECT_LT(counts.flips, 5 * static_cast<std::int64_t>(n) / 10);
}

}  // namespace
}  // namespace scree::tri
