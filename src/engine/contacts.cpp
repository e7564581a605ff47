#include "engine/contacts.h"

#include <algorithm>
#include <cassert>
#include <tuple>

#include "core/release.h"
#include "scree/error.h"

namespace scree {
namespace {

constexpr std::size_t W = tile_width;

bool is_zero(const double* memory, std::size_t lane, int width) {
    for (int m = 0; m < width; ++m)
        if (memory[static_cast<std::size_t>(m) * W + lane] != 0) return false;
    return true;
}

// Unused lanes of the last tile repeat its first pair, so that every lane may be loaded.
void pad(const TileView& tile, std::size_t count, int width) {
    for (std::size_t k = count; k < W; ++k) {
        tile.i[k] = tile.i[0];
        tile.j[k] = tile.j[0];
        for (int m = 0; m < width; ++m) tile.memory[static_cast<std::size_t>(m) * W + k] = 0;
    }
}

}  // namespace

Contacts::Contacts(const MaterialTable& materials, const Walls& walls, const Periodicity& periodicity, double time_step)
    : materials_(materials),
      periodicity_(periodicity),
      time_step_(time_step),
      width_(law_memory_width(materials.law(), materials.rolling())),
      collide_(collide_function(materials.law(), materials.rolling())),
      wall_materials_(walls.materials),
      loads_(walls.size()) {}

// ---- Lists and memory -----------------------------------------------------------------------------------------------

void Contacts::remember(const Chunk& chunk, Remembered& out) const {
    out = {};
    const auto collect = [&](const PairTiles& tiles, auto&& keep, std::vector<double>& memory) {
        for (std::size_t p = 0; p < tiles.pair_count(); ++p) {
            const TileView tile = tiles.tile(p / W);
            if (is_zero(tile.memory, p % W, width_)) continue;
            keep(tile, p);
            for (int m = 0; m < width_; ++m) memory.push_back(tile.memory[static_cast<std::size_t>(m) * W + p % W]);
        }
    };
    const auto keep_pair = [&](const TileView& tile, std::size_t p) {
        out.i.push_back(index_at(tile.i[p % W]));
        out.j.push_back(index_at(tile.j[p % W]));
    };
    collect(chunk.inside, keep_pair, out.memory);
    collect(chunk.across, keep_pair, out.memory);
    collect(
        chunk.wall_tiles, [&](const TileView&, std::size_t p) { out.wall_pairs.push_back(chunk.wall_pairs[p]); },
        out.wall_memory);
}

// Writes the pairs of a chunk into its tiles, with the memory of those remembered: both are sorted, so one walk merges.
void Contacts::fill_tiles(Chunk& chunk, std::size_t begin, std::size_t end, const PairList& pairs,
                          std::vector<WallPair>&& wall_pairs) {
    Remembered old = std::move(chunk.remembered);
    if (!std::exchange(chunk.has_remembered, false)) remember(chunk, old);
    chunk.remembered = {};

    const auto first_across = [&](std::span<const Index> partners) {
        return std::lower_bound(partners.begin(), partners.end(), end) - partners.begin();
    };
    std::size_t inside = 0;
    for (std::size_t i = begin; i < end; ++i) inside += static_cast<std::size_t>(first_across(pairs.of(i)));
    std::size_t next = 0;
    const auto fill = [&](PairTiles& tiles, std::size_t count, auto&& partners_of) {
        std::size_t p = 0;
        tiles.reset(count);
        for (std::size_t i = begin; i < end; ++i) {
            for (const Index j : partners_of(pairs.of(i))) {
                const TileView tile = tiles.tile(p / W);
                tile.i[p % W] = place_of(i);
                tile.j[p % W] = place_of(j);
                const auto before = [&](std::size_t k) {
                    return (old.j[k] < end && j >= end) ||
                           ((old.j[k] < end) == (j < end) &&
                            std::pair(old.i[k], old.j[k]) < std::pair(static_cast<Index>(i), j));
                };
                while (next < old.i.size() && before(next)) ++next;
                const bool known = next < old.i.size() && old.i[next] == i && old.j[next] == j;
                for (int m = 0; m < width_; ++m)
                    tile.memory[static_cast<std::size_t>(m) * W + p % W] =
                        known ? old.memory[next * static_cast<std::size_t>(width_) + static_cast<std::size_t>(m)] : 0;
                ++p;
            }
        }
        if (p % W) pad(tiles.tile(p / W), p % W, width_);
    };
    fill(chunk.inside, inside, [&](std::span<const Index> partners) {
        return partners.first(static_cast<std::size_t>(first_across(partners)));
    });
    fill(chunk.across, pairs.first[end] - pairs.first[begin] - inside, [&](std::span<const Index> partners) {
        return partners.subspan(static_cast<std::size_t>(first_across(partners)));
    });

    chunk.wall_pairs = std::move(wall_pairs);
    const std::size_t count = chunk.wall_pairs.size();
    chunk.wall_tiles.reset(count);
    next = 0;
    for (std::size_t p = 0; p < count; ++p) {
        const TileView tile = chunk.wall_tiles.tile(p / W);
        tile.i[p % W] = place_of(chunk.wall_pairs[p].grain);
        tile.j[p % W] = place_of(p);
        while (next < old.wall_pairs.size() && old.wall_pairs[next] < chunk.wall_pairs[p]) ++next;
        const bool known = next < old.wall_pairs.size() && old.wall_pairs[next] == chunk.wall_pairs[p];
        for (int m = 0; m < width_; ++m)
            tile.memory[static_cast<std::size_t>(m) * W + p % W] =
                known ? old.wall_memory[next * static_cast<std::size_t>(width_) + static_cast<std::size_t>(m)] : 0;
    }
    if (count % W) pad(chunk.wall_tiles.tile(count / W), count % W, width_);
    chunk.ghosts.assign(count, {});
    chunk.ghost_spins.assign(count, {});
    chunk.ghost_materials.resize(count);
    for (std::size_t p = 0; p < count; ++p)
        chunk.ghost_materials[p] = wall_materials_[static_cast<std::size_t>(chunk.wall_pairs[p].wall)];
    chunk.one_wall_type =
        materials_.one_grain_material() && std::all_of(chunk.ghost_materials.begin(), chunk.ghost_materials.end(),
                                                       [&](std::uint8_t m) { return m == chunk.ghost_materials[0]; });
    chunk.ghost_forces.assign(count, {});
}

// Gives every pair across chunks its outgoing row, and every chunk the list of rows that come in, by owner.
void Contacts::link_outgoing() {
    std::size_t total = 0;
    for (Chunk& chunk : chunks_) {
        chunk.first_outgoing = total;
        total += chunk.across.pair_count();
    }
    outgoing_.resize(total);
    if (outgoing_.capacity() > 2 * total + 1024) outgoing_.shrink_to_fit();

    const auto chunk_of = [](const PairTiles& tiles, std::size_t p) {
        return static_cast<std::uint32_t>(index_at(tiles.tile(p / W).j[p % W]) / grain_chunk);
    };
    run_tasks(chunks_.size(), [&](std::size_t c, int) {
        std::vector<std::uint32_t>& targets = chunks_[c].targets;
        targets.clear();
        for (std::size_t p = 0; p < chunks_[c].across.pair_count(); ++p) {
            const std::uint32_t target = chunk_of(chunks_[c].across, p);
            if (std::find(targets.begin(), targets.end(), target) == targets.end()) targets.push_back(target);
        }
    });
    std::vector<std::vector<std::uint32_t>> sources(chunks_.size());
    for (std::size_t c = 0; c < chunks_.size(); ++c)
        for (const std::uint32_t target : chunks_[c].targets) sources[target].push_back(static_cast<std::uint32_t>(c));
    sources_.resize(chunks_.size());
    waiting_for_ = std::vector<std::atomic<int>>(chunks_.size());
    run_tasks(chunks_.size(), [&](std::size_t c, int) {
        sources_[c] = 1 + static_cast<int>(sources[c].size());
        std::vector<Incoming>& incoming = chunks_[c].incoming;
        incoming.clear();
        for (const std::uint32_t source : sources[c]) {
            const Chunk& from = chunks_[source];
            for (std::size_t p = 0; p < from.across.pair_count(); ++p)
                if (chunk_of(from.across, p) == c)
                    incoming.push_back(
                        {static_cast<std::uint32_t>(from.first_outgoing + p),
                         static_cast<Index>(index_at(from.across.tile(p / W).j[p % W]) - c * grain_chunk)});
        }
    });
}

void Contacts::refresh(const Grains& grains, const PairList& pairs, std::vector<std::vector<WallPair>> wall_pairs) {
    if (grains.size() >= most_bodies)
        throw Error(ErrorKind::invalid,
                    "a scene of this many grains does not fit: the most is " + std::to_string(most_bodies - 1));
    const std::size_t chunks = chunk_count(grains.size(), grain_chunk);
    while (chunks_.size() < chunks) chunks_.emplace_back(width_);
    chunks_.erase(chunks_.begin() + static_cast<std::ptrdiff_t>(chunks), chunks_.end());
    wall_pairs.resize(chunks);
    run_tasks(chunks, [&](std::size_t c, int) {
        fill_tiles(chunks_[c], c * grain_chunk, std::min(grains.size(), (c + 1) * grain_chunk), pairs,
                   std::move(wall_pairs[c]));
    });
    link_outgoing();
    pair_count_ = pairs.size();
}

ContactMemory Contacts::memory(const Grains& grains) const {
    return collect_memory(grains, [](std::size_t) {});
}

template <class Done>
ContactMemory Contacts::collect_memory(const Grains& grains, Done&& done_with) const {
    ContactMemory out;
    out.width = width_;
    const auto living = [&](const PairTiles& tiles) {
        std::size_t count = 0;
        for (std::size_t p = 0; p < tiles.pair_count(); ++p) count += !is_zero(tiles.tile(p / W).memory, p % W, width_);
        return count;
    };
    // Count first: growing vectors would take twice the memory.
    std::size_t pairs = 0, wall_pairs = 0;
    for (const Chunk& chunk : chunks_) {
        pairs += chunk.has_remembered ? chunk.remembered.i.size() : living(chunk.inside) + living(chunk.across);
        wall_pairs += chunk.has_remembered ? chunk.remembered.wall_pairs.size() : living(chunk.wall_tiles);
    }
    const auto width = static_cast<std::size_t>(width_);
    out.a.reserve(pairs);
    out.b.reserve(pairs);
    out.memory.reserve(pairs * width);
    out.wall_grain.reserve(wall_pairs);
    out.wall.reserve(wall_pairs);
    out.feature.reserve(wall_pairs);
    out.wall_memory.reserve(wall_pairs * width);
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
        const Chunk& chunk = chunks_[c];
        Remembered own;
        if (!chunk.has_remembered) remember(chunk, own);
        const Remembered& r = chunk.has_remembered ? chunk.remembered : own;
        for (std::size_t k = 0; k < r.i.size(); ++k) {
            out.a.push_back(grains.id[r.i[k]]);
            out.b.push_back(grains.id[r.j[k]]);
        }
        out.memory.insert(out.memory.end(), r.memory.begin(), r.memory.end());
        for (const WallPair& pair : r.wall_pairs) {
            out.wall_grain.push_back(grains.id[pair.grain]);
            out.wall.push_back(pair.wall);
            out.feature.push_back(pair.feature);
        }
        out.wall_memory.insert(out.wall_memory.end(), r.wall_memory.begin(), r.wall_memory.end());
        done_with(c);
    }
    return out;
}

