// Threads of the library.
//
// Results do not depend on the number of threads: it is a matter of time only. Each Simulation has threads of its own,
// as many as thread_count() says when it is made; they are started when there is first something to share out, sleep
// between calls, and end with the simulation. Everything else (triangulations, measures) shares one more set.
//
// A host program may use the library from several threads at once, as long as each object is used by one of them at a
// time. Work that meets a set of threads that is busy is done by the calling thread. After fork() the child may go on
// with the objects it has: their threads are started anew there. A thread that is inside a call of the library must
// not be the one that forks.
#pragma once

#include <memory>

#include "scree/export.h"

namespace scree {

// Number of threads, at least 1 (the calling thread is one of them). 1 until it is set: a library does not take a
// machine unasked. Where the system refuses to start as many, the library goes on with those it has, and says so here.
SCREE_EXPORT int thread_count();

// For simulations that are made from now on, and for calls outside of any. Numbers below 1 mean 1. Costs nothing until
// there is work; may be called at any time.
SCREE_EXPORT void set_thread_count(int count);

// While it lives, thread_count() is `count` on the thread that made it: for one simulation that is to have as many.
class ThreadCountScope {
  public:
    SCREE_EXPORT explicit ThreadCountScope(int count);
    SCREE_EXPORT ~ThreadCountScope();
    ThreadCountScope(const ThreadCountScope&) = delete;
    ThreadCountScope& operator=(const ThreadCountScope&) = delete;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// Number of threads that the machine runs at once, at least 1. Respects the processors that the process is bound to.
SCREE_EXPORT int hardware_thread_count();

}  // namespace scree
