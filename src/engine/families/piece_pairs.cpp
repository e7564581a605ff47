#include "engine/families/piece_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "engine/families/body_memory.h"

namespace scree {

PiecePairs::PiecePairs(const BodyScene& scene) : scene_(scene), patch_points_(4) {
    const ShapeTable& shapes = scene.bodies.shapes;
    for (std::size_t k = 0; k < shapes.size(); ++k)
        for (const Piece& piece : shapes[k].pieces)
            for (const Face& face : piece.faces)
                patch_points_ = std::clamp<std::size_t>(2 * face.corners.size(), patch_points_, Patch::most);
}

// ---- Lists and memory -----------------------------------------------------------------------------------------------

void PiecePairs::renew(std::span<const std::vector<PiecePair>> lists, std::span<const std::vector<double>> marks,
                       std::size_t body_pairs, double largest) {
    first_.assign(1, 0);
    for (const auto& list : lists) first_.push_back(first_.back() + list.size());
    pairs_.clear();
    pairs_.reserve(first_.back());
    for (const auto& list : lists) pairs_.insert(pairs_.end(), list.begin(), list.end());
    marks_.clear();
    marks_.reserve(first_.back());
    for (const auto& list : marks) marks_.insert(marks_.end(), list.begin(), list.end());
    body_marks_.assign(body_pairs, -forever);
    pools_.assign(lists.size(), PatchPool(scene_.law.width(), patch_points_));
    largest_ = largest;
}

std::size_t PiecePairs::touching(const BodyPair& body) const {
    std::size_t count = 0;
    for (std::size_t at = body.first; at < body.end; ++at) count += pairs_[at].slot >= 0;
    return count;
}

void PiecePairs::remember(const Grains& grains, std::size_t block, const BodyPair& body, ContactMemory& out) const {
    const std::size_t width = scene_.law.width();
    for (std::size_t at = body.first; at < body.end; ++at) {
        const PiecePair& pair = pairs_[at];
        if (pair.slot < 0) continue;
        const PatchMemory old = pools_[block].read(pair.slot);
        for (int k = 0; k < old.count; ++k) {
            out.a.push_back(grains.id[pair.pieces.a]);
            out.b.push_back(grains.id[pair.pieces.b]);
            out.key.push_back(static_cast<std::uint64_t>(pair.pieces.of_a) << 48 |
                              static_cast<std::uint64_t>(pair.pieces.of_b) << 32 |
                              static_cast<std::uint64_t>(old.keys[k]));
            BodyMemoryRows::append(out.memory, old.numbers + static_cast<std::size_t>(k) * width, width, pair.feature,
                                   old.taken, old.power);
        }
    }
}

void PiecePairs::recall(const Grains& grains, const ContactMemory& memory) {
    const std::size_t width = scene_.law.width();
    const BodyMemoryRows rows(memory, memory.memory, width);
    if (memory.a.empty() || !rows.fit()) return;
    using Name = std::tuple<Index, Index, std::uint32_t>;
    RowsByName<Name> names;
    for (std::size_t k = 0; k < memory.a.size(); ++k)
        names.add({memory.a[k], memory.b[k], static_cast<std::uint32_t>(memory.key[k] >> 32)}, k);
    names.close();
    std::vector<double> keys, numbers;
    for (std::size_t block = 0; block + 1 < first_.size(); ++block)
        for (std::size_t at = first_[block]; at < first_[block + 1]; ++at) {
            PiecePair& pair = pairs_[at];
            auto found = names.of({grains.id[pair.pieces.a], grains.id[pair.pieces.b],
                                   static_cast<std::uint32_t>(pair.pieces.of_a) << 16 | pair.pieces.of_b});
            if (found.empty()) continue;
            found = found.first(std::min(found.size(), patch_points_));
            keys.clear();
            numbers.clear();
            for (const auto& [name, k] : found) {
                keys.push_back(static_cast<double>(memory.key[k] & 0xffffffffu));
                numbers.insert(numbers.end(), rows.law(k), rows.law(k) + width);
            }
            const std::size_t last = found.back().second;
            pair.feature = rows.feature(last);
            pair.slot = pools_[block].take();
            pools_[block].write(pair.slot, {static_cast<int>(found.size()), keys.data(), numbers.data(),
                                            rows.taken(last), rows.power(last)});
            marks_[at] = -forever;
        }
}

// ---- Forces ---------------------------------------------------------------------------------------------------------

double PiecePairs::passed_by(const BodyPair& pair) const {
    const std::vector<Odometer>& odometer = scene_.bodies.odometer;
    const double travelled = odometer[pair.a].travelled + odometer[pair.b].travelled;
    return scene_.law.reach() + travelled + 1e-12 * (travelled + 2 * largest_);
}

void PiecePairs::collide(const Grains& grains, std::size_t block, BodyPairs& bodies, BlockReport& report) {
    if (first_[block] == first_[block + 1]) return;
    for (std::size_t b = bodies.first[block]; b < bodies.first[block + 1]; ++b) {
        const BodyPair& body = bodies.pairs[b];
        if (body.balls) continue;
        const double passed = passed_by(body);
        if (body_marks_[b] > passed) {
            report.queries_saved += body.end - body.first;
            continue;
        }
        bodies.forces[b] = {};
        bodies.touching[b] = collide_bodies(grains, body, passed, pools_[block], bodies.forces[b], report);
        body_marks_[b] = marks_[body.first];
        for (std::size_t p = body.first + 1; p < body.end; ++p)
            body_marks_[b] = marks_[p] < body_marks_[b] ? marks_[p] : body_marks_[b];
    }
}

// The pairs of pieces of two bodies that may touch; adds to out. Whether any does.
bool PiecePairs::collide_bodies(const Grains& grains, const BodyPair& body, double passed, PatchPool& pool,
                                PairForce& out, BlockReport& report) {
    thread_local std::vector<std::unique_ptr<Touch>> touches;
    std::size_t count = 0;
    Account account;
    const Vec3 offset = scene_.offset(grains, body.a, body.b);
    for (std::size_t p = body.first; p < body.end; ++p) {
        if (marks_[p] > passed) {
            ++report.queries_saved;
            continue;
        }
        if (touches.size() == count) touches.push_back(std::make_unique<Touch>());
        count += find_touch(grains, p, offset, pool, *touches[count], account, report);
    }
    if (count == 0) return false;
    PatchSum sum;
    sum.watch = !scene_.law.pulls();
    const std::vector<OmegaRow>& omega = scene_.bodies.omega;
    apply_together({touches.data(), count}, scene_.touching(grains, body.a, body.b, offset),
                   omega[body.a].w - omega[body.b].w, false, sum);
    const double share = scene_.law.paid_share(sum, account.touched, account.taken, account.power);
    if (share < 1) {
        sum.force *= share;
        sum.moment *= share;
        sum.couple *= share;
        sum.slipped *= share;
    }
    for (std::size_t t = 0; t < count; ++t) {
        const Touch& touch = *touches[t];
        double keys[Patch::most];
        for (int k = 0; k < touch.count; ++k) keys[k] = static_cast<double>(touch.patch.point[k].key);
        // The first one keeps the account of all.
        pool.write(pairs_[touch.at].slot,
                   {touch.count, keys, touch.memory, t == 0 ? account.taken : 0, t == 0 ? account.power : 0});
    }
    const Vec3 torque_a = sum.moment + sum.couple, torque_b = -(sum.moment - cross(offset, sum.force)) - sum.couple;
    out.on_a = {sum.force.x, sum.force.y, sum.force.z, 0, torque_a.x, torque_a.y, torque_a.z, sum.slipped};
    out.torque_b = torque_b;
    return true;
}

// Looks whether a pair of pieces touches, and if so readies its points for the law. What it has taken from the bodies
// goes to their account, also when it has just parted.
bool PiecePairs::find_touch(const Grains& grains, std::size_t at, Vec3 offset, PatchPool& pool, Touch& out,
                            Account& account, BlockReport& report) {
    PiecePair& pair = pairs_[at];
    double& mark = marks_[at];
    const std::size_t a = pair.pieces.a, b = pair.pieces.b;
    const Bodies& bodies = scene_.bodies;
    const double travelled = bodies.odometer[a].travelled + bodies.odometer[b].travelled;
    const bool touched = pair.slot >= 0;
    const Piece &piece_a = scene_.piece(grains, a, pair.pieces.of_a),
                &piece_b = scene_.piece(grains, b, pair.pieces.of_b);
    const double radius_a = piece_a.radius * grains.scale[a], radius_b = piece_b.radius * grains.scale[b],
                 radii = radius_a + radius_b;
    Patch& patch = out.patch;
    const Pose pose_a = bodies.pose(grains, a, {}), pose_b = bodies.pose(grains, b, offset);
    if (!touched) {
        const double slack = 1e-12 * (travelled + grains.row[a].radius + grains.row[b].radius);
        const double apart = norm(pose_b(piece_b.middle) - pose_a(piece_a.middle)) - piece_a.reach * pose_a.scale -
                             piece_b.reach * pose_b.scale;
        if (apart - slack > scene_.law.reach()) {
            mark = apart + travelled;
            ++report.queries_saved;
            return false;
        }
    }
    find_patch(piece_a, pose_a, piece_b, pose_b, radii + scene_.law.reach(pair.type), scene_.dimension, pair.feature,
               patch);
    // Edges that are nearly in line may cross once more than those of convex polygons do.
    patch.count = std::min(patch.count, static_cast<int>(patch_points_));
    ++(patch.searched ? report.queries : report.queries_saved);
    if (patch.overlap) report.sink(grains.id[a], grains.id[b]);
    PatchMemory old;
    if (touched) {
        old = pool.read(pair.slot);
        account.touched = true;
        account.taken += old.taken < 0 ? -forever : old.taken;
        account.power += old.power;
    }
    if (patch.count == 0) {
        if (touched) {
            pool.give_back(pair.slot);
            pair.slot = -1;
        }
        pair.feature = 0;
        mark = patch.distance - radii + travelled;
        return false;
    }
    mark = -std::numeric_limits<double>::infinity();
    out.at = at;
    out.near = 0.5 * std::fmin(piece_a.reach * pose_a.scale, piece_b.reach * pose_b.scale);
    out.count = pair_points(scene_, grains, pair.pieces, patch, offset, out.points);
    recall_points(old, out);
    if (!touched) pair.slot = pool.take();
    ++report.contacts;
    report.max_overlap = std::fmax(report.max_overlap, (radii - patch.distance) / std::fmin(radius_a, radius_b));
    return true;
}

// Points get the memory of those with the same key; those that are new under load, what has become of the others.
void PiecePairs::recall_points(const PatchMemory& old, Touch& touch) const {
    const std::size_t width = scene_.law.width();
    bool changed = false;
    for (int k = 0; k < touch.count; ++k) {
        LawPoint& p = touch.points[k];
        p.memory = touch.memory + static_cast<std::size_t>(k) * width;
        int found = -1;
        for (int q = 0; q < old.count && found < 0; ++q)
            if (old.keys[q] == static_cast<double>(touch.patch.point[k].key)) found = q;
        const bool inherits =
            found < 0 && old.count > 0 && !(p.overlap < -dot(p.velocity, p.normal) * scene_.law.time_step());
        p.fresh = found < 0 && !inherits;
        changed = changed || inherits;
        for (std::size_t m = 0; m < width; ++m)
            p.memory[m] = found >= 0 ? old.numbers[static_cast<std::size_t>(found) * width + m] : 0.0;
    }
    if (changed) carry_over(width, old, touch.patch, touch.points);
}

// Points of several pairs of pieces: those that face the same way are one patch, as they are on a wall, so that it
// cannot be felt how a body is cut into pieces. Where pieces meet or overlap, points of several pairs are at one place
// and share its weight.
void PiecePairs::apply_together(Touches touches, const Touching& bodies, Vec3 turn, bool look, PatchSum& sum) const {
    const std::uint16_t type = pairs_[touches[0]->at].type;
    if (touches.size() == 1)
        return scene_.law.apply(touches[0]->points, touches[0]->count, bodies, type, turn, look, sum);
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
                                    -points[at(k)].overlap,
                                    std::fmax(points[at(k)].overlap + scene_.law.reach(type), 0)};
            },
            [&](int k) -> double& { return points[at(k)].weight; },
            [&](int i, int j) { return side[at(i)].touch != side[at(j)].touch; });
        scene_.law.apply(points.data(), static_cast<int>(points.size()), bodies, type, turn, look, sum);
        for (std::size_t k = 0; k < points.size(); ++k) *side[k].point = points[k];
    }
}

