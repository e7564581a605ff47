#include "core/long_work.h"

#include <chrono>
#include <utility>

namespace scree {
namespace {

using Clock = std::chrono::steady_clock;

thread_local LongWorkScope* innermost = nullptr;
thread_local Clock::time_point next_time;

}  // namespace

LongWorkScope::LongWorkScope(LongWorkListener listener)
    : listener_(std::move(listener)),
      before_(std::exchange(innermost, this)) {}

LongWorkScope::~LongWorkScope() { innermost = before_; }

bool long_work_is_due() { return innermost != nullptr && Clock::now() >= next_time; }

void tell_long_work(const std::string& text) {
    next_time = Clock::now() + std::chrono::milliseconds(200);
    if (innermost != nullptr) innermost->listener_(text);
}

}  // namespace scree
