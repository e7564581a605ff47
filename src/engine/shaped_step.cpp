// The step of scenes with grains that are not spheres, and what else of a simulation differs for them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/parts.h"
#include "math/elementary.h"
#include "scree/error.h"

namespace scree {

void Simulation::Parts::shaped_step() {
    {
        PhaseTimer timer(profile, Phase::collide_kick_move);
        if (synchronised)
            shaped->move(world.grains, motion);
        else
            shaped_forces(true);
    }
    synchronised = false;
    {
        PhaseTimer timer(profile, Phase::walls);
        ++world.step;
        move_walls();
        turn_gravity(world.time());
    }
    {
        PhaseTimer timer(profile, Phase::refresh);
        shaped->update(world.grains, walls);
    }
    check_overlap();
}

void Simulation::Parts::shaped_forces(bool move_on) {
    shaped->collide(world.grains, walls);
    account(move_on ? shaped->kick_and_move(world.grains, motion) : shaped->kick(world.grains, motion));
    world.max_overlap = std::max(world.max_overlap, shaped->max_overlap());
    load_walls();
    if (!std::isfinite(world.energy.contact_work)) check_grains();
}

ContactMemory Simulation::Parts::detach_contacts() {
    return shaped ? shaped->detach(world.grains) : contacts->detach(world.grains);
}

void Simulation::Parts::attach_contacts(const ContactMemory& memory) {
    if (shaped)
        shaped->attach(world.grains, memory);
    else
        contacts->attach(world.grains, memory);
    require_refresh();
}

void Simulation::Parts::require_refresh() {
    if (shaped) shaped->require_refresh();
    refresh->require();
}

double Simulation::Parts::rotational_energy(std::size_t g) const {
    if (shaped) return shaped->rotational_energy(world.grains, g);
    const Vec3 rim{world.grains.spin[g].x, world.grains.spin[g].y, world.grains.spin[g].z};
    return 0.5 * motion.inertia_factor * norm2(rim) / world.grains.row[g].inverse_mass;
}

void Simulation::Parts::refuse_sunk_shapes() {
    const auto of_wall = [&](std::uint32_t id, std::int32_t wall) {
        return fmt::format("grain {} and wall \"{}\"", id, scene.walls[static_cast<std::size_t>(wall)].name);
    };
    const ShapedContacts::AtWall passing = shaped->passing(), deepest = shaped->deepest();
    std::string who = !shaped->sunk().empty() || passing.wall < 0 ? shaped->sunk() : of_wall(passing.id, passing.wall);
    double worst = 0;
    if (who.empty() && deepest.wall >= 0) who = of_wall(deepest.id, deepest.wall);
    if (who.empty())
        shaped->each_view(world.grains, walls, [&](const ContactView& view) {
            if (view.overlap <= worst) return;
            worst = view.overlap;
            who = view.wall >= 0 ? of_wall(view.a, view.wall) : fmt::format("grains {} and {}", view.a, view.b);
        });
    const std::string how =
        !shaped->sunk().empty() ? std::string(
                                      "overlap past their rounding radii: the skeletons inside them have met, and no "
                                      "distance tells how to part them")
        : passing.wall >= 0
            ? fmt::format(
                  "overlap by {:.3g} of the rounding radius: past it the grain would be on the other side of the sheet",
                  shaped->max_overlap())
            : fmt::format(
                  "overlap by {:.3g} of the smaller rounding radius; the limit is {:.3g} (simulation.overlap_limit)",
                  shaped->max_overlap(), scene.overlap_limit);
    throw Error(ErrorKind::invalid, fmt::format("at t = {:.6g} s {} {}. Choose a shorter contact_time or a larger "
                                                "young's modulus, or round the shapes more",
                                                world.time(), who.empty() ? "two grains" : who, how));
}

// Makes the shapes if a group has one or grains that have are there already (`wanted`), and for placing a copy of the
// scene in which every shaped group is one of balls around its grains.
void Simulation::Parts::prepare_shapes(bool wanted) {
    const bool any = std::any_of(scene.grains.begin(), scene.grains.end(), [&](const GrainGroup& group) {
        const std::uint16_t number = ShapeTable::number_of(scene, group);
        return number > 0;
    });
    if (!any && !(wanted && !scene.shapes.empty())) return;
    shapes = std::make_shared<ShapeTable>(scene);
    placing_scene = scene;
    for (GrainGroup& group : placing_scene.grains) {
        const std::uint16_t number = ShapeTable::number_of(scene, group);
        if (number == 0) continue;
        const double reach = shapes->reach(number);
        group.radius = group.scale;
        group.radius.first *= reach;
        if (group.scale.kind != RadiusDistribution::Kind::lognormal) group.radius.second *= reach;
        for (auto& [size, part] : group.radius.table) size *= reach;
    }
}

}  // namespace scree
