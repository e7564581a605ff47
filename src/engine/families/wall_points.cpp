#include "engine/families/wall_points.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree {
namespace {

constexpr double at_once = -std::numeric_limits<double>::infinity();

double least(double a, double b) { return b < a ? b : a; }

}  // namespace

void WallPoints::clear(std::size_t blocks, double skin) {
    lists_.assign(blocks, {});
    skin_ = skin;
}

void WallPoints::list(const Grains& grains, std::size_t block, std::size_t g, std::vector<WallFeature> features) {
    const bool moving = std::any_of(features.begin(), features.end(), [&](const WallFeature& f) {
        return walls_.moves[static_cast<std::size_t>(f.wall)];
    });
    const std::size_t corners = bodies().features[grains.shape[g]].corners.size();
    lists_[block].push_back(
        {static_cast<Index>(g), moving, -forever, std::move(features), {}, {}, std::vector<double>(corners, -forever)});
}

void WallPoints::recall(const Grains& grains, const ContactMemory& memory, const BodyMemoryRows& rows,
                        const RowsByName<Index>& names) {
    const std::size_t width = law().width();
    for (std::vector<GrainWalls>& list : lists_)
        for (GrainWalls& near : list)
            for (const auto& [id, k] : names.of(grains.id[near.grain])) {
                const std::int32_t wall = memory.wall[k];
                near.memory.points.push_back({wall, memory.feature[k], static_cast<std::uint32_t>(memory.wall_key[k])});
                near.memory.numbers.insert(near.memory.numbers.end(), rows.law(k), rows.law(k) + width);
                const bool known = std::any_of(near.accounts.begin(), near.accounts.end(),
                                               [&](const WallAccount& of) { return of.wall == wall; });
                if (!known && walls_.has_account(grains, near.grain, wall))
                    near.accounts.push_back({wall, true, rows.taken(k), rows.power(k)});
            }
}

void WallPoints::collide(const Grains& grains, const Walls& walls, std::size_t block, WallBatch& batch,
                         BlockReport& report) {
    thread_local Room room;
    for (GrainWalls& near : lists_[block]) collide(grains, walls, near, batch, room, report);
}

// Edges and sides over what sticks out of a wall.
void WallPoints::rim_touches(const Grains& grains, const Walls& walls, const GrainWalls& near, double beyond,
                             double& nearest, Room& room) const {
    const std::size_t g = near.grain;
    const Shape& shape = bodies().shapes[grains.shape[g]];
    const Vec3 x = grains.position(g);
    const double s = grains.scale[g];
    for (const WallFeature& f : near.near) {
        const auto w = static_cast<std::size_t>(f.wall);
        const WallPlacement& placement = walls.placements[w];
        const Surface& surface = walls.set.surface(w, placement);
        if (!surface.has_convex_parts() || placement.open) continue;
        room.parts.clear();
        surface.convex_parts(f.feature, room.parts);
        const Vec3 center = placement.to_wall(x);
        for (const ConvexPart& part : room.parts) {
            // A convex body is on the side of a sheet that its center is on. Of others, a ring around a pole or a hook,
            // each piece is asked where it is.
            const bool by_piece = part.kind == ConvexPart::Kind::turned && shape.pieces.size() > 1;
            if (!by_piece && !is_near(surface, part, center, grains.row[g].radius + beyond)) continue;
            for (std::size_t p = 0; p < shape.pieces.size(); ++p) {
                const Piece& piece = shape.pieces[p];
                const double radius = piece.radius * s;
                if (by_piece &&
                    !is_near(surface, part, placement.to_wall(x + bodies().rotation[g] * (s * piece.middle)),
                             piece.reach * s + beyond))
                    continue;
                nearest = at_once;  // corners do not tell how far the wall is
                if (piece.dimension == 0) continue;
                room.corners.clear();
                room.offered.clear();
                for (const Vec3 tip : piece.vertex)
                    room.corners.push_back(placement.to_wall(x + bodies().rotation[g] * (s * tip)));
                rim_points(piece, room.corners, surface, part, radius + law().reach(), room.offered);
                for (const RimPoint& rim : room.offered) {
                    walls.set.contacts(walls.placements, placement.to_world(rim.point), radius, near.near, room.touch,
                                       law().reach());
                    for (const WallContact& contact : room.touch.contacts)
                        if (contact.at.wall == f.wall && (rim.feature < 0 || contact.at.feature == rim.feature) &&
                            contact.distance - radius < law().reach())
                            room.touches.push_back(
                                {contact, rim.key ^ static_cast<std::uint32_t>(p << 8), radius, rim.weight, false});
                }
            }
        }
    }
}

