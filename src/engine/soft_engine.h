// The soft engine: grains that overlap and push each other apart, in steps (step.cpp).
//
//   lists_     what may touch                        lists.h
//   dynamics_  points, law, sums and motion          dynamics.h, families/
#pragma once

#include <memory>
#include <vector>

#include "engine/dynamics.h"
#include "engine/engine.h"
#include "engine/lists.h"

namespace scree {

class SoftEngine final : public Engine {
  public:
    SoftEngine(Setting& setting, const SearchOptions& search);

    void start() override;
    void restore(const ContactMemory& contacts) override;
    void step() override;
    void synchronise() override;
    void forces_anew() override;
    // Grains are checked, removed, poured in and sorted at fixed step numbers, never at refreshes, so that the search
    // for neighbors cannot reach the order of a sum.
    std::int64_t upkeep_interval() const override { return 64; }
    void check_speeds() const override;

    ContactMemory detach() override { return dynamics_->detach(s_.world.grains); }
    void attach(const ContactMemory& contacts) override;
    void added(std::size_t first) override;

    double rotational_energy(std::size_t g) const override {
        return dynamics_->rotational_energy(s_.world.grains, s_.motion, g);
    }
    ContactMemory contact_memory() override { return dynamics_->memory(s_.world.grains); }
    std::size_t contact_count() const override { return contacts_.contacts; }
    void each_contact(const VisitContact& visit) const override {
        dynamics_->each_view(s_.world.grains, s_.walls, visit);
    }
    NeighborReport neighbors() const override;
    std::int64_t neighbor_changes() const override { return lists_.changes(); }
    void disturb_search(std::uint64_t seed) override { lists_.disturb(seed); }

  private:
    void collide(Ending ending);
    KickPowers sweep(Ending ending, const MotionParameters& motion);
    void move();
    void account(const KickPowers& powers, double wall_power);
    void move_walls();
    void turn_gravity();
    void refresh() { lists_.update(s_.world.grains, s_.walls, *dynamics_); }
    double take_wall_loads(double begin, double end);
    void check() const { dynamics_->check(s_.world, s_.scene, s_.walls, contacts_.max_overlap); }

    Setting& s_;
    std::unique_ptr<Dynamics> dynamics_;
    Lists lists_;
    ContactReport contacts_;          // of the last sweep
    std::vector<KickPowers> powers_;  // of its blocks
    bool loses_at_once_ = true;       // all laws, see contact/law.h
    double least_depth_ = forever;    // of all grains so far, see wall_jumps.h
    std::vector<WallState> walls_before_;
    bool synchronised_ = true;  // the forces of this time are known and velocities are those of the end of the step
};

}  // namespace scree
