// Forces between bodies and walls. See shaped.h.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/shaped.h"

namespace scree {
namespace {

constexpr double at_once = -std::numeric_limits<double>::infinity();

double least(double a, double b) { return b < a ? b : a; }

}  // namespace

// Edges and sides over what sticks out of a wall.
void ShapedContacts::rim_touches(const Grains& grains, const Walls& walls, const GrainWalls& near, double beyond,
                                 double& nearest, Scratch& scratch) const {
    const std::size_t g = near.grain;
    const Shape& shape = shapes_[grains.shape[g]];
    const Vec3 x = grains.position(g);
    const double s = grains.scale[g];
    for (const WallFeature& f : near.near) {
        const auto w = static_cast<std::size_t>(f.wall);
        const WallPlacement& placement = walls.placements[w];
        const Surface& surface = walls.set.surface(w, placement);
        if (!surface.has_convex_parts() || placement.open) continue;
        scratch.parts.clear();
        surface.convex_parts(f.feature, scratch.parts);
        const Vec3 center = placement.to_wall(x);
        for (const ConvexPart& part : scratch.parts) {
            // A convex body is on the side of a sheet that its center is on. Of others, a ring around a pole or a hook,
            // each piece is asked where it is.
            const bool by_piece = part.kind == ConvexPart::Kind::turned && shape.pieces.size() > 1;
            if (!by_piece && !is_near(surface, part, center, grains.row[g].radius + beyond)) continue;
            for (std::size_t p = 0; p < shape.pieces.size(); ++p) {
                const Piece& piece = shape.pieces[p];
                const double radius = piece.radius * s;
                if (by_piece && !is_near(surface, part, placement.to_wall(x + rotation_[g] * (s * piece.middle)),
                                         piece.reach * s + beyond))
                    continue;
                nearest = at_once;  // corners do not tell how far the wall is
                if (piece.dimension == 0) continue;
                scratch.corners.clear();
                scratch.offered.clear();
                for (const Vec3 tip : piece.vertex)
                    scratch.corners.push_back(placement.to_wall(x + rotation_[g] * (s * tip)));
                rim_points(piece, scratch.corners, surface, part, radius + law_reach_, scratch.offered);
                for (const RimPoint& rim : scratch.offered) {
                    walls.set.contacts(walls.placements, placement.to_world(rim.point), radius, near.near,
                                       scratch.touch, law_reach_);
                    for (const WallContact& contact : scratch.touch.contacts)
                        if (contact.at.wall == f.wall && (rim.feature < 0 || contact.at.feature == rim.feature) &&
                            contact.distance - radius < law_reach_)
                            scratch.touches.push_back(
                                {contact, rim.key ^ static_cast<std::uint32_t>(p << 8), radius, rim.weight, false});
                }
            }
        }
    }
}

// Fills scratch.touches; returns the least mark of the corners (see DistanceMark). `look`: leaves their marks as they
// are.
double ShapedContacts::find_touches(const Grains& grains, const Walls& walls, GrainWalls& near, Scratch& scratch,
                                    bool look) const {
    const std::size_t g = near.grain;
    const std::vector<Corner>& corners = corners_[grains.shape[g]];
    const bool clump = is_clump_[grains.shape[g]];
    const double s = grains.scale[g], travelled = odometer_[g].travelled,
                 slack = 1e-12 * (travelled + grains.row[g].radius);
    const double passed = law_reach_ + travelled + slack, beyond = law_reach_ + skin_;
    scratch.touches.clear();
    double nearest = forever;
    for (std::size_t k = 0; k < corners.size(); ++k) {
        double mark = near.marks[k];
        if (!(mark > passed)) {
            const double radius = corners[k].radius * s;
            double gap = beyond;
            walls.set.contacts(walls.placements, corner_at(grains, g, k), radius, near.near, scratch.touch, beyond);
            for (const WallContact& contact : scratch.touch.contacts) {
                gap = least(gap, contact.distance - radius);
                if (contact.distance - radius < law_reach_)
                    scratch.touches.push_back({contact, corners[k].key, radius, 1, false});
            }
            mark = near.moving ? at_once : gap + travelled;
            if (!look) near.marks[k] = mark;
        }
        nearest = least(nearest, mark);
    }
    if (!clump) rim_touches(grains, walls, near, beyond, nearest, scratch);
    // By wall and feature, as shaped_flat.cpp has them.
    std::stable_sort(scratch.touches.begin(), scratch.touches.end(),
                     [](const auto& a, const auto& b) { return a.contact.at < b.contact.at; });
    return nearest;
}

// One patch: what lies on one side of one wall, from the given touch on. Puts its points into scratch.points, with
// their memory, and returns their number. `old`: what there was in the last step.
int ShapedContacts::next_patch(const Grains& grains, std::size_t g, const WallMemory& old, std::size_t from,
                               Scratch& scratch) const {
    const Vec3 x = grains.position(g), v = grains.velocity(g), omega = omega_[g].w;
    const auto width = static_cast<std::size_t>(width_);
    auto& touches = scratch.touches;
    const WallContact& first = touches[from].contact;
    const auto goes_on = [&](const WallPoint& point, WallFeature at) {
        return point.wall == at.wall && (point.feature == at.feature || !is_flat_[static_cast<std::size_t>(at.wall)]);
    };
    // What the points there were remember, on the mean; for points that are new under load.
    double mean[point_memory];
    int remembered = -1;
    const auto recall = [&] {
        remembered = 0;
        for (double& m : mean) m = 0;
        for (std::size_t q = 0; q < old.points.size(); ++q)
            if (goes_on(old.points[q], first.at)) {
                ++remembered;
                for (std::size_t m = 0; m < width; ++m) mean[m] += old.numbers[q * width + m];
            }
    };
    if (scratch.points.size() < touches.size()) {
        scratch.points.resize(touches.size());
        scratch.weights.resize(touches.size());
        scratch.members.resize(touches.size());
    }
    std::size_t count = 0;
    for (std::size_t u = from; u < touches.size(); ++u) {
        auto& touch = touches[u];
        const WallContact& c = touch.contact;
        if (touch.taken || c.at.wall != first.at.wall || dot(c.normal, first.normal) < same_side) continue;
        touch.taken = true;
        scratch.members[count] = u;
        LawPoint& p = scratch.points[count];
        p.point = c.foot - x;
        p.normal = c.normal;
        p.velocity = v + cross(omega, p.point) - c.velocity;
        p.overlap = touch.radius - c.distance;
        p.inverse_radius = 1 / touch.radius + c.curvature;
        p.memory = scratch.memory.data() + u * width;
        p.force = {};
        p.elastic = 0;
        // The same corner on the same feature, mostly where it was; else the same corner on another feature of the
        // wall.
        std::ptrdiff_t found = -1;
        const auto same = [&](std::size_t q) { return goes_on(old.points[q], c.at) && old.points[q].key == touch.key; };
        const bool at_place = u < old.points.size() && same(u) && old.points[u].feature == c.at.feature;
        if (at_place) found = static_cast<std::ptrdiff_t>(u);
        for (std::size_t q = 0; q < old.points.size() && !at_place; ++q)
            if (same(q) && (found < 0 || old.points[q].feature == c.at.feature)) found = static_cast<std::ptrdiff_t>(q);
        if (found < 0 && remembered < 0) recall();
        const bool inherits = found < 0 && remembered > 0 && !(p.overlap < -dot(p.velocity, p.normal) * time_step_);
        p.fresh = found < 0 && !inherits;
        for (std::size_t m = 0; m < width; ++m)
            p.memory[m] = found >= 0 ? old.numbers[static_cast<std::size_t>(found) * width + m]
                          : inherits ? mean[m] / remembered
                                     : 0.0;
        p.weight = touch.weight;
        scratch.weights[count] = {p.point, p.point, p.normal, c.distance, touch.weight, 0};
        ++count;
    }
    return static_cast<int>(count);
}

// Puts what touches into the batch; the forces follow when it is full.
void ShapedContacts::collide_walls(const Grains& grains, const Walls& walls, GrainWalls& near, Chunk& chunk,
                                   Scratch& scratch) const {
    const std::size_t g = near.grain;
    const double travelled = odometer_[g].travelled, slack = 1e-12 * (travelled + grains.row[g].radius);
    if (near.memory.points.empty() && near.mark - travelled - slack > law_reach_) return;
    near.mark = find_touches(grains, walls, near, scratch, false);
    auto& touches = scratch.touches;
    if (touches.empty() && near.memory.points.empty()) return;
    // Walls it touches for the first time begin with nothing; what it has left is forgotten.
    std::vector<WallAccount>& accounts = near.accounts;
    std::erase_if(accounts, [&](const WallAccount& of) {
        return std::none_of(touches.begin(), touches.end(),
                            [&](const auto& touch) { return touch.contact.at.wall == of.wall; });
    });
    const auto account_of = [&](std::int32_t wall) {
        return std::find_if(accounts.begin(), accounts.end(), [&](const WallAccount& of) { return of.wall == wall; });
    };
    for (const auto& touch : touches)
        if (const std::int32_t wall = touch.contact.at.wall;
            has_account(grains, g, wall) && account_of(wall) == accounts.end())
            accounts.push_back({wall, false, 0, 0});
    const auto width = static_cast<std::size_t>(width_);
    scratch.memory.resize(touches.size() * width);
    std::swap(near.memory, scratch.old);
    near.memory.points.resize(touches.size());
    near.memory.numbers.resize(touches.size() * width);
    for (std::size_t k = 0; k < touches.size(); ++k)
        near.memory.points[k] = {touches[k].contact.at.wall, touches[k].contact.at.feature, touches[k].key};
    chunk.contacts += walls_touched(near.memory.points);
    WallBatch& batch = scratch.wall_batch;
    PatchLanes& lane = batch.lanes;
    // What one account is about is paid together.
    const bool together = touches.size() <= PatchLanes::W;
    if (together && batch.free() < touches.size()) flush_walls(grains, chunk, scratch);
    for (std::size_t t = 0; t < touches.size(); ++t) {
        if (touches[t].taken) continue;
        const int count = next_patch(grains, g, scratch.old, t, scratch);
        const auto wall = static_cast<std::size_t>(touches[t].contact.at.wall);
        const std::uint16_t type = materials_.type(grains.material[g], wall_materials_[wall]);
        const auto account = account_of(static_cast<std::int32_t>(wall));
        if (batch.type != type || batch.free() < static_cast<std::size_t>(count)) flush_walls(grains, chunk, scratch);
        batch.type = type;
        if (static_cast<std::size_t>(count) > PatchLanes::W) {
            const bool all = std::none_of(touches.begin(), touches.end(), [&](const auto& touch) {
                return touch.contact.at.wall == static_cast<std::int32_t>(wall) && !touch.taken;
            });
            large_patch(grains, near, wall, type, count, all && account != accounts.end() ? &*account : nullptr, chunk,
                        scratch);
            continue;
        }
        for (int each = 0; each < count; ++each) {
            const LawPoint& p = scratch.points[static_cast<std::size_t>(each)];
            const std::size_t k = batch.count++, u = scratch.members[static_cast<std::size_t>(each)];
            const auto& touch = touches[u];
            lane.kept[k] = near.memory.numbers.data() + u * width;
            std::copy_n(p.memory, width, lane.kept[k]);
            lane.distance[k] = touch.contact.distance;
            lane.weight[k] = touch.weight;
            lane.put(lane.px, lane.py, lane.pz, k, p.point);
            lane.put(lane.nx, lane.ny, lane.nz, k, p.normal);
            lane.put(lane.vx, lane.vy, lane.vz, k, grains.velocity(g));
            lane.put(lane.wax, lane.way, lane.waz, k, omega_[g].w);
            lane.put(lane.wbx, lane.wby, lane.wbz, k, touch.contact.velocity);
            lane.overlap[k] = p.overlap;
            lane.radius[k] = touch.radius / (1 + touch.radius * touch.contact.curvature);
            lane.inverse_mass[k] = grains.row[g].inverse_mass;
            lane.fresh[k] = p.fresh;
            chunk.sink(p.overlap / touch.radius, is_sheet_[wall], grains.id[g], static_cast<std::int32_t>(wall));
        }
        batch.end_patch(g, wall, near_points(grains, g, wall), inertia_[g],
                        together && account != accounts.end() ? &*account : nullptr);
    }
}

void ShapedContacts::WallBatch::end_patch(std::size_t g, std::size_t on, double near, const InertiaRow& inertia,
                                          WallAccount* of) {
    const std::size_t p = lanes.patches;
    lanes.near[p] = near;
    grain[p] = g;
    wall[p] = on;
    account[p] = of;
    lanes.watched = lanes.watched || of;
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
void ShapedContacts::pay_walls(WallBatch& batch) const {
    PatchLanes& at = batch.lanes;
    for (std::size_t p = 0, next = 0; p < at.patches; p = next) {
        WallAccount* const account = batch.account[p];
        next = p + 1;
        if (!account) continue;
        while (next < at.patches && batch.account[next] == account) ++next;
        Sum sum;
        for (std::size_t k = at.first[p]; k < at.first[next]; ++k)
            if (at.share[k] > 0) {
                sum.pressed += at.pressed[k];
                sum.power += at.power[k];
            }
        const double share = paid_share(sum, account->touched, account->taken, account->power);
        account->touched = true;
        for (std::size_t k = at.first[p]; k < at.first[next] && share < 1; ++k)
            for (double* const lane : {at.fx, at.fy, at.fz, at.tax, at.tay, at.taz, at.power, at.sliding})
                lane[k] *= share;
    }
}

// The opposite of what the forces of a patch do to its grain (moment: about its center), and the power that the wall
// puts into it. As of spheres, without the couples of rolling resistance.
inline void ShapedContacts::load_wall(const Grains& grains, std::size_t g, std::size_t wall, Vec3 force, Vec3 moment,
                                      double power, Scratch& scratch) const {
    ForceRow& load = scratch.wall_rows[wall * shaped_chunk + g % shaped_chunk];
    if (const std::uint64_t bit = std::uint64_t{1} << g % shaped_chunk; !(scratch.loads[wall] & bit)) {
        scratch.loads[wall] |= bit;
        load = {};
    }
    const Vec3 torque = moment + cross(grains.position(g) - wall_center_[wall], force);
    load.fx -= force.x;
    load.fy -= force.y;
    load.fz -= force.z;
    load.power += power;
    load.tx -= torque.x;
    load.ty -= torque.y;
    load.tz -= torque.z;
}

// A patch of more points than there are lanes: those of next_patch, one by one.
void ShapedContacts::large_patch(const Grains& grains, GrainWalls& near, std::size_t wall, std::uint16_t type,
                                 int count, WallAccount* account, Chunk& chunk, Scratch& scratch) const {
    flush_walls(grains, chunk, scratch);
    const std::size_t g = near.grain;
    const auto width = static_cast<std::size_t>(width_);
    share_weights(scratch.weights.data(), count, near_points(grains, g, wall),
                  [&](int k) { return scratch.points[static_cast<std::size_t>(k)].overlap + law_reach_; });
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
        scratch.points[k].weight = scratch.weights[k].weight;
    Sum sum;
    sum.watch = account;
    (this->*law_)(scratch.points.data(), count, {grains.row[g].inverse_mass, &inertia_[g], nullptr, {}}, type,
                  omega_[g].w, time_step_, false, sum);
    double share = 1;
    if (account) {
        share = paid_share(sum, account->touched, account->taken, account->power);
        account->touched = true;
    }
    const Vec3 force = share * sum.force, torque = share * (sum.moment + sum.couple);
    const ForceRow row{force.x, force.y, force.z, share * sum.power, torque.x, torque.y, torque.z, share * sum.sliding};
    add_to(chunk.wall_force[g % shaped_chunk], row);
    double power = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
        const LawPoint& p = scratch.points[k];
        const std::size_t u = scratch.members[k];
        power += dot(share * p.force, scratch.touches[u].contact.velocity);
        std::copy_n(p.memory, width, near.memory.numbers.begin() + static_cast<std::ptrdiff_t>(u * width));
        chunk.sink(p.overlap / scratch.touches[u].radius, is_sheet_[wall], grains.id[g],
                   static_cast<std::int32_t>(wall));
    }
    load_wall(grains, g, wall, force, share * sum.moment, power, scratch);
}

void ShapedContacts::flush_walls(const Grains& grains, Chunk& chunk, Scratch& scratch) const {
    WallBatch& batch = scratch.wall_batch;
    if (batch.count == 0) return;
    const PatchLanes& at = batch.lanes;
    kernel_.points(point_law(batch.type), batch.lanes);
    if (batch.lanes.watched) pay_walls(batch);
    for (std::size_t p = 0; p < at.patches; ++p) {
        const std::size_t g = batch.grain[p], wall = batch.wall[p];
        ForceRow& out = chunk.wall_force[g % shaped_chunk];
        Vec3 sum, moment;
        double power = 0;
        for (std::size_t k = at.first[p]; k < at.first[p + 1]; ++k) {
            const ForceRow row{at.fx[k],  at.fy[k],  at.fz[k],  at.power[k],
                               at.tax[k], at.tay[k], at.taz[k], at.sliding[k]};
            const Vec3 force{row.fx, row.fy, row.fz};
            add_to(out, row);
            sum += force;
            moment += cross(Vec3{at.px[k], at.py[k], at.pz[k]}, force);
            power += dot(force, Vec3{at.wbx[k], at.wby[k], at.wbz[k]});
        }
        load_wall(grains, g, wall, sum, moment, power, scratch);
    }
    batch.count = batch.lanes.patches = 0;
    batch.lanes.watched = false;
}

void ShapedContacts::add_loads(Chunk& chunk, Scratch& scratch) {
    for (std::size_t wall = 0; wall < scratch.loads.size(); ++wall) {
        if (!scratch.loads[wall]) continue;
        ForceRow sum{};
        for (std::uint64_t left = std::exchange(scratch.loads[wall], 0); left; left &= left - 1) {
            const ForceRow& row =
                scratch.wall_rows[wall * shaped_chunk + static_cast<std::size_t>(std::countr_zero(left))];
            sum.fx += row.fx;
            sum.fy += row.fy;
            sum.fz += row.fz;
            sum.power += row.power;
            sum.tx += row.tx;
            sum.ty += row.ty;
            sum.tz += row.tz;
        }
        chunk.loads[wall] = {{sum.fx, sum.fy, sum.fz}, {sum.tx, sum.ty, sum.tz}, sum.power};
    }
}

void ShapedContacts::look_at_walls(const Grains& grains, const Walls& walls, const GrainWalls& near, Scratch& scratch,
                                   const std::function<void(const ContactView&)>& visit) const {
    const std::size_t g = near.grain;
    GrainWalls asked = near;
    find_touches(grains, walls, asked, scratch, true);
    const auto& touches = scratch.touches;
    scratch.memory.resize(touches.size() * static_cast<std::size_t>(width_));
    for (std::size_t t = 0; t < touches.size(); ++t) {
        if (touches[t].taken) continue;
        const WallFeature first = touches[t].contact.at;
        const int count = next_patch(grains, g, near.memory, t, scratch);
        if (count > 1)
            share_weights(scratch.weights.data(), count, near_points(grains, g, static_cast<std::size_t>(first.wall)),
                          [&](int k) { return scratch.points[static_cast<std::size_t>(k)].overlap + law_reach_; });
        for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
            scratch.points[k].weight = scratch.weights[k].weight;
        Sum sum;
        (this->*law_)(scratch.points.data(), count, {grains.row[g].inverse_mass, &inertia_[g], nullptr, {}},
                      materials_.type(grains.material[g], wall_materials_[static_cast<std::size_t>(first.wall)]),
                      omega_[g].w, time_step_, true, sum);
        for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
            const LawPoint& p = scratch.points[k];
            ContactView view{};
            view.a = grains.id[g];
            view.wall = first.wall;
            view.feature = touches[scratch.members[k]].contact.at.feature;
            view.overlap = p.overlap;
            view.point = grains.position(g) + p.point;
            view.normal = p.normal;
            view.force = p.force;
            view.elastic_energy = p.elastic;
            visit(view);
        }
    }
}

// A body and a wall are one contact, however many points they share.
std::size_t ShapedContacts::walls_touched(const std::vector<WallPoint>& points) {
    std::size_t count = 0;
    for (std::size_t k = 0; k < points.size(); ++k) {
        bool known = false;
        for (std::size_t q = 0; q < k; ++q) known = known || points[q].wall == points[k].wall;
        count += !known;
    }
    return count;
}

}  // namespace scree
