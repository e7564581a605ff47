#include "engine/families/wall_batch.h"

#include <bit>
#include <utility>

namespace scree {

WallBatch::WallBatch(const BodyWalls& walls)
    : walls_(walls),
      wall_rows_(walls.materials.size() * body_block),
      loads_(walls.materials.size(), 0) {}

void WallBatch::begin(const Grains& grains, std::size_t first, WallSums& sums) {
    grains_ = &grains;
    first_ = first;
    sums_ = &sums;
}

void WallBatch::end_patch(std::size_t g, std::size_t wall, double near, WallAccount* account) {
    const InertiaRow& inertia = walls_.scene.bodies.inertia[g];
    const std::size_t p = lanes.patches;
    lanes.near[p] = near;
    grain_[p] = g;
    wall_[p] = wall;
    account_[p] = account;
    lanes.watched = lanes.watched || account;
    lanes.jxx[p] = inertia.xx;
    lanes.jyy[p] = inertia.yy;
    lanes.jzz[p] = inertia.zz;
    lanes.jxy[p] = inertia.xy;
    lanes.jxz[p] = inertia.xz;
    lanes.jyz[p] = inertia.yz;
    lanes.first[0] = 0;
    lanes.first[++lanes.patches] = static_cast<std::uint32_t>(count);
}

// No body gets more from a wall than the wall took. The patches of one account stand next to each other.
void WallBatch::pay() {
    PatchLanes& at = lanes;
    for (std::size_t p = 0, next = 0; p < at.patches; p = next) {
        WallAccount* const account = account_[p];
        next = p + 1;
        if (!account) continue;
        while (next < at.patches && account_[next] == account) ++next;
        PatchSum sum;
        for (std::size_t k = at.first[p]; k < at.first[next]; ++k)
            if (at.share[k] > 0) {
                sum.pressed += at.pressed[k];
                sum.power += at.power[k];
            }
        const double share = walls_.scene.law.paid_share(sum, account->touched, account->taken, account->power);
        account->touched = true;
        for (std::size_t k = at.first[p]; k < at.first[next] && share < 1; ++k)
            for (double* const lane : {at.fx, at.fy, at.fz, at.tax, at.tay, at.taz, at.slipped}) lane[k] *= share;
    }
}

// The opposite of what the forces of a patch do to its grain (moment: about its center), and the power that the wall
// puts into it. As of spheres, without the couples of rolling resistance.
void WallBatch::load(std::size_t g, std::size_t wall, Vec3 force, Vec3 moment, double power) {
    WallLoad& row = wall_rows_[wall * body_block + (g - first_)];
    if (const std::uint64_t bit = std::uint64_t{1} << (g - first_); !(loads_[wall] & bit)) {
        loads_[wall] |= bit;
        row = {};
    }
    row.force -= force;
    row.torque -= moment + cross(grains_->position(g) - walls_.center[wall], force);
    row.power += power;
}

void WallBatch::flush() {
    if (count == 0) return;
    const PatchLanes& at = lanes;
    walls_.scene.kernel.points(walls_.scene.law.of_type(type), lanes);
    if (lanes.watched) pay();
    for (std::size_t p = 0; p < at.patches; ++p) {
        const std::size_t g = grain_[p], wall = wall_[p];
        ForceRow& out = sums_->rows[g - first_];
        Vec3 sum, moment;
        double power = 0;
        for (std::size_t k = at.first[p]; k < at.first[p + 1]; ++k) {
            const ForceRow row{at.fx[k], at.fy[k], at.fz[k], 0, at.tax[k], at.tay[k], at.taz[k], at.slipped[k]};
            const Vec3 force{row.fx, row.fy, row.fz};
            add_to(out, row);
            sum += force;
            moment += cross(Vec3{at.px[k], at.py[k], at.pz[k]}, force);
            power += dot(force, Vec3{at.wbx[k], at.wby[k], at.wbz[k]});
        }
        load(g, wall, sum, moment, power);
    }
    count = lanes.patches = 0;
    lanes.watched = false;
}

void WallBatch::add(std::size_t g, std::size_t wall, const ForceRow& on_body, Vec3 moment, double wall_power) {
    add_to(sums_->rows[g - first_], on_body);
    load(g, wall, {on_body.fx, on_body.fy, on_body.fz}, moment, wall_power);
}

void WallBatch::end() {
    flush();
    for (std::size_t wall = 0; wall < loads_.size(); ++wall) {
        if (!loads_[wall]) continue;
        WallLoad sum;
        for (std::uint64_t left = std::exchange(loads_[wall], 0); left; left &= left - 1)
            sum += wall_rows_[wall * body_block + static_cast<std::size_t>(std::countr_zero(left))];
        sums_->loads[wall] = sum;
    }
}

}  // namespace scree
