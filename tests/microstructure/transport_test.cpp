// Cells of given volumes.
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/parallel.h"
#include "made.h"
#include "math/elementary.h"
#include "microstructure/make.h"
#include "scree/error.h"

namespace scree::micro {
namespace {

// Of balls whose diameters are lognormal, of deviation 0.35 of their mean: the largest is thousands of times the
// smallest.
std::vector<double> lognormal_volumes(int count) {
    Random random(1, 2);
    const double deviation = std::sqrt(same_log(1 + 0.35 * 0.35));
    std::vector<double> volumes;
    for (int i = 0; i < count; ++i) {
        const double u = 1 - random.uniform(), angle = 2 * pi * random.uniform();
        volumes.push_back(same_exp(3 * deviation * std::sqrt(-2 * same_log(u)) * same_cos(angle)));
    }
    return volumes;
}

TEST(transport, gives_volumes_to_1e_10_of_their_mean) {
    std::vector<int> counts = {2, 30, 1000};
    if (std::getenv("SCREE_LONG")) counts.push_back(10000);
    for (const int count : counts)
        for (const int dimension : {2, 3})
            for (const bool periodic : {false, true}) {
                Diagram diagram(random_seeds(count, dimension, periodic, 21, 0));
                Random random(4, 4);
                std::vector<double> volumes;
                double sum = 0;
                for (int i = 0; i < count; ++i) sum += volumes.emplace_back(random.uniform(0.2, 2));
                const Transport transport = give_volumes(diagram, volumes);
                EXPECT_TRUE(transport.met)
                    << count << " cells, " << dimension << "D, periodic " << periodic << ": " << transport.residual;
                const std::vector<double> found = diagram.volumes();
                for (int i = 0; i < count; ++i) {
                    const auto k = static_cast<std::size_t>(i);
                    EXPECT_NEAR(found[k] * count, volumes[k] / sum * count, 1e-10);
                }
            }
}

// Two seeds: the face lies where the volumes say, so w_1 − w_2 is known.
TEST(transport, of_two_cells_has_a_closed_form) {
    Seeds seeds = random_seeds(2, 3, false, 1, 0);
    seeds.center = {{0.3, 0.5, 0.5}, {0.9, 0.5, 0.5}};
    Diagram diagram(seeds);
    give_volumes(diagram, {0.8, 0.2});
    // |x − 0.3|² − w_1 = |x − 0.9|² − w_2 at x = 0.8.
    EXPECT_NEAR(diagram.seeds().weight[0] - diagram.seeds().weight[1], 0.25 - 0.01, 1e-12);
}

TEST(transport, has_the_same_bits_for_any_number_of_threads) {
    const int before = thread_count();
    std::vector<std::vector<double>> found;
    for (const int threads : {1, 2, 3}) {
        set_thread_count(threads);
        Diagram diagram(random_seeds(300, 3, true, 5, 0));
        give_volumes(diagram, std::vector<double>(300, 1));
        found.push_back(diagram.seeds().weight);
    }
    set_thread_count(before);
    EXPECT_EQ(found[0], found[1]);
    EXPECT_EQ(found[0], found[2]);
}

TEST(transport, refuses_what_cannot_be) {
    Diagram diagram(random_seeds(3, 3, false, 5, 0));
    EXPECT_THROW(give_volumes(diagram, {1, 0, 1}), Error);
    Seeds twice = random_seeds(3, 3, false, 5, 0);
    twice.center[1] = twice.center[0];
    Diagram same(twice);
    EXPECT_THROW(give_volumes(same, {1, 1, 1}), Error);
}

// Roundings leave the errors of the volumes a sum that is not 0, for which the singular system of a step has no
// solution.
TEST(transport, gets_to_the_end_though_its_systems_are_singular) {
    std::vector<int> counts = {1000, 2000};
    if (std::getenv("SCREE_LONG")) counts.push_back(10000);
    for (const int count : counts) {
        Seeds seeds = random_seeds(count, 3, false, 1, 0);
        Random random(1, 1);
        for (Vec3& center : seeds.center)
            for (int k = 0; k < 3; ++k) center[k] = random.uniform();
        Diagram diagram(seeds);
        const std::vector<double> volumes = lognormal_volumes(count);
        Transport transport;
        int rounds = 0;
        while (!transport.met && rounds < 15) {
            transport = give_volumes(diagram, volumes, 1e-10, 1);
            ++rounds;
        }
        EXPECT_TRUE(transport.met) << count << " cells: " << transport.residual;
    }
}

TEST(make, meets_sizes_and_roundness) {
    for (const int dimension : {2, 3}) {
        Seeds box;
        box.dimension = dimension;
        box.periodic = {true, true, dimension == 3};
        MakeOptions options;
        if (dimension == 2) options.unroundness = 0.08;
        const Made made = make_cells(box, 800, options);
        EXPECT_TRUE(made.transport.met);
        EXPECT_LE(made.unroundness, options.unroundness * 1.01);
        EXPECT_GT(made.unroundness, options.unroundness * 0.8);
        // The standard deviation of 800 draws of a lognormal is known to about 4 %; four times that.
        EXPECT_NEAR(made.spread, options.spread, 0.16 * options.spread);
        EXPECT_EQ(
            grains_of_diameter(
                box, dimension == 3 ? std::cbrt(6 / 3.14159265358979 / 1000) : std::sqrt(4 / 3.14159265358979 / 1000),
                0),
            1000u);
    }
}

}  // namespace
}  // namespace scree::micro