// Fills room.touches; returns the least mark of the corners (geometry/odometer.h). `look`: leaves their marks as they
// are.
double WallPoints::find_touches(const Grains& grains, const Walls& walls, GrainWalls& near, Room& room,
                                bool look) const {
    const std::size_t g = near.grain;
    const std::vector<Bodies::Corner>& corners = bodies().features[grains.shape[g]].corners;
    const bool clump = bodies().is_clump(grains, g);
    const double s = grains.scale[g], travelled = bodies().odometer[g].travelled,
                 slack = 1e-12 * (travelled + grains.row[g].radius);
    const double passed = law().reach() + travelled + slack, beyond = law().reach() + skin_;
    room.touches.clear();
    double nearest = forever;
    for (std::size_t k = 0; k < corners.size(); ++k) {
        double mark = near.marks[k];
        if (!(mark > passed)) {
            const double radius = corners[k].radius * s;
            double gap = beyond;
            walls.set.contacts(walls.placements, bodies().corner_at(grains, g, k), radius, near.near, room.touch,
                               beyond);
            for (const WallContact& contact : room.touch.contacts) {
                gap = least(gap, contact.distance - radius);
                if (contact.distance - radius < law().reach())
                    room.touches.push_back({contact, corners[k].key, radius, 1, false});
            }
            mark = near.moving ? at_once : gap + travelled;
            if (!look) near.marks[k] = mark;
        }
        nearest = least(nearest, mark);
    }
    if (!clump) rim_touches(grains, walls, near, beyond, nearest, room);
    // By wall and feature, as flat_points.cpp has them.
    std::stable_sort(room.touches.begin(), room.touches.end(),
                     [](const auto& a, const auto& b) { return a.contact.at < b.contact.at; });
    return nearest;
}

