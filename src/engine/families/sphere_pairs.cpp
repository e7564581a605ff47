#include "engine/families/sphere_pairs.h"

#include <algorithm>
#include <cassert>
#include <tuple>

#include "core/parallel.h"
#include "core/release.h"
#include "scree/error.h"
#include "world/identity.h"

namespace scree {
namespace {

constexpr std::size_t W = tile_width;

}  // namespace

// ---- Lists and memory -----------------------------------------------------------------------------------------------

void SpherePairs::resize(std::size_t chunks) {
    while (chunks_.size() < chunks) chunks_.emplace_back(scene_.width);
    chunks_.erase(chunks_.begin() + static_cast<std::ptrdiff_t>(chunks), chunks_.end());
}

void SpherePairs::renew(const Grains& grains, const PairList& list, const Blocks& blocks) {
    if (grains.size() >= most_bodies)
        throw Error(ErrorKind::invalid,
                    "a scene of this many grains does not fit: the most is " + std::to_string(most_bodies - 1));
    resize(blocks.count());
    run_tasks(chunks_.size(), [&](std::size_t c, int) { fill(chunks_[c], blocks.first(c), blocks.end(c), list); });
    std::size_t total = 0;
    for (Chunk& chunk : chunks_) {
        chunk.first_outgoing = total;
        total += chunk.across.pair_count();
    }
    outgoing_.resize(total);
    if (outgoing_.capacity() > 2 * total + 1024) outgoing_.shrink_to_fit();
    size_ = list.size();
}

SpherePairs::Remembered SpherePairs::read(const Chunk& chunk) const {
    Remembered out;
    for (const PairTiles* tiles : {&chunk.inside, &chunk.across}) {
        const auto keep = [&](std::size_t p) {
            const TileView tile = tiles->tile(p / W);
            out.i.push_back(index_at(tile.i[p % W]));
            out.j.push_back(index_at(tile.j[p % W]));
        };
        collect_memory(*tiles, scene_.width, keep, out.numbers);
    }
    return out;
}

// Writes the pairs of a chunk into its tiles, with the memory of those remembered: both are sorted, so one walk merges.
void SpherePairs::fill(Chunk& chunk, std::size_t begin, std::size_t end, const PairList& pairs) {
    const Remembered old =
        std::exchange(chunk.has_remembered, false) ? std::exchange(chunk.remembered, {}) : read(chunk);
    const auto first_across = [&](std::span<const Index> partners) {
        return static_cast<std::size_t>(std::lower_bound(partners.begin(), partners.end(), end) - partners.begin());
    };
    std::size_t inside = 0;
    for (std::size_t i = begin; i < end; ++i) inside += first_across(pairs.of(i));
    std::size_t next = 0;
    const auto fill_tiles = [&](PairTiles& tiles, std::size_t count, auto&& partners_of) {
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
                set_memory(tile, p % W, scene_.width, known ? old.numbers.data() + next * scene_.width : nullptr);
                ++p;
            }
        }
        pad(tiles, scene_.width);
    };
    fill_tiles(chunk.inside, inside,
               [&](std::span<const Index> partners) { return partners.first(first_across(partners)); });
    fill_tiles(chunk.across, pairs.first[end] - pairs.first[begin] - inside,
               [&](std::span<const Index> partners) { return partners.subspan(first_across(partners)); });
}

void SpherePairs::remember(const Grains& grains, ContactMemory& out, bool let_go) {
    if (let_go) release(outgoing_);
    // Count first: growing vectors would take twice the memory.
    std::size_t living = 0;
    for (const Chunk& chunk : chunks_)
        living += chunk.has_remembered
                      ? chunk.remembered.i.size()
                      : count_living(chunk.inside, scene_.width) + count_living(chunk.across, scene_.width);
    out.a.reserve(living);
    out.b.reserve(living);
    out.memory.reserve(living * scene_.width);
    for (Chunk& chunk : chunks_) {
        const Remembered own = chunk.has_remembered ? Remembered{} : read(chunk);
        const Remembered& from = chunk.has_remembered ? chunk.remembered : own;
        for (std::size_t k = 0; k < from.i.size(); ++k) {
            out.a.push_back(grains.id[from.i[k]]);
            out.b.push_back(grains.id[from.j[k]]);
        }
        out.memory.insert(out.memory.end(), from.numbers.begin(), from.numbers.end());
        if (let_go) chunk = Chunk(scene_.width);
    }
    if (let_go) chunks_.clear();
}

