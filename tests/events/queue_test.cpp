// The schedule against a sorted set.
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "core/random.h"
#include "events/queue.h"

namespace scree::events {
namespace {

TEST(queue, first_is_that_of_a_sorted_set) {
    // Few different times and ties, so that both orders are needed; sizes around the powers of eight.
    for (const std::size_t items : {1ul, 2ul, 7ul, 8ul, 9ul, 11ul, 16ul, 17ul, 63ul, 65ul, 87ul, 116ul, 513ul, 700ul,
                                    934ul, 1300ul, 4096ul, 4100ul}) {
        Random random(5, items);
        Queue queue;
        queue.reset(items);
        using Entry = std::tuple<double, std::uint64_t, Queue::Item>;
        std::set<Entry> sorted;
        std::vector<Entry> current;
        for (Queue::Item k = 0; k < items; ++k) {
            current.emplace_back(forever, ~std::uint64_t{0}, k);
            sorted.insert(current.back());
        }
        for (int change = 0; change < 10000; ++change) {
            // Half of the changes are to what comes next, as in a simulation.
            const auto item = random.uniform() < 0.5
                                  ? queue.top()
                                  : static_cast<Queue::Item>(random.uniform() * static_cast<double>(items));
            const double kind = random.uniform();
            const double time = kind < 0.1   ? forever
                                : kind < 0.5 ? std::floor(random.uniform(0, 20))
                                             : random.uniform(0, 20);
            const auto tie = static_cast<std::uint64_t>(random.uniform(0, 4));
            sorted.erase(current[item]);
            current[item] = {time, tie, item};
            sorted.insert(current[item]);
            queue.set(item, time, [&](Queue::Item k) { return std::get<1>(current[k]); });
            ASSERT_EQ(queue.time_of(item), time);
            ASSERT_EQ(queue.top_time(), std::get<0>(*sorted.begin())) << items << " change " << change;
            if (queue.top_time() < forever) {
                ASSERT_EQ(queue.top(), std::get<2>(*sorted.begin())) << items << " change " << change;
            }
        }
    }
}

}  // namespace
}  // namespace scree::events
