// The one door to threads.
//
// Work is cut into tasks whose number and borders never depend on the number of threads; each task writes its own
// results, and results are combined in task order. So every function here gives the same bits for any thread count.
// Tasks are handed out dynamically; a call made from inside a task runs on the calling thread alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace scree {

// Number of threads used by the calls below (at least 1). Set it before the work starts, from the main thread.
int thread_count();
void set_thread_count(int count);
int hardware_thread_count();

// A reference to a callable, without allocation; it must not outlive the callable.
class TaskRef {
  public:
    template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, TaskRef>) TaskRef(F&& f)  // NOLINT: implicit on purpose
        : object_(const_cast<void*>(static_cast<const void*>(&f))),
          call_([](void* object, std::size_t task, int worker) {
              (*static_cast<std::remove_reference_t<F>*>(object))(task, worker);
          }) {}
    void operator()(std::size_t task, int worker) const { call_(object_, task, worker); }

  private:
    void* object_;
    void (*call_)(void*, std::size_t, int);
};

// Calls task(index, worker) for every index in [0, count), worker in [0, thread_count()). When tasks throw, the
// exception of the lowest index is rethrown after all have ended.
void run_tasks(std::size_t count, TaskRef task);

constexpr std::size_t default_chunk = 4096;

inline std::size_t chunk_count(std::size_t n, std::size_t chunk = default_chunk) { return (n + chunk - 1) / chunk; }

// Calls f(begin, end) for the fixed chunks of [0, n).
template <class F>
void parallel_for(std::size_t n, F&& f, std::size_t chunk = default_chunk) {
    run_tasks(chunk_count(n, chunk), [&](std::size_t task, int) { f(task * chunk, std::min(n, (task + 1) * chunk)); });
}

// Combines map(begin, end) over the fixed chunks of [0, n), from left to right, starting with `start`.
template <class T, class Map, class Combine>
T parallel_reduce(std::size_t n, T start, Map&& map, Combine&& combine, std::size_t chunk = default_chunk) {
    std::vector<T> parts(chunk_count(n, chunk), start);
    run_tasks(parts.size(),
              [&](std::size_t task, int) { parts[task] = map(task * chunk, std::min(n, (task + 1) * chunk)); });
    for (const T& part : parts) start = combine(start, part);
    return start;
}

// Replaces values by the sum of all values before; returns the sum of all.
template <class T>
T exclusive_scan(std::vector<T>& values) {
    T sum{};
    for (T& value : values) sum += std::exchange(value, sum);
    return sum;
}

// Sorts stably. Chunks are sorted in parallel, then merged in pairs; the result is the one stable order.
template <class T, class Less>
void parallel_stable_sort(std::vector<T>& values, Less less, std::size_t chunk = 16 * default_chunk) {
    const std::size_t n = values.size();
    parallel_for(
        n,
        [&](std::size_t begin, std::size_t end) {
            std::stable_sort(values.begin() + static_cast<std::ptrdiff_t>(begin),
                             values.begin() + static_cast<std::ptrdiff_t>(end), less);
        },
        chunk);
    std::vector<T> merged(n > chunk ? n : 0);
    for (std::size_t width = chunk; width < n; width *= 2) {
        parallel_for(
            n,
            [&](std::size_t begin, std::size_t end) {
                const auto at = [&](std::size_t k) {
                    return values.begin() + static_cast<std::ptrdiff_t>(std::min(k, n));
                };
                std::merge(at(begin), at(begin + width), at(begin + width), at(end),
                           merged.begin() + static_cast<std::ptrdiff_t>(begin), less);
            },
            2 * width);
        values.swap(merged);
    }
}

}  // namespace scree
