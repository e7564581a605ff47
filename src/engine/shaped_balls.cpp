// Contacts between bodies whose pieces are all balls: clumps, glued spheres, spheres among shapes. See shaped.h and
// body_kernel.h.
#include <fmt/format.h>

#include <cmath>

#include "engine/shaped.h"

namespace scree {

// The one point of two balls, as a patch.
void ShapedContacts::ball_patch(const PiecePair& pair, Vec3 offset, Patch& out) const {
    const Vec3 from = ball(pair.a, pair.pa).x, to = offset + ball(pair.b, pair.pb).x, d = from - to;
    out.distance = norm(d);
    out.count = 1;
    out.point[0] = {from, to, d / out.distance, out.distance, 1, static_cast<std::uint32_t>(ball_key)};
}

// Pairs whose marks have run out go through the kernel, whether they touch or not: what does not adds +0.0.
void ShapedContacts::collide_balls(const Grains& grains, Chunk& chunk, Scratch& scratch) {
    auto& active = scratch.active;
    active.resize(chunk.end_pair - chunk.first_pair + 8);
    chunk.saved += chunk.balls;
    const Vec3 period = periodicity_.length;
    const BallBodies bodies{grains.row.data(),  omega_.data(),       inertia_.data(),
                            balls_.data(),      odometer_.data(),    {period.x, period.y, period.z},
                            law_reach_,         all_even_,           ball_pairs_.data(),
                            ball_marks_.data(), ball_memory_.data(), forces_.data(),
                            touching_.data()};
    const std::size_t count =
        kernel_.used_up(bodies, largest_, farthest_, chunk.first_pair, chunk.end_pair, active.data());
    BallSum sum;
    for (std::size_t at = 0; at < count;) {
        const std::uint16_t type = ball_pairs_[active[at]].type;
        std::size_t end = at + 1;
        while (end < count && end - at < BallLanes::W && ball_pairs_[active[end]].type == type) ++end;
        kernel_.balls(point_law(type), bodies, active.data() + at, end - at, scratch.ball_lanes, sum);
        at = end;
    }
    chunk.contacts += static_cast<std::size_t>(sum.contacts);
    chunk.max_overlap = sum.ratio > chunk.max_overlap ? sum.ratio : chunk.max_overlap;
    for (std::size_t k = 0; k < count && sum.sunk && chunk.sunk.empty(); ++k) {
        const BallPair& pair = ball_pairs_[active[k]];
        const Vec3 offset = periodicity_.nearest(grains.position(pair.b) - grains.position(pair.a));
        if (!(norm(balls_[pair.ball_a].x - (offset + balls_[pair.ball_b].x)) > 0))
            chunk.sunk = fmt::format("grains {} and {}", grains.id[pair.a], grains.id[pair.b]);
    }
}

}  // namespace scree
