// The phases of a step: one list for timers, profile columns and documents. Where a sweep fuses phases for speed, its
// name lists them.
#pragma once

#include <array>
#include <chrono>

namespace scree {

enum class Phase { move, walls, refresh, collide_kick_move, events, observe, count };

constexpr std::array<const char*, static_cast<std::size_t>(Phase::count)> phase_names = {
    "move", "walls", "refresh", "collide+force+gather+kick+move", "events", "observe"};

struct Profile {
    std::array<double, static_cast<std::size_t>(Phase::count)> seconds{};
};

// Adds the time from construction to destruction to one phase.
class PhaseTimer {
  public:
    PhaseTimer(Profile& profile, Phase phase) : seconds_(profile.seconds[static_cast<std::size_t>(phase)]) {}
    ~PhaseTimer() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
    PhaseTimer(const PhaseTimer&) = delete;
    PhaseTimer& operator=(const PhaseTimer&) = delete;

  private:
    double& seconds_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace scree
