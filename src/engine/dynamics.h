// What the grains of a scene do to each other and how they answer, block by block: the contact families, the sums of
// their forces, and the motion. The step (step.cpp), the lists (lists.h) and observers go through this; behind it are
// spheres with two families (sphere_dynamics.h) or bodies of any shape with five (body_dynamics.h).
#pragma once

#include <functional>
#include <vector>

#include "engine/integrate.h"
#include "engine/near_lists.h"
#include "engine/rows.h"
#include "neighbor/pair_search.h"
#include "wall/walls.h"
#include "world/contact_list.h"
#include "world/world.h"

namespace scree {

// What ends a block's step: forces become velocities. It may begin the next one at once.
enum class Ending { kick, kick_and_move };

// Contacts in the last sweep.
struct ContactReport {
    std::size_t contacts = 0;
    double max_overlap = 0;
    std::vector<WallLoad> loads;  // by wall
};

class Dynamics {
  public:
    explicit Dynamics(std::size_t most_in_block) : blocks_(most_in_block), rows_(most_in_block) {}
    virtual ~Dynamics() = default;
    Dynamics(const Dynamics&) = delete;
    Dynamics& operator=(const Dynamics&) = delete;

    Rows& rows() { return rows_; }
    // How storage is cut from now on. Grains that come, go or change their places need it at once; the rows follow when
    // the lists are renewed.
    Blocks& blocks() { return blocks_; }
    const Blocks& blocks() const { return blocks_; }

    // ---- Lists
    virtual const ListRules& list_rules() const = 0;
    // `cost_of_refresh` as PairSearch::fixed_cost(): in pairs of spheres visited, per grain.
    virtual Pace pace(double cost_of_refresh) const = 0;
    // Work of a step, in pairs of spheres visited, when the last refresh was so many steps ago.
    virtual double work(std::int64_t steps) const = 0;
    // What a search is given for grains that are not spheres.
    virtual const PairSearch::Bodies* ready_for_search(const Grains&) { return nullptr; }
    // Takes over new lists; contacts keep their memory.
    virtual void renew(const Grains& grains, const Walls& walls, NearLists lists) = 0;
    // Grains have been added from this one on; the lists are renewed before they are used.
    virtual void added(const Grains&, std::size_t) {}

    // ---- A step. With a time step of 0 all memory stays as it is: forces at the start of a run.
    virtual void set_time_step(double time_step) = 0;
    // `farthest`: how far any grain has come since the lists were made.
    virtual void begin_sweep(const Grains& grains, const Walls& walls, double farthest) = 0;
    // The forces that a block owns.
    virtual void collide(const Grains& grains, const Walls& walls, std::size_t block, int worker) = 0;
    // All forces on a block are there: its grains take them. `travel` is the block's in Lists.
    virtual KickPowers finish(Grains& grains, const MotionParameters& motion, Ending ending, std::size_t block,
                              double& travel) = 0;
    // Begins a step whose forces have been taken already.
    virtual void move(Grains& grains, const MotionParameters& motion, std::size_t block, double& travel) = 0;
    virtual ContactReport end_sweep(std::size_t walls) = 0;

    // ---- Memory of contacts, by identity. After detach() grains may change their places, go and come.
    virtual ContactMemory memory(const Grains& grains) = 0;
    virtual ContactMemory detach(const Grains& grains) = 0;
    // Leaves out what is of another law or of other shapes.
    virtual void attach(const Grains& grains, const ContactMemory& memory) = 0;

    // ---- Observers
    virtual std::size_t pair_count() const = 0;  // listed
    virtual std::uint64_t queries() const { return 0; }
    virtual std::uint64_t queries_saved() const { return 0; }
    virtual double rotational_energy(const Grains& grains, const MotionParameters& motion, std::size_t g) const = 0;
    // Touching pairs with their forces as of now, in canonical order.
    virtual void each_view(const Grains& grains, const Walls& walls,
                           const std::function<void(const ContactView&)>& visit) const = 0;
    // Makes the contacts of restored grains known to observers, as the sweep before the checkpoint did; returns their
    // number.
    virtual std::size_t look(const Grains& grains, const Walls& walls) = 0;
    // Throws Error(invalid) when grains have sunk into each other or into walls farther than contact can be felt.
    virtual void check(const World& world, const Scene& scene, const Walls& walls, double max_overlap) const = 0;

  protected:
    Blocks blocks_;
    Rows rows_;
};

}  // namespace scree
