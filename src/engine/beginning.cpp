// The beginning of a simulation: from a scene, an earlier run or a checkpoint; and how it goes from step to step.
#include "engine/simulation.h"

#include "core/parallel.h"
#include "engine/event_engine.h"
#include "engine/parts.h"
#include "engine/soft_engine.h"
#include "engine/time_step.h"
#include "scree/error.h"

namespace scree {

std::unique_ptr<Engine> make_engine(Setting& setting, const SearchOptions& search) {
    if (setting.scene.engine == "events") return std::make_unique<EventEngine>(setting);
    return std::make_unique<SoftEngine>(setting, search);
}

static std::optional<Simulation::Inherited> start_of(const Scene& scene) {
    if (!scene.start_from) return {};
    if (!read_start) throw Error(ErrorKind::run_time, "this program has no reader of checkpoints to start from");
    return read_start(scene);
}

Simulation::Simulation(Scene scene) : Simulation(scene, start_of(scene)) {}

Simulation::Simulation(Scene scene, std::optional<Inherited> inherited)
    : Simulation(std::move(scene), std::move(inherited), SearchOptions{}) {}

Simulation::Simulation(Scene scene, Restart state, std::vector<std::string> groups)
    : Simulation(std::move(scene), std::move(state), std::move(groups), SearchOptions{}) {}

Simulation::Simulation(Scene scene, std::optional<Inherited> inherited, const SearchOptions& search)
    : parts_(std::make_unique<Parts>(std::move(scene), inherited && inherited->world.grains.shaped())) {
    Parts& s = *parts_;
    const WorkersScope scope(s.workers);
    ContactMemory contacts;
    if (inherited) contacts = s.inherit(std::move(*inherited));
    s.place_grains();
    s.engine = make_engine(s, search);
    check_duration(s.scene, s.time_step);
    s.engine->attach(contacts);
    s.sort();
    s.engine->start();
}

Simulation::Simulation(Scene scene, Restart state, std::vector<std::string> groups, const SearchOptions& search)
    : parts_(std::make_unique<Parts>(std::move(scene), state.world.grains.shaped())) {
    Parts& s = *parts_;
    const WorkersScope scope(s.workers);
    s.world = std::move(state.world);
    s.group_names = std::move(groups);
    s.scene.time_step = s.world.time_step;
    s.engine = make_engine(s, search);
    s.engine->restore(state.contacts);
}

Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

void Simulation::Parts::advance() {
    const WorkersScope scope(workers);
    if (edit) {
        book_edit();
        edit.reset();
    }
    if (world.step % engine->upkeep_interval() == 0) upkeep();
    engine->step();
}

}  // namespace scree
