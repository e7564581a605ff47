// Work that takes long and is no run of steps, such as placing many grains: it says from time to time how far it is,
// and whoever listens may end it by an exception.
//
//     const LongWorkScope scope([](const std::string& text) { std::cerr << text << '\n'; });
//     Simulation simulation(scene);  // "placing 'sand': 1200 of 100000 grains"
#pragma once

#include <functional>
#include <string>

namespace scree {

using LongWorkListener = std::function<void(const std::string& text)>;

// Listens to the work of this thread while it lives; the innermost one hears.
class LongWorkScope {
  public:
    explicit LongWorkScope(LongWorkListener listener);
    ~LongWorkScope();
    LongWorkScope(const LongWorkScope&) = delete;
    LongWorkScope& operator=(const LongWorkScope&) = delete;

  private:
    LongWorkListener listener_;
    LongWorkScope* before_;
    friend void tell_long_work(const std::string& text);
};

// Whether somebody listens and has heard nothing for a fifth of a second. The clock reaches no result.
bool long_work_is_due();
void tell_long_work(const std::string& text);

// To be called often: makes the text only when it is due.
template <class Text>
void long_work(Text&& text) {
    if (long_work_is_due()) tell_long_work(text());
}

}  // namespace scree
