// Contacts between bodies whose pieces are all balls: clumps, glued spheres, spheres among shapes. See shaped.h and body_kernel.h.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "sim/shaped.h"

namespace scree {

// The one point of two balls, as a patch.
void ShapedContacts::ball_patch(const PiecePair& pair, Vec3 offset, Patch& out) const {
    const std::size_t a = pair.i_is_a ? pair.i : pair.j, b = pair.i_is_a ? pair.j : pair.i;
    const Vec3 from = ball(a, pair.pa).x, to = offset + ball(b, pair.pb).x, d = from - to;
    out.distance = norm(d);
    out.count = 1;
    out.point[0] = {from, to, d / out.distance, out.distance, 1, static_cast<std::uint32_t>(ball_key)};
}

// Pairs whose marks have run out go through the kernel, whether they touch or not: what does not adds +0.0.
void ShapedContacts::collide_balls(const Grains& grains, Chunk& chunk, Scratch& scratch) {
    BallBatch& batch = scratch.ball_batch;
    auto& active = scratch.active;
    active.resize(chunk.end_pair - chunk.first_pair);
    std::size_t count = 0;
    // Without branches: which pairs these are cannot be foretold.
    for (std::size_t p = chunk.first_pair; p < chunk.end_pair; ++p) {
        const PiecePair& pair = pairs_[p];
        active[count] = static_cast<std::uint32_t>(p);
        count += static_cast<std::size_t>(!(marks_[p] > passed_by(pair.i, pair.j)) & pair.balls);
        chunk.saved += pair.balls;
    }
    BallLanes& lane = batch.lanes;
    for (std::size_t at = 0; at < count; ++at) {
        const std::uint32_t p = active[at];
        const PiecePair& pair = pairs_[p];
        if (batch.count == BallLanes::W || batch.type != pair.type) flush_balls(grains, chunk, batch);
        batch.type = pair.type;
        if (!touching_[pair.body]) touching_[pair.body] = 1, forces_[pair.body] = {};
        const std::size_t k = batch.count++, a = pair.i_is_a ? pair.i : pair.j, b = pair.i_is_a ? pair.j : pair.i;
        lane.a[k] = static_cast<std::uint32_t>(a), lane.b[k] = static_cast<std::uint32_t>(b);
        lane.ball_a[k] = ball_first_[a] + pair.pa, lane.ball_b[k] = ball_first_[b] + pair.pb;
        lane.pair[k] = p, lane.body[k] = pair.body;
        lane.i_is_a[k] = pair.i_is_a, lane.fresh[k] = pair.slot < 0;
    }
    flush_balls(grains, chunk, batch);
}

void ShapedContacts::flush_balls(const Grains& grains, Chunk& chunk, BallBatch& batch) {
    if (batch.count == 0) return;
    BallLanes& lane = batch.lanes;
    const Vec3 period = periodicity_.length;
    kernel_.balls(point_law(batch.type), {grains.row.data(), omega_.data(), balls_.data(), {period.x, period.y, period.z}, law_reach_, ball_memory_.data(), forces_.data()}, lane, batch.count);
    double largest = chunk.max_overlap, contacts = 0;
    for (std::size_t k = 0; k < batch.count; ++k) {
        const bool touches = lane.touches[k] > 0;
        const double travelled = odometer_[lane.a[k]].travelled + odometer_[lane.b[k]].travelled, ratio = touches ? lane.ratio[k] : 0;
        pairs_[lane.pair[k]].slot = touches ? 0 : -1;
        marks_[lane.pair[k]] = touches ? -std::numeric_limits<double>::infinity() : lane.gap[k] + travelled;
        contacts += lane.touches[k];
        largest = ratio > largest ? ratio : largest;
        if (!(lane.distance[k] > 0) && chunk.sunk.empty()) chunk.sunk = fmt::format("grains {} and {}", grains.id[lane.a[k]], grains.id[lane.b[k]]);
    }
    chunk.max_overlap = largest;
    chunk.contacts += static_cast<std::size_t>(contacts);
    batch.count = 0;
}

}  // namespace scree
