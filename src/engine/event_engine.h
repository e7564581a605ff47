// The event engine (engine = "events"): the world's grains as hard bodies, moved beat by beat (events/dynamics.h).
//
// What is a step for the soft engine is a beat here: a span at whose end all grains are brought to one time, positions
// are wrapped, grains come and go, and outputs may be written. Between beats nothing but the world exists, so a
// checkpoint is the world, and time counts from the start of the beat: after an hour it is as exact as at the
// beginning. Contacts there are none.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "events/dynamics.h"

namespace scree {

class EventEngine final : public Engine {
  public:
    explicit EventEngine(Setting& setting);

    void start() override {}
    void restore(const ContactMemory&) override {}
    void step() override;
    void synchronise() override {}
    void forces_anew() override {}
    std::int64_t upkeep_interval() const override { return 1; }
    void check_speeds() const override {}

    ContactMemory detach() override { return {}; }
    void attach(const ContactMemory&) override {}
    void added(std::size_t first) override;

    double rotational_energy(std::size_t g) const override;
    ContactMemory contact_memory() override { return {}; }
    std::size_t contact_count() const override { return 0; }
    void each_contact(const VisitContact&) const override {}
    NeighborReport neighbors() const override;
    std::optional<EventReport> events() const override;

  private:
    void choose_beat();
    void choose_cutoff();
    void refuse_overlap() const;

    Setting& s_;
    std::unique_ptr<events::HardDynamics> dynamics_;
    std::vector<events::HardGrain> grains_;  // as the rows of the world, during a beat
    std::string method_, method_reason_, cutoff_reason_;
    double cutoff_ = 0;
    std::int64_t beats_ = 0;
};

}  // namespace scree
