// The fit: derivatives, convexity, and images whose tessellation is known.
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/parallel.h"
#include "made.h"
#include "microstructure/compare.h"
#include "microstructure/fit.h"
#include "microstructure/fit_problem.h"
#include "scree/error.h"

namespace scree::micro {
namespace {

struct Made {
    Seeds seeds;
    Image image;
};

Made made(int grains, std::size_t voxels, int dimension, bool periodic, std::uint64_t seed) {
    Made made{random_seeds(grains, dimension, periodic, seed), {}};
    made.image = rasterized(Diagram(made.seeds), {voxels, voxels, voxels});
    return made;
}

GrainMap map_of(const Image& image, bool periodic) {
    GrainMapOptions options;
    options.periodic = {periodic, periodic, periodic && image.dimension == 3};
    return GrainMap(image, options);
}

double right(const GrainMap& map, const Seeds& seeds) {
    const Comparison comparison = compare(map, Diagram(seeds));
    return static_cast<double>(comparison.right) / static_cast<double>(comparison.voxels);
}

std::vector<Unknowns> moved(const std::vector<Unknowns>& at, double length, const std::vector<Unknowns>& direction) {
    std::vector<Unknowns> out = at;
    for (std::size_t g = 0; g < at.size(); ++g)
        for (std::size_t k = 0; k < 4; ++k) out[g][k] += length * direction[g][k];
    return out;
}

std::vector<Unknowns> random_direction(std::size_t grains, int dimension, Random& random) {
    std::vector<Unknowns> direction(grains);
    for (Unknowns& d : direction)
        for (std::size_t k = 0; k < 4; ++k) d[k] = k == 2 && dimension == 2 ? 0 : random.uniform(-0.5, 0.5);
    return direction;
}

TEST(fit, gradient_and_hessian_equal_differences) {
    for (const int dimension : {2, 3})
        for (const bool periodic : {false, true}) {
            const Made m = made(50, 28, dimension, periodic, 2);
            const GrainMap map = map_of(m.image, periodic);
            const Seeds start = starting_seeds(map);
            const FitProblem problem(map, start, FitOptions{});
            Random random(9, 9);
            const std::vector<Unknowns> at =
                moved(problem.start(), 0.2, random_direction(map.grains(), dimension, random));
            const std::vector<Unknowns> direction = random_direction(map.grains(), dimension, random);
            constexpr double tau = 0.3, h = 1e-4;
            std::vector<Unknowns> gradient;
            SparseHessian hessian;
            const double middle = problem.evaluate(at, tau, &gradient, &hessian);
            const double before = problem.evaluate(moved(at, -h, direction), tau, nullptr, nullptr);
            const double after = problem.evaluate(moved(at, h, direction), tau, nullptr, nullptr);
            double slope = 0, curvature = 0;
            const auto product = [](const Block& block, const Unknowns& a, const Unknowns& b) {
                double sum = 0;
                for (std::size_t i = 0; i < 4; ++i)
                    for (std::size_t j = 0; j < 4; ++j) sum += a[i] * block[4 * i + j] * b[j];
                return sum;
            };
            for (std::size_t g = 0; g < map.grains(); ++g) {
                for (std::size_t k = 0; k < 4; ++k) slope += gradient[g][k] * direction[g][k];
                curvature += product(hessian.diagonal[g], direction[g], direction[g]);
                for (std::size_t k = hessian.first[g]; k < hessian.first[g + 1]; ++k)
                    curvature +=
                        product(hessian.block[k], direction[g], direction[static_cast<std::size_t>(hessian.column[k])]);
            }
            EXPECT_NEAR(slope, (after - before) / (2 * h), 1e-6 * std::fabs(slope) + 1e-9);
            EXPECT_NEAR(curvature, (after + before - 2 * middle) / (h * h), 1e-3 * curvature);
        }
}

TEST(fit, loss_is_convex_along_random_lines) {
    const Made m = made(40, 24, 3, false, 3);
    const GrainMap map = map_of(m.image, false);
    const Seeds start = starting_seeds(map);
    const FitProblem problem(map, start, FitOptions{});
    Random random(10, 1);
    for (int line = 0; line < 20; ++line) {
        const std::vector<Unknowns> direction = random_direction(map.grains(), 3, random);
        const auto loss = [&](double t) {
            return problem.evaluate(moved(problem.start(), t, direction), 0.05, nullptr, nullptr);
        };
        for (double t = -2; t < 2; t += 0.5) EXPECT_LE(loss(t + 0.25), (loss(t) + loss(t + 0.5)) / 2 * (1 + 1e-12));
    }
}

TEST(fit, finds_the_tessellation_of_an_image) {
    struct Case {
        int grains;
        std::size_t voxels;
        int dimension;
        bool periodic;
    };
    std::vector<Case> cases = {
        {60, 40, 3, false}, {60, 40, 3, true}, {200, 64, 3, false}, {150, 128, 2, false}, {150, 128, 2, true}};
    if (std::getenv("SCREE_LONG")) cases.push_back({1000, 128, 3, false});
    for (const Case& c : cases) {
        const Made m = made(c.grains, c.voxels, c.dimension, c.periodic, 1);
        const GrainMap map = map_of(m.image, c.periodic);
        const Fit fitted = fit(map, FitOptions{});
        EXPECT_TRUE(fitted.empty.empty());
        const Comparison comparison = compare(map, Diagram(fitted.seeds));
        const double part = static_cast<double>(comparison.right) / static_cast<double>(comparison.voxels);
        EXPECT_GE(part, 0.995) << c.grains << " grains, " << c.dimension << "D, periodic " << c.periodic;
        EXPECT_GT(comparison.mean_overlap, 0.97);
        EXPECT_GT(comparison.neighbor_recall, 0.98);
        EXPECT_LT(comparison.distance_to_cell, 0.2 * comparison.voxel);
        RecordProperty("right", std::to_string(part));
    }
}

TEST(fit, is_better_with_finer_voxels) {
    double wrong_before = 1;
    for (const std::size_t voxels : {20u, 40u, 60u}) {
        const Made m = made(40, voxels, 3, false, 4);
        const GrainMap map = map_of(m.image, false);
        // Against the truth in an image finer than those fitted.
        const GrainMap fine = map_of(rasterized(Diagram(m.seeds), {75, 75, 75}), false);
        Seeds found = fit(map, FitOptions{}).seeds;
        ASSERT_GE(found.size(), fine.grains()) << "a grain is too small for the coarse image";
        const double wrong = 1 - right(fine, found);
        EXPECT_LT(wrong, wrong_before) << voxels;
        wrong_before = wrong;
    }
    EXPECT_LT(wrong_before, 0.005);
}

TEST(fit, of_a_noisy_image_is_nearer_to_the_truth_than_the_image) {
    const Made m = made(60, 40, 3, false, 6);
    std::vector<Label> labels = all_labels(m.image);
    const std::vector<Label> clean = labels;
    Random random(7, 7);
    const std::array<std::size_t, 3> n = m.image.size;
    const std::size_t step[3] = {1, n[0], n[0] * n[1]};
    for (std::size_t k = 0; k < labels.size(); ++k) {
        const std::size_t at[3] = {k % n[0], k / n[0] % n[1], k / (n[0] * n[1])};
        // A side at random: where another grain lies there, the voxel may take its label.
        const auto axis = static_cast<std::size_t>(random.below(3));
        const bool up = random.below(2);
        if (up ? at[axis] + 1 == n[axis] : at[axis] == 0) continue;
        const Label other = clean[up ? k + step[axis] : k - step[axis]];
        if (other != clean[k] && random.uniform() < 0.1) labels[k] = other;
    }
    const Image noisy = make_image(3, n, m.image.spacing, m.image.origin, labels);
    const GrainMap clean_map = map_of(m.image, false);
    std::size_t changed = 0;
    for (std::size_t k = 0; k < labels.size(); ++k) changed += labels[k] != clean[k];
    ASSERT_GT(changed, labels.size() / 200);
    const double of_image = 1 - static_cast<double>(changed) / static_cast<double>(labels.size());
    EXPECT_GT(right(clean_map, fit(map_of(noisy, false), FitOptions{}).seeds), of_image);
}

TEST(fit, of_curved_grains_is_better_than_its_start) {
    const Seeds seeds = random_seeds(100, 3, false, 8);
    Random random(8, 8);
    std::vector<double> factor;
    for (std::size_t g = 0; g < seeds.size(); ++g) factor.push_back(random.uniform(0.8, 1.25));
    constexpr std::size_t n = 40;
    std::vector<Label> labels;
    for (std::size_t z = 0; z < n; ++z)
        for (std::size_t y = 0; y < n; ++y)
            for (std::size_t x = 0; x < n; ++x) {
                const Vec3 p{(static_cast<double>(x) + 0.5) / n, (static_cast<double>(y) + 0.5) / n,
                             (static_cast<double>(z) + 0.5) / n};
                std::size_t best = 0;
                for (std::size_t g = 1; g < seeds.size(); ++g)
                    if (factor[g] * norm(p - seeds.center[g]) < factor[best] * norm(p - seeds.center[best])) best = g;
                labels.push_back(seeds.label[best]);
            }
    const GrainMap map = map_of(make_image(3, {n, n, n}, {1.0 / n, 1.0 / n, 1.0 / n}, {}, labels), false);
    EXPECT_GT(right(map, fit(map, FitOptions{}).seeds), right(map, starting_seeds(map)) + 0.08);
}

TEST(fit, has_the_same_bits_for_any_number_of_threads) {
    const Made m = made(80, 32, 3, true, 12);
    std::vector<Seeds> found;
    const int before = thread_count();
    for (const int threads : {1, 2, 3}) {
        set_thread_count(threads);
        found.push_back(fit(map_of(m.image, true), FitOptions{}).seeds);
    }
    set_thread_count(before);
    for (const Seeds& seeds : found) {
        EXPECT_EQ(seeds.center, found[0].center);
        EXPECT_EQ(seeds.weight, found[0].weight);
    }
}

TEST(fit, takes_unequal_voxels_and_one_grain) {
    Seeds seeds = random_seeds(30, 3, false, 13);
    seeds.high = {2, 1, 0.5};
    for (Vec3& c : seeds.center) c = {2 * c.x, c.y, c.z / 2};
    const Image image = rasterized(Diagram(seeds), {40, 40, 10});  // voxels 0.05 × 0.025 × 0.05
    const GrainMap map = map_of(image, false);
    EXPECT_GE(right(map, fit(map, FitOptions{}).seeds), 0.995);
    const GrainMap one = map_of(make_image(3, {4, 4, 4}, {1, 1, 1}, {}, std::vector<Label>(64, 9)), false);
    EXPECT_EQ(right(one, fit(one, FitOptions{}).seeds), 1);
}

TEST(grain_map, leaves_out_what_is_no_grain) {
    //  1 1 0 2 2 1    the last 1 is a satellite, 3 is small, 0 and −1 are void
    //  1 1 0 2 2 3
    //  1 1 0 2 2 -1
    const std::vector<Label> labels = {1, 1, 0, 2, 2, 1, 1, 1, 0, 2, 2, 3, 1, 1, 0, 2, 2, -1};
    const Image image = make_image(2, {6, 3, 1}, {1, 1, 1}, {}, labels);
    GrainMapOptions options;
    options.least = 2;
    const GrainMap map(image, options);
    EXPECT_EQ(map.label(), (std::vector<Label>{1, 2}));
    EXPECT_EQ(map.voxels(), (std::vector<std::size_t>{6, 6}));
    EXPECT_EQ(map.counts().empty, 4u);
    EXPECT_EQ(map.counts().satellites, 1u);
    EXPECT_EQ(map.counts().satellite_voxels, 1u);
    EXPECT_EQ(map.counts().small_grains, 1u);
    EXPECT_NEAR(map.centroid()[0].x, 1, 1e-12);
    options.void_label.reset();
    EXPECT_EQ(GrainMap(image, options).label(), (std::vector<Label>{0, 1, 2}));
    // Across a periodic border the satellite belongs to its grain, whose centroid is then the mean of both parts
    // together.
    options.periodic = {true, false, false};
    const GrainMap around(image, options);
    EXPECT_EQ(around.counts().satellites, 0u);
    EXPECT_NEAR(around.centroid()[1].x, (6 * 1.0 - 0.5) / 7, 1e-12);
    EXPECT_THROW(GrainMap(make_image(2, {2, 1, 1}, {1, 1, 1}, {}, {0, 0}), GrainMapOptions{}), Error);
}

TEST(compare, knows_the_distance_to_a_box) {
    const ConvexCell cell({-1, -1, -1}, {1, 1, 1});
    EXPECT_EQ(distance_to(cell, {0, 0, 0.75}).outside, 0);
    EXPECT_NEAR(distance_to(cell, {0, 0, 0.75}).surface, 0.25, 1e-15);
    Random random(1, 5);
    for (int k = 0; k < 1000; ++k) {
        const Vec3 p{random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)};
        Vec3 out;
        for (int a = 0; a < 3; ++a) out[a] = std::max(0.0, std::fabs(p[a]) - 1);
        EXPECT_NEAR(distance_to(cell, p).outside, norm(out), 1e-14);
    }
}

}  // namespace
}  // namespace scree::micro
