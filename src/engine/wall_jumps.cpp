#include "engine/wall_jumps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "scree/error.h"
#include "shape/rotation.h"

namespace scree {
namespace {

constexpr double fine = 0.5;         // of the least depth: from place to place
constexpr double most_places = 2e4;  // of a motion that comes farther in one step, all that it could reach is hit
constexpr std::size_t nobody = ~std::size_t{0};

// The points of a grain that a wall may not come across, about its center, with the radius around each.
template <class Visit>
void each_core(const Setting& s, std::size_t g, double depth, Visit&& visit) {
    visit(Vec3{}, depth);
    if (!s.shaped) return;
    const Grains& grains = s.world.grains;
    const Mat3 rotation = matrix_of(grains.orientation[g]);
    for (const Piece& piece : (*s.shapes)[grains.shape[g]].pieces)
        for (const Vec3 tip : piece.vertex) visit(rotation * (grains.scale[g] * tip), piece.radius * grains.scale[g]);
}

// Of a wall on its way.
struct Place {
    double part;  // of the time
    WallPlacement wall;
};

// The first grain that a wall crosses at one of the places between two times; grains go on straight. Without places,
// that it may have crossed.
std::size_t first_crossed(const Setting& s, std::size_t wall, std::span<const Place> places, double way) {
    const Grains& grains = s.world.grains;
    const double dt = s.world.time_step, deepest = std::min(s.scene.overlap_limit, 0.5);
    const auto crosses = [&](std::size_t g) {
        if (grains.row[g].inverse_mass == 0) return false;
        const Vec3 x = grains.position(g), v = grains.velocity(g);
        if (!s.walls.set.distance(wall, s.walls.placements[wall], x, grains.row[g].radius + way + norm(v) * dt))
            return false;
        bool crossed = places.empty();
        for (const Place& place : places) {
            if (crossed || place.part == 1) break;  // what is there in the end is looked at by all
            const Vec3 then = x - (dt * (1 - place.part)) * v;
            each_core(s, g, contact_depth(s, g), [&](Vec3 from, double depth) {
                crossed = crossed || s.walls.set.distance(wall, place.wall, then + from, (1 - deepest) * depth);
            });
        }
        return crossed;
    };
    return parallel_reduce(
        grains.size(), nobody,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t g = begin; g < end; ++g)
                if (crosses(g)) return g;
            return nobody;
        },
        [](std::size_t a, std::size_t b) { return std::min(a, b); });
}

}  // namespace

double contact_depth(const Setting& s, std::size_t grain) {
    const Grains& grains = s.world.grains;
    return grains.shaped() ? s.shapes->least_radius(grains.shape[grain]) * grains.scale[grain]
                           : grains.row[grain].radius;
}

void refuse_wall_jumps(const Setting& s, std::span<const WallState> before, double begin, double end, double feel) {
    const WallSet& set = s.walls.set;
    double extent = -1;
    for (std::size_t w = 0; w < set.size(); ++w) {
        if (!set.ever_moves(w)) continue;
        if (extent < 0 && std::holds_alternative<Rotate>(s.scene.walls[w].motion)) {
            extent = 0;
            for (const GrainRow& row : s.world.grains.row)
                extent = std::max({extent, std::fabs(row.x) + row.radius, std::fabs(row.y) + row.radius,
                                   std::fabs(row.z) + row.radius});
        }
        const WallState& state = s.world.walls[w];
        const double reach = 2 * std::max(extent, 0.0);
        const WallWay way = set.way(w, before[w], state, begin, end, reach);
        if (!(way.farthest > fine * feel)) continue;
        std::vector<Place> places;
        if (way.length < most_places * fine * feel) {
            const auto at = [&](double part) {
                WallState between = state;
                between.displacement = before[w].displacement + part * (state.displacement - before[w].displacement);
                return between;
            };
            // Halves the time until the wall moves little enough in each part.
            const auto divide = [&](auto&& self, double from, double to) -> void {
                const double middle = 0.5 * (from + to), start = begin + from * (end - begin),
                             stop = begin + to * (end - begin);
                if (set.way(w, at(from), at(to), start, stop, reach).length > fine * feel && middle > from) {
                    self(self, from, middle);
                    self(self, middle, to);
                } else {
                    places.push_back({to, set.place(w, at(to), stop)});
                }
            };
            divide(divide, 0, 1);
        }
        if (const std::size_t g = first_crossed(s, w, places, way.farthest); g != nobody)
            throw Error(
                ErrorKind::invalid,
                fmt::format("at t = {:.6g} s wall \"{}\" moves by {:.4g} m in one step of {:.4g} s and jumps over "
                            "grain {}; move it more slowly, or choose a smaller simulation.time_step",
                            end, s.scene.walls[w].name, way.length, end - begin, s.world.grains.id[g]));
    }
}

}  // namespace scree
