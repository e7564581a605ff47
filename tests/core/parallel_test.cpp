#include "core/parallel.h"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>

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

// The sum of squares below n, in parts: what any number of threads must make of it.
std::size_t squares(std::size_t n) {
    return parallel_reduce(
        n, std::size_t{0},
        [](std::size_t begin, std::size_t end) {
            std::size_t sum = 0;
            for (std::size_t k = begin; k < end; ++k) sum += k * k;
            return sum;
        },
        std::plus<>(), 16);
}
constexpr std::size_t squares_below_5000 = 41'654'167'500;

// Runs the work in some threads of a host program at once.
template <class Work>
void in_host_threads(int count, Work&& work) {
    std::vector<std::thread> hosts;
    for (int host = 0; host < count; ++host) hosts.emplace_back(work);
    for (std::thread& host : hosts) host.join();
}

TEST(workers, hosts_share_one_set_and_whoever_finds_it_busy_works_alone) {
    set_thread_count(3);
    in_host_threads(3, [] {
        for (int repeat = 0; repeat < 300; ++repeat) ASSERT_EQ(squares(5000), squares_below_5000);
    });
    // Busy for certain: the second host comes while the first is in a task.
    std::mutex holding;
    holding.lock();
    std::atomic<bool> inside{false};
    std::thread first([&] {
        run_tasks(2, [&](std::size_t task, int) {
            if (task > 0) return;
            inside = true;
            const std::lock_guard wait(holding);
        });
    });
    while (!inside) std::this_thread::yield();
    std::set<std::thread::id> ids;
    run_tasks(100, [&](std::size_t, int worker) {
        EXPECT_EQ(worker, 0);
        ids.insert(std::this_thread::get_id());
    });
    EXPECT_EQ(ids, std::set{std::this_thread::get_id()});
    holding.unlock();
    first.join();
    set_thread_count(1);
}

TEST(workers, each_host_has_the_set_of_its_scope) {
    in_host_threads(2, [] {
        Workers outer(3), inner(2);
        const WorkersScope scope(outer);
        EXPECT_EQ(thread_count(), 3);
        for (int repeat = 0; repeat < 300; ++repeat) {
            const WorkersScope inner_scope(inner);
            ASSERT_EQ(thread_count(), 2);
            ASSERT_EQ(squares(5000), squares_below_5000);
        }
        EXPECT_EQ(thread_count(), 3);
        EXPECT_EQ(squares(5000), squares_below_5000);
        EXPECT_THROW(run_tasks(20,
                               [](std::size_t task, int) {
                                   if (task == 7) throw std::runtime_error("7");
                               }),
                     std::runtime_error);
        EXPECT_EQ(squares(5000), squares_below_5000);
    });
    EXPECT_EQ(thread_count(), 1);
}

TEST(workers, the_number_may_change_while_others_work) {
    std::atomic<bool> done{false};
    std::thread host([&] {
        while (!done) ASSERT_EQ(squares(5000), squares_below_5000);
    });
    for (int repeat = 0; repeat < 200; ++repeat) set_thread_count(1 + repeat % 4);
    done = true;
    host.join();
    set_thread_count(1);
}

// Ends the child with 0 if the check holds; returns how it ended. A child that hangs is ended by the alarm.
template <class Check>
int in_child(Check&& check) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        _exit(check() ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

// Under the sanitizers a forked child cannot start threads: one refuses, the other's allocator may be locked for good.
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
TEST(workers, a_forked_child_starts_threads_of_its_own) {
    set_thread_count(3);
    Workers own(3);
    EXPECT_EQ(squares(5000), squares_below_5000);
    {
        const WorkersScope scope(own);
        EXPECT_EQ(squares(5000), squares_below_5000);
    }
    const auto works = [&] {
        std::set<int> met;
        std::mutex mutex;
        std::atomic<int> waiting{0};
        run_tasks(3, [&](std::size_t, int worker) {
            ++waiting;
            while (waiting < 3) std::this_thread::yield();  // three threads are there, or this never ends
            const std::lock_guard lock(mutex);
            met.insert(worker);
        });
        return met.size() == 3 && squares(5000) == squares_below_5000;
    };
    EXPECT_EQ(in_child([&] {
                  const bool shared = works();
                  const WorkersScope scope(own);
                  const bool again = in_child(works) == 0;  // and its own child
                  set_thread_count(2);                      // drops a set whose threads are the parent's
                  return shared && again && works();
              }),
              0);
    EXPECT_TRUE(works());
    // A fork while another host is at work: the child does not wait for it.
    std::atomic<bool> done{false};
    std::thread host([&] {
        while (!done) squares(5000);
    });
    for (int repeat = 0; repeat < 20; ++repeat)
        EXPECT_EQ(in_child([&] { return thread_count() == 3 && squares(5000) == squares_below_5000; }), 0);
    done = true;
    host.join();
    set_thread_count(1);
}
#endif

#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)  // they take all of the address space
TEST(workers, threads_that_the_system_refuses_are_done_without) {
    EXPECT_EQ(in_child([] {
                  const rlimit limit{600u << 20, 600u << 20};
                  setrlimit(RLIMIT_AS, &limit);
                  set_thread_count(1000);  // of 8 MB of stack each
                  const bool right = squares(5000) == squares_below_5000;
                  return right && thread_count() >= 1 && thread_count() < 100;
              }),
              0);
}
#endif

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
