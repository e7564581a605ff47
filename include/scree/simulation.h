// A simulation: a scene brought to life, and stepped.
//
//     scree::Simulation silo(scree::read_scene("silo.toml"));
//     silo.every(0.05, [](scree::Simulation& now) { std::printf("%g s, %g J\n", now.time(), now.energy().kinetic); });
//     silo.run_until(2.0);
//
// It is computed as the command computes it, to the last bit, for any number of threads. All that the scene asks for is
// done but files: nothing is written unless run_into_folder() (scree/run.h) or save() is called, and nothing is
// printed.
//
// Time is always `step_count() * time_step().value`. What the members below tell is the state after the last step, with
// positions, velocities and forces of the same time. Looking changes no result; the first look after a step costs the
// forces of that step, which the next step then need not compute.
//
// A simulation is used by one thread of the host at a time; several may live in several threads (scree/threads.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scree/contacts.h"
#include "scree/export.h"
#include "scree/grains.h"
#include "scree/measure.h"
#include "scree/scene.h"

namespace scree {

struct TimeStepChoice {
    double value;        // s, as used
    double automatic;    // what "auto" gives
    double stable;       // past it a packing may be unstable: the energy account is watched
    double possible;     // limit past which a scene is refused
    std::string reason;  // which contact limits it
};

// The contact_time of materials that leave it open.
struct ContactTimeChoice {
    double value = 0;    // s; 0: none does
    std::string reason;  // what it is made for
};

// Energies in joule at the current time. total() stays constant but for the errors of integration.
struct EnergyReport {
    double kinetic = 0, rotational = 0;  // kinetic includes rotational
    double potential = 0, elastic = 0, dissipated = 0;
    // Parts of dissipated: by sliding friction; by global damping (Scene::damping, rotation_damping), dashpots of
    // contacts not included.
    double dissipated_sliding = 0, dissipated_damping = 0;
    double wall_work = 0, gravity_work = 0, poured = 0, removed = 0;
    double external_work = 0;  // by set_forces(), set_torques() and edit_motion()
    double total() const {
        return kinetic + potential + elastic + dissipated - wall_work - gravity_work - poured + removed - external_work;
    }
};

// A wall of the scene, or the copy of one beyond a periodic border (NAME_high_x, ...).
struct WallReport {
    std::string name;
    bool open = false;    // it has disappeared (Wall::open_at)
    bool moving = false;  // it has a motion
    Vec3 force, torque;   // N and N m, of the grains on the wall; torque about its reference point
    Vec3 displacement;    // m, of a moving wall or piston
    Vec3 velocity;        // m/s
};

// The types of the library's own members below; they are not installed.
struct World;
struct ContactMemory;
struct NeighborReport;
struct EventReport;
struct SearchOptions;
struct Shape;
class ShapeTable;
struct Profile;
class Workers;

class Simulation {
  public:
    // Places the grains, after those of the run that Scene::start_from names; continues walls beyond periodic borders;
    // chooses the time step; computes the first forces. Takes some microseconds per grain, and long for dense random
    // placements. Throws Error(bad_input), located in the scene's file, for placements that overlap, regions that
    // cannot hold what is asked, a time step past stability, and the like; Error(file) for files that cannot be read.
    SCREE_EXPORT explicit Simulation(Scene scene);
    SCREE_EXPORT ~Simulation();
    SCREE_EXPORT Simulation(Simulation&&) noexcept;
    SCREE_EXPORT Simulation& operator=(Simulation&&) noexcept;

    // Goes on from a checkpoint, or from the last good one of a run folder: the same bits as without the stop.
    // Throws Error(bad_input) when there is none, Error(file) when it cannot be read or is damaged.
    SCREE_EXPORT static Simulation load(const std::string& checkpoint_or_run_folder);
    // Writes a checkpoint: the scene and all that the next step reads. Written whole under a temporary name, then
    // renamed. What every() was told is not in it. Throws Error(file).
    SCREE_EXPORT void save(const std::string& checkpoint);

    // ---- Going on ----

    // One step (with engine "events" one beat, docs/events.md), then what every() is due.
    // Throws Error(invalid) when a number is no longer finite, a grain escapes or an overlap passes the limit; the
    // simulation can then be looked at, but not stepped.
    SCREE_EXPORT void step();
    // Steps to the first time that is not before `time` (s), up to rounding, or until stop(). Does nothing when that
    // time has passed. Throws as step(), and Error(bad_input) for a time that is too many steps away (1e15).
    SCREE_EXPORT void run_until(double time);
    // To the duration of the scene.
    SCREE_EXPORT void run();
    // Ends run_until() or run() after this step; to be called from what every() calls. The next run goes on.
    SCREE_EXPORT void stop();
    SCREE_EXPORT bool stopped() const;  // the last run was ended by stop()