// One patch: what lies on one side of one wall, from the given touch on. Puts its points into room.points, with
// their memory, and returns their number. `old`: what there was in the last step.
int WallPoints::next_patch(const Grains& grains, std::size_t g, const WallMemory& old, std::size_t from,
                           Room& room) const {
    const Vec3 x = grains.position(g), v = grains.velocity(g), omega = bodies().omega[g].w;
    const auto width = law().width();
    auto& touches = room.touches;
    const WallContact& first = touches[from].contact;
    const auto goes_on = [&](const WallPoint& point, WallFeature at) {
        return point.wall == at.wall &&
               (point.feature == at.feature || !walls_.is_flat[static_cast<std::size_t>(at.wall)]);
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
    if (room.points.size() < touches.size()) {
        room.points.resize(touches.size());
        room.weights.resize(touches.size());
        room.members.resize(touches.size());
    }
    std::size_t count = 0;
    for (std::size_t u = from; u < touches.size(); ++u) {
        auto& touch = touches[u];
        const WallContact& c = touch.contact;
        if (touch.taken || c.at.wall != first.at.wall || dot(c.normal, first.normal) < same_side) continue;
        touch.taken = true;
        room.members[count] = u;
        LawPoint& p = room.points[count];
        p.point = c.foot - x;
        p.normal = c.normal;
        p.velocity = v + cross(omega, p.point) - c.velocity;
        p.overlap = touch.radius - c.distance;
        p.inverse_radius = 1 / touch.radius + c.curvature;
        p.memory = room.memory.data() + u * width;
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
        const bool inherits =
            found < 0 && remembered > 0 && !(p.overlap < -dot(p.velocity, p.normal) * law().time_step());
        p.fresh = found < 0 && !inherits;
        for (std::size_t m = 0; m < width; ++m)
            p.memory[m] = found >= 0 ? old.numbers[static_cast<std::size_t>(found) * width + m]
                          : inherits ? mean[m] / remembered
                                     : 0.0;
        p.weight = touch.weight;
        room.weights[count] = {p.point, p.point, p.normal, c.distance, touch.weight, 0};
        ++count;
    }
    return static_cast<int>(count);
}

// Puts what touches into the batch; the forces follow when it is full.
void WallPoints::collide(const Grains& grains, const Walls& walls, GrainWalls& near, WallBatch& batch, Room& room,
                         BlockReport& report) const {
    const std::size_t g = near.grain;
    const double travelled = bodies().odometer[g].travelled, slack = 1e-12 * (travelled + grains.row[g].radius);
    if (near.memory.points.empty() && near.mark - travelled - slack > law().reach()) return;
    near.mark = find_touches(grains, walls, near, room, false);
    auto& touches = room.touches;
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
            walls_.has_account(grains, g, wall) && account_of(wall) == accounts.end())
            accounts.push_back({wall, false, 0, 0});
    const auto width = law().width();
    room.memory.resize(touches.size() * width);
    std::swap(near.memory, room.old);
    near.memory.points.resize(touches.size());
    near.memory.numbers.resize(touches.size() * width);
    for (std::size_t k = 0; k < touches.size(); ++k)
        near.memory.points[k] = {touches[k].contact.at.wall, touches[k].contact.at.feature, touches[k].key};
    report.contacts += walls_touched(near.memory.points);
    PatchLanes& lane = batch.lanes;
    // What one account is about is paid together.
    const bool together = touches.size() <= PatchLanes::W;
    if (together && batch.free() < touches.size()) batch.flush();
    for (std::size_t t = 0; t < touches.size(); ++t) {
        if (touches[t].taken) continue;
        const int count = next_patch(grains, g, room.old, t, room);
        const auto wall = static_cast<std::size_t>(touches[t].contact.at.wall);
        const std::uint16_t type = walls_.type(grains, g, wall);
        const auto account = account_of(static_cast<std::int32_t>(wall));
        batch.make_room(type, static_cast<std::size_t>(count));
        if (static_cast<std::size_t>(count) > PatchLanes::W) {
            const bool all = std::none_of(touches.begin(), touches.end(), [&](const auto& touch) {
                return touch.contact.at.wall == static_cast<std::int32_t>(wall) && !touch.taken;
            });
            large_patch(grains, near, wall, type, count, all && account != accounts.end() ? &*account : nullptr, batch,
                        room, report);
            continue;
        }
        for (int each = 0; each < count; ++each) {
            const LawPoint& p = room.points[static_cast<std::size_t>(each)];
            const std::size_t k = batch.count++, u = room.members[static_cast<std::size_t>(each)];
            const auto& touch = touches[u];
            lane.kept[k] = near.memory.numbers.data() + u * width;
            std::copy_n(p.memory, width, lane.kept[k]);
            lane.distance[k] = touch.contact.distance;
            lane.weight[k] = touch.weight;
            lane.put(lane.px, lane.py, lane.pz, k, p.point);
            lane.put(lane.nx, lane.ny, lane.nz, k, p.normal);
            lane.put(lane.vx, lane.vy, lane.vz, k, grains.velocity(g));
            lane.put(lane.wax, lane.way, lane.waz, k, bodies().omega[g].w);
            lane.put(lane.wbx, lane.wby, lane.wbz, k, touch.contact.velocity);
            lane.overlap[k] = p.overlap;
            lane.radius[k] = touch.radius / (1 + touch.radius * touch.contact.curvature);
            lane.inverse_mass[k] = grains.row[g].inverse_mass;
            lane.fresh[k] = p.fresh;
            report.sink_into_wall(p.overlap / touch.radius, walls_.is_sheet[wall], grains.id[g],
                                  static_cast<std::int32_t>(wall));
        }
        batch.end_patch(g, wall, walls_.near_points(grains, g, wall),
                        together && account != accounts.end() ? &*account : nullptr);
    }
}

