#include "engine/placing_remarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>

#include "core/located.h"
#include "engine/simulation.h"
#include "math/periodicity.h"
#include "wall/wall.h"

namespace scree {
namespace {

// Goes straight down from grains in steps that pass no wall, until one is near or all lie above.
class Plumb {
  public:
    explicit Plumb(const Scene& scene)
        : scene_(scene),
          walls_(scene),
          periodicity_(scene.periodic),
          down_(normalized(scene.gravity)) {
        const std::vector<WallState> states(scene.walls.size());
        walls_.place(states, 0, placements_);
        for (std::size_t w = 0; w < scene.walls.size(); ++w) {
            const Extent bounds = walls_.bounds(w, placements_[w]);
            double low = 0;
            for (int axis = 0; axis < scene.dimension; ++axis)
                if (down_[axis] != 0) low += down_[axis] * (down_[axis] > 0 ? bounds.high[axis] : bounds.low[axis]);
            if (std::isfinite(low) && std::fabs(low) < Extent::unbounded) lowest_ = std::max(lowest_, low);
        }
    }

    bool meets_a_wall(Vec3 x, double radius) const {
        if (on_a_plane(x)) return true;
        while (dot(x, down_) < lowest_ + radius) {
            const double reach = 4 * radius;
            const auto near = walls_.nearest(placements_, x, 0, reach);
            if (near && near->gap < radius) return true;
            x = periodicity_.wrapped(x + std::fmax(0.5 * radius, near ? near->gap : reach) * down_);
        }
        return false;
    }

  private:
    bool on_a_plane(Vec3 x) const {
        for (std::size_t w = 0; w < scene_.walls.size(); ++w)
            if (const auto* plane = std::get_if<PlaneWall>(&scene_.walls[w].shape); plane && !placements_[w].open) {
                const Vec3 normal =
                    placements_[w].direction_to_world((scene_.walls[w].outside ? -1.0 : 1.0) * plane->normal);
                if (dot(normal, down_) < 0 && dot(normal, x - placements_[w].to_world(plane->point)) > 0) return true;
            }
        return false;
    }

