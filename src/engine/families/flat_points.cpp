#include "engine/families/flat_points.h"

#include <algorithm>

namespace scree {

void FlatPoints::clear(std::size_t blocks) { lists_.assign(blocks, {}); }

bool FlatPoints::list(const Grains& grains, const Walls& walls, std::size_t block, std::size_t g,
                      std::span<const WallFeature> features, double reach) {
    const Bodies& bodies = walls_.scene.bodies;
    const Bodies::Features& shape = bodies.features[grains.shape[g]];
    List& out = lists_[block];
    const std::size_t before = out.points.size();
    for (const WallFeature& f : features) {
        const WallPlacement& placement = walls.placements[static_cast<std::size_t>(f.wall)];
        const Surface::Face& face = walls_.faces[static_cast<std::size_t>(f.wall)][static_cast<std::size_t>(f.feature)];
        const std::size_t first = out.points.size();
        for (std::size_t k = 0; k < shape.corners.size(); ++k) {
            const Bodies::Corner& corner = shape.corners[k];
            const double distance = face.distance(placement.to_wall(bodies.corner_at(grains, g, k)));
            if (!placement.open && distance - corner.radius * grains.scale[g] < reach)
                out.points.push_back(
                    {static_cast<Index>(g), static_cast<std::uint32_t>(k),
                     shape.is_clump ? bodies.ball_first[g] + static_cast<std::uint32_t>(k) : Point::none, f});
        }
        if (out.points.size() - first > PatchLanes::W) {
            out.points.resize(before);
            return false;
        }
    }
    return true;
}

// Looks at the corners whose marks have run out, face by face, as many bodies at a time as there are lanes for.
void FlatPoints::collide(const Grains& grains, const Walls& walls, std::size_t block, WallBatch& batch,
                         BlockReport& report) {
    List& flat = lists_[block];
    if (flat.points.empty()) return;
    thread_local Active active;
    active.points.resize(flat.points.size());
    active.bodies.resize(flat.points.size());
    std::fill(std::begin(active.counted), std::end(active.counted), -1);
    const PatchLaw& law = walls_.scene.law;
    for (const FaceRange& range : flat.faces) {
        std::size_t count = 0;
        for (std::size_t p = range.first; p < range.end; ++p) {
            const Index g = flat.points[p].grain;
            const double travelled = walls_.scene.bodies.odometer[g].travelled;
            active.points[count] = static_cast<std::uint32_t>(p);
            active.bodies[count] = g;
            count += static_cast<std::size_t>(
                !(flat.marks[p] > law.reach() + travelled + 1e-12 * (travelled + grains.row[g].radius)));
        }
        if (count) collide_face(grains, walls, range.on, count, flat, active, batch, report);
    }
}

// The corners that may touch one face, those in `active`. Those that do go into the batch, a body's as one patch.
void FlatPoints::collide_face(const Grains& grains, const Walls& walls, WallFeature on, std::size_t count, List& flat,
                              Active& active, WallBatch& batch, BlockReport& report) const {
    constexpr std::uint8_t touched = 1, touches = 2;  // in the last step, in this one
    const BodyScene& scene = walls_.scene;
    PatchLanes& lane = batch.lanes;
    const std::size_t wall = static_cast<std::size_t>(on.wall), width = scene.law.width();
    const WallPlacement& placement = walls.placements[wall];
    const Surface::Face& own = walls_.faces[wall][static_cast<std::size_t>(on.feature)];
    const bool moves = walls_.moves[wall];
    const FlatFace face{placement.rotation, placement.pivot,  placement.shift, placement.velocity,
                        placement.spin,     own.point,        own.normal,      placement.direction_to_world(own.normal),
                        own.axis,           placement.turned, moves,           placement.open,
                        scene.law.reach()};
    const std::uint32_t* const corners = active.points.data();
    const Index* const bodies = active.bodies.data();
    const auto type_of = [&](std::size_t g) { return walls_.type(grains, g, wall); };
    const auto end_of_body = [&](std::size_t at) {
        const Index body = bodies[at];
        do ++at;
        while (at < count && bodies[at] == body);
        return at;
    };

    // What the points of the body at hand remembered, on the mean; for points that are new under load.
    double mean[point_memory];
    const auto recall = [&](std::size_t begin, std::size_t end) {
        int remembered = 0;
        for (double& m : mean) m = 0;
        for (std::size_t at = begin; at < end; ++at)
            if (const std::uint32_t p = corners[at]; flat.state[p] & touched) {
                ++remembered;
                for (std::size_t m = 0; m < width; ++m) mean[m] += flat.memory[p * width + m];
            }
        return remembered;
    };
    for (std::size_t at = 0, end = 0; at < count; at = end) {
        const std::uint16_t type = type_of(bodies[at]);
        batch.make_room(type, end_of_body(at) - at);
        for (std::size_t next = at; next < count && type_of(bodies[next]) == type;) {
            next = end_of_body(next);
            if (end > at && batch.count + next - at > body_lanes) break;
            end = next;
        }
        for (std::size_t k = at; k < end; ++k) {
            const Point& point = flat.points[corners[k]];
            if (point.ball != Point::none) {
                active.corners[k - at] = &scene.bodies.balls[point.ball];
                continue;
            }
            const std::size_t g = point.grain;
            const Bodies::Corner& given = scene.bodies.features[grains.shape[g]].corners[point.corner];
            active.placed[k - at] = {scene.bodies.rotation[g] * (grains.scale[g] * given.x),
                                     given.radius * grains.scale[g]};
            active.corners[k - at] = &active.placed[k - at];
        }
        scene.kernel.flat(face, grains.row.data(), scene.bodies.omega.data(),
                          {end - at, bodies + at, active.corners, active.overlap}, lane, batch.count);
        for (std::size_t k = at; k < end;) {
            const std::size_t begin = k, past = end_of_body(k), g = bodies[k], before = batch.count;
            const double travelled = scene.bodies.odometer[g].travelled;
            int remembered = -1;
            for (; k < past; ++k) {
                const std::uint32_t p = corners[k];
                const double overlap = active.overlap[k - at];
                flat.marks[p] = face.open ? forever : moves ? -forever : travelled - overlap;
                if (!face.acts(overlap)) continue;
                const std::size_t to = batch.count++;
                double* const memory = flat.memory.data() + p * width;
                lane.kept[to] = memory;
                lane.weight[to] = 1;
                lane.fresh[to] = 0;
                // What did not touch has zeros as memory.
                if (!(flat.state[p] & touched)) {
                    if (remembered < 0) remembered = recall(begin, past);
                    const Vec3 point{lane.px[to], lane.py[to], lane.pz[to]},
                        speed{lane.wbx[to], lane.wby[to], lane.wbz[to]};
                    lane.fresh[to] = remembered == 0 ||
                                     overlap < -dot(grains.velocity(g) + cross(scene.bodies.omega[g].w, point) - speed,
                                                    face.outwards) *
                                                   scene.law.time_step();
                    for (std::size_t m = 0; m < width && !(lane.fresh[to] > 0); ++m) memory[m] = mean[m] / remembered;
                }
                flat.state[p] |= touches;
                const double ratio = overlap / lane.radius[to];
                report.max_overlap = ratio > report.max_overlap ? ratio : report.max_overlap;
            }
            for (std::size_t q = begin; q < past; ++q) {
                const std::uint32_t p = corners[q];
                for (std::size_t m = 0; m < width && flat.state[p] == touched; ++m) flat.memory[p * width + m] = 0;
                flat.state[p] >>= 1;
            }
            if (batch.count == before) continue;
            batch.end_patch(g, wall, 0);
            // A body and a wall are one contact, however many points they share.
            if (std::int32_t& last = active.counted[g % body_block]; last != on.wall) {
                last = on.wall;
                ++report.contacts;
            }
        }
    }
}

// The contacts of one body with flat walls as if they were those of any others; for memory and observers.
GrainWalls FlatPoints::as_others(const Grains& grains, const List& flat, std::span<const std::uint32_t> points) const {
    const std::size_t width = walls_.scene.law.width();
    const std::size_t g = flat.points[points[0]].grain;
    const std::vector<Bodies::Corner>& corners = walls_.scene.bodies.features[grains.shape[g]].corners;
    GrainWalls out{static_cast<Index>(g), true, -forever, {}, {}, {}, std::vector<double>(corners.size(), -forever)};
    for (const std::uint32_t p : points) {
        const Point& point = flat.points[p];
        if (out.near.empty() || out.near.back() != point.on) out.near.push_back(point.on);
        if (!flat.state[p]) continue;
        out.memory.points.push_back({point.on.wall, point.on.feature, corners[point.corner].key});
        const auto from = flat.memory.begin() + static_cast<std::ptrdiff_t>(p * width);
        out.memory.numbers.insert(out.memory.numbers.end(), from, from + static_cast<std::ptrdiff_t>(width));
    }
    return out;
}

void FlatPoints::recall(const Grains& grains, const ContactMemory& memory, const BodyMemoryRows& rows,
                        const RowsByName<Index>& names) {
    const std::size_t width = walls_.scene.law.width();
    for (List& flat : lists_)
        for (std::size_t p = 0; p < flat.points.size(); ++p) {
            const Point& point = flat.points[p];
            const std::uint32_t key = walls_.scene.bodies.features[grains.shape[point.grain]].corners[point.corner].key;
            for (const auto& [id, k] : names.of(grains.id[point.grain])) {
                if (memory.wall[k] != point.on.wall || memory.feature[k] != point.on.feature ||
                    static_cast<std::uint32_t>(memory.wall_key[k]) != key)
                    continue;
                flat.state[p] = 1;
                std::copy_n(rows.law(k), width, flat.memory.begin() + static_cast<std::ptrdiff_t>(p * width));
            }
        }
}

// Sorts by face and has room for what is kept of each point.
void FlatPoints::close(std::size_t block) {
    const std::size_t width = walls_.scene.law.width();
    auto& [points, faces, marks, memory, state] = lists_[block];
    std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.on < b.on; });
    for (std::size_t p = 0; p < points.size(); ++p) {
        if (p == 0 || points[p].on != points[p - 1].on)
            faces.push_back({points[p].on, static_cast<std::uint32_t>(p), 0});
        faces.back().end = static_cast<std::uint32_t>(p + 1);
    }
    marks.assign(points.size(), -forever);
    state.assign(points.size(), 0);
    memory.assign(points.size() * width, 0.0);
}

// By grain, face and corner.
std::vector<std::uint32_t> FlatPoints::List::by_grain() const {
    std::vector<std::uint32_t> order(points.size());
    for (std::size_t p = 0; p < order.size(); ++p) order[p] = static_cast<std::uint32_t>(p);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return points[a].grain < points[b].grain; });
    return order;
}

}  // namespace scree
