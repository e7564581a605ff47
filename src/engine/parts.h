// What a Simulation consists of; only the files of src/engine that implement it include this.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "contact/materials.h"
#include "core/parallel.h"
#include "engine/contacts.h"
#include "engine/hard.h"
#include "engine/integrate.h"
#include "engine/refresh.h"
#include "engine/schedule.h"
#include "engine/shaped.h"
#include "engine/simulation.h"
#include "neighbor/neighborhood.h"
#include "wall/walls.h"

namespace scree {

struct Simulation::Parts {
    explicit Parts(Scene given);

    Workers workers;
    Scene scene;
    World world;
    std::vector<std::string> group_names;
    MaterialTable materials;
    Walls walls;
    MotionParameters motion;
    TimeStepChoice time_step{};
    std::optional<Contacts> contacts;
    std::optional<Refresh> refresh;
    std::unique_ptr<Hard> hard;  // engine "events"; then there are no contacts and no refresh
    // Scenes with grains that are not spheres: these serve in place of contacts and refresh.
    std::shared_ptr<const ShapeTable> shapes;
    std::optional<ShapedContacts> shaped;
    Scene placing_scene;  // the scene with balls around its shapes, for placing
    SearchOptions search;
    Profile profile;
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
    bool synchronised = true;  // the forces of this time are known and velocities are those of the end of the step

    // Set-up (settle_in.cpp, simulation.cpp).
    ContactMemory inherit(Inherited&& from);
    void place_grains();
    void choose_time_step();
    void begin();  // after the grains are in place
    void first_forces();
    void check_period(double radius) const;
    void first_wall_loads();

    // Parts of the step (step.cpp).
    void advance();
    void synchronise();
    template <class FinishChunk>
    void collide(FinishChunk&& finish_chunk);
    void account(const KickPowers& powers);
    void move_walls();
    void load_walls();
    void turn_gravity(double time);
    void check_overlap();

    // The event engine (hard.cpp).
    void begin_hard();
    void choose_beat();
    void choose_cutoff();
    void refuse_overlap() const;
    void beat();
    EventReport event_report() const;

    // Between steps (upkeep.cpp).
    void upkeep();
    void check_grains() const;
    void remove_outflow();
    void pour();
    void sort();
    template <class Change>
    void rearrange(Change&& change);
    std::size_t add_grain(std::size_t group, Vec3 position, double radius, Vec3 velocity, Vec3 spin,
                          std::optional<Quaternion> orientation = {});
    // The same for what a group places at a point: of glued clusters all their spheres. Returns the first one.
    std::size_t add_body(std::size_t group, Vec3 position, double radius, Vec3 velocity, Vec3 spin,
                         std::optional<Quaternion> orientation = {});
    Quaternion orientation_at_start(std::size_t group, Index id) const;

    // Grains that are not spheres (shaped_step.cpp, shaped_placing.cpp).
    void prepare_shapes(bool wanted);
    void take_over_shapes();
    void place_shapes_exactly(std::size_t group);
    void refuse_sunk_shapes();
    void shaped_step();
    void shaped_forces(bool move_on);
    ContactMemory detach_contacts();
    void attach_contacts(const ContactMemory& memory);
    void require_refresh();
    double rotational_energy(std::size_t g) const;
    double energy_of_grain(std::size_t g) const;
    Vec3 unwrapped(std::size_t g) const;
    Vec3 wrapped(Vec3 position) const;  // into the periodic intervals
};

// Grains are checked, removed, poured in and sorted at these step numbers, never at refreshes, so that the search for
// neighbors cannot reach the order of a sum.
constexpr std::int64_t upkeep_interval = 64, sort_interval = 2048;

}  // namespace scree