    const Scene& scene_;
    WallSet walls_;
    std::vector<WallPlacement> placements_;
    Periodicity periodicity_;
    Vec3 down_;
    double lowest_ = -Extent::unbounded;
};

bool falls_round_and_round(const Scene& scene) {
    for (int axis = 0; axis < scene.dimension; ++axis)
        if (scene.periodic[static_cast<std::size_t>(axis)] && scene.gravity[axis] != 0) return true;
    return false;
}

void tell_of_falling(const Simulation& simulation, std::vector<std::string>& said) {
    constexpr std::size_t looked_at = 200;
    const Scene& scene = simulation.scene();
    const Grains& grains = simulation.world().grains;
    // Fixed grains may be the floor.
    const bool floor_of_grains =
        std::any_of(grains.row.begin(), grains.row.end(), [](const GrainRow& row) { return row.inverse_mass == 0; });
    if (norm2(scene.gravity) == 0 || scene.gravity_turn || scene.outflow_region || floor_of_grains) return;
    const bool round = falls_round_and_round(scene);
    if (scene.walls.empty()) {
        said.push_back(round
                           ? "gravity acts along a periodic axis and there are no walls: grains fall round and round, "
                             "ever faster"
                           : "the scene has no walls: grains fall without end, and the run does not notice that "
                             "they are lost; add [[walls]], or [outflow] to let grains leave");
        return;
    }
    if (round || grains.size() == 0) return;
    const Plumb plumb(scene);
    const std::size_t stride = 1 + (grains.size() - 1) / looked_at;
    std::size_t looked = 0, falling = 0;
    std::optional<std::size_t> first;
    for (std::size_t g = 0; g < grains.size(); g += stride) {
        ++looked;
        if (plumb.meets_a_wall(grains.position(g), grains.row[g].radius)) continue;
        ++falling;
        if (!first || grains.id[g] < grains.id[*first]) first = g;
    }
    if (!first) return;
    const Vec3 x = grains.position(*first);
    said.push_back(fmt::format(
        "below {} of {} grains{} there is no wall, grain {} at ({:.4g}, {:.4g}, {:.4g}) for one: the run ends "
        "where they are lost; close the floor, place them inside, or declare [outflow] to let grains leave",
        falling, looked, stride > 1 ? " that were looked at" : "", grains.id[*first], x.x, x.y, x.z));
}

// Of a tube that holds grains inside, those beside it have mostly been placed there by mistake.
void tell_of_sides(const Simulation& simulation, std::vector<std::string>& said) {
    const Scene& scene = simulation.scene();
    const Grains& grains = simulation.world().grains;
    if (scene.dimension == 2) return;
    for (const Wall& wall : scene.walls) {
        Vec3 from, to;
        double radius_from = 0, radius_to = 0;
        if (const auto* tube = std::get_if<CylinderWall>(&wall.shape)) {
            from = tube->from, to = tube->to, radius_from = radius_to = tube->radius;
        } else if (const auto* cone = std::get_if<ConeWall>(&wall.shape)) {
            from = cone->from, to = cone->to, radius_from = cone->radius_from, radius_to = cone->radius_to;
        } else {
            continue;
        }
        const double length2 = norm2(to - from);
        if (wall.outside || !(length2 > 0)) continue;
        std::size_t inside = 0, beside = 0;
        for (std::size_t g = 0; g < grains.size(); ++g) {
            const Vec3 d = grains.position(g) - from;
            const double along = dot(d, to - from) / length2;
            if (!(along > 0 && along < 1)) continue;
            const double here = norm(d - along * (to - from));
            ++(here < radius_from + along * (radius_to - radius_from) ? inside : beside);
        }
        if (inside > 0 && beside > 0)
            said.push_back(
                fmt::format("{}wall '{}': {} grains have been placed inside it and {} beside it; a region "
                            "that ends at the wall keeps them in",
                            place_of(scene, wall.where), wall.name, inside, beside));
    }
}

// How often the triangles of a mesh go around a point, by the solid angles that they take up there (Oosterom and
// Strackee 1983): 0 outside a closed surface, 1 or -1 inside, anything else of an open one.
double turns_around(const TriangleTree& mesh, Vec3 x) {
    double sum = 0;
    for (int t = 0; t < static_cast<int>(mesh.size()); ++t) {
        const Vec3 a = mesh.corner(t, 0) - x, b = mesh.corner(t, 1) - x, c = mesh.corner(t, 2) - x;
        const double la = norm(a), lb = norm(b), lc = norm(c);
        sum += 2 * same_atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    return sum / (4 * pi);
}

// Grains in a closed mesh and around it: mostly the mesh was meant to be a body that holds none.
void tell_of_closed_meshes(const Simulation& simulation, std::vector<std::string>& said) {
    const Scene& scene = simulation.scene();
    const Grains& grains = simulation.world().grains;
    if (grains.size() == 0) return;
    const bool any = std::any_of(scene.walls.begin(), scene.walls.end(),
                                 [](const Wall& wall) { return std::holds_alternative<MeshWall>(wall.shape); });
    if (!any) return;
    const WallSet walls(scene);
    std::vector<WallPlacement> placements;
    walls.place(std::vector<WallState>(scene.walls.size()), 0, placements);
    for (std::size_t w = 0; w < scene.walls.size(); ++w) {
        if (!std::holds_alternative<MeshWall>(scene.walls[w].shape)) continue;
        const TriangleTree& mesh = walls.surface(w).triangles();
        const Extent bounds = mesh.bounds();
        const std::size_t looked_at = std::clamp<std::size_t>(10'000'000 / mesh.size(), 10, 200);
        const std::size_t stride = 1 + (grains.size() - 1) / looked_at;
        std::size_t inside = 0, around = 0, unclear = 0;
        for (std::size_t g = 0; g < grains.size(); g += stride) {
            const Vec3 x = placements[w].to_wall(grains.position(g));
            bool within = true;
            for (int axis = 0; axis < 3; ++axis)
                within = within && x[axis] > bounds.low[axis] && x[axis] < bounds.high[axis];
            const double turns = within ? std::fabs(turns_around(mesh, x)) : 0;
            ++(turns < 0.01 ? around : turns > 0.99 ? inside : unclear);
        }
        if (inside == 0 || around == 0 || unclear > 0) continue;
        said.push_back(
            fmt::format("{}wall '{}' is a closed mesh with {} of {} grains{} inside and the others around it: "
                        "a mesh is a sheet and not a solid, grains are placed on both sides; give them a region "
                        "that leaves it out, or keep them all inside",
                        place_of(scene, scene.walls[w].where), scene.walls[w].name, inside, inside + around,
                        stride > 1 ? " that were looked at" : ""));
    }
}

}  // namespace

void tell_of_places(const Simulation& simulation, std::vector<std::string>& said) {
    if (simulation.step_count() > 0) return;
    tell_of_falling(simulation, said);
    tell_of_sides(simulation, said);
    tell_of_closed_meshes(simulation, said);
}

}  // namespace scree
