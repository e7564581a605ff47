// What a Simulation consists of; only the files of src/engine that implement it include this.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "engine/engine.h"
#include "engine/schedule.h"
#include "engine/setting.h"
#include "engine/simulation.h"

namespace scree {

struct Simulation::Parts : Setting {
    Parts(Scene given, bool shapes_wanted) : Setting(std::move(given)) { prepare_shapes(shapes_wanted); }

    Workers workers;
    std::unique_ptr<Engine> engine;  // as soon as the first grains are in place

    // What a host program wants to be called for (run_until.cpp), and what is kept for it.
    struct Look {
        Schedule schedule;
        std::int64_t next;
        std::function<void(Simulation&)> call;
    };
    std::deque<Look> looks;  // a look may add another
    bool looking = false, stopped = false;
    std::map<std::string, std::vector<double>> measure_memory;  // of measures over time, by what was asked for
    std::vector<std::array<double, 4>> given_orientation;       // of grains(), in the axes in which shapes are given

    void advance();  // by one step
    // Ends the step under way, before anybody looks.
    void synchronise() {
        const WorkersScope scope(workers);
        engine->synchronise();
        if (edit) book_edit();
    }

    // What a host program does to the grains (outside.cpp): velocities as they were when it was given them to write.
    struct Edit {
        std::vector<Vec3> velocity, rim;
        double elastic = 0;  // stored in contacts
    };
    std::optional<Edit> edit;
    void book_edit();
    double stored_in_contacts() const;
    void hold(std::vector<Vec3> Grains::*what, const char* name, std::span<const Vec3> by_rising_id);
    std::vector<Vec3> held(const std::vector<Vec3>& by_row);
    double energy_of_grain(std::size_t g) const;
    EnergyReport energy_report() const;  // of a state that has been synchronised

    // Of a run whose step is past the cautious limit (upkeep.cpp).
    void watch_account();
    std::optional<EnergyReport> watched;  // at the first look

    // Grains at the start (settle_in.cpp).
    ContactMemory inherit(Inherited&& from);
    void place_grains();
    std::size_t add_grain(std::size_t group, Vec3 position, double radius, Vec3 velocity, Vec3 spin,
                          std::optional<Quaternion> orientation = {});
    // The same for what a group places at a point: of glued clusters all their spheres. Returns the first one.
    std::size_t add_body(std::size_t group, Vec3 position, double radius, Vec3 velocity, Vec3 spin,
                         std::optional<Quaternion> orientation = {});

    // Of them those that are not spheres (place_bodies.cpp).
    void take_over_shapes();
    void place_shapes_exactly(std::size_t group);
    void add_pose(std::size_t group, std::uint16_t shape, double scale, double mass, Vec3 spin,
                  std::optional<Quaternion> orientation);
    Quaternion orientation_at_start(std::size_t group, Index id) const;

    // Between steps (upkeep.cpp).
    void upkeep();
    void remove_outflow();
    void pour();
    void sort();
    template <class Change>
    void rearrange(Change&& change);
};

}  // namespace scree