// A patch of more points than there are lanes: those of next_patch, one by one.
void WallPoints::large_patch(const Grains& grains, GrainWalls& near, std::size_t wall, std::uint16_t type, int count,
                             WallAccount* account, WallBatch& batch, Room& room, BlockReport& report) const {
    batch.flush();
    const std::size_t g = near.grain;
    const auto width = law().width();
    share_weights(room.weights.data(), count, walls_.near_points(grains, g, wall), [&](int k) {
        return std::fmax(room.points[static_cast<std::size_t>(k)].overlap + law().reach(type), 0);
    });
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) room.points[k].weight = room.weights[k].weight;
    PatchSum sum;
    sum.watch = account;
    law().apply(room.points.data(), count, {grains.row[g].inverse_mass, &bodies().inertia[g], nullptr, {}}, type,
                bodies().omega[g].w, false, sum);
    double share = 1;
    if (account) {
        share = law().paid_share(sum, account->touched, account->taken, account->power);
        account->touched = true;
    }
    const Vec3 force = share * sum.force, torque = share * (sum.moment + sum.couple);
    const ForceRow row{force.x, force.y, force.z, 0, torque.x, torque.y, torque.z, share * sum.slipped};
    double power = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
        const LawPoint& p = room.points[k];
        const std::size_t u = room.members[k];
        power += dot(share * p.force, room.touches[u].contact.velocity);
        std::copy_n(p.memory, width, near.memory.numbers.begin() + static_cast<std::ptrdiff_t>(u * width));
        report.sink_into_wall(p.overlap / room.touches[u].radius, walls_.is_sheet[wall], grains.id[g],
                              static_cast<std::int32_t>(wall));
    }
    batch.add(g, wall, row, share * sum.moment, power);
}

void WallPoints::each_view(const Grains& grains, const Walls& walls, const GrainWalls& near,
                           const std::function<void(const ContactView&)>& visit) const {
    thread_local Room room;
    const std::size_t g = near.grain;
    GrainWalls asked = near;
    find_touches(grains, walls, asked, room, true);
    const auto& touches = room.touches;
    room.memory.resize(touches.size() * law().width());
    for (std::size_t t = 0; t < touches.size(); ++t) {
        if (touches[t].taken) continue;
        const WallFeature first = touches[t].contact.at;
        const int count = next_patch(grains, g, near.memory, t, room);
        const std::uint16_t type = walls_.type(grains, g, static_cast<std::size_t>(first.wall));
        if (count > 1)
            share_weights(room.weights.data(), count,
                          walls_.near_points(grains, g, static_cast<std::size_t>(first.wall)), [&](int k) {
                              return std::fmax(room.points[static_cast<std::size_t>(k)].overlap + law().reach(type), 0);
                          });
        for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
            room.points[k].weight = room.weights[k].weight;
        PatchSum sum;
        law().apply(room.points.data(), count, {grains.row[g].inverse_mass, &bodies().inertia[g], nullptr, {}}, type,
                    bodies().omega[g].w, true, sum);
        for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
            const LawPoint& p = room.points[k];
            ContactView view{};
            view.a = grains.id[g];
            view.wall = first.wall;
            view.feature = touches[room.members[k]].contact.at.feature;
            view.overlap = p.overlap;
            view.point = grains.position(g) + p.point;
            view.normal = p.normal;
            view.force = p.force;
            view.elastic_energy = p.elastic;
            visit(view);
        }
    }
}

}  // namespace scree
