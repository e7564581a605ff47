// Grains at the start that are not spheres: inherited ones, and those placed at given points, with exact distances:
// they may touch, not overlap.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/located.h"
#include "engine/parts.h"
#include "scree/error.h"
#include "setup/grain_file.h"
#include "setup/group.h"
#include "setup/placing.h"

namespace scree {
namespace {

struct Body {
    const Shape* shape;
    Pose pose;
};

// The least gap of two bodies; negative when they overlap.
double gap_of(const Body& a, const Body& b, int dimension) {
    double least = forever;
    for (const Piece& p : a.shape->pieces)
        for (const Piece& q : b.shape->pieces) {
            double feature = 0;
            Patch patch;
            find_patch(p, a.pose, q, b.pose, 0, dimension, feature, patch);
            least = std::fmin(least,
                              (patch.overlap ? 0 : patch.distance) - p.radius * a.pose.scale - q.radius * b.pose.scale);
        }
    return least;
}

// The first wall found that overlaps the body by more than `allowed`: at a corner, or between corners.
std::optional<WallSet::Gap> overlapped_wall(const Body& body, double allowed, const WallSet& set,
                                            std::span<const WallPlacement> placements) {
    const StandingWalls standing{set, placements};
    const double scale = body.pose.scale;
    for (const Piece& piece : body.shape->pieces)
        for (const Vec3 v : piece.vertex)
            if (const auto wall = standing.overlapping(body.pose(v), piece.radius * scale, allowed)) return wall;
    std::vector<WallFeature> near;
    set.features_near(placements, body.pose({}), body.shape->reach * scale, near);
    near.erase(std::unique(near.begin(), near.end(), [](WallFeature a, WallFeature b) { return a.wall == b.wall; }),
               near.end());
    for (const WallFeature at : near) {
        const auto wall = static_cast<std::size_t>(at.wall);
        const Surface& surface = set.surface(wall, placements[wall]);
        if (!surface.has_convex_parts()) continue;
        for (const Piece& piece : body.shape->pieces) {
            if (piece.dimension == 0) continue;
            std::vector<Vec3> corners;
            for (const Vec3 v : piece.vertex) corners.push_back(placements[wall].to_wall(body.pose(v)));
            const double radius = piece.radius * scale;
            if (const auto distance = surface.nearer_than(radius - allowed, Polyhedron(corners)))
                return WallSet::Gap{*distance - radius, wall};
        }
    }
    return {};
}

}  // namespace

// Shapes of inherited grains are those of this scene, by their order; spheres get what spheres among shapes have.
void Simulation::Parts::take_over_shapes() {
    Grains& grains = world.grains;
    const auto refuse = [&](const std::string& why) {
        refuse_at(scene, scene.start_where, "the run started from has grains that are not spheres; " + why);
    };
    if (grains.shaped()) {
        if (!shaped) refuse("give this scene the same [shapes]");
        for (std::size_t g = 0; g < grains.size(); ++g) {
            const bool known = grains.shape[g] < shapes->size();
            if (!known ||
                std::fabs((*shapes)[grains.shape[g]].reach * grains.scale[g] / grains.row[g].radius - 1) > 1e-9)
                refuse("its [shapes] differ from those of this scene: write the same ones in the same order");
        }
    } else if (shaped) {
        for (std::size_t g = 0; g < grains.size(); ++g) {
            const double r = grains.row[g].radius,
                         mass = grains.row[g].inverse_mass > 0 ? 1 / grains.row[g].inverse_mass : 0;
            grains.orientation.push_back({});
            grains.momentum.push_back((mass * motion.inertia_factor * r * r) * grains.angular_velocity(g));
            grains.scale.push_back(r);
            grains.shape.push_back(0);
        }
    }
}

// How the grain that has just been added lies, and turns.
void Simulation::Parts::add_pose(std::size_t group, std::uint16_t shape, double scale, double mass, Vec3 spin,
                                 std::optional<Quaternion> orientation) {
    Grains& grains = world.grains;
    const Shape& body = (*shapes)[shape];
    const Quaternion q =
        normalized(as_principal(body, orientation.value_or(orientation_at_start(group, grains.id.back()))));
    const double per = mass * scale * scale / body.volume;
    grains.orientation.push_back(q);
    grains.momentum.push_back(angular_momentum(matrix_of(q), spin, per * body.inertia));
    grains.scale.push_back(scale);
    grains.shape.push_back(shape);
}

Quaternion Simulation::Parts::orientation_at_start(std::size_t group, Index id) const {
    const Orientation& about = scene.grains[group].orientation;
    const auto& q = about.quaternion;
    if (!about.random) return normalized(Quaternion{q[0], q[1], q[2], q[3]});
    Random random = random_stream(scene, group, Draw::orientation, 4 * static_cast<std::uint64_t>(id));
    if (scene.dimension == 2) return turn_about({0, 0, 1}, 2 * pi * random.uniform());
    const double u1 = random.uniform(), u2 = random.uniform(), u3 = random.uniform();
    return uniform_rotation(u1, u2, u3);
}

void Simulation::Parts::place_shapes_exactly(std::size_t group) {
    const GrainGroup& about = scene.grains[group];
    const std::uint16_t number = ShapeTable::number_of(scene, about);
    const Shape& shape = (*shapes)[number];
    struct Wanted {
        Vec3 x, v, w;
        double radius;
        std::optional<Quaternion> q;
        std::string what;
    };
    std::vector<Wanted> wanted;
    double allowed_part = touching_tolerance;
    if (const auto* at = std::get_if<PlaceAt>(&about.place)) {
        for (std::size_t k = 0; k < at->points.size(); ++k)
            wanted.push_back({at->points[k],
                              about.velocity,
                              about.spin,
                              radius_of(placing_scene, group, k),
                              {},
                              fmt::format("point {} of the list", k + 1)});
    } else {
        allowed_part = scene.overlap_limit;
        const GrainFile file = read_grain_file(scene, group, std::get<PlaceFromFile>(about.place).file, number == 0);
        for (std::size_t row = 0; row < file.rows.size(); ++row) {
            const GrainFile::Row& told = file.rows[row];
            wanted.push_back({told.position, told.velocity, told.spin,
                              number == 0 ? told.size : shapes->reach(number) * told.size, told.orientation,
                              fmt::format("row {} of {}", row + 1, file.table.file)});
        }
    }
    BallIndex index(scene.periodic);
    const auto body_of = [&](std::size_t g, Vec3 x) {
        return Body{&(*shapes)[world.grains.shape[g]],
                    {matrix_of(world.grains.orientation[g]), x, world.grains.scale[g]}};
    };
    for (std::size_t g = 0; g < world.grains.size(); ++g)
        index.add(world.grains.position(g), world.grains.row[g].radius);
    for (const Wanted& one : wanted) {
        for (std::size_t g = add_body(group, one.x, one.radius, one.v, one.w, one.q); g < world.grains.size(); ++g) {
            const Body body = body_of(g, world.grains.position(g));
            const double radius = world.grains.row[g].radius,
                         allowed = allowed_part * (number == 0 ? radius : shape.least_radius * world.grains.scale[g]);
            int overlapped = -1;
            double by = 0;
            index.any_near(world.grains.position(g), radius, [&](int k, Vec3 shift) {
                const double gap =
                    gap_of(body, body_of(static_cast<std::size_t>(k), index.center(k) + shift), scene.dimension);
                if (gap < -allowed && (overlapped < 0 || k < overlapped)) {
                    overlapped = k;
                    by = -gap;
                }
                return false;
            });
            if (overlapped >= 0)
                refuse_group(
                    scene, group,
                    fmt::format("grain {} ({}) overlaps grain {} by {:.3g} m or more: move it", world.grains.id[g],
                                one.what, world.grains.id[static_cast<std::size_t>(overlapped)], by));
            if (const auto wall = overlapped_wall(body, allowed, walls.set, walls.placements))
                refuse_group(scene, group,
                             fmt::format("grain {} ({}) overlaps wall '{}' by {:.3g} m or more: move it",
                                         world.grains.id[g], one.what, scene.walls[wall->wall].name, -wall->gap));
        }
        for (std::size_t g = index.size(); g < world.grains.size(); ++g)
            index.add(world.grains.position(g), world.grains.row[g].radius);
    }
}

}  // namespace scree
