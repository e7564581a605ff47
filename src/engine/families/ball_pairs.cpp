#include "engine/families/ball_pairs.h"

#include <cmath>
#include <limits>
#include <tuple>

#include "engine/families/body_memory.h"
#include "engine/families/pair_points.h"

namespace scree {

void BallPairs::renew(std::span<const std::vector<BallPair>> lists, double largest) {
    first_.assign(1, 0);
    for (const auto& list : lists) first_.push_back(first_.back() + list.size());
    pairs_.clear();
    pairs_.reserve(first_.back());
    for (const auto& list : lists) pairs_.insert(pairs_.end(), list.begin(), list.end());
    marks_.assign(pairs_.size(), -std::numeric_limits<double>::infinity());
    memory_.assign(pairs_.size() * row(), 0.0);
    largest_ = largest;
}

// Pairs whose marks have run out go through the kernel, whether they touch or not: what does not adds +0.0.
void BallPairs::collide(const Grains& grains, std::size_t block, double farthest, BodyPairs& bodies,
                        BlockReport& report) {
    const std::size_t begin = first_[block], end = first_[block + 1];
    if (begin == end) return;
    thread_local std::vector<std::uint32_t> active;
    thread_local BallLanes lanes{};
    active.resize(end - begin + 8);
    report.queries_saved += end - begin;
    const Vec3 period = scene_.periodicity.length;
    const Bodies& all = scene_.bodies;
    const BallBodies in{grains.row.data(),    all.omega.data(),      all.inertia.data(),
                        all.balls.data(),     all.odometer.data(),   {period.x, period.y, period.z},
                        scene_.law.reach(),   all.all_even,          pairs_.data(),
                        marks_.data(),        memory_.data(),        scene_.law.width(),
                        bodies.forces.data(), bodies.touching.data()};
    const std::size_t count = scene_.kernel.used_up(in, largest_, farthest, begin, end, active.data());
    BallSum sum;
    for (std::size_t at = 0; at < count;) {
        const std::uint16_t type = pairs_[active[at]].type;
        std::size_t next = at + 1;
        while (next < count && next - at < BallLanes::W && pairs_[active[next]].type == type) ++next;
        scene_.kernel.balls(scene_.law.of_type(type), in, active.data() + at, next - at, lanes, sum);
        at = next;
    }
    report.contacts += static_cast<std::size_t>(sum.contacts);
    report.max_overlap = sum.ratio > report.max_overlap ? sum.ratio : report.max_overlap;
    for (std::size_t k = 0; k < count && sum.sunk && !report.sunk; ++k) {
        const BallPair& pair = pairs_[active[k]];
        const Vec3 offset = scene_.offset(grains, pair.a, pair.b);
        if (!(norm(all.balls[pair.ball_a].x - (offset + all.balls[pair.ball_b].x)) > 0))
            report.sink(grains.id[pair.a], grains.id[pair.b]);
    }
}

std::size_t BallPairs::touching(const BodyPair& pair) const {
    std::size_t count = 0;
    for (std::size_t at = pair.first; at < pair.end; ++at) count += touches(at);
    return count;
}

void BallPairs::each_view(const Grains& grains, const BodyPair& body,
                          const std::function<void(const ContactView&)>& visit) const {
    const Vec3 offset = scene_.offset(grains, body.a, body.b);
    const Touching touching = scene_.touching(grains, body.a, body.b, offset);
    const Vec3 turn = scene_.bodies.omega[body.a].w - scene_.bodies.omega[body.b].w;
    for (std::size_t at = body.first; at < body.end; ++at) {
        if (!touches(at)) continue;
        const BallPair& pair = pairs_[at];
        const TwoPieces pieces{pair.a, pair.b, number_of(pair.a, pair.ball_a), number_of(pair.b, pair.ball_b)};
        const Vec3 from = scene_.bodies.balls[pair.ball_a].x, to = offset + scene_.bodies.balls[pair.ball_b].x,
                   d = from - to;
        Patch patch;
        patch.distance = norm(d);
        patch.count = 1;
        patch.point[0] = {from, to, d / patch.distance, patch.distance, 1, ball_key};
        LawPoint point;
        pair_points(scene_, grains, pieces, patch, offset, &point);
        double memory[point_memory];
        std::copy_n(memory_of(at), scene_.law.width(), memory);
        point.memory = memory;
        PatchSum sum;
        scene_.law.apply(&point, 1, touching, pair.type, turn, true, sum);
        visit(view_of(grains, pieces, point, 1));
    }
}

void BallPairs::remember(const Grains& grains, const BodyPair& body, ContactMemory& out) const {
    for (std::size_t at = body.first; at < body.end; ++at) {
        if (!touches(at)) continue;
        const BallPair& pair = pairs_[at];
        out.a.push_back(grains.id[pair.a]);
        out.b.push_back(grains.id[pair.b]);
        out.key.push_back(static_cast<std::uint64_t>(number_of(pair.a, pair.ball_a)) << 48 |
                          static_cast<std::uint64_t>(number_of(pair.b, pair.ball_b)) << 32 | ball_key);
        BodyMemoryRows::append(out.memory, memory_of(at), scene_.law.width(), 0, 0, 0);
    }
}

void BallPairs::recall(const Grains& grains, const ContactMemory& memory) {
    const BodyMemoryRows rows(memory, memory.memory, scene_.law.width());
    if (memory.a.empty() || pairs_.empty() || !rows.fit()) return;
    using Name = std::tuple<Index, Index, std::uint32_t>;
    RowsByName<Name> names;
    for (std::size_t k = 0; k < memory.a.size(); ++k)
        names.add({memory.a[k], memory.b[k], static_cast<std::uint32_t>(memory.key[k] >> 32)}, k);
    names.close();
    for (std::size_t at = 0; at < pairs_.size(); ++at) {
        const BallPair& pair = pairs_[at];
        const auto pieces =
            static_cast<std::uint32_t>(number_of(pair.a, pair.ball_a)) << 16 | number_of(pair.b, pair.ball_b);
        const auto found = names.of({grains.id[pair.a], grains.id[pair.b], pieces});
        if (found.empty()) continue;
        std::copy_n(rows.law(found.front().second), scene_.law.width(), memory_of(at));
        memory_of(at)[scene_.law.width()] = 1;
    }
}

}  // namespace scree
