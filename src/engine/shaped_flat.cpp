// Contacts of bodies with planes and the faces of boxes around them, by far the most common walls: nothing gives way to
// anything there and a corner has one foot, so that corners near a face can be listed like pairs, each with a mark and
// its memory in place, and go through the kernel in lanes. The same bits as those of shaped_walls.cpp, where bodies go
// that are near other walls too.
#include <algorithm>

#include "engine/shaped.h"

namespace scree {

// False, and nothing listed, when more corners come near one face than there are lanes: such a body goes with those
// near other walls.
bool ShapedContacts::list_flat(const Grains& grains, const Walls& walls, std::size_t g,
                               std::span<const WallFeature> features, double reach, FlatList& out) const {
    const std::size_t before = out.points.size();
    for (const WallFeature& f : features) {
        const WallPlacement& placement = walls.placements[static_cast<std::size_t>(f.wall)];
        const Surface::Face& face = faces_[static_cast<std::size_t>(f.wall)][static_cast<std::size_t>(f.feature)];
        const std::size_t first = out.points.size();
        for (std::size_t k = 0; k < corners_[grains.shape[g]].size(); ++k) {
            const Corner& corner = corners_[grains.shape[g]][k];
            const double distance = face.distance(placement.to_wall(corner_at(grains, g, k)));
            if (!placement.open && distance - corner.radius * grains.scale[g] < reach)
                out.points.push_back(
                    {static_cast<Index>(g), static_cast<std::uint32_t>(k),
                     is_clump_[grains.shape[g]] ? ball_first_[g] + static_cast<std::uint32_t>(k) : FlatPoint::none, f});
        }
        if (out.points.size() - first > PatchLanes::W) {
            out.points.resize(before);
            return false;
        }
    }
    return true;
}

// Looks at the corners whose marks have run out, face by face, as many bodies at a time as there are lanes for.
void ShapedContacts::collide_flat(const Grains& grains, const Walls& walls, Chunk& chunk, Scratch& scratch) const {
    const FlatList& flat = chunk.flat;
    auto& active = scratch.active;
    auto& bodies = scratch.active_bodies;
    active.resize(flat.points.size());
    bodies.resize(flat.points.size());
    std::int32_t counted[shaped_chunk];  // the wall with which a body has been counted last
    std::fill(std::begin(counted), std::end(counted), -1);
    for (const FlatFaceRange& range : flat.faces) {
        std::size_t count = 0;
        for (std::size_t p = range.first; p < range.end; ++p) {
            const Index g = flat.points[p].grain;
            const double travelled = odometer_[g].travelled;
            active[count] = static_cast<std::uint32_t>(p);
            bodies[count] = g;
            count += static_cast<std::size_t>(
                !(flat.marks[p] > law_reach_ + travelled + 1e-12 * (travelled + grains.row[g].radius)));
        }
        if (count) flat_face(grains, walls, range.on, count, chunk, scratch, counted);
    }
}

// The corners that may touch one face, those in `scratch`. Those that do go into the batch, a body's as one patch.
void ShapedContacts::flat_face(const Grains& grains, const Walls& walls, WallFeature on, std::size_t count,
                               Chunk& chunk, Scratch& scratch, std::span<std::int32_t> counted) const {
    constexpr std::uint8_t touched = 1, touches = 2;  // in the last step, in this one
    FlatList& flat = chunk.flat;
    WallBatch& batch = scratch.wall_batch;
    PatchLanes& lane = batch.lanes;
    const auto wall = static_cast<std::size_t>(on.wall), width = static_cast<std::size_t>(width_);
    const WallPlacement& placement = walls.placements[wall];
    const Surface::Face& own = faces_[wall][static_cast<std::size_t>(on.feature)];
    const bool moves = wall_moves_[wall];
    const FlatFace face{placement.rotation, placement.pivot,  placement.shift, placement.velocity,
                        placement.spin,     own.point,        own.normal,      placement.direction_to_world(own.normal),
                        own.axis,           placement.turned, moves,           placement.open,
                        law_reach_};
    const std::uint32_t* const corners = scratch.active.data();
    const Index* const bodies = scratch.active_bodies.data();
    const auto type_of = [&](std::size_t g) { return materials_.type(grains.material[g], wall_materials_[wall]); };
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
        if (batch.type != type || batch.count + end_of_body(at) - at > body_lanes) flush_walls(grains, chunk, scratch);
        batch.type = type;
        for (std::size_t next = at; next < count && type_of(bodies[next]) == type;) {
            next = end_of_body(next);
            if (end > at && batch.count + next - at > body_lanes) break;
            end = next;
        }
        for (std::size_t k = at; k < end; ++k) {
            const FlatPoint& point = flat.points[corners[k]];
            if (point.ball != FlatPoint::none) {
                scratch.flat_corners[k - at] = &balls_[point.ball];
                continue;
            }
            const std::size_t g = point.grain;
            const Corner& given = corners_[grains.shape[g]][point.corner];
            scratch.flat_placed[k - at] = {rotation_[g] * (grains.scale[g] * given.x), given.radius * grains.scale[g]};
            scratch.flat_corners[k - at] = &scratch.flat_placed[k - at];
        }
        kernel_.flat(face, grains.row.data(), omega_.data(),
                     {end - at, bodies + at, scratch.flat_corners, scratch.flat_overlap}, lane, batch.count);
        for (std::size_t k = at; k < end;) {
            const std::size_t begin = k, past = end_of_body(k), g = bodies[k], before = batch.count;
            const double travelled = odometer_[g].travelled;
            int remembered = -1;
            for (; k < past; ++k) {
                const std::uint32_t p = corners[k];
                const double overlap = scratch.flat_overlap[k - at];
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
                    lane.fresh[to] =
                        remembered == 0 ||
                        overlap <
                            -dot(grains.velocity(g) + cross(omega_[g].w, point) - speed, face.outwards) * time_step_;
                    for (std::size_t m = 0; m < width && !(lane.fresh[to] > 0); ++m) memory[m] = mean[m] / remembered;
                }
                flat.state[p] |= touches;
                const double ratio = overlap / lane.radius[to];
                chunk.max_overlap = ratio > chunk.max_overlap ? ratio : chunk.max_overlap;
            }
            for (std::size_t q = begin; q < past; ++q) {
                const std::uint32_t p = corners[q];
                for (std::size_t m = 0; m < width && flat.state[p] == touched; ++m) flat.memory[p * width + m] = 0;
                flat.state[p] >>= 1;
            }
            if (batch.count == before) continue;
            batch.end_patch(g, wall, 0, inertia_[g]);
            // A body and a wall are one contact, however many points they share.
            if (std::int32_t& last = counted[g % shaped_chunk]; last != on.wall) {
                last = on.wall;
                ++chunk.contacts;
            }
        }
    }
}

