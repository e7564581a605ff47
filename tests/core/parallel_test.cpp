#include "core/parallel.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <stdexcept>

#include "core/random.h"

namespace scree {
namespace {

TEST(parallel, reduce_gives_the_same_bits_for_any_thread_count) {
    std::vector<double> values(100'001);
    Random random(1, 2);
    for (double& v : values) v = random.uniform(-1, 1) * (random.below(2) ? 1e10 : 1e-10);
    const auto sum = [&] {
        return parallel_reduce(
            values.size(), 0.0,
            [&](std::size_t b, std::size_t e) {
                return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(b),
                                       values.begin() + static_cast<std::ptrdiff_t>(e), 0.0);
            },
            [](double a, double b) { return a + b; });
    };
    set_thread_count(1);
    const double expected = sum();
    for (const int threads : {2, 3, 4, 7}) {
        set_thread_count(threads);
        for (int repeat = 0; repeat < 20; ++repeat) EXPECT_EQ(sum(), expected);
    }
    set_thread_count(1);
}

TEST(parallel, stable_sort_equals_std_stable_sort) {
    for (const int threads : {1, 3}) {
        set_thread_count(threads);
        for (const std::size_t n : {0u, 1u, 5u, 64u, 1000u, 10'000u}) {
            std::vector<std::pair<int, std::size_t>> values(n);
            Random random(7, n);
            for (std::size_t k = 0; k < n; ++k) values[k] = {static_cast<int>(random.below(20)), k};
            auto expected = values;
            const auto less = [](const auto& a, const auto& b) { return a.first < b.first; };
            std::stable_sort(expected.begin(), expected.end(), less);
            parallel_stable_sort(values, less, 64);
            EXPECT_EQ(values, expected);
        }
    }
    set_thread_count(1);
}

TEST(parallel, every_task_of_many_short_jobs_runs_once_with_more_threads_than_processors) {
    set_thread_count(9);
    for (std::size_t job = 0; job < 3000; ++job) {
        const std::size_t count = 2 + job % 5;
        std::vector<int> runs(count, 0);
        run_tasks(count, [&](std::size_t task, int worker) {
            ASSERT_LT(worker, 9);
            ++runs[task];
        });
        ASSERT_EQ(runs, std::vector<int>(count, 1)) << "job " << job;
    }
    set_thread_count(1);
}

TEST(parallel, exception_of_the_lowest_task_is_rethrown_and_the_pool_lives_on) {
    set_thread_count(4);
    for (int repeat = 0; repeat < 50; ++repeat) {
        try {
            run_tasks(100, [](std::size_t task, int) {
                if (task >= 3) throw std::runtime_error(std::to_string(task));
            });
            FAIL() << "nothing was thrown";
        } catch (const std::runtime_error& error) {
            EXPECT_STREQ(error.what(), "3");
        }
    }
    std::vector<int> hits(1000, 0);
    run_tasks(hits.size(), [&](std::size_t task, int) {
        run_tasks(2, [&](std::size_t, int) { ++hits[task]; });  // nested: on this thread
    });
    EXPECT_EQ(std::accumulate(hits.begin(), hits.end(), 0), 2000);
    set_thread_count(1);
}

TEST(random, is_uniform_and_streams_differ) {
    Random a(1, 0), b(1, 1);
    double mean = 0, square = 0, product = 0;
    const int n = 100'000;
    for (int k = 0; k < n; ++k) {
        const double x = a.uniform() - 0.5, y = b.uniform() - 0.5;
        mean += x / n;
        square += x * x / n;
        product += x * y / n;
    }
    EXPECT_NEAR(mean, 0, 0.004);
    EXPECT_NEAR(square, 1.0 / 12, 0.002);
    EXPECT_NEAR(product, 0, 0.002);
    EXPECT_EQ(Random(5, 6, 10).bits(), [] {
        Random r(5, 6);
        for (int k = 0; k < 10; ++k) r.bits();
        return r.bits();
    }());
}

}  // namespace
}  // namespace scree
