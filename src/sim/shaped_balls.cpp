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

// Puts what touches into the batch; the forces of the two bodies follow when it is full.
void ShapedContacts::gather_balls(const Grains& grains, std::size_t number, double passed, Chunk& chunk, BallBatch& batch) {
    const BodyPair& body = bodies_[number];
    const double travelled = odometer_[body.i].travelled + odometer_[body.j].travelled;
    touching_[number] = 0;
    chunk.saved += body.end - body.first;
    const bool i_is_a = pairs_[body.first].i_is_a;
    const std::size_t a = i_is_a ? body.i : body.j, b = i_is_a ? body.j : body.i;
    const Vec3 offset = periodicity_.nearest(grains.position(b) - grains.position(a)), v = grains.velocity(a) - grains.velocity(b), wa = omega_[a], wb = omega_[b];
    const double inverse_mass = grains.row[a].inverse_mass + grains.row[b].inverse_mass;
    const Ball *const balls_a = balls_.data() + ball_first_[a], *const balls_b = balls_.data() + ball_first_[b];
    for (std::size_t p = body.first; p < body.end; ++p) {
        if (marks_[p] > passed) continue;
        PiecePair& pair = pairs_[p];
        const Ball &from = balls_a[pair.pa], &to = balls_b[pair.pb];
        const Vec3 d = from.x - (offset + to.x);
        const double distance = norm(d), radii = from.radius + to.radius;
        if (!(distance > 0 && distance < radii + law_reach_)) {
            if (!(distance > 0) && chunk.sunk.empty()) chunk.sunk = fmt::format("grains {} and {}", grains.id[a], grains.id[b]);
            if (pair.slot >= 0) chunk.ball_pool.free.push_back(pair.slot), pair.slot = -1;
            marks_[p] = distance - radii + travelled;
            continue;
        }
        if (batch.count == BallLanes::W || batch.type != pair.type) flush_balls(chunk, batch);
        if (!touching_[number]) touching_[number] = 1, forces_[number] = {};
        batch.type = pair.type;
        const std::size_t k = batch.count++;
        batch.pair[k] = static_cast<std::uint32_t>(p), batch.body[k] = static_cast<std::uint32_t>(number);
        BallLanes& lane = batch.lanes;
        lane.dx[k] = d.x, lane.dy[k] = d.y, lane.dz[k] = d.z;
        lane.ax[k] = from.x.x, lane.ay[k] = from.x.y, lane.az[k] = from.x.z;
        lane.ox[k] = offset.x, lane.oy[k] = offset.y, lane.oz[k] = offset.z;
        lane.ra[k] = from.radius, lane.rb[k] = to.radius;
        lane.vx[k] = v.x, lane.vy[k] = v.y, lane.vz[k] = v.z;
        lane.wax[k] = wa.x, lane.way[k] = wa.y, lane.waz[k] = wa.z, lane.wbx[k] = wb.x, lane.wby[k] = wb.y, lane.wbz[k] = wb.z;
        lane.inverse_mass[k] = inverse_mass;
        lane.fresh[k] = pair.slot < 0;
        const auto width = static_cast<std::size_t>(width_);
        if (pair.slot < 0) {
            pair.slot = take_slot(chunk.ball_pool, width);
            marks_[p] = -std::numeric_limits<double>::infinity();
            for (std::size_t m = 0; m < width; ++m) lane.memory[m][k] = 0;
        } else {
            const double* const memory = chunk.ball_pool.numbers.data() + static_cast<std::size_t>(pair.slot) * width;
            for (std::size_t m = 0; m < width; ++m) lane.memory[m][k] = memory[m];
        }
    }
    body_marks_[number] = least_mark(body);
}

void ShapedContacts::flush_balls(Chunk& chunk, BallBatch& batch) {
    if (batch.count == 0) return;
    BallLanes& at = batch.lanes;
    ball_law_({static_cast<const char*>(materials_.coefficients()) + batch.type * coefficient_bytes_, materials_.rolling_coefficients() + batch.type, materials_.friction()[batch.type], time_step_}, at, batch.count);
    const auto width = static_cast<std::size_t>(width_);
    for (std::size_t k = 0; k < batch.count; ++k) {
        const PiecePair& pair = pairs_[batch.pair[k]];
        PairForce& out = forces_[batch.body[k]];
        const Vec3 force{at.fx[k], at.fy[k], at.fz[k]}, torque_a{at.tax[k], at.tay[k], at.taz[k]}, torque_b{at.tbx[k], at.tby[k], at.tbz[k]};
        out.force += pair.i_is_a ? force : -force;
        out.torque_i += pair.i_is_a ? torque_a : torque_b;
        out.torque_j += pair.i_is_a ? torque_b : torque_a;
        out.power += at.power[k], out.sliding += at.sliding[k];
        double* const memory = chunk.ball_pool.numbers.data() + static_cast<std::size_t>(pair.slot) * width;
        for (std::size_t m = 0; m < width; ++m) memory[m] = at.memory[m][k];
        chunk.max_overlap = std::fmax(chunk.max_overlap, at.ratio[k]);
    }
    chunk.contacts += batch.count;
    batch.count = 0;
}

}  // namespace scree
