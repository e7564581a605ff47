// A pool of threads that wait in short spins, then in the kernel. Why not OpenMP: its runtime cannot be watched by the
// thread sanitizer, and one page of atomics gives the same latency.
//
// Nobody waits for a thread that has nothing to do: workers enter a job through a gate while it is open, the caller
// shuts it when all tasks are given away, and waits for those inside. On a busy machine, where a worker may not get a
// processor for milliseconds, the caller then does all tasks of a short job itself.
//
// fork() copies the calling thread alone. The child counts forks; Workers whose threads were started before the last
// one forget them without joining, which leaks a few hundred bytes, and start others when there is work.
#include "core/parallel.h"

#include <pthread.h>
#ifdef __linux__
#    include <sched.h>
#endif

#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

namespace scree {
namespace {

thread_local bool inside_task = false;
thread_local Workers* of_scope = nullptr;

// The Workers of calls outside of any scope. Never destroyed: threads of the host may outlive the end of main.
struct Shared {
    std::mutex mutex;
    std::shared_ptr<Workers> workers = std::make_shared<Workers>(1);
};

Shared& shared() {
    static Shared& instance = *new Shared;
    return instance;
}

std::shared_ptr<Workers> shared_workers() {
    const std::lock_guard lock(shared().mutex);
    return shared().workers;
}

std::atomic<std::uint64_t> fork_count{1};

// How many times this process and those before it have forked, from 1: a number for the process.
std::uint64_t forks() {
    static const bool watched = [] {
        // The mutex is held through a fork, or a child might find it locked by a thread that it does not have.
        pthread_atfork([] { shared().mutex.lock(); }, [] { shared().mutex.unlock(); },
                       [] {
                           shared().mutex.unlock();
                           fork_count.fetch_add(1, std::memory_order_relaxed);
                       });
        return true;
    }();
    static_cast<void>(watched);
    return fork_count.load(std::memory_order_relaxed);
}

void run_alone(std::size_t count, TaskRef task) {
    for (std::size_t index = 0; index < count; ++index) task(index, 0);
}

}  // namespace

class Workers::Pool {
  public:
    // Fewer threads, down to the caller alone, where the system gives no more.
    explicit Pool(int threads) {
        try {
            threads_.reserve(static_cast<std::size_t>(threads));
            for (int worker = 1; worker < threads; ++worker) threads_.emplace_back([this, worker] { serve(worker); });
        } catch (const std::system_error&) {
        } catch (const std::bad_alloc&) {
        }
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

Workers::Workers(int count) : count_(std::max(count, 1)), started_in_(forks()) {}

Workers::~Workers() {
    if (started_in_ != forks()) static_cast<void>(pool_.release());
}

// Takes the threads for the caller alone, if nobody has them in this process.
bool Workers::take() {
    const std::uint64_t here = forks();
    std::uint64_t taken = taken_.load(std::memory_order_relaxed);
    return taken != here && taken_.compare_exchange_strong(taken, here, std::memory_order_acq_rel);
}

void Workers::start() {
    if (pool_ && started_in_ == forks()) return;
    static_cast<void>(pool_.release());
    started_in_ = forks();
    pool_ = std::make_unique<Pool>(count());
    count_.store(pool_->size(), std::memory_order_relaxed);
}

void Workers::run(std::size_t count, TaskRef task) {
    if (inside_task || count <= 1 || this->count() == 1 || !take()) return run_alone(count, task);
    struct Release {
        std::atomic<std::uint64_t>& taken;
        ~Release() {
            inside_task = false;
            taken.store(0, std::memory_order_release);
        }
    } release{taken_};
    start();
    inside_task = true;
    pool_->run(count, task);
}

WorkersScope::WorkersScope(Workers& workers) : outer_(std::exchange(of_scope, &workers)) {}
WorkersScope::~WorkersScope() { of_scope = outer_; }

int thread_count() { return of_scope ? of_scope->count() : shared_workers()->count(); }

void set_thread_count(int count) {
    count = std::max(count, 1);
    auto workers = std::make_shared<Workers>(count);
    const std::lock_guard lock(shared().mutex);
    // The old ones end with the last call that uses them, outside of the lock.
    if (count != shared().workers->count()) shared().workers.swap(workers);
}

struct ThreadCountScope::Parts {
    explicit Parts(int count) : workers(std::max(count, 1)), scope(workers) {}
    Workers workers;  // starts no threads until there is work
    WorkersScope scope;
};
ThreadCountScope::ThreadCountScope(int count) : parts_(std::make_unique<Parts>(count)) {}
ThreadCountScope::~ThreadCountScope() = default;

int hardware_thread_count() {
    int count = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
#ifdef __linux__
    // Of a machine that is shared out, a process may have a part (taskset, containers, launchers of parallel programs).
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) count = std::min(count, CPU_COUNT(&allowed));
#endif
    return count;
}

void run_tasks(std::size_t count, TaskRef task) {
    if (inside_task || count <= 1) return run_alone(count, task);
    if (of_scope) return of_scope->run(count, task);
    shared_workers()->run(count, task);
}

}  // namespace scree