ContactMemory Contacts::detach(const Grains& grains) {
    release(outgoing_);
    // What has been taken out makes room for the next: all of it twice would be the most memory of a run.
    ContactMemory out = collect_memory(grains, [&](std::size_t c) { chunks_[c] = Chunk(width_); });
    chunks_.clear();
    return out;
}

void Contacts::attach(const Grains& grains, const ContactMemory& memory) {
    const auto width = static_cast<std::size_t>(width_);
    assert(memory.width == width_ ||
           (memory.a.empty() && memory.wall_grain.empty()));  // nothing to remember has no width
    constexpr Index gone = ~Index{0};
    Index largest = 0;
    for (const Index id : grains.id) largest = std::max(largest, id);
    std::vector<Index> index_of(static_cast<std::size_t>(largest) + 1, gone);
    for (std::size_t i = 0; i < grains.size(); ++i) index_of[grains.id[i]] = static_cast<Index>(i);
    const auto find = [&](Index id) { return id <= largest ? index_of[id] : gone; };

    chunks_.clear();
    for (std::size_t c = 0; c < chunk_count(grains.size(), grain_chunk); ++c) {
        chunks_.emplace_back(width_);
        chunks_.back().has_remembered = true;
    }
    // Sort the contacts into their chunks, then each chunk's in the order of its pairs.
    std::vector<std::vector<std::uint32_t>> of_chunk(chunks_.size());
    std::vector<std::size_t> counts(chunks_.size());
    const auto owner = [&](std::size_t k) {
        const Index a = find(memory.a[k]), b = find(memory.b[k]);
        return a == gone || b == gone ? gone : std::min(a, b);
    };
    for (std::size_t k = 0; k < memory.a.size(); ++k)
        if (const Index i = owner(k); i != gone) ++counts[i / grain_chunk];
    for (std::size_t c = 0; c < chunks_.size(); ++c) of_chunk[c].reserve(counts[c]);
    for (std::size_t k = 0; k < memory.a.size(); ++k)
        if (const Index i = owner(k); i != gone) of_chunk[i / grain_chunk].push_back(static_cast<std::uint32_t>(k));
    run_tasks(chunks_.size(), [&](std::size_t c, int) {
        struct Key {
            Index i, j;
            std::uint32_t from;
            bool swapped;
        };
        std::vector<Key> keys;
        keys.reserve(of_chunk[c].size());
        for (const std::uint32_t k : of_chunk[c]) {
            const Index a = find(memory.a[k]), b = find(memory.b[k]);
            keys.push_back({std::min(a, b), std::max(a, b), k, a > b});
        }
        release(of_chunk[c]);
        const Index end = static_cast<Index>((c + 1) * grain_chunk);
        std::sort(keys.begin(), keys.end(), [&](const Key& x, const Key& y) {
            return std::tuple(x.j >= end, x.i, x.j) < std::tuple(y.j >= end, y.i, y.j);
        });
        Remembered& r = chunks_[c].remembered;
        r.i.reserve(keys.size());
        r.j.reserve(keys.size());
        r.memory.reserve(keys.size() * width);
        for (const Key& key : keys) {
            r.i.push_back(key.i);
            r.j.push_back(key.j);
            for (std::size_t m = 0; m < width; ++m) {
                // The vectors of the memory are of the first body relative to the second; the rest does not care.
                const bool vector = m < 3 || (materials_.rolling() && m + rolling_memory >= width);
                const double value = memory.memory[key.from * width + m];
                r.memory.push_back(key.swapped && vector ? -value : value);
            }
        }
    });
    std::vector<std::pair<WallPair, std::size_t>> wall_keys;
    for (std::size_t k = 0; k < memory.wall_grain.size(); ++k) {
        const Index grain = find(memory.wall_grain[k]);
        if (grain != gone && memory.wall[k] >= 0) wall_keys.push_back({{grain, memory.wall[k], memory.feature[k]}, k});
    }
    std::stable_sort(wall_keys.begin(), wall_keys.end(),
                     [](const auto& x, const auto& y) { return x.first < y.first; });
    for (const auto& [pair, from] : wall_keys) {
        Remembered& r = chunks_[pair.grain / grain_chunk].remembered;
        r.wall_pairs.push_back(pair);
        r.wall_memory.insert(r.wall_memory.end(),
                             memory.wall_memory.begin() + static_cast<std::ptrdiff_t>(from * width),
                             memory.wall_memory.begin() + static_cast<std::ptrdiff_t>((from + 1) * width));
    }
}

