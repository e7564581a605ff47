#include "progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "core/located.h"
#include "report.h"

namespace scree::app {
namespace {

constexpr double line_interval = 30;  // s, between plain lines
constexpr auto patience = std::chrono::seconds(2);

bool is_terminal() {
    const char* kind = std::getenv("TERM");
    return isatty(STDERR_FILENO) && kind != nullptr && std::string_view(kind) != "dumb";
}

bool wants_color() {
    const char* no_color = std::getenv("NO_COLOR");
    return no_color == nullptr || *no_color == 0;
}

int terminal_width() {
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string short_number(double value) {
    for (const auto& [unit, name] : {std::pair{1e9, " G"}, {1e6, " M"}, {1e3, " k"}})
        if (value >= unit) return fmt::format("{:.3g}{}", value / unit, name);
    return fmt::format("{:.3g}", value);
}

std::string clock_text(double seconds) {
    if (!(seconds < 1e9)) return "?";
    const auto s = static_cast<long>(std::ceil(seconds));
    return s >= 3600 ? fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
                     : fmt::format("{}:{:02}", s / 60, s % 60);
}

LongWorkDisplay::LongWorkDisplay(bool quiet)
    : terminal_(is_terminal()),
      next_line_(std::chrono::steady_clock::now() + patience),
      scope_([this, quiet](const std::string& text) {
          if (!quiet) show(text);
      }) {}

LongWorkDisplay::~LongWorkDisplay() {
    if (shown_) tell("\r\x1b[K");
}

// What is done at once needs no word.
void LongWorkDisplay::show(const std::string& text) {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_line_) return;
    if (terminal_) {
        tell("\r" + harmless(text) + "\x1b[K");
        shown_ = true;
        return;
    }
    next_line_ = now + std::chrono::seconds(static_cast<int>(line_interval));
    tell(harmless(text) + "\n");
}

ProgressDisplay::ProgressDisplay(bool quiet) : quiet_(quiet), terminal_(is_terminal()), color_(wants_color()) {}

void ProgressDisplay::show(const RunProgress& p) {
    if (quiet_) return;
    // Smooth over some seconds: steps get slower while grains are poured.
    const double span = p.seconds - last_seconds_;
    const double rate =
        span > 0 ? static_cast<double>(p.step - (last_step_ < 0 ? p.first_step : last_step_)) / span : 0;
    steps_per_second_ =
        last_step_ < 0 ? rate : steps_per_second_ + (rate - steps_per_second_) * std::min(1.0, span / 3);
    last_seconds_ = p.seconds;
    last_step_ = p.step;

    const double fraction = p.last_step > 0 ? static_cast<double>(p.step) / static_cast<double>(p.last_step) : 1;
    const std::string text = fmt::format("t = {:.4g} of {:.4g} s, {} grain-steps/s, {} left", p.time, p.until,
                                         short_number(steps_per_second_ * static_cast<double>(p.grains)),
                                         clock_text(static_cast<double>(p.last_step - p.step) / steps_per_second_));
    if (!terminal_) {
        if (p.seconds < next_line_) return;
        next_line_ = p.seconds + line_interval;
        tell(fmt::format("{:3.0f} %  {}, {} grains\n", 100 * fraction, text, p.grains));
        return;
    }
    const int room = std::clamp(terminal_width() - static_cast<int>(text.size()) - 11, 0, 40);
    const int full = static_cast<int>(fraction * room);
    std::string bar;
    if (room >= 8)
        bar = fmt::format("{}{:#<{}}{}{:.<{}} ", color_ ? "\x1b[32m" : "", "", full, color_ ? "\x1b[0m" : "", "",
                          room - full);
    tell(fmt::format("\r{:3.0f} % {} {}\x1b[K", 100 * fraction, bar, text));
    bar_shown_ = true;
}

void ProgressDisplay::finish() {
    if (bar_shown_) tell("\r\x1b[K");
    bar_shown_ = false;
}

}  // namespace scree::app