// The contacts of one body with flat walls as if they were those of any others; for memory and observers.
ShapedContacts::GrainWalls ShapedContacts::flat_walls(const Grains& grains, const FlatList& flat,
                                                      std::span<const std::uint32_t> points) const {
    const auto width = static_cast<std::size_t>(width_);
    const std::size_t g = flat.points[points[0]].grain;
    GrainWalls out{static_cast<Index>(g),
                   true,
                   -forever,
                   {},
                   {},
                   {},
                   std::vector<double>(corners_[grains.shape[g]].size(), -forever)};
    for (const std::uint32_t p : points) {
        const FlatPoint& point = flat.points[p];
        if (out.near.empty() || out.near.back() != point.on) out.near.push_back(point.on);
        if (!flat.state[p]) continue;
        out.memory.points.push_back({point.on.wall, point.on.feature, corners_[grains.shape[g]][point.corner].key});
        const auto from = flat.memory.begin() + static_cast<std::ptrdiff_t>(p * width);
        out.memory.numbers.insert(out.memory.numbers.end(), from, from + static_cast<std::ptrdiff_t>(width));
    }
    return out;
}

// Sorts by face and has room for what is kept of each point.
void ShapedContacts::FlatList::close(std::size_t width) {
    std::stable_sort(points.begin(), points.end(), [](const FlatPoint& a, const FlatPoint& b) { return a.on < b.on; });
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
std::vector<std::uint32_t> ShapedContacts::FlatList::by_grain() const {
    std::vector<std::uint32_t> order(points.size());
    for (std::size_t p = 0; p < order.size(); ++p) order[p] = static_cast<std::uint32_t>(p);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return points[a].grain < points[b].grain; });
    return order;
}

}  // namespace scree