// ---- Forces ---------------------------------------------------------------------------------------------------------

KernelArguments Contacts::arguments(const Grains& grains) const {
    KernelArguments in{};
    in.rows = in.other_rows = grains.row.data();
    in.spins = in.other_spins = grains.spin.data();
    in.materials = in.other_materials = grains.material.data();
    in.coefficients = materials_.coefficients();
    in.friction = materials_.friction();
    in.rolling = materials_.rolling_coefficients();
    in.types = materials_.types();
    in.material_count = materials_.material_count();
    in.one_type = materials_.one_grain_material();
    for (int axis = 0; axis < 3; ++axis) in.periods[axis] = periodicity_.length[axis];
    in.time_step = time_step_;
    return in;
}

namespace {

GrainRow ghost_out_of_reach(Vec3 x, double radius, double law_reach) {
    return {x.x + 4 * (radius + law_reach), x.y, x.z, 0, 0, 0, 0, 0};
}

// A centre that has sunk into the wall keeps its side; such an overlap ends the run.
GrainRow ghost_at(Vec3 foot, Vec3 normal, double distance, Vec3 velocity, Vec3 x, double radius) {
    if (!(distance > 1e-3 * radius)) foot = x - (1e-3 * radius) * normal;
    return {foot.x, foot.y, foot.z, 0, velocity.x, velocity.y, velocity.z, 0};
}

}  // namespace

