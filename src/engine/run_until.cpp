// A simulation in the hands of a host program: steps to a time, and calls on the way.
#include <fmt/format.h>

#include "engine/parts.h"
#include "engine/remarks.h"
#include "scree/error.h"

namespace scree {
namespace {

// True while a look is being called, whatever it throws.
class Looking {
  public:
    explicit Looking(bool& looking) : looking_(looking) { looking_ = true; }
    ~Looking() { looking_ = false; }
    Looking(const Looking&) = delete;
    Looking& operator=(const Looking&) = delete;

  private:
    bool& looking_;
};

}  // namespace

void Simulation::step() {
    Parts& s = *parts_;
    if (s.looking)
        throw Error(ErrorKind::usage, "what every() calls may look at a simulation, but not step it: it is in a step");
    s.stopped = false;
    s.advance();
    for (std::size_t k = 0; k < s.looks.size(); ++k) {
        Parts::Look& look = s.looks[k];
        if (s.world.step < look.next) continue;
        look.next = look.schedule.next_after(s.world.step);
        const Looking looking(s.looking);
        look.call(*this);
    }
}

void Simulation::run_until(double time) {
    for (const std::int64_t last = steps_until(time); step_count() < last;) {
        step();
        if (stopped()) return;
    }
}

void Simulation::run() { run_until(scene().duration); }

void Simulation::stop() { parts_->stopped = true; }

bool Simulation::stopped() const { return parts_->stopped; }

void Simulation::every(double seconds, std::function<void(Simulation&)> look) {
    if (!(seconds > 0)) throw Error(ErrorKind::usage, fmt::format("every({} s): the interval must be > 0", seconds));
    const Schedule schedule(seconds, parts_->world.time_step);
    parts_->looks.push_back({schedule, schedule.next_after(step_count()), std::move(look)});
}

std::vector<std::string> Simulation::remarks() const { return scree::remarks(*this); }

std::vector<double>& Simulation::measure_memory(const std::string& request) { return parts_->measure_memory[request]; }

}  // namespace scree
