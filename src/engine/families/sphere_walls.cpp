#include "engine/families/sphere_walls.h"

#include <algorithm>

#include "core/parallel.h"
#include "world/identity.h"

namespace scree {
namespace {

// Out of reach, on the side of the wall: springs of a contact that has just ended keep their plane.
GrainRow ghost_beyond(const WallPlacement& placement, const Foot& foot, Vec3 x, double radius, double law_reach) {
    const Vec3 at = x - (4 * (radius + law_reach)) * placement.direction_to_world(foot.normal),
               velocity = placement.velocity_at(placement.to_world(foot.point));
    return {at.x, at.y, at.z, 0, velocity.x, velocity.y, velocity.z, 0};
}

// A centre that has sunk into the wall keeps its side; such an overlap ends the run.
GrainRow ghost_at(Vec3 foot, Vec3 normal, double distance, Vec3 velocity, Vec3 x, double radius) {
    if (!(distance > 1e-3 * radius)) foot = x - (1e-3 * radius) * normal;
    return {foot.x, foot.y, foot.z, 0, velocity.x, velocity.y, velocity.z, 0};
}

}  // namespace

// ---- Lists and memory -----------------------------------------------------------------------------------------------

void SphereWalls::resize(std::size_t chunks) {
    while (chunks_.size() < chunks) chunks_.emplace_back(scene_.width);
    chunks_.erase(chunks_.begin() + static_cast<std::ptrdiff_t>(chunks), chunks_.end());
}

void SphereWalls::renew(std::vector<std::vector<WallPair>> pairs) {
    resize(pairs.size());
    run_tasks(chunks_.size(), [&](std::size_t c, int) { fill(chunks_[c], std::move(pairs[c])); });
}

SphereWalls::Remembered SphereWalls::read(const Chunk& chunk) const {
    Remembered out;
    collect_memory(
        chunk.tiles, scene_.width, [&](std::size_t p) { out.pairs.push_back(chunk.pairs[p]); }, out.numbers);
    return out;
}

void SphereWalls::fill(Chunk& chunk, std::vector<WallPair>&& pairs) const {
    const Remembered old =
        std::exchange(chunk.has_remembered, false) ? std::exchange(chunk.remembered, {}) : read(chunk);
    chunk.pairs = std::move(pairs);
    const std::size_t count = chunk.pairs.size();
    chunk.tiles.reset(count);
    std::size_t next = 0;
    for (std::size_t p = 0; p < count; ++p) {
        const TileView tile = chunk.tiles.tile(p / tile_width);
        tile.i[p % tile_width] = place_of(chunk.pairs[p].grain);
        tile.j[p % tile_width] = place_of(p);
        while (next < old.pairs.size() && old.pairs[next] < chunk.pairs[p]) ++next;
        const bool known = next < old.pairs.size() && old.pairs[next] == chunk.pairs[p];
        set_memory(tile, p % tile_width, scene_.width, known ? old.numbers.data() + next * scene_.width : nullptr);
    }
    pad(chunk.tiles, scene_.width);
    chunk.ghosts.assign(count, {});
    chunk.ghost_spins.assign(count, {});
    chunk.ghost_forces.assign(count, {});
    chunk.ghost_materials.resize(count);
    for (std::size_t p = 0; p < count; ++p)
        chunk.ghost_materials[p] = materials_[static_cast<std::size_t>(chunk.pairs[p].wall)];
    chunk.one_type = scene_.materials.one_grain_material() &&
                     std::all_of(chunk.ghost_materials.begin(), chunk.ghost_materials.end(),
                                 [&](std::uint8_t m) { return m == chunk.ghost_materials[0]; });
    chunk.loads.clear();
}

void SphereWalls::remember(const Grains& grains, ContactMemory& out, bool let_go) {
    std::size_t living = 0;
    for (const Chunk& chunk : chunks_)
        living += chunk.has_remembered ? chunk.remembered.pairs.size() : count_living(chunk.tiles, scene_.width);
    out.wall_grain.reserve(living);
    out.wall.reserve(living);
    out.feature.reserve(living);
    out.wall_memory.reserve(living * scene_.width);
    for (Chunk& chunk : chunks_) {
        const Remembered own = chunk.has_remembered ? Remembered{} : read(chunk);
        const Remembered& from = chunk.has_remembered ? chunk.remembered : own;
        for (const WallPair& pair : from.pairs) {
            out.wall_grain.push_back(grains.id[pair.grain]);
            out.wall.push_back(pair.wall);
            out.feature.push_back(pair.feature);
        }
        out.wall_memory.insert(out.wall_memory.end(), from.numbers.begin(), from.numbers.end());
        if (let_go) chunk = Chunk(scene_.width);
    }
    if (let_go) chunks_.clear();
}

void SphereWalls::attach(const Grains& grains, const ContactMemory& memory, const Blocks& blocks) {
    chunks_.clear();
    resize(blocks.count());
    for (Chunk& chunk : chunks_) chunk.has_remembered = true;
    const IdentityTable places(grains.id);
    std::vector<std::pair<WallPair, std::size_t>> keys;
    for (std::size_t k = 0; k < memory.wall_grain.size(); ++k) {
        const Index grain = places.find(memory.wall_grain[k]);
        if (grain != IdentityTable::none && memory.wall[k] >= 0)
            keys.push_back({{grain, memory.wall[k], memory.feature[k]}, k});
    }
    std::stable_sort(keys.begin(), keys.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
    for (const auto& [pair, from] : keys) {
        Remembered& r = chunks_[blocks.of(pair.grain)].remembered;
        r.pairs.push_back(pair);
        const auto numbers = memory.wall_memory.begin() + static_cast<std::ptrdiff_t>(from * scene_.width);
        r.numbers.insert(r.numbers.end(), numbers, numbers + static_cast<std::ptrdiff_t>(scene_.width));
    }
}

// ---- Ghosts ---------------------------------------------------------------------------------------------------------

// Sets the ghosts of a grain's wall pairs, each by itself. False, with nothing said about the ghosts, if one of them is
// on a rim or a mesh: whether that counts depends on the others.
bool SphereWalls::place_ghosts_alone(Chunk& chunk, std::size_t begin, std::size_t end, const Grains& grains,
                                     const Walls& walls) const {
    const Index grain = chunk.pairs[begin].grain;
    const double radius = grains.row[grain].radius;
    const Vec3 x = grains.position(grain);
    for (std::size_t k = begin; k < end; ++k) {
        const auto wall = static_cast<std::size_t>(chunk.pairs[k].wall);
        const int feature = chunk.pairs[k].feature;
        const WallPlacement& placement = walls.placements[wall];
        const Surface& surface = walls.set.surface(wall, placement);
        const Vec3 local = placement.to_wall(x);
        const Foot foot = surface.foot(feature, local);
        chunk.ghost_spins[k] = {};
        if (placement.open || !(foot.distance < radius + walls.law_reach) || !surface.feature_counts(feature, local)) {
            chunk.ghosts[k] = ghost_beyond(placement, foot, x, radius, walls.law_reach);
            continue;
        }
        if (foot.rim || surface.is_mesh()) return false;
        const Vec3 point = placement.to_world(foot.point);
        chunk.ghosts[k] = ghost_at(point, placement.direction_to_world(foot.normal), foot.distance,
                                   placement.velocity_at(point), x, radius);
        chunk.ghost_spins[k].inverse_radius = foot.curvature;
    }
    return true;
}

// Sets the ghosts of a chunk's wall pairs to the foot points on the walls as they stand now. A feature that is not
// touched, or has given way to another one, gets a ghost out of reach.
void SphereWalls::place_ghosts(Chunk& chunk, const Grains& grains, const Walls& walls) const {
    const std::size_t count = chunk.pairs.size();
    WallTouch touch;
    std::vector<WallFeature> candidates;
    for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
        const Index grain = chunk.pairs[begin].grain;
        while (end < count && chunk.pairs[end].grain == grain) ++end;
        if (place_ghosts_alone(chunk, begin, end, grains, walls)) continue;
        const double radius = grains.row[grain].radius;
        const Vec3 x = grains.position(grain);
        candidates.clear();
        for (std::size_t k = begin; k < end; ++k) {
            candidates.push_back({chunk.pairs[k].wall, chunk.pairs[k].feature});
            const auto wall = static_cast<std::size_t>(chunk.pairs[k].wall);
            const WallPlacement& placement = walls.placements[wall];
            const Foot foot = walls.set.surface(wall, placement).foot(chunk.pairs[k].feature, placement.to_wall(x));
            chunk.ghosts[k] = ghost_beyond(placement, foot, x, radius, walls.law_reach);
            chunk.ghost_spins[k] = {};
        }
        walls.set.contacts(walls.placements, x, radius, candidates, touch, walls.law_reach);
        const auto slot_of = [&](WallFeature at) {
            return begin + static_cast<std::size_t>(std::lower_bound(candidates.begin(), candidates.end(), at) -
                                                    candidates.begin());
        };
        for (const WallContact& contact : touch.contacts) {
            const std::size_t slot = slot_of(contact.at);
            chunk.ghosts[slot] = ghost_at(contact.foot, contact.normal, contact.distance, contact.velocity, x, radius);
            chunk.ghost_spins[slot].inverse_radius = contact.curvature;
        }
        for (const WallTouch::GaveWay& each : touch.gave_way) {
            if (each.to < 0) continue;
            hand_over_memory(chunk, slot_of(each.from), slot_of(touch.contacts[static_cast<std::size_t>(each.to)].at));
        }
    }
}

// A contact that has moved on to a neighboring feature takes its memory along, unless that one has its own.
void SphereWalls::hand_over_memory(Chunk& chunk, std::size_t from, std::size_t to) const {
    const TileView source = chunk.tiles.tile(from / tile_width), target = chunk.tiles.tile(to / tile_width);
    if (!remembers(source.memory, from % tile_width, scene_.width) ||
        remembers(target.memory, to % tile_width, scene_.width))
        return;
    for (std::size_t m = 0; m < scene_.width; ++m)
        target.memory[m * tile_width + to % tile_width] =
            std::exchange(source.memory[m * tile_width + from % tile_width], 0.0);
}

void SphereWalls::look(const Grains& grains, const Walls& walls) {
    for (Chunk& chunk : chunks_) place_ghosts(chunk, grains, walls);
}

// ---- Forces ---------------------------------------------------------------------------------------------------------

void SphereWalls::collide(std::size_t c, const Grains& grains, const Walls& walls, KernelArguments in,
                          KernelResult& result) {
    Chunk& chunk = chunks_[c];
    if (chunk.pairs.empty()) return;
    place_ghosts(chunk, grains, walls);
    in.other_rows = chunk.ghosts.data();
    in.other_spins = chunk.ghost_spins.data();
    in.other_materials = chunk.ghost_materials.data();
    in.one_type = chunk.one_type;
    in.tiles = &chunk.tiles;
    in.outgoing = chunk.ghost_forces.data();
    for (double& period : in.periods) period = 0;
    scene_.collide(in, result);
    load_walls(chunk, walls);
}

void SphereWalls::load_walls(Chunk& chunk, const Walls& walls) {
    chunk.loads.assign(walls.size(), {});
    std::vector<Vec3> reference;
    for (std::size_t w = 0; w < walls.size(); ++w)
        reference.push_back(walls.set.reference_point(w, walls.placements[w]));
    for (std::size_t k = 0; k < chunk.pairs.size(); ++k) {
        const GrainRow& ghost = chunk.ghosts[k];
        const ForceRow& f = chunk.ghost_forces[k];
        const auto w = static_cast<std::size_t>(chunk.pairs[k].wall);
        WallLoad& load = chunk.loads[w];
        const Vec3 force{f.fx, f.fy, f.fz};
        load.force += force;
        load.torque += cross(Vec3{ghost.x, ghost.y, ghost.z} - reference[w], force);
        load.power -= dot(force, Vec3{ghost.vx, ghost.vy, ghost.vz});
    }
}

}  // namespace scree
