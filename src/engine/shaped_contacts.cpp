// Forces between bodies, and between bodies and walls: geometry, law and gather. See shaped.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.h"
#include "engine/shaped.h"

namespace scree {
namespace {

void add_to(ForceRow& row, Vec3 f, Vec3 t) {
    row.fx += f.x;
    row.fy += f.y;
    row.fz += f.z;
    row.tx += t.x;
    row.ty += t.y;
    row.tz += t.z;
}

}  // namespace

std::int32_t ShapedContacts::take_slot(Pool& pool, std::size_t stride) {
    if (!pool.free.empty()) {
        const std::int32_t slot = pool.free.back();
        pool.free.pop_back();
        return slot;
    }
    const std::size_t slot = pool.numbers.size() / stride;
    pool.numbers.resize(pool.numbers.size() + stride, 0.0);
    return static_cast<std::int32_t>(slot);
}

ShapedContacts::Remembered ShapedContacts::remembered(const Chunk& chunk, std::size_t at) const {
    const PiecePair& pair = pairs_[at];
    if (pair.balls) return {1, &ball_key, ball_memory(at), 0, 0};
    const double* const old = chunk.pool.numbers.data() + static_cast<std::size_t>(pair.slot) * stride();
    return {static_cast<int>(old[0]), old + first_key, old + first_key + patch_points_, old[1], old[2]};
}

// The points of a patch as the law sees them, in coordinates about the center of body a.
int ShapedContacts::pair_points(const Grains& grains, const PiecePair& pair, const Patch& patch, Vec3 offset,
                                LawPoint* out) const {
    const std::size_t a = pair.a, b = pair.b;
    const double ra = shapes_[grains.shape[a]].pieces[pair.pa].radius * grains.scale[a],
                 rb = shapes_[grains.shape[b]].pieces[pair.pb].radius * grains.scale[b];
    const Vec3 v = grains.velocity(a) - grains.velocity(b);
    for (int k = 0; k < patch.count; ++k) {
        const PatchPoint& p = patch.point[k];
        LawPoint& q = out[k];
        // Between the surfaces, in proportion of the radii.
        q.point = p.a - (p.gap * ra / (ra + rb)) * p.normal;
        q.normal = p.normal;
        q.velocity = v + cross(omega_[a].w, q.point) - cross(omega_[b].w, q.point - offset);
        q.overlap = ra + rb - p.gap;
        q.weight = p.weight;
        q.inverse_radius = 1 / ra + 1 / rb;
        q.fresh = true;
        q.elastic = 0;
    }
    return patch.count;
}

// When a patch turns into another one, its energy jumps. What it stores beyond what it has taken from the bodies is not
// theirs to get: the forces are those of the part of the energy that has been paid for, and the contact gives back no
// more than it took. At least half of the force stays, so that a block that slides for long without friction does not
// sink. `taken` is below zero when it is not known.
double ShapedContacts::paid_share(const Sum& sum, bool touched, double& taken, double& power) const {
    constexpr double least_share = 0.5;
    if (pulls_) return 1;
    if (!touched || taken < 0) {
        taken = sum.pressed;
        power = sum.power;
        return 1;
    }
    const double before = taken + 0.5 * power * time_step_;
    taken = before + 0.5 * sum.power * time_step_;
    double share = 1;
    if (taken < sum.pressed) {
        share = std::fmax(taken / sum.pressed, least_share);
        taken = std::fmax(before + 0.5 * share * sum.power * time_step_, least_share * sum.pressed);
    }
    power = share * sum.power;
    return share;
}

// Looks whether a pair of pieces touches, and if so readies its points for the law. What it has taken from the bodies
// goes to their account, also when it has just parted.
bool ShapedContacts::find_touch(const Grains& grains, std::size_t at, Vec3 offset, Chunk& chunk, PieceTouch& out,
                                PairAccount& account) {
    PiecePair& pair = pairs_[at];
    double& mark = marks_[at];
    const std::size_t a = pair.a, b = pair.b;
    const double travelled = odometer_[a].travelled + odometer_[b].travelled;
    const bool touched = pair.slot >= 0;
    const Piece &piece_a = shapes_[grains.shape[a]].pieces[pair.pa],
                &piece_b = shapes_[grains.shape[b]].pieces[pair.pb];
    const double radius_a = piece_a.radius * grains.scale[a], radius_b = piece_b.radius * grains.scale[b],
                 radii = radius_a + radius_b;
    Patch& patch = out.patch;
    const Pose pose_a = pose(grains, a, {}), pose_b = pose(grains, b, offset);
    if (!touched) {
        const double slack = 1e-12 * (travelled + grains.row[a].radius + grains.row[b].radius);
        const double apart = norm(pose_b(piece_b.middle) - pose_a(piece_a.middle)) - piece_a.reach * pose_a.scale -
                             piece_b.reach * pose_b.scale;
        if (apart - slack > law_reach_) {
            mark = apart + travelled;
            ++chunk.saved;
            return false;
        }
    }
    find_patch(piece_a, pose_a, piece_b, pose_b, radii + law_reach_, dimension_, pair.feature, patch);
    // Edges that are nearly in line may cross once more than those of convex polygons do.
    patch.count = std::min(patch.count, static_cast<int>(patch_points_));
    ++(patch.searched ? chunk.made : chunk.saved);
    if (patch.overlap && chunk.sunk.empty()) chunk.sunk = fmt::format("grains {} and {}", grains.id[a], grains.id[b]);
    if (touched) {
        const double* const old = numbers_of(chunk, pair);
        account.touched = true;
        account.taken += old[1] < 0 ? -forever : old[1];
        account.power += old[2];
    }
    if (patch.count == 0) {
        if (touched) {
            chunk.pool.free.push_back(pair.slot);
            pair.slot = -1;
        }
        pair.feature = 0;
        mark = patch.distance - radii + travelled;
        return false;
    }
    mark = -std::numeric_limits<double>::infinity();
    out.at = at;
    out.near = 0.5 * std::fmin(piece_a.reach * pose_a.scale, piece_b.reach * pose_b.scale);
    out.count = pair_points(grains, pair, patch, offset, out.points);
    const auto width = static_cast<std::size_t>(width_);
    if (!touched) pair.slot = take_slot(chunk.pool, stride());
    const double* const old = numbers_of(chunk, pair);
    const int old_count = touched ? static_cast<int>(old[0]) : 0;
    const double *const keys = old + first_key, *const kept = keys + patch_points_;
    bool changed = false;
    for (int k = 0; k < out.count; ++k) {
        LawPoint& p = out.points[k];
        p.memory = out.memory + static_cast<std::size_t>(k) * width;
        int found = -1;
        for (int q = 0; q < old_count && found < 0; ++q)
            if (keys[q] == static_cast<double>(patch.point[k].key)) found = q;
        const bool inherits = found < 0 && old_count > 0 && !(p.overlap < -dot(p.velocity, p.normal) * time_step_);
        p.fresh = found < 0 && !inherits;
        changed = changed || inherits;
        for (std::size_t m = 0; m < width; ++m)
            p.memory[m] = found >= 0 ? kept[static_cast<std::size_t>(found) * width + m] : 0.0;
    }
    if (changed) carry_over({old_count, keys, kept, 0, 0}, patch, out.points);
    ++chunk.contacts;
    chunk.max_overlap = std::fmax(chunk.max_overlap, (radii - patch.distance) / std::fmin(radius_a, radius_b));
    return true;
}

// Points of several pairs of pieces: those that face the same way are one patch, as they are on a wall, so that it
// cannot be felt how a body is cut into pieces. Where pieces meet or overlap, points of several pairs are at one place
// and share its weight.
void ShapedContacts::apply_together(std::span<const std::unique_ptr<PieceTouch>> touches, const Touching& bodies,
                                    std::uint16_t type, Vec3 turn, bool look, Sum& sum) const {
    if (touches.size() == 1)
        return (this->*law_)(touches[0]->points, touches[0]->count, bodies, type, turn, time_step_, look, sum);
    struct Member {
        LawPoint* point;
        std::size_t touch;
        bool taken;
    };
    thread_local std::vector<Member> members, side;
    thread_local std::vector<LawPoint> points;
    thread_local std::vector<double> crowd;
    members.clear();
    double near = forever;
    for (std::size_t t = 0; t < touches.size(); ++t) {
        near = std::fmin(near, touches[t]->near);
        for (int k = 0; k < touches[t]->count; ++k) members.push_back({touches[t]->points + k, t, false});
    }
    for (std::size_t from = 0; from < members.size(); ++from) {
        if (members[from].taken) continue;
        const Vec3 normal = members[from].point->normal;
        side.clear();
        points.clear();
        for (std::size_t k = from; k < members.size(); ++k) {
            if (members[k].taken || dot(members[k].point->normal, normal) < same_side) continue;
            members[k].taken = true;
            side.push_back(members[k]);
            points.push_back(*members[k].point);
        }
        crowd.resize(points.size());
        const auto at = [&](int k) { return static_cast<std::size_t>(k); };
        share_weights(
            static_cast<int>(points.size()), near, crowd.data(),
            [&](int k) {
                return WeighedPoint{points[at(k)].point.x, points[at(k)].point.y, points[at(k)].point.z,
                                    -points[at(k)].overlap, points[at(k)].overlap + law_reach_};
            },
            [&](int k) -> double& { return points[at(k)].weight; },
            [&](int i, int j) { return side[at(i)].touch != side[at(j)].touch; });
        (this->*law_)(points.data(), static_cast<int>(points.size()), bodies, type, turn, time_step_, look, sum);
        for (std::size_t k = 0; k < points.size(); ++k) *side[k].point = points[k];
    }
}

// The pairs of pieces of two bodies that may touch; adds to out. Whether any does.
bool ShapedContacts::collide_body(const Grains& grains, const BodyPair& body, double passed, Chunk& chunk,
                                  PairForce& out) {
    thread_local std::vector<std::unique_ptr<PieceTouch>> touches;
    std::size_t count = 0;
    PairAccount account;
    const Vec3 offset = periodicity_.nearest(grains.position(body.b) - grains.position(body.a));
    for (std::size_t p = body.first; p < body.end; ++p) {
        if (marks_[p] > passed) {
            ++chunk.saved;
            continue;
        }
        if (touches.size() == count) touches.push_back(std::make_unique<PieceTouch>());
        count += find_touch(grains, p, offset, chunk, *touches[count], account);
    }
    if (count == 0) return false;
    Sum sum;
    sum.watch = !pulls_;
    const PiecePair& first = pairs_[touches[0]->at];
    apply_together({touches.data(), count}, touching(grains, first, offset), first.type,
                   omega_[first.a].w - omega_[first.b].w, false, sum);
    const double share = paid_share(sum, account.touched, account.taken, account.power);
    if (share < 1) {
        sum.force *= share;
        sum.moment *= share;
        sum.couple *= share;
        sum.power *= share;
        sum.sliding *= share;
    }
    const auto width = static_cast<std::size_t>(width_);
    for (std::size_t t = 0; t < count; ++t) {
        const PieceTouch& touch = *touches[t];
        double* const numbers = numbers_of(chunk, pairs_[touch.at]);
        numbers[0] = touch.count;
        // The first one keeps the account of all.
        numbers[1] = t == 0 ? account.taken : 0;
        numbers[2] = t == 0 ? account.power : 0;
        for (int k = 0; k < touch.count; ++k)
            numbers[first_key + static_cast<std::size_t>(k)] = static_cast<double>(touch.patch.point[k].key);
        std::copy_n(touch.memory, static_cast<std::size_t>(touch.count) * width, numbers + first_key + patch_points_);
    }
    const Vec3 torque_a = sum.moment + sum.couple, torque_b = -(sum.moment - cross(offset, sum.force)) - sum.couple;
    add_to(out.on_a, sum.force, torque_a);
    out.on_a.power += sum.power;
    out.on_a.sliding += sum.sliding;
    out.torque_b += torque_b;
    return true;
}

ShapedContacts::BondSum ShapedContacts::pull(const Grains& grains, std::size_t g, const GrainBond& bond) const {
    BondSum sum;
    const Vec3 d = periodicity_.nearest(grains.position(g) - grains.position(bond.partner));
    sum.distance = norm(d);
    sum.normal = d / sum.distance;
    const double approach = -dot(grains.velocity(g) - grains.velocity(bond.partner), sum.normal);
    const BondForce f = bond_force(*bond.glue, sum.distance, bond.rest);
    const double repulsion = f.repulsion + bond.damping * approach;
    sum.force = repulsion * sum.normal;
    sum.energy = f.energy;
    sum.power = repulsion * approach;
    return sum;
}

void ShapedContacts::collide_pieces(const Grains& grains, Chunk& chunk) {
    for (std::size_t b = chunk.first_body; b < chunk.end_body; ++b) {
        const BodyPair& body = bodies_[b];
        if (pairs_[body.first].balls) continue;
        const double passed = passed_by(body.a, body.b);
        if (body_marks_[b] > passed) {
            chunk.saved += body.end - body.first;
            continue;
        }
        forces_[b] = {};
        touching_[b] = collide_body(grains, body, passed, chunk, forces_[b]);
        body_marks_[b] = least_mark(body);
    }
}

void ShapedContacts::collide(const Grains& grains, const Walls& walls) {
    force_.resize(grains.size());
    scratch_.resize(static_cast<std::size_t>(thread_count()));
    wall_center_.resize(walls.size());
    for (std::size_t w = 0; w < walls.size(); ++w) wall_center_[w] = walls.set.reference_point(w, walls.placements[w]);
    std::fill(touching_.begin(), touching_.end(), std::uint8_t{0});
    farthest_ = 0;
    for (const Odometer& each : odometer_) farthest_ = each.travelled > farthest_ ? each.travelled : farthest_;
    run_tasks(chunks_.size(), [&](std::size_t c, int worker) {
        Chunk& chunk = chunks_[c];
        Scratch& scratch = scratch_[static_cast<std::size_t>(worker)];
        chunk.max_overlap = 0;
        chunk.contacts = 0;
        chunk.sunk.clear();
        chunk.passing = chunk.deepest = {};
        chunk.loads.assign(walls.size(), {});
        scratch.loads.resize(walls.size(), 0);
        scratch.wall_rows.resize(walls.size() * shaped_chunk);
        if (chunk.balls) collide_balls(grains, chunk, scratch);
        if (chunk.balls < chunk.end_pair - chunk.first_pair) collide_pieces(grains, chunk);
        chunk.wall_force.assign(chunk.flat.points.empty() && chunk.walls.empty() ? 0 : shaped_chunk, {});
        collide_flat(grains, walls, chunk, scratch);
        for (GrainWalls& near : chunk.walls) collide_walls(grains, walls, near, chunk, scratch);
        flush_walls(grains, chunk, scratch);
        add_loads(chunk, scratch);
    });
    // Pairs are sorted by their lower grain: one sweep over them adds to every grain in the order in which its own
    // sweep below does.
    const bool alone = thread_count() == 1;
    if (alone) {
        std::fill(force_.begin(), force_.end(), ForceRow{});
        kernel_.add(bodies_.data(), forces_.data(), touching_.data(), bodies_.size(), force_.data());
    }
    run_tasks(chunks_.size(), [&](std::size_t c, int) {
        const std::size_t end = std::min(grains.size(), (c + 1) * shaped_chunk);
        const std::vector<ForceRow>& wall_force = chunks_[c].wall_force;
        for (std::size_t g = c * shaped_chunk; g < end; ++g) {
            ForceRow row = alone ? force_[g] : ForceRow{};
            for (std::uint32_t k = incoming_first_[g]; k < incoming_first_[g + 1] && !alone; ++k)
                if (const std::uint32_t p = incoming_[k]; touching_[p])
                    add_to(row, bodies_[p].a == g ? forces_[p].on_a : forces_[p].on_b());
            for (std::uint32_t p = own_first_[g]; p < own_first_[g + 1] && !alone; ++p)
                if (touching_[p]) add_to(row, bodies_[p].a == g ? forces_[p].on_a : forces_[p].on_b());
            if (!wall_force.empty()) add_to(row, wall_force[g % shaped_chunk]);
            for (std::uint32_t k = bond_first_.empty() ? 0 : bond_first_[g];
                 !bond_first_.empty() && k < bond_first_[g + 1]; ++k) {
                const BondSum bond = pull(grains, g, bonds_[k]);
                add_to(row, bond.force, {});
                if (grains.id[g] < grains.id[bonds_[k].partner]) row.power += bond.power;
            }
            force_[g] = row;
        }
    });
    max_overlap_ = 0;
    contact_count_ = 0;
    made_ = saved_ = 0;
    sunk_.clear();
    passing_ = deepest_ = {};
    loads_.assign(walls.size(), {});
    for (const Chunk& chunk : chunks_) {
        if (chunk.max_overlap > max_overlap_) {
            max_overlap_ = chunk.max_overlap;
            deepest_ = chunk.deepest;
        }
        contact_count_ += chunk.contacts;
        made_ += chunk.made;
        saved_ += chunk.saved;
        if (sunk_.empty()) sunk_ = chunk.sunk;
        if (passing_.wall < 0) passing_ = chunk.passing;
        for (std::size_t w = 0; w < walls.size(); ++w) {
            loads_[w].force += chunk.loads[w].force;
            loads_[w].torque += chunk.loads[w].torque;
            loads_[w].power += chunk.loads[w].power;
        }
    }
}

void ShapedContacts::look(const Grains& grains) {
    contact_count_ = 0;
    for (const Chunk& chunk : chunks_) {
        for (std::size_t p = chunk.first_pair; p < chunk.end_pair; ++p) contact_count_ += touches(p);
        each_near_walls(grains, chunk,
                        [&](const GrainWalls& near) { contact_count_ += walls_touched(near.memory.points); });
    }
}

// The points of a pair that touches, as they are now.
void ShapedContacts::look_at_pair(const Grains& grains, const Chunk& chunk, std::size_t at, Vec3 offset,
                                  PieceTouch& out) const {
    const PiecePair& pair = pairs_[at];
    const std::size_t a = pair.a, b = pair.b;
    const Piece &piece_a = shapes_[grains.shape[a]].pieces[pair.pa],
                &piece_b = shapes_[grains.shape[b]].pieces[pair.pb];
    const Pose pose_a = pose(grains, a, {}), pose_b = pose(grains, b, offset);
    double feature = pair.feature;
    if (pair.balls)
        ball_patch(pair, offset, out.patch);
    else
        find_patch(piece_a, pose_a, piece_b, pose_b,
                   piece_a.radius * pose_a.scale + piece_b.radius * pose_b.scale + law_reach_, dimension_, feature,
                   out.patch);
    out.patch.count = std::min(out.patch.count, static_cast<int>(patch_points_));
    out.at = at;
    out.near = 0.5 * std::fmin(piece_a.reach * pose_a.scale, piece_b.reach * pose_b.scale);
    out.count = pair_points(grains, pair, out.patch, offset, out.points);
    const Remembered old = remembered(chunk, at);
    const auto width = static_cast<std::size_t>(width_);
    for (int k = 0; k < out.count; ++k) {
        out.points[k].memory = out.memory + static_cast<std::size_t>(k) * width;
        std::fill_n(out.points[k].memory, width, 0.0);
        for (int q = 0; q < old.count; ++q)
            if (old.keys[q] == static_cast<double>(out.patch.point[k].key))
                std::copy_n(old.numbers + static_cast<std::size_t>(q) * width, width, out.points[k].memory);
    }
}

void ShapedContacts::each_view(const Grains& grains, const Walls& walls,
                               const std::function<void(const ContactView&)>& visit) const {
    std::vector<std::unique_ptr<PieceTouch>> rooms;
    for (const Chunk& chunk : chunks_) {
        for (std::size_t b = chunk.first_body; b < chunk.end_body; ++b) {
            const BodyPair& body = bodies_[b];
            const Vec3 offset = periodicity_.nearest(grains.position(body.b) - grains.position(body.a));
            const bool balls = pairs_[body.first].balls;
            std::size_t count = 0;
            double taken = 0;
            for (std::size_t at = body.first; at < body.end; ++at) {
                if (!touches(at)) continue;
                if (rooms.size() == count) rooms.push_back(std::make_unique<PieceTouch>());
                look_at_pair(grains, chunk, at, offset, *rooms[count++]);
                if (const double own = remembered(chunk, at).taken; own < 0)
                    taken = forever;
                else
                    taken += own;
            }
            if (count == 0) continue;
            const PiecePair& first = pairs_[body.first];
            const Touching bodies = touching(grains, first, offset);
            const Vec3 turn = omega_[first.a].w - omega_[first.b].w;
            Sum sum;
            // Balls are contacts by themselves.
            for (std::size_t t = 0; t < count && balls; ++t)
                apply_together({rooms.data() + t, 1}, bodies, first.type, turn, true, sum);
            if (!balls) apply_together({rooms.data(), count}, bodies, first.type, turn, true, sum);
            const double share = !balls && !pulls_ && taken < sum.pressed ? taken / sum.pressed : 1;
            for (std::size_t t = 0; t < count; ++t)
                for (int k = 0; k < rooms[t]->count; ++k) {
                    const LawPoint& p = rooms[t]->points[k];
                    ContactView view{};
                    view.a = grains.id[body.a];
                    view.b = grains.id[body.b];
                    view.overlap = p.overlap;
                    view.point = grains.position(body.a) + p.point;
                    view.normal = p.normal;
                    view.force = share * p.force;
                    view.elastic_energy = share * p.elastic;
                    visit(view);
                }
        }
        Scratch scratch;
        each_near_walls(grains, chunk,
                        [&](const GrainWalls& near) { look_at_walls(grains, walls, near, scratch, visit); });
    }
    each_bond(grains, visit);
}

// Bonds are contacts too, that may pull.
void ShapedContacts::each_bond(const Grains& grains, const std::function<void(const ContactView&)>& visit) const {
    for (std::size_t g = 0; g + 1 < bond_first_.size(); ++g)
        for (std::uint32_t k = bond_first_[g]; k < bond_first_[g + 1]; ++k) {
            if (grains.id[g] > grains.id[bonds_[k].partner]) continue;
            const BondSum bond = pull(grains, g, bonds_[k]);
            ContactView view{};
            view.a = grains.id[g];
            view.b = grains.id[bonds_[k].partner];
            view.overlap = bonds_[k].rest - bond.distance;
            view.point = grains.position(g) - (0.5 * bond.distance) * bond.normal;
            view.normal = bond.normal;
            view.force = bond.force;
            view.elastic_energy = bond.energy;
            visit(view);
        }
}

double ShapedContacts::elastic_energy(const Grains& grains, const Walls& walls) const {
    double sum = 0;
    each_view(grains, walls, [&](const ContactView& view) { sum += view.elastic_energy; });
    return sum;
}

}  // namespace scree
