// What moves the grains of a setting through time: soft contacts in steps (soft_engine.h), or hard ones from collision
// to collision in beats (event_engine.h). A Simulation holds one, and never asks which.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "engine/setting.h"
#include "world/contact_list.h"
#include "world/reports.h"

namespace scree {

class Engine {
  public:
    using VisitContact = std::function<void(const ContactView&)>;

    virtual ~Engine() = default;

    // Readies new grains for the first step; or those of a checkpoint, with the memory of their contacts.
    virtual void start() = 0;
    virtual void restore(const ContactMemory& contacts) = 0;

    // From world.step to the next. Throws Error(invalid) when it cannot go on.
    virtual void step() = 0;
    // Ends the step under way, so that forces of this time are known and velocities are those of its end.
    virtual void synchronise() = 0;
    // After velocities or forces have been changed from outside, between two steps.
    virtual void forces_anew() = 0;
    // After how many steps grains are checked, removed and poured in.
    virtual std::int64_t upkeep_interval() const = 0;
    // Throws Error(invalid) when grains are too fast for contacts to be seen.
    virtual void check_speeds() const = 0;

    // Between detach() and attach() grains change their places, come and go; contacts are known by identity.
    virtual ContactMemory detach() = 0;
    virtual void attach(const ContactMemory& contacts) = 0;
    // Grains have been added, from this one on.
    virtual void added(std::size_t first) = 0;

    virtual double rotational_energy(std::size_t g) const = 0;
    virtual ContactMemory contact_memory() = 0;
    virtual std::size_t contact_count() const = 0;
    virtual void each_contact(const VisitContact& visit) const = 0;  // in canonical order
    virtual NeighborReport neighbors() const = 0;
    virtual std::int64_t neighbor_changes() const { return 0; }
    virtual std::optional<EventReport> events() const { return {}; }
    // For tests: skins and moments of refreshes drawn at random.
    virtual void disturb_search(std::uint64_t) {}
};

// The engine that the scene asks for. Chooses the time step.
std::unique_ptr<Engine> make_engine(Setting& setting, const SearchOptions& search);

}  // namespace scree
