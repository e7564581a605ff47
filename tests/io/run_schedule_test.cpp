#include "engine/schedule.h"

#include <gtest/gtest.h>

#include <set>

#include "core/random.h"

namespace scree {
namespace {

TEST(schedule, is_due_at_the_steps_nearest_to_multiples_of_the_interval) {
    Random random(1, 2);
    for (int trial = 0; trial < 200; ++trial) {
        const double step = random.uniform(1e-6, 1e-3), interval = step * random.uniform(0.1, 40);
        std::set<std::int64_t> nearest;
        for (std::int64_t k = 1; static_cast<double>(k) * interval < 1010 * step; ++k)
            nearest.insert(std::llround(static_cast<double>(k) * (interval / step)));
        nearest.erase(0);
        const Schedule schedule(interval, step);
        std::set<std::int64_t> due;
        for (std::int64_t at = schedule.next_after(0); at <= 1000; at = schedule.next_after(at)) due.insert(at);
        while (!nearest.empty() && *nearest.rbegin() > 1000) nearest.erase(std::prev(nearest.end()));
        EXPECT_EQ(due, nearest) << interval / step;
    }
}

TEST(schedule, depends_on_the_step_alone) {
    const Schedule schedule(0.37, 0.01);
    std::int64_t next = schedule.next_after(0);
    for (std::int64_t step = 0; step < 5000; ++step) {
        if (step == next) next = schedule.next_after(step);
        EXPECT_EQ(schedule.next_after(step), next) << step;
    }
}

TEST(schedule, without_an_interval_is_never_due) {
    EXPECT_EQ(Schedule(0, 1e-3).next_after(5), Schedule::never);
    EXPECT_EQ(Schedule(1e300, 1e-300).next_after(5), Schedule::never);
}

TEST(schedule, shorter_than_a_step_is_due_at_every_step) {
    EXPECT_EQ(Schedule(1e-5, 1e-3).next_after(7), 8);
    EXPECT_EQ(Schedule(1e-3, 1e-3).next_after(7), 8);
}

TEST(schedule, is_exact_after_very_many_steps) {
    const Schedule schedule(1e-3, 1e-6);
    EXPECT_EQ(schedule.next_after(1'000'000'000'000), 1'000'000'001'000);
    EXPECT_EQ(schedule.next_after(999'999'999'999), 1'000'000'000'000);
}

}  // namespace
}  // namespace scree
