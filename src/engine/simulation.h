// A simulation: a scene brought to life. Owns the world, the walls, the neighborhood and the contacts, and steps them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scree/scene.h"
#include "world/contact_list.h"
#include "world/phase.h"
#include "world/reports.h"
#include "world/world.h"

namespace scree {

struct Shape;
class ShapeTable;
class Workers;

class Simulation {
  public:
    struct Restart {
        World world;
        ContactMemory contacts;
    };
    // What a run takes over from another one (Scene::start_from): its grains and their contacts. Time starts at 0
    // again. Indices in world and contacts refer to these names; grains of unknown groups keep their group under its
    // old name.
    struct Inherited : Restart {
        std::vector<std::string> materials, groups, walls;
    };
    // Places the grains of the scene (after the inherited ones, if any).
    // Throws Error(bad_input), located, for overlapping placements, regions that cannot hold what is asked, a time step
    // past stability, and the like.
    explicit Simulation(Scene scene, std::optional<Inherited> inherited = {}, const SearchOptions& search = {});
    // Continues exactly: same scene, state of a checkpoint.
    Simulation(Scene scene, Restart state, std::vector<std::string> groups, const SearchOptions& search = {});
    ~Simulation();

    const Scene& scene() const;
    const World& world() const;  // forces of the current time may still be due: see synchronised_world()
    const std::vector<std::string>& group_names() const;  // by Grains::group
    double time() const;
    std::int64_t step_count() const;
    const TimeStepChoice& time_step() const;
    // Number of steps that reach `time` (the first step whose time is >= time, up to rounding).
    std::int64_t steps_until(double time) const;

    // One step; of the event engine, one beat (engine/hard.h). Throws Error(invalid) when the state becomes NaN, a
    // grain escapes or an overlap passes the limit.
    void step();

    // All below describe the state after the last step, with velocities synchronised.
    EnergyReport energy();
    std::vector<WallReport> walls();
    std::vector<ContactView> contacts();  // touching ones, in canonical order
    // The same one by one, without the memory of a list.
    void each_contact(const std::function<void(const ContactView&)>& visit);
    std::size_t contact_count();
    ContactMemory contact_memory();
    NeighborReport neighbors() const;
    std::optional<EventReport> events() const;  // engine "events" only
    // How often "auto" has changed the neighborhood.
    std::int64_t neighbor_changes() const;
    const Profile& profile() const;
    Profile& profile();
    // Its threads, for those who work on what it shows: as many as thread_count() was when it was made.
    Workers& workers();
    std::string state_hash();
    // Shapes of grains by Grains::shape, 0 the unit sphere; empty when all grains are spheres.
    std::vector<const Shape*> shapes() const;
    // The same, with what is built when asked for; null when all grains are spheres. Cutting meshes into pieces takes
    // time, so whoever needs it longer than the simulation lives may keep it.
    std::shared_ptr<const ShapeTable> shape_table() const;
    // World with velocities of the end of the step, for frames and checkpoints.
    const World& synchronised_world();
    // Triangles of a wall as it stands now, for frames: points, and indices of triangles (3D) or segments (2D).
    struct WallMesh {
        std::vector<Vec3> points;
        std::vector<std::array<int, 3>> triangles;
        std::vector<std::array<int, 2>> segments;
    };
    WallMesh wall_mesh(std::size_t wall) const;

    // For tests: draws the skins and the moments of refreshes at random, which must not change a bit of any result.
    void disturb_search(std::uint64_t seed);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace scree
