// When an output is due: at the steps nearest to the multiples of its interval. A pure function of the step number, so
// a resumed run has the same schedule; no step is ever shortened to meet one.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace scree {

class Schedule {
  public:
    static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

    // An interval of 0 is never due.
    Schedule(double interval, double time_step) : steps_(interval / time_step) {}

    // The first step after this one at which the output is due.
    std::int64_t next_after(std::int64_t step) const {
        if (!(steps_ > 0 && steps_ < 0x1p52)) return never;
        if (steps_ <= 1) return step + 1;
        auto k = static_cast<std::int64_t>((static_cast<double>(step) + 0.5) / steps_);
        while (k > 0 && due(k - 1) > step) --k;
        while (due(k) <= step) ++k;
        return due(k);
    }

  private:
    std::int64_t due(std::int64_t k) const { return std::llround(static_cast<double>(k) * steps_); }
    double steps_;
};

}  // namespace scree
