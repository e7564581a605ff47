// Lists of pieces that may touch, and the memory of contacts while the lists change.
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/parallel.h"
#include "core/random.h"
#include "engine/contacts.h"
#include "engine/shaped.h"
#include "geometry/gjk.h"
#include "scree/error.h"

namespace scree {
namespace {

constexpr double smallest_skin = 0.005, largest_skin = 0.3, first_skin = 0.05;  // of the smallest ball around a grain

constexpr std::int64_t few_steps = 40, many_steps = 400;  // between refreshes
constexpr std::size_t few_pairs = 16,
                      many_pairs = 100;  // of pieces of two bodies: past these hulls are asked, trees are used

using PairName = std::tuple<Index, Index, std::uint32_t>;

}  // namespace

ContactMemory ShapedContacts::memory(const Grains& grains) const {
    if (has_waiting_) return waiting_;
    ContactMemory out;
    out.width = width_ + static_cast<int>(beside_memory);
    const auto width = static_cast<std::size_t>(width_);
    for (const Chunk& chunk : chunks_) {
        for (std::size_t p = chunk.first_pair; p < chunk.end_pair; ++p) {
            const PiecePair& pair = pairs_[p];
            if (!touches(p)) continue;
            const Remembered old = remembered(chunk, p);
            for (int k = 0; k < old.count; ++k) {
                out.a.push_back(grains.id[pair.a]);
                out.b.push_back(grains.id[pair.b]);
                out.key.push_back((static_cast<std::uint64_t>(pair.pa) << 48) |
                                  (static_cast<std::uint64_t>(pair.pb) << 32) |
                                  static_cast<std::uint64_t>(old.keys[k]));
                const double* const numbers = old.numbers + static_cast<std::size_t>(k) * width;
                out.memory.insert(out.memory.end(), numbers, numbers + width);
                out.memory.push_back(pair.feature);
                out.memory.push_back(old.taken);
                out.memory.push_back(old.power);
            }
        }
        each_near_walls(grains, chunk, [&](const GrainWalls& near) {
            for (std::size_t k = 0; k < near.memory.points.size(); ++k) {
                out.wall_grain.push_back(grains.id[near.grain]);
                out.wall.push_back(near.memory.points[k].wall);
                out.feature.push_back(near.memory.points[k].feature);
                out.wall_key.push_back(near.memory.points[k].key);
                out.wall_memory.insert(out.wall_memory.end(),
                                       near.memory.numbers.begin() + static_cast<std::ptrdiff_t>(k * width),
                                       near.memory.numbers.begin() + static_cast<std::ptrdiff_t>((k + 1) * width));
                const auto account =
                    std::find_if(near.accounts.begin(), near.accounts.end(),
                                 [&](const WallAccount& of) { return of.wall == near.memory.points[k].wall; });
                const bool counts = account != near.accounts.end();
                for (const double beside : {0.0, counts ? account->taken : 0, counts ? account->power : 0})
                    out.wall_memory.push_back(beside);
            }
        });
    }
    return out;
}

ContactMemory ShapedContacts::detach(const Grains& grains) {
    ContactMemory out = memory(grains);
    pairs_.clear();
    bodies_.clear();
    chunks_.clear();
    bonds_.clear();
    bond_first_.clear();
    has_waiting_ = false;
    return out;
}

void ShapedContacts::attach(const Grains& grains, const ContactMemory& memory) {
    turn(grains);
    waiting_ = memory;
    has_waiting_ = true;
    required_ = true;
}

bool ShapedContacts::expired(const Grains& grains, const Walls& walls) {
    if (required_ || odometer_.size() != grains.size()) return true;
    const double limit = skin_ * (1 - 1e-6);
    double extent = 0;
    for (std::size_t w = 0; w < walls.size(); ++w) {
        if (!wall_moves_[w]) continue;
        if (extent == 0)
            for (const GrainRow& row : grains.row)
                extent = std::max({extent, std::fabs(row.x) + row.radius, std::fabs(row.y) + row.radius,
                                   std::fabs(row.z) + row.radius});
        if (walls.set.moved(w, wall_reference_[w], walls.placements[w], 2 * extent) > limit) return true;
    }
    for (const Odometer& each : odometer_)
        if (each.travelled > limit) return true;
    return false;
}

void ShapedContacts::update(const Grains& grains, const Walls& walls) {
    if (disturbance_ && Random(disturbance_ + 1, draws_++).uniform() < 0.05) required_ = true;
    ++steps_since_;
    if (!expired(grains, walls)) return;
    for (std::size_t g = 0; g < grains.size(); ++g)
        if (!is_finite(grains.position(g)) || !is_finite(grains.momentum[g]))
            throw Error(ErrorKind::invalid, "the position or spin of grain " + std::to_string(grains.id[g]) +
                                                " is not a number any more; a smaller time step may help");
    double smallest = grains.size() ? grains.row[0].radius : 1;
    for (const GrainRow& row : grains.row) smallest = std::min(smallest, row.radius);
    if (skin_ == 0)
        skin_ = first_skin * smallest;
    else if (steps_since_ < few_steps)
        skin_ *= 1.3;
    else if (steps_since_ > many_steps)
        skin_ *= 0.8;
    skin_ = std::clamp(skin_, smallest_skin * smallest, largest_skin * smallest);
    if (disturbance_) skin_ = smallest * Random(disturbance_, draws_++).uniform(smallest_skin, largest_skin);
    rebuild(grains, walls, smallest_skin * smallest);
    steps_since_ = 0;
    required_ = false;
}

bool ShapedContacts::bonded(const Grains& grains, std::size_t i, std::size_t j) const {
    if (grains.shape[i] != grains.shape[j]) return false;
    const GluedCluster* cluster = shapes_.glued(grains.shape[i]);
    if (!cluster) return false;
    const std::uint32_t size = cluster->size();
    return grains.id[i] / size == grains.id[j] / size && cluster->bonded(grains.id[i] % size, grains.id[j] % size);
}

void ShapedContacts::find_bonds(const Grains& grains) {
    bonds_.clear();
    bond_first_.clear();
    bool any = false;
    for (std::size_t k = 0; k < shapes_.size(); ++k) any = any || shapes_.glued(k);
    if (!any) return;
    std::vector<std::pair<Index, Index>> by_id;
    for (std::size_t g = 0; g < grains.size(); ++g) by_id.emplace_back(grains.id[g], static_cast<Index>(g));
    std::sort(by_id.begin(), by_id.end());
    for (std::size_t g = 0; g < grains.size(); ++g) {
        bond_first_.push_back(static_cast<std::uint32_t>(bonds_.size()));
        const GluedCluster* cluster = shapes_.glued(grains.shape[g]);
        if (!cluster) continue;
        const std::uint32_t member = grains.id[g] % cluster->size(), begin = grains.id[g] - member;
        const double scale = grains.scale[g] / cluster->radius[member];
        for (std::uint32_t k = cluster->first[member]; k < cluster->first[member + 1]; ++k) {
            const GluedCluster::Bond& bond = cluster->bonds[k];
            const auto at = std::lower_bound(by_id.begin(), by_id.end(),
                                             std::pair{static_cast<Index>(begin + bond.other), Index{0}});
            if (at == by_id.end() || at->first != begin + bond.other) continue;
            const double rest = scale * bond.rest,
                         inverse_mass = grains.row[g].inverse_mass + grains.row[at->second].inverse_mass;
            bonds_.push_back({at->second, rest,
                              bond_damping(cluster->glue, bond_stiffness(cluster->glue, rest), inverse_mass),
                              &cluster->glue});
        }
    }
    bond_first_.push_back(static_cast<std::uint32_t>(bonds_.size()));
}

// Whether some pieces of two bodies are closer than the reach; for the audit.
bool ShapedContacts::are_near(const Grains& grains, std::size_t a, std::size_t b, double reach) const {
    const Vec3 offset = periodicity_.nearest(grains.position(b) - grains.position(a));
    const auto placed = [&](const Piece& piece, std::size_t g, Vec3 at) {
        Mat3 m = rotation_[g];
        for (Vec3& row : m.row) row *= grains.scale[g];
        return Placed<Polyhedron>::stretched(piece.body, m, at);
    };
    for (const Piece& p : shapes_[grains.shape[a]].pieces)
        for (const Piece& q : shapes_[grains.shape[b]].pieces) {
            const Distance d = distance(placed(p, a, {}), placed(q, b, offset));
            if (d.skeletons_overlap ||
                d.gap + d.error - p.radius * grains.scale[a] - q.radius * grains.scale[b] < reach)
                return true;
        }
    return false;
}

// Work of a step in units of one pair of spheres visited: a query of two pieces takes some thirty times as long.
const PairList& ShapedContacts::find_pairs(const Grains& grains, double& reach, double least_reach) {
    constexpr double query_cost = 30, pair_cost = 0.5, body_cost = 15;
    const double n = static_cast<double>(std::max<std::size_t>(grains.size(), 1)),
                 steps = static_cast<double>(std::max<std::int64_t>(steps_since_, 1));
    const double work = body_cost + (pair_cost * static_cast<double>(pairs_.size()) +
                                     query_cost * static_cast<double>(made_ - std::min(made_, made_before_)) / steps) /
                                        n;
    made_before_ = made_;
    const PairSearch::Bodies bodies{&covering_, rotation_, [&](std::size_t a, std::size_t b, double within) {
                                        return are_near(grains, a, b, within);
                                    }};
    return search_.find(grains, reach, least_reach, {steps_since_, work}, &bodies);
}

void ShapedContacts::rebuild(const Grains& grains, const Walls& walls, double least_skin) {
    const ContactMemory old = has_waiting_ ? std::move(waiting_) : memory(grains);
    has_waiting_ = false;
    turn(grains);
    std::fill(odometer_.begin(), odometer_.end(), Odometer{});
    find_bonds(grains);
    const std::size_t n = grains.size(), count = chunk_count(n, shaped_chunk);
    double reach = 2 * skin_ + law_reach_;
    const PairList& list = find_pairs(grains, reach, 2 * least_skin + law_reach_);
    skin_ = 0.5 * (reach - law_reach_);

    // Pieces of the listed bodies that come near each other, by the balls around them and then by their distance, which
    // is their first mark; where there are many, hulls first, then trees of boxes (Montanari 2017, algorithm 6).
    std::vector<PieceCounts> counts(count);
    std::vector<std::vector<PiecePair>> found(count);
    std::vector<std::vector<double>> found_marks(count);
    std::vector<std::uint64_t> searched(count, 0);
    std::vector<std::vector<BodyPair>> found_bodies(count);
    run_tasks(count, [&](std::size_t c, int) {
        for (std::size_t i = c * shaped_chunk; i < std::min(n, (c + 1) * shaped_chunk); ++i)
            for (const std::uint32_t j : list.of(i)) {
                const auto first = static_cast<Index>(i);
                const Index a = grains.id[i] < grains.id[j] ? first : j, b = a == j ? first : j;
                if (!bond_first_.empty() && bonded(grains, a, b)) continue;
                if (grains.row[a].inverse_mass + grains.row[b].inverse_mass == 0) continue;
                const Shape &sa = shapes_[grains.shape[a]], &sb = shapes_[grains.shape[b]];
                const bool balls = is_clump_[grains.shape[a]] && is_clump_[grains.shape[b]];
                const std::uint16_t type = materials_.type(grains.material[a], grains.material[b]);
                const Vec3 offset = periodicity_.nearest(grains.position(b) - grains.position(a));
                const Pose pa = pose(grains, a, {}), pb = pose(grains, b, offset);
                const std::size_t products = sa.pieces.size() * sb.pieces.size();
                const auto begin = static_cast<std::uint32_t>(found[c].size());
                const auto add = [&](std::size_t p, std::size_t q, double mark) {
                    found[c].push_back(
                        {a, b, static_cast<std::uint16_t>(p), static_cast<std::uint16_t>(q), balls, type, 0, -1});
                    found_marks[c].push_back(mark);
                };
                const auto add_near = [&](std::size_t p, std::size_t q) {
                    const Piece &piece_a = sa.pieces[p], &piece_b = sb.pieces[q];
                    thread_local Patch patch;
                    double feature = 0;
                    find_patch(piece_a, pa, piece_b, pb, 0, dimension_, feature, patch);
                    searched[c] += patch.searched;
                    const double gap = patch.distance - (piece_a.radius * pa.scale + piece_b.radius * pb.scale),
                                 slack = 1e-12 * (grains.row[a].radius + grains.row[b].radius);
                    if (patch.overlap || !(gap - slack > reach))
                        add(p, q, !patch.overlap && gap - slack > law_reach_ ? gap : -forever);
                };
                const auto add_body = [&] {
                    if (found[c].size() > begin)
                        found_bodies[c].push_back({a, b, begin, static_cast<std::uint32_t>(found[c].size())});
                };
                if (balls && products <= many_pairs) {
                    const BodyBall *const of_a = balls_.data() + ball_first_[a], *const of_b =
                                                                                     balls_.data() + ball_first_[b];
                    for (std::size_t p = 0; p < sa.pieces.size(); ++p) {
                        const Vec3 at = of_a[p].x - offset;
                        const double near = reach + of_a[p].radius, past = near + sb.reach * pb.scale;
                        if (norm2(at) > past * past) continue;
                        for (std::size_t q = 0; q < sb.pieces.size(); ++q)
                            if (const double within = near + of_b[q].radius; !(norm2(at - of_b[q].x) > within * within))
                                add(p, q, -forever);
                    }
                    add_body();
                    continue;
                }
                if (products > few_pairs) {
                    ++counts[c].hulls;
                    const Polyhedron &ha = sa.hull ? *sa.hull : sa.pieces[0].body,
                                     &hb = sb.hull ? *sb.hull : sb.pieces[0].body;
                    Mat3 ma = pa.rotation, mb = pb.rotation;
                    for (int k = 0; k < 3; ++k) {
                        ma.row[k] *= pa.scale;
                        mb.row[k] *= pb.scale;
                    }
                    const Distance d = distance(Placed<Polyhedron>::stretched(ha, ma, {}),
                                                Placed<Polyhedron>::stretched(hb, mb, offset));
                    if (!d.skeletons_overlap && d.gap - d.error -
                                                        (sa.hull ? sa.hull_radius : sa.least_radius) * pa.scale -
                                                        (sb.hull ? sb.hull_radius : sb.least_radius) * pb.scale >
                                                    reach) {
                        ++counts[c].apart;
                        continue;
                    }
                }
                if (products > many_pairs) {
                    thread_local std::vector<std::pair<std::uint16_t, std::uint16_t>> near_pairs;
                    near_pairs.clear();
                    counts[c].nodes += near_pieces(shapes_.tree(grains.shape[a]), pa, shapes_.tree(grains.shape[b]), pb,
                                                   reach, near_pairs);
                    for (const auto& [p, q] : near_pairs)
                        if (balls)
                            add(p, q, -forever);
                        else
                            add_near(p, q);
                }
                for (std::size_t p = 0; p < sa.pieces.size() && products <= many_pairs; ++p) {
                    const Vec3 at = pa(sa.pieces[p].middle);
                    const double near = reach + sa.pieces[p].reach * pa.scale;
                    if (products > 1 && norm(at - offset) > near + sb.reach * pb.scale) continue;
                    for (std::size_t q = 0; q < sb.pieces.size(); ++q) {
                        if (products > 1 && norm(pb(sb.pieces[q].middle) - at) > near + sb.pieces[q].reach * pb.scale)
                            continue;
                        add_near(p, q);
                    }
                }
                add_body();
            }
    });
    for (const PieceCounts& each : counts) {
        piece_counts_.hulls += each.hulls;
        piece_counts_.apart += each.apart;
        piece_counts_.nodes += each.nodes;
    }
    std::vector<Chunk> chunks(count);
    std::size_t total = 0, bodies = 0;
    for (std::size_t c = 0; c < count; ++c) {
        chunks[c].first_pair = total;
        chunks[c].first_body = bodies;
        for (BodyPair& body : found_bodies[c]) {
            body.first += static_cast<std::uint32_t>(total);
            body.end += static_cast<std::uint32_t>(total);
        }
        bodies += found_bodies[c].size();
        total += found[c].size();
        chunks[c].end_pair = total;
        chunks[c].end_body = bodies;
        if (c < chunks_.size()) {
            chunks[c].made = chunks_[c].made;
            chunks[c].saved = chunks_[c].saved;
        }
        chunks[c].made += searched[c];
    }
    pairs_.clear();
    pairs_.reserve(total);
    for (const auto& part : found) pairs_.insert(pairs_.end(), part.begin(), part.end());
    marks_.clear();
    marks_.reserve(total);
    for (const auto& part : found_marks) marks_.insert(marks_.end(), part.begin(), part.end());
    body_marks_.assign(bodies, -forever);
    largest_ = 0;
    for (const GrainRow& row : grains.row) largest_ = std::max(largest_, row.radius);
    bodies_.clear();
    bodies_.reserve(bodies);
    for (const auto& part : found_bodies) bodies_.insert(bodies_.end(), part.begin(), part.end());
    list_balls(chunks);
    forces_.assign(bodies, {});
    touching_.assign(bodies, 0);
    own_first_.assign(n + 1, 0);
    incoming_first_.assign(n + 2, 0);
    for (const BodyPair& pair : bodies_) {
        ++own_first_[pair.first_stored() + 1];
        ++incoming_first_[pair.last_stored() + 2];
    }
    for (std::size_t g = 0; g < n; ++g) {
        own_first_[g + 1] += own_first_[g];
        incoming_first_[g + 2] += incoming_first_[g + 1];
    }
    incoming_.resize(bodies);
    for (std::size_t p = 0; p < bodies; ++p)
        incoming_[incoming_first_[bodies_[p].last_stored() + 1]++] = static_cast<std::uint32_t>(p);

    // Candidates among the walls.
    run_tasks(walls.size() ? count : 0, [&](std::size_t c, int) {
        std::vector<WallFeature> features;
        for (std::size_t g = c * shaped_chunk; g < std::min(n, (c + 1) * shaped_chunk); ++g) {
            if (grains.row[g].inverse_mass == 0) continue;
            features.clear();
            walls.set.features_near(walls.placements, grains.position(g), grains.row[g].radius + reach, features);
            if (features.empty()) continue;
            const auto of = [](const WallFeature& f) { return static_cast<std::size_t>(f.wall); };
            if (std::all_of(features.begin(), features.end(),
                            [&](const WallFeature& f) { return !has_account(grains, g, f.wall); }) &&
                list_flat(grains, walls, g, features, reach, chunks[c].flat))
                continue;
            const bool moving =
                std::any_of(features.begin(), features.end(), [&](const WallFeature& f) { return wall_moves_[of(f)]; });
            chunks[c].walls.push_back({static_cast<Index>(g),
                                       moving,
                                       -forever,
                                       features,
                                       {},
                                       {},
                                       std::vector<double>(corners_[grains.shape[g]].size(), -forever)});
        }
        chunks[c].flat.close(static_cast<std::size_t>(width_));
    });
    chunks_ = std::move(chunks);

    // Hand the memory to the new lists.
    // Checkpoints of earlier versions have the feature alone beside the numbers of the law.
    const auto width = static_cast<std::size_t>(width_), row = static_cast<std::size_t>(old.width);
    const bool fits = row == width + beside_memory || row == width + 1;
    if (!old.a.empty() && fits) {
        std::vector<std::pair<PairName, std::size_t>> names;
        for (std::size_t k = 0; k < old.a.size(); ++k)
            names.push_back({{old.a[k], old.b[k], static_cast<std::uint32_t>(old.key[k] >> 32)}, k});
        std::sort(names.begin(), names.end());
        for (Chunk& chunk : chunks_)
            for (std::size_t p = chunk.first_pair; p < chunk.end_pair; ++p) {
                PiecePair& pair = pairs_[p];
                const PairName name{grains.id[pair.a], grains.id[pair.b],
                                    (static_cast<std::uint32_t>(pair.pa) << 16) | pair.pb};
                auto at = std::lower_bound(names.begin(), names.end(), std::pair{name, std::size_t{0}});
                if (at == names.end() || at->first != name) continue;
                if (pair.balls) {
                    std::copy_n(old.memory.begin() + static_cast<std::ptrdiff_t>(at->second * row), width,
                                ball_memory(p));
                    ball_memory(p)[width] = 1;
                    continue;
                }
                marks_[p] = -forever;
                pair.slot = take_slot(chunk.pool, stride());
                double* const to = chunk.pool.numbers.data() + static_cast<std::size_t>(pair.slot) * stride();
                int points = 0;
                for (; at != names.end() && at->first == name && points < static_cast<int>(patch_points_);
                     ++at, ++points) {
                    to[first_key + static_cast<std::size_t>(points)] =
                        static_cast<double>(old.key[at->second] & 0xffffffffu);
                    std::copy_n(old.memory.begin() + static_cast<std::ptrdiff_t>(at->second * row), width,
                                to + first_key + patch_points_ + static_cast<std::size_t>(points) * width);
                    pair.feature = old.memory[at->second * row + width];
                    to[1] = row > width + 1 ? old.memory[at->second * row + width + 1] : -1;
                    to[2] = row > width + 1 ? old.memory[at->second * row + width + 2] : 0;
                }
                to[0] = points;
            }
    }
    if (!old.wall_grain.empty() && fits) {
        std::vector<std::pair<Index, std::size_t>> names;
        for (std::size_t k = 0; k < old.wall_grain.size(); ++k)
            if (old.wall[k] >= 0) names.emplace_back(old.wall_grain[k], k);
        std::sort(names.begin(), names.end());
        for (Chunk& chunk : chunks_) {
            FlatList& flat = chunk.flat;
            for (std::size_t p = 0; p < flat.points.size(); ++p) {
                const FlatPoint& point = flat.points[p];
                const Index id = grains.id[point.grain];
                const std::uint32_t key = corners_[grains.shape[point.grain]][point.corner].key;
                for (auto at = std::lower_bound(names.begin(), names.end(), std::pair{id, std::size_t{0}});
                     at != names.end() && at->first == id; ++at) {
                    const std::size_t k = at->second;
                    if (old.wall[k] != point.on.wall || old.feature[k] != point.on.feature ||
                        static_cast<std::uint32_t>(old.wall_key[k]) != key)
                        continue;
                    flat.state[p] = 1;
                    std::copy_n(old.wall_memory.begin() + static_cast<std::ptrdiff_t>(k * row), width,
                                flat.memory.begin() + static_cast<std::ptrdiff_t>(p * width));
                }
            }
            for (GrainWalls& near : chunk.walls) {
                const Index id = grains.id[near.grain];
                for (auto at = std::lower_bound(names.begin(), names.end(), std::pair{id, std::size_t{0}});
                     at != names.end() && at->first == id; ++at) {
                    const std::size_t k = at->second;
                    near.memory.points.push_back(
                        {old.wall[k], old.feature[k], static_cast<std::uint32_t>(old.wall_key[k])});
                    near.memory.numbers.insert(near.memory.numbers.end(),
                                               old.wall_memory.begin() + static_cast<std::ptrdiff_t>(k * row),
                                               old.wall_memory.begin() + static_cast<std::ptrdiff_t>(k * row + width));
                    const bool known = std::any_of(near.accounts.begin(), near.accounts.end(),
                                                   [&](const WallAccount& of) { return of.wall == old.wall[k]; });
                    if (known || !has_account(grains, near.grain, old.wall[k])) continue;
                    near.accounts.push_back({old.wall[k], true,
                                             row > width + 1 ? old.wall_memory[k * row + width + 1] : -1,
                                             row > width + 1 ? old.wall_memory[k * row + width + 2] : 0});
                }
            }
        }
    }
    wall_reference_ = walls.placements;
}

void ShapedContacts::list_balls(std::vector<Chunk>& chunks) {
    bool any = false;
    for (Chunk& chunk : chunks) {
        chunk.balls = 0;
        for (std::size_t p = chunk.first_pair; p < chunk.end_pair; ++p) chunk.balls += pairs_[p].balls;
        any = any || chunk.balls > 0;
    }
    const std::size_t total = any ? pairs_.size() : 0;
    ball_pairs_.assign(total, {});
    ball_marks_.assign(total, std::numeric_limits<double>::infinity());
    ball_memory_.assign(total * ball_row(static_cast<std::size_t>(width_)), 0.0);
    for (std::size_t body = 0; body < bodies_.size(); ++body)
        for (std::size_t p = bodies_[body].first; p < bodies_[body].end; ++p) {
            const PiecePair& pair = pairs_[p];
            if (!pair.balls) continue;
            ball_pairs_[p] = {pair.a,
                              pair.b,
                              ball_first_[pair.a] + pair.pa,
                              ball_first_[pair.b] + pair.pb,
                              static_cast<std::uint32_t>(body),
                              pair.type};
            ball_marks_[p] = -std::numeric_limits<double>::infinity();
        }
}

NeighborReport ShapedContacts::report(std::size_t grains) const {
    NeighborReport report;
    search_.report(report);
    report.pairs_per_grain = grains ? static_cast<double>(pairs_.size()) / static_cast<double>(grains) : 0;
    report.contacts_per_grain = grains ? static_cast<double>(contact_count_) / static_cast<double>(grains) : 0;
    report.distance_queries = made_;
    report.distance_queries_saved = saved_;
    return report;
}

}  // namespace scree