// ---- Observers ------------------------------------------------------------------------------------------------------

// The points of a pair that touches, as they are now.
void PiecePairs::look_at(const Grains& grains, const PatchMemory& old, std::size_t at, Vec3 offset, Touch& out) const {
    const TwoPieces& pieces = pairs_[at].pieces;
    const Piece &piece_a = scene_.piece(grains, pieces.a, pieces.of_a),
                &piece_b = scene_.piece(grains, pieces.b, pieces.of_b);
    const Pose pose_a = scene_.bodies.pose(grains, pieces.a, {}), pose_b = scene_.bodies.pose(grains, pieces.b, offset);
    double feature = pairs_[at].feature;
    find_patch(piece_a, pose_a, piece_b, pose_b,
               piece_a.radius * pose_a.scale + piece_b.radius * pose_b.scale + scene_.law.reach(pairs_[at].type),
               scene_.dimension, feature, out.patch);
    out.patch.count = std::min(out.patch.count, static_cast<int>(patch_points_));
    out.at = at;
    out.near = 0.5 * std::fmin(piece_a.reach * pose_a.scale, piece_b.reach * pose_b.scale);
    out.count = pair_points(scene_, grains, pieces, out.patch, offset, out.points);
    const std::size_t width = scene_.law.width();
    for (int k = 0; k < out.count; ++k) {
        out.points[k].memory = out.memory + static_cast<std::size_t>(k) * width;
        std::fill_n(out.points[k].memory, width, 0.0);
        for (int q = 0; q < old.count; ++q)
            if (old.keys[q] == static_cast<double>(out.patch.point[k].key))
                std::copy_n(old.numbers + static_cast<std::size_t>(q) * width, width, out.points[k].memory);
    }
}

void PiecePairs::each_view(const Grains& grains, std::size_t block, const BodyPair& body,
                           const std::function<void(const ContactView&)>& visit) const {
    std::vector<std::unique_ptr<Touch>> touches;
    const Vec3 offset = scene_.offset(grains, body.a, body.b);
    double taken = 0;
    for (std::size_t at = body.first; at < body.end; ++at) {
        if (pairs_[at].slot < 0) continue;
        const PatchMemory old = pools_[block].read(pairs_[at].slot);
        touches.push_back(std::make_unique<Touch>());
        look_at(grains, old, at, offset, *touches.back());
        taken = old.taken < 0 ? forever : taken + old.taken;
    }
    if (touches.empty()) return;
    const std::vector<OmegaRow>& omega = scene_.bodies.omega;
    PatchSum sum;
    apply_together(touches, scene_.touching(grains, body.a, body.b, offset), omega[body.a].w - omega[body.b].w, true,
                   sum);
    const double share = !scene_.law.pulls() && taken < sum.pressed ? taken / sum.pressed : 1;
    for (const auto& touch : touches)
        for (int k = 0; k < touch->count; ++k)
            visit(view_of(grains, pairs_[touch->at].pieces, touch->points[k], share));
}

}  // namespace scree
