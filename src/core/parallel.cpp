// A pool of threads that wait in short spins, then in the kernel. Why not OpenMP: its runtime cannot be watched by the
// thread sanitizer, and one page of atomics gives the same latency.
//
// Nobody waits for a thread that has nothing to do: workers enter a job through a gate while it is open, the caller
// shuts it when all tasks are given away, and waits for those inside. On a busy machine, where a worker may not get a
// processor for milliseconds, the caller then does all tasks of a short job itself.
#include "core/parallel.h"

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

namespace scree {
namespace {

thread_local bool inside_task = false;

class Pool {
  public:
    explicit Pool(int threads) {
        for (int worker = 1; worker < threads; ++worker) threads_.emplace_back([this, worker] { serve(worker); });
    }
    ~Pool() {
        stopping_.store(true);
        epoch_.fetch_add(1);
        epoch_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }

    int size() const { return static_cast<int>(threads_.size()) + 1; }

    void run(std::size_t count, TaskRef task) {
        task_ = &task;
        count_ = count;
        next_.store(0, std::memory_order_relaxed);
        failed_ = nullptr;
        gate_.store(open, std::memory_order_release);
        epoch_.fetch_add(1, std::memory_order_release);
        epoch_.notify_all();
        work(0);
        gate_.fetch_and(~open, std::memory_order_acq_rel);
        for (std::uint32_t spins = 0, inside; (inside = gate_.load(std::memory_order_acquire)) != 0;)
            if (++spins > spin_limit) gate_.wait(inside, std::memory_order_acquire);
        if (failed_) std::rethrow_exception(failed_);
    }

  private:
    static constexpr int spin_limit = 4000;
    static constexpr std::uint32_t open = 1u << 31;  // beside it the gate counts the workers inside

    void serve(int worker) {
        inside_task = true;
        std::uint64_t seen = 0;
        for (;;) {
            for (int spins = 0; epoch_.load(std::memory_order_acquire) == seen;)
                if (++spins > spin_limit) epoch_.wait(seen, std::memory_order_acquire);
            seen = epoch_.load(std::memory_order_acquire);
            if (stopping_.load()) return;
            if (!enter()) continue;
            work(worker);
            if (gate_.fetch_sub(1, std::memory_order_acq_rel) == 1) gate_.notify_all();
        }
    }

    bool enter() {
        std::uint32_t gate = gate_.load(std::memory_order_acquire);
        while (gate & open)
            if (gate_.compare_exchange_weak(gate, gate + 1, std::memory_order_acq_rel)) return true;
        return false;
    }

    void work(int worker) {
        for (std::size_t index; (index = next_.fetch_add(1, std::memory_order_relaxed)) < count_;) {
            try {
                (*task_)(index, worker);
            } catch (...) {
                std::lock_guard lock(failure_);
                if (!failed_ || index < failed_index_) {
                    failed_ = std::current_exception();
                    failed_index_ = index;
                }
            }
        }
    }

    std::vector<std::thread> threads_;
    const TaskRef* task_ = nullptr;
    std::size_t count_ = 0;
    std::atomic<std::size_t> next_{0};
    std::atomic<std::uint64_t> epoch_{0};
    std::atomic<std::uint32_t> gate_{0};
    std::atomic<bool> stopping_{false};
    std::mutex failure_;
    std::exception_ptr failed_;
    std::size_t failed_index_ = 0;
};

std::unique_ptr<Pool>& pool() {
    static std::unique_ptr<Pool> instance = std::make_unique<Pool>(1);
    return instance;
}

}  // namespace

int thread_count() { return pool()->size(); }

void set_thread_count(int count) {
    count = std::max(count, 1);
    if (count != thread_count()) pool() = std::make_unique<Pool>(count);
}

int hardware_thread_count() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

void run_tasks(std::size_t count, TaskRef task) {
    if (inside_task || count <= 1 || thread_count() == 1) {
        for (std::size_t index = 0; index < count; ++index) task(index, 0);
        return;
    }
    inside_task = true;
    try {
        pool()->run(count, task);
    } catch (...) {
        inside_task = false;
        throw;
    }
    inside_task = false;
}

}  // namespace scree
