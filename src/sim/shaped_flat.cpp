// Contacts of bodies with planes and the faces of boxes around them, by far the most common walls: nothing gives way to anything there and a corner
// has one foot, so that corners near a face can be listed like pairs, each with a mark and its memory in place. The same bits as those of shaped_walls.cpp,
// where bodies go that are near other walls too.
#include <limits>

#include "sim/shaped.h"

namespace scree {

void ShapedContacts::list_flat(const Grains& grains, const Walls& walls, std::size_t g, std::span<const WallFeature> features, double reach, FlatList& out) const {
    for (const WallFeature& f : features) {
        const WallPlacement& placement = walls.placements[static_cast<std::size_t>(f.wall)];
        const Surface::Face& face = faces_[static_cast<std::size_t>(f.wall)][static_cast<std::size_t>(f.feature)];
        for (std::size_t k = 0; k < corners_[grains.shape[g]].size(); ++k) {
            const Corner& corner = corners_[grains.shape[g]][k];
            const double distance = face.distance(placement.to_wall(corner_at(grains, g, k)));
            if (!placement.open && distance - corner.radius * grains.scale[g] < reach) out.points.push_back({static_cast<Index>(g), static_cast<std::uint32_t>(k), f});
        }
    }
}

// Looks at the corners whose marks have run out, patch by patch.
void ShapedContacts::collide_flat(const Grains& grains, const Walls& walls, Chunk& chunk, Scratch& scratch) const {
    FlatList& flat = chunk.flat;
    auto& active = scratch.active;
    active.resize(flat.points.size());
    std::size_t count = 0;
    for (std::size_t p = 0; p < flat.points.size(); ++p) {
        const std::size_t g = flat.points[p].grain;
        const double travelled = odometer_[g].travelled;
        active[count] = static_cast<std::uint32_t>(p);
        count += static_cast<std::size_t>(!(flat.marks[p] > law_reach_ + travelled + 1e-12 * (travelled + grains.row[g].radius)));
    }
    Index last_grain = std::numeric_limits<Index>::max();
    std::int32_t last_wall = -1;
    for (std::size_t at = 0; at < count;) {
        const FlatPoint first = flat.points[active[at]];
        std::size_t end = at + 1;
        while (end < count && flat.points[active[end]].grain == first.grain && flat.points[active[end]].on == first.on) ++end;
        const bool touches = flat_patch(grains, walls, {active.data() + at, end - at}, chunk, scratch);
        // A body and a wall are one contact, however many points they share.
        if (touches && (first.grain != last_grain || first.on.wall != last_wall)) last_grain = first.grain, last_wall = first.on.wall, ++chunk.contacts;
        at = end;
    }
}

// The corners of one body that may touch one face. Those that do go into the batch; whether any does.
bool ShapedContacts::flat_patch(const Grains& grains, const Walls& walls, std::span<const std::uint32_t> corners, Chunk& chunk, Scratch& scratch) const {
    constexpr std::uint8_t touched = 1, touches = 2;  // in the last step, in this one
    FlatList& flat = chunk.flat;
    WallBatch& batch = scratch.wall_batch;
    PatchLanes& lane = batch.lanes;
    const std::size_t g = flat.points[corners[0]].grain;
    const WallFeature on = flat.points[corners[0]].on;
    const auto wall = static_cast<std::size_t>(on.wall), width = static_cast<std::size_t>(width_);
    const WallPlacement& placement = walls.placements[wall];
    const Surface::Face& face = faces_[wall][static_cast<std::size_t>(on.feature)];
    const Vec3 normal = placement.direction_to_world(face.normal);
    const std::vector<Corner>& shape = corners_[grains.shape[g]];
    const bool clump = is_clump_[grains.shape[g]], moves = wall_moves_[wall];
    const BodyBall* const balls = clump ? balls_.data() + ball_first_[g] : nullptr;
    const Mat3& rotation = rotation_[g];
    const std::uint16_t type = materials_.type(grains.material[g], wall_materials_[wall]);
    const Vec3 x = grains.position(g), v = grains.velocity(g), omega = omega_[g].w;
    const double scale = grains.scale[g], travelled = odometer_[g].travelled, inverse_mass = grains.row[g].inverse_mass;
    if (batch.type != type || batch.free() < corners.size()) flush_walls(grains, chunk, batch);
    batch.type = type;

    // What the points there were remember, on the mean; for points that are new under load.
    double mean[point_memory];
    int remembered = -1;
    const auto recall = [&] {
        remembered = 0;
        for (double& m : mean) m = 0;
        for (const std::uint32_t p : corners)
            if (flat.state[p] & touched) {
                ++remembered;
                for (std::size_t m = 0; m < width; ++m) mean[m] += flat.memory[p * width + m];
            }
    };
    bool any = false;
    for (const std::uint32_t p : corners) {
        const std::size_t corner = flat.points[p].corner;
        const Vec3 at = placement.to_wall(x + (clump ? balls[corner].x : rotation * (scale * shape[corner].x)));
        const double radius = shape[corner].radius * scale, distance = face.distance(at), gap = distance - radius;
        flat.marks[p] = placement.open ? forever : moves ? -forever : gap + travelled;
        if (placement.open || !(gap < law_reach_)) continue;
        if (batch.free() == 0) {
            if (remembered < 0) recall();
            batch.end_patch(near_points(grains, g), inertia_[g]);
            flush_walls(grains, chunk, batch);
        }
        any = true;
        const std::size_t k = batch.count++;
        const Vec3 foot = placement.to_world(face.foot(at, distance)), point = foot - x, speed = moves ? placement.velocity_at(foot) : Vec3{};
        const double overlap = radius - distance;
        lane.put(lane.px, lane.py, lane.pz, k, point), lane.put(lane.nx, lane.ny, lane.nz, k, normal), lane.put(lane.vx, lane.vy, lane.vz, k, v);
        lane.put(lane.wax, lane.way, lane.waz, k, omega), lane.put(lane.wbx, lane.wby, lane.wbz, k, speed);
        lane.overlap[k] = overlap, lane.radius[k] = radius, lane.inverse_mass[k] = inverse_mass;
        batch.grain[k] = static_cast<Index>(g), batch.wall[k] = static_cast<std::uint32_t>(wall), batch.memory[k] = flat.memory.data() + p * width;
        lane.distance[k] = distance, lane.weight[k] = 1;
        // What did not touch has zeros as memory.
        lane.fresh[k] = 0;
        for (std::size_t m = 0; m < width; ++m) lane.memory[m][k] = flat.memory[p * width + m];
        if (!(flat.state[p] & touched)) {
            if (remembered < 0) recall();
            lane.fresh[k] = remembered == 0 || overlap < -dot(v + cross(omega, point) - speed, normal) * time_step_;
            for (std::size_t m = 0; m < width && !(lane.fresh[k] > 0); ++m) lane.memory[m][k] = mean[m] / remembered;
        }
        flat.state[p] |= touches;
        const double ratio = overlap / radius;
        chunk.max_overlap = ratio > chunk.max_overlap ? ratio : chunk.max_overlap;
    }
    batch.end_patch(near_points(grains, g), inertia_[g]);
    for (const std::uint32_t p : corners) {
        if (flat.state[p] == touched)
            for (std::size_t m = 0; m < width; ++m) flat.memory[p * width + m] = 0;
        flat.state[p] >>= 1;
    }
    return any;
}

// The contacts of flat walls as if they were those of any others; for memory and observers.
ShapedContacts::GrainWalls ShapedContacts::flat_walls(const Grains& grains, const FlatList& flat, std::size_t begin, std::size_t end) const {
    const auto width = static_cast<std::size_t>(width_);
    const std::size_t g = flat.points[begin].grain;
    GrainWalls out{static_cast<Index>(g), true, -forever, {}, {}, {}, std::vector<double>(corners_[grains.shape[g]].size(), -forever)};
    for (std::size_t p = begin; p < end; ++p) {
        const FlatPoint& point = flat.points[p];
        if (out.near.empty() || out.near.back() != point.on) out.near.push_back(point.on);
        if (!flat.state[p]) continue;
        out.memory.points.push_back({point.on.wall, point.on.feature, corners_[grains.shape[g]][point.corner].key});
        const auto from = flat.memory.begin() + static_cast<std::ptrdiff_t>(p * width);
        out.memory.numbers.insert(out.memory.numbers.end(), from, from + static_cast<std::ptrdiff_t>(width));
    }
    return out;
}

}  // namespace scree
