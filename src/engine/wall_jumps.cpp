#include "engine/wall_jumps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/elementary.h"
#include "math/rotation.h"
#include "scree/error.h"

namespace scree {
namespace {

constexpr double most_pieces = 5000;

double depth_of(const Setting& s, std::size_t g) {
    const Grains& grains = s.world.grains;
    return grains.shaped() ? s.shapes->least_radius(grains.shape[g]) * grains.scale[g] : grains.row[g].radius;
}

// The way of a wall during one step.
class Way {
  public:
    Way(const Setting& s, std::size_t wall, const WallPlacement& then, double begin, double end)
        : s_(s),
          wall_(s.scene.walls[wall]),
          number_(wall),
          then_(then),
          now_(s.walls.placements[wall]),
          begin_(begin),
          end_(end) {}

    // A bound for how far points of the wall go that are within `reach` of it.
    double length(double reach) const {
        const double dt = end_ - begin_, straight = s_.walls.set.moved(number_, then_, now_, reach);
        if (const auto* vibration = std::get_if<Vibrate>(&wall_.motion))
            return std::max(straight, 2 * pi * vibration->frequency * norm(vibration->amplitude) *
                                          std::min(dt, std::max(0.0, vibration->until - begin_)));
        if (const auto* turn = std::get_if<Rotate>(&wall_.motion); turn && std::fabs(turn->rate) * dt > 1) {
            // A half turn moves every point by the diameter of its circle.
            WallPlacement here, opposite;
            here.pivot = opposite.pivot = then_.pivot;
            opposite.rotation = rotation_about(turn->axis, pi);
            opposite.turned = true;
            return 0.5 * std::fabs(turn->rate) * dt * s_.walls.set.moved(number_, here, opposite, reach);
        }
        if (const auto* table = std::get_if<MotionTable>(&wall_.motion)) {
            double sum = 0;
            Vec3 last = then_.shift;
            for (const Vec3 shift : shifts_between(*table)) sum += norm(shift - std::exchange(last, shift));
            return std::max(straight, sum);
        }
        return straight;
    }

    // Calls visit(placement) along the way, at least so often.
    template <class Visit>
    void follow(int pieces, Visit&& visit) const {
        if (std::holds_alternative<Vibrate>(wall_.motion) || std::holds_alternative<Rotate>(wall_.motion)) {
            for (int k = 0; k <= pieces; ++k) visit(placement(wall_, {}, begin_ + (end_ - begin_) * k / pieces));
            return;
        }
        std::vector<Vec3> corners;
        if (const auto* table = std::get_if<MotionTable>(&wall_.motion)) corners = shifts_between(*table);
        corners.push_back(now_.shift);
        WallPlacement here = then_;
        Vec3 from = then_.shift;
        for (const Vec3 to : corners) {
            for (int k = 0; k <= pieces; ++k) {
                here.shift = from + (static_cast<double>(k) / pieces) * (to - from);
                visit(here);
            }
            from = to;
        }
    }

  private:
    // Where the table puts the wall at its times within the step.
    std::vector<Vec3> shifts_between(const MotionTable& table) const {
        std::vector<Vec3> shifts;
        for (const auto& row : table.rows)
            if (row[0] > begin_ && row[0] < end_) shifts.push_back({row[1], row[2], row[3]});
        return shifts;
    }

    const Setting& s_;
    const Wall& wall_;
    std::size_t number_;
    const WallPlacement &then_, &now_;
    double begin_, end_;
};

void refuse(const Setting& s, std::size_t wall, std::size_t g, double length) {
    throw Error(
        ErrorKind::invalid,
        fmt::format("at t = {:.6g} s wall \"{}\" moves by {:.3g} m in one step and would jump over grain {}: move "
                    "it more slowly, or choose a smaller simulation.time_step",
                    s.world.time(), s.scene.walls[wall].name, length, s.world.grains.id[g]));
}

}  // namespace

WallJumpScale wall_jump_scale(const Setting& setting) {
    WallJumpScale scale;
    for (std::size_t g = 0; g < setting.world.grains.size(); ++g) {
        scale.least_depth = std::min(scale.least_depth, depth_of(setting, g));
        scale.farthest = std::max(scale.farthest, norm(setting.world.grains.position(g)));
    }
    return scale;
}

void check_wall_jumps(const Setting& s, const WallJumpScale& scale, std::span<const WallPlacement> then, double begin,
                      double end) {
    const Grains& grains = s.world.grains;
    for (std::size_t w = 0; w < then.size(); ++w) {
        if (!s.walls.set.ever_moves(w) || then[w].open || s.walls.placements[w].open) continue;
        const Way way(s, w, then[w], begin, end);
        // Of a wall without ends, as far out as there are grains.
        const double reach = is_finite(s.walls.set.surface(w).bounds().high - s.walls.set.surface(w).bounds().low)
                                 ? 0
                                 : scale.farthest + norm(then[w].pivot);
        const double length = way.length(reach);
        if (length <= scale.least_depth) continue;
        const double pieces = std::clamp(std::ceil(2 * length / scale.least_depth), 1.0, most_pieces);
        // This wall alone.
        std::vector<WallPlacement> alone(then.begin(), then.end());
        for (WallPlacement& other : alone) other.open = true;
        alone[w] = then[w];
        std::vector<std::size_t> near;
        for (std::size_t g = 0; g < grains.size(); ++g)
            if (s.walls.set.nearest(alone, grains.position(g), grains.row[g].radius, length)) near.push_back(g);
        way.follow(static_cast<int>(pieces), [&](const WallPlacement& here) {
            alone[w] = here;
            for (const std::size_t g : near) {
                // The centre of a sphere is never so near to a wall that pushes it; of a body any part may be hit.
                const double within = grains.shaped() ? grains.row[g].radius : 0.5 * grains.row[g].radius;
                if (s.walls.set.nearest(alone, grains.position(g), 0, within + 0.5 * length / pieces))
                    refuse(s, w, g, length);
            }
        });
    }
}

}  // namespace scree