void SpherePairs::attach(const Grains& grains, const ContactMemory& memory, const Blocks& blocks) {
    chunks_.clear();
    resize(blocks.count());
    for (Chunk& chunk : chunks_) chunk.has_remembered = true;
    const IdentityTable places(grains.id);
    // Sort the contacts into their chunks, then each chunk's in the order of its pairs.
    std::vector<std::vector<std::uint32_t>> of_chunk(chunks_.size());
    std::vector<std::size_t> counts(chunks_.size());
    std::vector<Index> owner(memory.a.size());
    parallel_for(memory.a.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const Index a = places.find(memory.a[k]), b = places.find(memory.b[k]);
            owner[k] = a == IdentityTable::none || b == IdentityTable::none ? IdentityTable::none : std::min(a, b);
        }
    });
    for (const Index i : owner)
        if (i != IdentityTable::none) ++counts[blocks.of(i)];
    for (std::size_t c = 0; c < chunks_.size(); ++c) of_chunk[c].reserve(counts[c]);
    for (std::size_t k = 0; k < owner.size(); ++k)
        if (owner[k] != IdentityTable::none) of_chunk[blocks.of(owner[k])].push_back(static_cast<std::uint32_t>(k));
    release(owner);
    run_tasks(chunks_.size(), [&](std::size_t c, int) {
        struct Key {
            Index i, j;
            std::uint32_t from;
            bool swapped;
        };
        std::vector<Key> keys;
        keys.reserve(of_chunk[c].size());
        for (const std::uint32_t k : of_chunk[c]) {
            const Index a = places.find(memory.a[k]), b = places.find(memory.b[k]);
            keys.push_back({std::min(a, b), std::max(a, b), k, a > b});
        }
        release(of_chunk[c]);
        const auto end = static_cast<Index>(blocks.end(c));
        std::sort(keys.begin(), keys.end(), [&](const Key& x, const Key& y) {
            return std::tuple(x.j >= end, x.i, x.j) < std::tuple(y.j >= end, y.i, y.j);
        });
        Remembered& r = chunks_[c].remembered;
        r.i.reserve(keys.size());
        r.j.reserve(keys.size());
        r.numbers.reserve(keys.size() * scene_.width);
        for (const Key& key : keys) {
            r.i.push_back(key.i);
            r.j.push_back(key.j);
            for (std::size_t m = 0; m < scene_.width; ++m) {
                // The vectors of the memory are of the first body relative to the second; the rest does not care.
                const bool vector = m < 3 || (scene_.materials.rolling() && m + rolling_memory >= scene_.width);
                const double value = memory.memory[key.from * scene_.width + m];
                r.numbers.push_back(key.swapped && vector ? -value : value);
            }
        }
    });
}

// ---- Forces ---------------------------------------------------------------------------------------------------------

void SpherePairs::collide(std::size_t chunk, KernelArguments in, KernelResult& result) {
    in.tiles = &chunks_[chunk].inside;
    scene_.collide(in, result);
    in.tiles = &chunks_[chunk].across;
    in.outgoing = outgoing_.data() + chunks_[chunk].first_outgoing;
    scene_.collide(in, result);
}

void SpherePairs::add_incoming(const Rows& rows, std::size_t chunk) const {
    ForceRow* const sums = rows.sums(chunk);
    for (const Rows::Incoming& from : rows.incoming(chunk)) {
        ForceRow& sum = sums[from.grain];
        const ForceRow& row = outgoing_[from.row];
        sum.fx += row.fx;
        sum.fy += row.fy;
        sum.fz += row.fz;
        sum.tx += row.tx;
        sum.ty += row.ty;
        sum.tz += row.tz;
    }
}

}  // namespace scree
