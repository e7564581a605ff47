// Flat walls over a span of time in which each moves in one way: at rest, at constant velocity, or as a sine. Motions
// that change (from, until, tables, taps, walls that open) are cut into such pieces; time starts at 0 in each.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "events/flight.h"
#include "scree/scene.h"

namespace scree::events {

struct WallPiece {
    Vec3 normal;                           // towards the grains
    double offset = 0;                     // normal . x on the wall at time 0, without the sine
    Vec3 velocity;                         // constant part
    Vec3 amplitude;                        // of the sine
    double frequency = 0, phase = 0;       // sine: amplitude sin(2 pi (phase + frequency t)), phase in turns
    std::uint32_t wall = 0, material = 0;  // as in the scene

    Vec3 velocity_at(double t) const;
    double position_at(double t) const;  // along the normal
};

// When a grain touches the wall next, if not after `limit`; else `forever`. The limit decides only whether there is an
// answer, not what it is. `depth`: how far the grain is inside the wall at its time t.
//
// Against a sine the gap h is followed from below: |h''| is bounded, so h + h' s - M s^2/2 is a lower bound, and the
// grain may go where that is still positive (never late). Before that it flies freely to where the wall can reach.
template <int D>
double wall_time(const Flight<D>& grain, const WallPiece& wall, const double* g, double limit, double& depth);

// How far a sine moves a wall along its normal at most, in any part of a span of time: most grains are out of reach of
// a wall until they meet somebody else, and a look into a table says so.
class Crests {
  public:
    void begin(std::span<const WallPiece> walls, double duration);
    double highest(std::size_t wall, double from, double until) const {
        const std::size_t first = part_of(from), last = part_of(until);
        const Row& row = table_[wall];
        if (last > first + 3) return row.reach;
        double most = row.part[first].most;
        for (std::size_t k = first + 1; k <= last; ++k) most = std::max(most, row.part[k].most);
        return most;
    }

    // A bound from above on where the sine is at now + s: the least of `reach` and place + speed s + bend s^2/2.
    struct Rise {
        double place, speed, bend, reach;
    };
    Rise rise(std::size_t wall, double now) const {
        const Row& row = table_[wall];
        const std::size_t k = part_of(now);
        const double u = std::max(now - row.part[k].from, 0.0), turned = row.bend * u;
        return {row.part[k].place + u * (row.part[k].speed + 0.5 * turned), row.part[k].speed + turned, row.bend,
                row.reach};
    }

  private:
    static constexpr std::size_t parts = 32;
    struct Part {
        double most, from, place, speed;  // highest in this part; at the time where it begins
    };
    struct Row {
        Part part[parts];
        double reach, bend;  // bound on the acceleration
    };
    std::size_t part_of(double t) const {
        return t > 0 ? std::min(static_cast<std::size_t>(t * per_part_), parts - 1) : 0;
    }
    double per_part_ = 0;
    std::vector<Row> table_;  // by wall
};

// First t >= 0 at which h + v t + a t^2/2 comes down to 0, for h >= 0 (or touching); else `forever`.
inline double fall_time(double h, double v, double a) {
    if (!(h > 0)) {
        if (v < 0 || (v == 0 && a < 0)) return 0;
        return a < 0 ? -2 * v / a : forever;
    }
    const double root = v * v - 2 * a * h;
    if (v < 0) return root < 0 ? forever : 2 * h / (std::sqrt(root) - v);
    return a < 0 ? (v + std::sqrt(root)) / -a : forever;
}

// The walls of a scene as they move from the absolute time `begin` (the sum of the two numbers, the second one the
// rounding error of the first), and the time at which one of them changes its way of moving next. Throws
// Error(bad_input), located, for walls and motions that hard grains cannot have.
std::vector<WallPiece> wall_pieces(const Scene& scene, double begin, double begin_rest);
double next_change(const Scene& scene, double after);
void refuse_walls(const Scene& scene);
// Bound on the acceleration of any wall, for the choice of the cutoff, and on its speed.
double largest_wall_acceleration(const Scene& scene);
double largest_wall_speed(const Scene& scene);

}  // namespace scree::events
