// The one door to threads.
//
// Work is cut into tasks whose number and borders never depend on the number of threads; each task writes its own
// results, and results are combined in task order. So every function here gives the same bits for any thread count.
// Tasks are handed out dynamically; a call made from inside a task runs on the calling thread alone.
//
// Threads are an object, `Workers`, and each simulation has one. The functions below use the Workers of the innermost
// WorkersScope of the calling thread; the entries of a simulation open one (engine/beginning.cpp, step.cpp). Outside
// of any scope they use one that the process shares. Workers that are busy, because another thread of the host is using
// them, are not waited for: the calling thread does its tasks itself, with the same bits.
//
// Rejected: a parameter `Workers&`. It would pass through some eighty functions, the public triangulation included,
// that have no other business with threads; forgetting it in one place would be an error that nothing shows, while a
// scope forgotten costs threads, not correctness.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "scree/threads.h"  // thread_count() and set_thread_count(): of the calling thread's Workers, for new ones

namespace scree {

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

// A number of threads that work together: the one that calls, and others that wait for it. The others are started by
// the first call that has something to share out, and again in a child process after fork(). Where the system refuses
// to start as many, count() becomes what there is, and never grows again.
class Workers {
  public:
    explicit Workers(int count = thread_count());
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    int count() const { return count_.load(std::memory_order_relaxed); }
    // As run_tasks, by these threads.
    void run(std::size_t count, TaskRef task);

  private:
    class Pool;
    bool take();
    void start();

    std::atomic<int> count_;
    std::atomic<std::uint64_t> taken_{0};  // 0, or the process (see forks() in the .cpp) that is using the threads
    std::uint64_t started_in_;             // the process that has started them, or made this object
    std::unique_ptr<Pool> pool_;
};

// While it lives, the calling thread uses these Workers.
class WorkersScope {
  public:
    explicit WorkersScope(Workers& workers);
    ~WorkersScope();
    WorkersScope(const WorkersScope&) = delete;
    WorkersScope& operator=(const WorkersScope&) = delete;

  private:
    Workers* outer_;
};

// Calls task(index, worker) for every index in [0, count), worker in [0, thread_count()). When tasks throw, the
// exception of the lowest index is rethrown after all have ended. What is sized by thread_count() must be so inside the
// same WorkersScope.
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