// Sets the ghosts of a grain's wall pairs, each by itself. False, with nothing said about the ghosts, if one of them is
// on a rim or a mesh: whether that counts depends on the others.
bool Contacts::place_ghosts_alone(Chunk& chunk, std::size_t begin, std::size_t end, const Grains& grains,
                                  const Walls& walls) const {
    const Index grain = chunk.wall_pairs[begin].grain;
    const double radius = grains.row[grain].radius;
    const Vec3 x = grains.position(grain);
    for (std::size_t k = begin; k < end; ++k) {
        const auto wall = static_cast<std::size_t>(chunk.wall_pairs[k].wall);
        const int feature = chunk.wall_pairs[k].feature;
        const WallPlacement& placement = walls.placements[wall];
        const Surface& surface = walls.set.surface(wall, placement);
        const Vec3 local = placement.to_wall(x);
        const Foot foot = surface.foot(feature, local);
        chunk.ghost_spins[k] = {};
        if (placement.open || !(foot.distance < radius + walls.law_reach) || !surface.feature_counts(feature, local)) {
            chunk.ghosts[k] = ghost_out_of_reach(x, radius, walls.law_reach);
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
void Contacts::place_ghosts(Chunk& chunk, const Grains& grains, const Walls& walls) const {
    const std::size_t count = chunk.wall_pairs.size();
    WallTouch touch;
    std::vector<WallFeature> candidates;
    for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
        const Index grain = chunk.wall_pairs[begin].grain;
        while (end < count && chunk.wall_pairs[end].grain == grain) ++end;
        if (place_ghosts_alone(chunk, begin, end, grains, walls)) continue;
        const double radius = grains.row[grain].radius;
        const Vec3 x = grains.position(grain);
        candidates.clear();
        for (std::size_t k = begin; k < end; ++k) {
            candidates.push_back({chunk.wall_pairs[k].wall, chunk.wall_pairs[k].feature});
            chunk.ghosts[k] = ghost_out_of_reach(x, radius, walls.law_reach);
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
void Contacts::hand_over_memory(Chunk& chunk, std::size_t from, std::size_t to) const {
    const TileView source = chunk.wall_tiles.tile(from / W), target = chunk.wall_tiles.tile(to / W);
    if (is_zero(source.memory, from % W, width_) || !is_zero(target.memory, to % W, width_)) return;
    for (int m = 0; m < width_; ++m)
        target.memory[static_cast<std::size_t>(m) * W + to % W] =
            source.memory[static_cast<std::size_t>(m) * W + from % W];
}

void Contacts::load_walls(Chunk& chunk, const Walls& walls) const {
    chunk.loads.assign(walls.size(), {});
    std::vector<Vec3> reference;
    for (std::size_t w = 0; w < walls.size(); ++w)
        reference.push_back(walls.set.reference_point(w, walls.placements[w]));
    for (std::size_t k = 0; k < chunk.wall_pairs.size(); ++k) {
        const GrainRow& ghost = chunk.ghosts[k];
        const ForceRow& f = chunk.ghost_forces[k];
        const auto w = static_cast<std::size_t>(chunk.wall_pairs[k].wall);
        WallLoad& load = chunk.loads[w];
        const Vec3 force{f.fx, f.fy, f.fz};
        load.force += force;
        load.torque += cross(Vec3{ghost.x, ghost.y, ghost.z} - reference[w], force);
        load.power -= dot(force, Vec3{ghost.vx, ghost.vy, ghost.vz});
    }
}

void Contacts::look(const Grains& grains, const Walls& walls) {
    for (Chunk& chunk : chunks_) place_ghosts(chunk, grains, walls);
    contact_count_ = views(grains).size();
}

void Contacts::collide_chunk(std::size_t c, const Grains& grains, const Walls& walls) {
    Chunk& chunk = chunks_[c];
    chunk.force = rows_.take();
    const std::size_t touched = chunk.result.contacts,
                      pairs = chunk.inside.pair_count() + chunk.across.pair_count() + chunk.wall_pairs.size();
    chunk.result = {};

    KernelArguments in = arguments(grains);
    in.sparse = 4 * touched < 3 * pairs;
    in.force = chunk.force;
    in.first = static_cast<Index>(c * grain_chunk);
    in.tiles = &chunk.inside;
    collide_(in, chunk.result);
    in.tiles = &chunk.across;
    in.outgoing = outgoing_.data() + chunk.first_outgoing;
    collide_(in, chunk.result);

    if (chunk.wall_pairs.empty()) return;
    place_ghosts(chunk, grains, walls);
    in.other_rows = chunk.ghosts.data();
    in.other_spins = chunk.ghost_spins.data();
    in.other_materials = chunk.ghost_materials.data();
    in.one_type = chunk.one_wall_type;
    in.tiles = &chunk.wall_tiles;
    in.outgoing = chunk.ghost_forces.data();
    for (double& period : in.periods) period = 0;
    collide_(in, chunk.result);
    load_walls(chunk, walls);
}

void Contacts::gather(Chunk& chunk) const {
    for (const Incoming& from : chunk.incoming) {
        ForceRow& sum = chunk.force[from.grain];
        const ForceRow& row = outgoing_[from.row];
        sum.fx += row.fx;
        sum.fy += row.fy;
        sum.fz += row.fz;
        sum.tx += row.tx;
        sum.ty += row.ty;
        sum.tz += row.tz;
    }
}

void Contacts::collide(Grains& grains, const Walls& walls, TaskRef finish) {
    rows_.reset();
    for (std::size_t c = 0; c < chunks_.size(); ++c) waiting_for_[c].store(sources_[c], std::memory_order_relaxed);
    const auto done_for = [&](std::size_t c, int worker) {
        if (waiting_for_[c].fetch_sub(1, std::memory_order_acq_rel) != 1) return;
        gather(chunks_[c]);
        finish(c, worker);
        rows_.give_back(std::exchange(chunks_[c].force, nullptr));
    };
    run_tasks(chunks_.size(), [&](std::size_t c, int worker) {
        collide_chunk(c, grains, walls);
        done_for(c, worker);
        for (const std::uint32_t target : chunks_[c].targets) done_for(target, worker);
    });
    max_overlap_ = 0;
    contact_count_ = 0;
    loads_.assign(loads_.size(), {});
    for (const Chunk& chunk : chunks_) {
        max_overlap_ = std::max(max_overlap_, chunk.result.max_overlap);
        contact_count_ += chunk.result.contacts;
        if (chunk.wall_pairs.empty()) continue;
        for (std::size_t w = 0; w < loads_.size(); ++w) {
            loads_[w].force += chunk.loads[w].force;
            loads_[w].torque += chunk.loads[w].torque;
            loads_[w].power += chunk.loads[w].power;
        }
    }
}

void RowPool::reset() {
    if (free_.size() != all_.size()) all_.clear();  // a step was broken off: what they hold is not zero
    free_.clear();
    for (const auto& rows : all_) free_.push_back(rows.get());
}

ForceRow* RowPool::take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
        all_.push_back(std::make_unique<ForceRow[]>(grain_chunk));
        free_.push_back(all_.back().get());
    }
    ForceRow* const rows = free_.back();
    free_.pop_back();
    return rows;
}

void RowPool::give_back(ForceRow* rows) {
    const std::lock_guard lock(mutex_);
    free_.push_back(rows);
}

}  // namespace scree