    // From now on calls `look` after the steps nearest to the multiples of `seconds`, as frames are written, on the
    // thread that steps. It may look at everything, but not step. What it throws comes out of step() or run_until();
    // the simulation stays good. Throws Error(usage) unless seconds > 0.
    SCREE_EXPORT void every(double seconds, std::function<void(Simulation&)> look);

    // ---- Looking ----

    SCREE_EXPORT const Scene& scene() const;  // with the copies of walls beyond periodic borders
    SCREE_EXPORT double time() const;         // s
    SCREE_EXPORT std::int64_t step_count() const;
    SCREE_EXPORT const TimeStepChoice& time_step() const;
    SCREE_EXPORT const ContactTimeChoice& contact_time() const;
    // Number of steps that reach `time`: the first step whose time is not before it, up to rounding.
    SCREE_EXPORT std::int64_t steps_until(double time) const;
    // Names of groups by Grain::group: those of the scene, then groups of the run it started from.
    SCREE_EXPORT const std::vector<std::string>& group_names() const;
    // What is odd about the scene without being wrong, in sentences.
    SCREE_EXPORT std::vector<std::string> remarks() const;

    // Without copying; valid until the next step.
    SCREE_EXPORT GrainArrays grains();
    // Those that touch, copied, in an order that depends on the state alone. With engine "events" there are none.
    SCREE_EXPORT std::vector<ContactView> contacts();
    SCREE_EXPORT std::size_t contact_count();
    SCREE_EXPORT std::vector<WallReport> walls();  // as scene().walls
    SCREE_EXPORT EnergyReport energy();
    // scree/measure.h. Measures over time remember what they saw each time they were asked for with the same text.
    SCREE_EXPORT Table measure(const std::string& what);
    // 16 hexadecimal digits of the positions, velocities, spins and orientations of all grains in the order of their
    // ids: the state_hash of run.json.
    SCREE_EXPORT std::string hash();

    // ---- Acting ----
    //
    // What a host program does is booked as external_work, so that the energy account still closes, and run.json says
    // that the run was edited. Checkpoints hold the forces.

    // Forces in N and torques in N m that act on grains from now on beside gravity and contacts, until they are set
    // anew; one for each grain, in the order of rising ids. Grains that are poured in later have none. To be set
    // between steps or in what every() calls; costs about a step. Throws Error(usage) for another number of them, for
    // numbers that are not finite, and with engine "events".
    SCREE_EXPORT void set_forces(std::span<const Vec3> by_rising_id);
    SCREE_EXPORT void set_torques(std::span<const Vec3> by_rising_id);
    SCREE_EXPORT std::vector<Vec3> forces() const;
    SCREE_EXPORT std::vector<Vec3> torques() const;
    // The velocities, to be written; in the order of grains(), valid until the next step, which books what has changed,
    // as does every look. Fixed grains stay. Costs a copy of the velocities. A number that is not finite takes the
    // whole change back and is thrown as Error(usage) by that step or look.
    SCREE_EXPORT MotionArrays edit_motion();
    SCREE_EXPORT bool edited() const;  // any of this was done, in this run or before its checkpoint

    // ---- For the library's own sources ----

    struct Restart;    // the state of a checkpoint
    struct Inherited;  // what is taken over from another run
    struct WallMesh;
    Simulation(Scene scene, std::optional<Inherited> inherited, const SearchOptions& search);
    Simulation(Scene scene, std::optional<Inherited> inherited);
    Simulation(Scene scene, Restart state, std::vector<std::string> groups, const SearchOptions& search);
    Simulation(Scene scene, Restart state, std::vector<std::string> groups);
    const World& world() const;
    const World& synchronised_world();
    void each_contact(const std::function<void(const ContactView&)>& visit);
    ContactMemory contact_memory();
    NeighborReport neighbors() const;
    std::optional<EventReport> events() const;
    std::int64_t neighbor_changes() const;
    const Profile& profile() const;
    Profile& profile();
    Workers& workers();
    std::vector<const Shape*> shapes() const;
    std::shared_ptr<const ShapeTable> shape_table() const;
    WallMesh wall_mesh(std::size_t wall) const;
    void disturb_search(std::uint64_t seed);

  private:
    std::vector<double>& measure_memory(const std::string& request);
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace scree
