// How a run is getting on, on stderr: a bar on a terminal, elsewhere a plain line now and then.
#pragma once

#include <chrono>
#include <string>

#include "core/long_work.h"
#include "io/run.h"

namespace scree::app {

class ProgressDisplay {
  public:
    explicit ProgressDisplay(bool quiet);
    void show(const RunProgress& progress);
    // Clears the bar, so that other lines can follow.
    void finish();

  private:
    bool quiet_, terminal_, color_;
    bool bar_shown_ = false;
    double next_line_ = 5;         // s
    double steps_per_second_ = 0;  // smoothed
    double last_seconds_ = 0;
    std::int64_t last_step_ = -1;
};

// Shows what long work says while this lives: the placing of many grains.
class LongWorkDisplay {
  public:
    explicit LongWorkDisplay(bool quiet);
    ~LongWorkDisplay();

  private:
    void show(const std::string& text);
    bool terminal_, shown_ = false;
    std::chrono::steady_clock::time_point next_line_;
    LongWorkScope scope_;
};

// "12.3 M", "512", ...
std::string short_number(double value);
// "0:35", "2:03:10"
std::string clock_text(double seconds);

}  // namespace scree::app
